"""`mechdesign mend`."""

from pathlib import Path
from typing import Any

import click

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE, OUTPUT, OutputFile, document
from mechdesign.cli.objective import objective_from, objective_options
from mechdesign.cli.option_names import OneOf, in_options, option
from mechdesign.cli.options import (
    Edges,
    cells_options,
    delta_option,
    edges_options,
    epsilon_option,
    workers_option,
)
from mechdesign.cli.output import progress_bar
from mechdesign.cli.workers import worker_pool
from mechdesign.errors import InputError
from mechdesign.mechanism.foreign import read_foreign, reading_of
from mechdesign.mender.mend import METHODS, mend
from mechdesign.mender.mend_arguments import MOST_DIGITS
from mechdesign.mender.mended_file import MATRICES, write_mended
from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.show.answer import Answer, for_programs, sentences


def _about(fault: str, mechanism: str, loss: str | None) -> str:
    """Return the file that a fault is in."""
    sources = {"loss": loss or "", "objective": "", "epsilon": "", "delta": ""}
    return next((source for word, source in sources.items() if fault.startswith(word)), mechanism)


DISTANCES: dict[str, type[Any]] = {kind.name: kind for kind in (ExpectedLoss, WorstLoss)}
"""What may be least: a mean or the largest of the rows' distances."""


@command("mend", written={"output": "mechanism"}, unwritten="-o FILE writes the mechanism")
@click.argument("mechanism_file", type=FILE, metavar="MATRIX")
@epsilon_option(required=True, help="What is required, in nats, or inf.")
@delta_option(help="In [0, 1).")
@edges_options
@objective_options(
    "What is minimised of the rows' distances",
    default=ExpectedLoss.name,
    kinds=DISTANCES,
)
@option("--method", "How to solve.", OneOf(METHODS), default="auto")
@option("--any-optimum", "Any of the nearest mechanisms: faster.")
@option(
    "-o/--output FILE",
    "Write it: as MECHANISM.json, or in doubles as .csv or .npy.",
    OutputFile(lambda name: document(name, *MATRICES)),
)
@option("--digits N", "Decimals of at most N places, private as they are written.", click.IntRange(1, MOST_DIGITS))
@option("--certificate CERT.json", "Write the proof; .json.gz is compressed.", OUTPUT)
@cells_options
@workers_option
def mend_command(
    mechanism_file: str,
    edges: Edges,
    objective: str | None,
    loss: str | None,
    output: str | None,
    digits: int | None,
    certificate: str | None,
    cells: dict[str, Any],
    workers: int,
    **asked: Any,
) -> Answer:
    """Find the private mechanism nearest to one that is not, with a proof that none is nearer.

    MATRIX is a mechanism or a matrix, as for certify. The mean distance of its rows to the new ones (for worst-loss,
    the largest) is the least there is. Distance is total variation, or the least --loss of moving from one row to the
    other. The outputs stay as they are, and so does a mechanism that is private already.

    A .csv or .npy file has doubles that are exactly private, and a .csv file the labels, delimiter, encoding and
    decimal commas of MATRIX. Spreadsheets save 15 of a double's digits, which may not be private: --digits 15 is.

    \b
    mechdesign certify vendor.csv --epsilon 2
    mechdesign mend vendor.csv --epsilon 2 -o mended.csv --certificate proof.json
    """
    given = read_foreign(mechanism_file, edges.graph, **cells)
    goal = objective_from(
        ExpectedLoss.name if objective is None else objective, loss, given.outputs, cells["layout"], DISTANCES
    )
    ending = "" if output is None else Path(output).suffix.lower()
    if digits is not None and ending == ".npy":
        raise InputError("--digits: goes with .csv or .json; a .npy file holds doubles", source=output or "")
    doubles = ending in MATRICES and digits is None
    asked |= {"objective": goal, "doubles": doubles, "digits": digits, "all_pairs": edges.all_pairs}
    with worker_pool(workers) as executor, progress_bar("mending, by component") as progress:
        try:
            result = mend(given, edges.graph, **asked, executor=executor, progress=progress)
        except InputError as error:
            raise in_options(error, _about(error.faults[0], mechanism_file, loss)) from None
    dialect = write_mended(result, mechanism_file, cells["layout"], output, certificate)
    remarks = []
    if dialect.words():
        remarks.append(f"{output} has what {mechanism_file} has: {', '.join(dialect.words())}.")
    if doubles and ending == ".csv":
        remarks.append("Spreadsheets keep 15 digits of a number; what they save may not be private. --digits 15 is.")
    more = Answer(facts=[*for_programs({"graph": edges.name}), *sentences(*remarks)])
    return result.answer(edges.name or "").then(reading_of(given), more)
