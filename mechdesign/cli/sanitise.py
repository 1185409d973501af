"""`mechdesign sanitise`."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import pyarrow as pa

from mechdesign.cli.answering import AnsweringCommand
from mechdesign.cli.file_types import FILE, OutputFile
from mechdesign.cli.option_names import OneOf
from mechdesign.cli.options import layout_options, listed, normalise_option
from mechdesign.cli.reading_options import reading_options
from mechdesign.cli.row_bar import Told, row_bar
from mechdesign.errors import InputError
from mechdesign.files.delimited import Layout
from mechdesign.files.documents import json_writer
from mechdesign.files.scan import Scan, scan
from mechdesign.files.writing import Write, write_together
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.privacy.asked import Protected
from mechdesign.release.journal import Journal
from mechdesign.release.manifest import ENDING, SEEDED, guarantee, made_from, manifest
from mechdesign.release.sanitiser import Sanitiser, Unknown
from mechdesign.release.sinks import check_ending, write_batches
from mechdesign.show.answer import Answer, for_programs, sentences

FEW = 100_000
"""Of fewer rows it says nothing how many were sanitised in a second."""

KEPT = "{} is kept, beside each value: it is what the mechanism hides, and what is proved of it protects nobody."

RELEASED = OutputFile(check_ending, lambda name: [name + ENDING])


@click.command("sanitise", cls=AnsweringCommand, short_help="Apply a mechanism to a file of data, of any size.")
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@click.argument("data", type=FILE, metavar="DATA")
@click.option("--value", required=True, metavar="COLUMN", help="The column to sanitise.")
@click.option(
    "--profile",
    metavar="COLUMN",
    help="The column of the profile; not needed where all profiles have the same matrix. It is not written.",
)
@click.option(
    "-o",
    "--output",
    type=RELEASED,
    required=True,
    metavar="OUT",
    help="Write the data, as .parquet, .feather, .arrow, .csv or .tsv, and OUT.manifest.json on how it was made.",
)
@click.option(
    "--keep",
    metavar="COL,...",
    help="Further columns to write, as they are: what they tell about people is not protected.",
)
@click.option(
    "--keep-anyway",
    is_flag=True,
    help="Write the profile's column, too: then nobody is protected.",
)
@click.option(
    "--unknown",
    type=OneOf(Unknown),
    default="error",
    show_default=True,
    help="What to do with rows whose value or profile the mechanism does not know.",
)
@reading_options
@click.option(
    "--others",
    metavar="LABEL",
    help="The category of values that are no category. Default: as in the graph of MECHANISM.",
)
@normalise_option
@click.option(
    "--proof",
    "certificate",
    type=FILE,
    metavar="CERT.json",
    help="The mechanism's certificate: checked, and recorded.",
)
@click.option(
    "--seed-not-for-release",
    "seed",
    type=int,
    metavar="N",
    help="The same outcome each time, for tests: whoever knows N can undo it.",
)
@layout_options
def sanitise_command(
    mechanism_file: str,
    data: str,
    output: str,
    keep: str | None,
    keep_anyway: bool,
    others: str | None,
    normalise: bool,
    certificate: str | None,
    reading: dict[str, Any],
    seed: int | None,
    layout: Layout,
    **columns: Any,
) -> Answer:
    """Apply a mechanism to a file of data: each row's value is replaced by an output, drawn at random for that row.

    DATA is a CSV, Parquet, Feather or Arrow file of any size, or a folder of such files. The sanitised column and those
    of --keep are written. Which cells are missing values, and what becomes of values that are no category, is as in the
    graph that MECHANISM was designed for, unless options say otherwise.

    An observation may be sanitised once. A note in a hidden file next to DATA, and one among your files, lead to a
    warning the second time, or for a copy.

    \b
    mechdesign sanitise mechanism.json survey.parquet --value answer --profile town -o released.parquet
    mechdesign sanitise mechanism.json survey.csv --value answer --profile town --keep year -o released.csv \\
        --proof proof.json
    """
    began = time.perf_counter()
    mechanism = read_foreign(mechanism_file, normalise=normalise)
    reading |= {} if others is None else {"others": others}
    columns |= {"keep": listed("keep", keep) or (), "keep_anyway": keep_anyway}
    sanitiser = Sanitiser(mechanism, seed_not_for_release=seed, **columns, **reading)
    guaranteed, protected = guarantee(mechanism, certificate)
    known = made_from(mechanism_file, certificate) | guaranteed
    _check_outside(data, output)
    journal, digest = Journal(data), known["mechanism"]["sha256"]
    warnings = [] if seed is None else [f"{SEEDED.format(seed)}."]
    warnings += [KEPT.format(name) for name in sanitiser.hidden_kept]
    again = journal.warnings(sanitiser.value, digest)
    made: dict[str, Any] = {}

    def document() -> dict[str, Any]:
        made.update(manifest(sanitiser, known, seed=seed))
        return made

    files: list[tuple[Path | str, Write]] = [
        (output, lambda beside: _release(sanitiser, data, layout, beside)),
        (output + ENDING, lambda beside: json_writer(document(), output + ENDING)(beside)),
    ]

    def note() -> None:
        if seed is None:
            again[:] = journal.noted(sanitiser.value, digest, output)

    write_together(*files, before_renaming=note)
    warnings += again + sanitiser.never.warnings()
    seconds = time.perf_counter() - began
    keys = ("rows", "left_out", "proved", "robust", "epsilon", "delta", *protected.summary())
    told = {key: made[key] for key in keys} | {"manifest": output + ENDING, "seconds": seconds}
    rate = f", {sanitiser.rows / seconds / 1e6:.2g} million a second" if sanitiser.rows >= FEW else ""
    return Answer(
        f"{_rows(made['rows'])} sanitised in {seconds:.1f} s{rate}.",
        facts=[*for_programs(told), *sentences(*_remarks(sanitiser, made, protected))],
        warnings=warnings,
    )


def _check_outside(data: str, output: str) -> None:
    """Raise if the output would be one of the files that are read."""
    folder = Path(os.path.realpath(data))
    if folder.is_dir() and Path(os.path.realpath(output)).is_relative_to(folder):
        raise InputError(f"--output: expected a file outside the folder {data}, which is read", source=output)


def _release(sanitiser: Sanitiser, data: str, layout: Layout, beside: Path) -> None:
    """Write the sanitised data."""
    with scan(data, sanitiser.coded, keep=sanitiser.kept_plain, layout=layout) as stream, row_bar(data) as tell:
        try:
            write_batches(
                _told(sanitiser, stream, tell),
                sanitiser.schema(stream.schema),
                beside,
                delimiter=stream.delimiter,
                random=[sanitiser.value],
            )
        except InputError as error:
            raise InputError(error.faults, source=error.source or data) from None


def _told(sanitiser: Sanitiser, stream: Scan, tell: Told) -> Iterator[pa.RecordBatch]:
    """Yield sanitised batches, and tell how far it is."""

    def counted_in(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield batch
            tell(sanitiser.rows, stream.share())

    yield from sanitiser.batches(counted_in(stream))


def _remarks(sanitiser: Sanitiser, made: dict[str, Any], protected: Protected) -> Iterator[str]:
    """Yield what became of the rows, what is known of the mechanism, and what is released beside the values."""
    if made["left_out"]:
        yield f"Left out: {_rows(made['left_out'])}. {'. '.join(sanitiser.described())}."
    for label, times in sanitiser.stood_in.items():
        yield f"Taken for {label}: {_rows(times)}."
    if made["proved"]:
        whom = ", for every distribution within the profiles' bounds" if made["robust"] else ""
        proved = f"Proved: epsilon {made['epsilon']}, delta {made['delta']} at most on every edge{whom}"
        yield f"{proved}: {protected.words()}."
    elif made["epsilon"] is not None:
        said = f"The mechanism says that its epsilon is {made['epsilon']}, for {protected.words()}"
        yield f"{said}; --proof CERT.json proves it."
    kept = f"they are: {', '.join(sanitiser.keep)}, and" if sanitiser.keep else "it is:"
    yield f"Released as {kept} the order of the rows."


def _rows(number: int) -> str:
    return f"{number:,} row{'s' * (number != 1)}"
