"""`mechdesign reproduce`."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from mechdesign.cli.common import console, json_option, print_json, progress_bar, table
from mechdesign.cli.completion import completes
from mechdesign.cli.paths import Command, OutputFolder
from mechdesign.errors import InputError
from mechdesign.exact import expected_one_of
from mechdesign.files import made_folder
from mechdesign.papers import RESULTS
from mechdesign.papers.result import Result


@click.command("reproduce", cls=Command, short_help="Compute what the papers print, beside what they print.")
@click.argument("name", metavar="[NAME|all]", default="all", shell_complete=completes(["all", *RESULTS]))
@click.option(
    "--plots",
    type=OutputFolder("for the pictures", "*.svg"),
    metavar="FOLDER",
    help="Also draw the figures, as SVG files in this folder.",
)
@json_option
def reproduce_command(name: str, plots: str | None, as_json: bool) -> int:
    """Compute what the papers print: computed beside published, and in words where a paper is wrong.

    Exit 1 if anything computed differs from what it should be.
    """
    if name != "all" and name not in RESULTS:
        raise InputError(expected_one_of(["all", *RESULTS], name))
    chosen = list(RESULTS) if name == "all" else [name]
    results = []
    with progress_bar("reproducing") as progress:
        for done, key in enumerate(chosen):
            results.append(RESULTS[key]())
            progress(done + 1, len(chosen))
    drawn = _draw(results, made_folder(plots)) if plots is not None else []
    if as_json:
        print_json({"results": [_plain(result) for result in results], "plots": drawn})
    else:
        out = console()
        for result in results:
            _print(out, result)
        if drawn:
            out.print(f"Drawn: {', '.join(drawn)}")
    return int(any(row.agrees is False for result in results for row in result.rows))


def _draw(results: list[Result], folder: Path) -> list[str]:
    from mechdesign.report.plots import save_figure  # matplotlib loads slowly

    drawn = []
    for result in results:
        if result.figure is not None:
            path = folder / f"{result.name}.svg"
            save_figure(result.figure(), path)
            drawn.append(str(path))
    return drawn


def _print(out: Console, result: Result) -> None:
    rows = table(f"{result.name}: {result.title} ({result.paper})", "", "computed", "printed", "right value", "", "")
    rows.columns[-1].justify = "left"
    for row in result.rows:
        mark = {True: "agrees", False: "DIFFERS", None: ""}[row.agrees]
        rows.add_row(row.what, *map(_text, (row.computed, row.published, row.reference)), mark, row.note)
    out.print(rows)
    out.print(result.words, style="italic", width=min(out.width, 110))
    out.print()


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return f"{float(value):.9g}" if isinstance(value, float | Fraction) else str(value)


def _plain(result: Result) -> dict[str, Any]:
    rows = [
        {
            "what": row.what,
            "computed": _number(row.computed),
            "published": _number(row.published),
            "reference": _number(row.reference),
            "agrees": row.agrees,
            "note": row.note,
        }
        for row in result.rows
    ]
    return {"name": result.name, "title": result.title, "paper": result.paper, "rows": rows, "words": result.words}


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value
