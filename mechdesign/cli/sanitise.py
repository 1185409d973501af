"""`mechdesign sanitise`."""

from typing import Any

import click

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE, OutputFile
from mechdesign.cli.option_names import OneOf, option
from mechdesign.cli.options import cells_options, listed, reading_options
from mechdesign.cli.output import row_bar
from mechdesign.release.in_files import sanitise_file
from mechdesign.release.manifest import ENDING
from mechdesign.release.sanitiser import Unknown
from mechdesign.release.sinks import check_ending
from mechdesign.show.answer import Answer, for_programs

RELEASED = OutputFile(check_ending, lambda name: [name + ENDING])


@command("sanitise")
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@click.argument("data", type=FILE, metavar="DATA")
@option("--value COLUMN", "The column to sanitise; or A,B: several together.", required=True)
@option(
    "--profile COLUMN",
    "The column of the profile; not needed where all profiles have the same matrix. It is not written.",
)
@option(
    "-o/--output OUT",
    "Write the data, as .parquet, .feather, .arrow, .csv or .tsv, and OUT.manifest.json on how it was made.",
    RELEASED,
    required=True,
)
@option("--keep COL,...", "Further columns to write, as they are: what they tell about people is not protected.")
@option("--keep-anyway", "Let --keep name the profile's column, too: then nobody is protected.")
@option(
    "--unknown",
    "What to do with rows whose value or profile the mechanism does not know.",
    OneOf(Unknown),
    default="error",
)
@reading_options()
@option("--others LABEL", "The category of values that are no category. Default: as in the graph of MECHANISM.")
@option("--proof CERT.json", "The mechanism's certificate: checked, and recorded.", FILE, name="certificate")
@option(
    "--seed-not-for-release N", "The same outcome each time, for tests: whoever knows N can undo it.", int, name="seed"
)
@cells_options
def sanitise_command(
    mechanism_file: str,
    data: str,
    output: str,
    keep: str | None,
    keep_anyway: bool,
    others: str | None,
    certificate: str | None,
    reading: dict[str, Any],
    seed: int | None,
    cells: dict[str, Any],
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
    read = cells | reading
    read |= {} if others is None else {"others": others}
    columns |= {"keep": listed("keep", keep) or (), "keep_anyway": keep_anyway}
    applied: dict[str, Any] = {"certificate": certificate, "seed_not_for_release": seed}
    with row_bar(data) as tell:
        released = sanitise_file(mechanism_file, data, output, progress=tell, **columns, **read, **applied)
    return released.answer().then(Answer(facts=for_programs({"manifest": output + ENDING})))
