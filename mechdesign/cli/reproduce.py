"""`mechdesign reproduce`."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import click
from rich.console import Console

from mechdesign.cli.completion import completes
from mechdesign.cli.options import json_option
from mechdesign.cli.output import print_json, progress_bar
from mechdesign.cli.paths import Command
from mechdesign.errors import InputError
from mechdesign.papers import ERRATA, RESULTS
from mechdesign.papers.result import Result, agree
from mechdesign.show.terminal import console, table_of
from mechdesign.words import expected_one_of


@click.command("reproduce", cls=Command, epilog=ERRATA)
@click.argument("name", metavar="[NAME|all]", default="all", shell_complete=completes(["all", *RESULTS]))
@json_option
def reproduce_command(name: str, as_json: bool) -> int:
    """Compute what the papers print: computed next to printed or claimed, and in words where a paper is wrong.

    Printed are digits that stand in the paper; claimed is what it says in words, or by a formula whose value is found
    here. The right value is ours: it is given where the paper has none, another, or fewer digits. [GC], [HLM], [ND] and
    [SM] are the papers, named in full in the heading of each result.

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
    if as_json:
        summary = asdict(summary_of(results))
        print_json({"results": [_plain(result) for result in results], "summary": summary})
    else:
        out = console()
        for result in results:
            _print(out, result)
        if any(map(_has_errata, results)):
            out.print(ERRATA, width=min(out.width, 110), markup=False, highlight=False)
        if len(results) > 1:
            out.print(summary_of(results).words(), soft_wrap=True)
    return int(summary_of(results).wrong > 0)


@dataclass(frozen=True)
class Summary:
    """How many rows agree with what a paper prints or claims, differ from it, or go with neither; how many are wrong.

    A row that differs is wrong only if it is not the right value either.
    """

    results: int
    agree: int
    differ: int
    unstated: int
    wrong: int

    def words(self) -> str:
        """Return the summary as a sentence."""
        rows = self.agree + self.differ + self.unstated
        of_papers = f"{self.agree} agree with what is printed or claimed, {self.differ} differ from it"
        end = f"{self.wrong} ARE NOT AS THEY SHOULD BE" if self.wrong else "all that have a right value have it"
        return f"{self.results} results, {rows} rows: {of_papers}, {self.unstated} have neither; {end}."


def summary_of(results: Sequence[Result]) -> Summary:
    """Return the summary of some results."""
    rows = [row for result in results for row in result.rows]
    stated = [agree(row.computed, row.stated) for row in rows if row.stated is not None]
    wrong = sum(row.agrees is False for row in rows)
    return Summary(len(results), sum(stated), len(stated) - sum(stated), len(rows) - len(stated), wrong)


def _print(out: Console, result: Result) -> None:
    lines = []
    for row in result.rows:
        mark = {True: "agrees", False: "DIFFERS", None: ""}[row.agrees]
        values = (row.computed, row.published, row.claimed, row.reference)
        lines.append([row.what, *map(_text, values), mark, row.note])
    headings = ["", "computed", "printed", "claimed", "right value", "", ""]
    rows = table_of(f"{result.name}: {result.title} ({result.paper})", headings, lines)
    if any(row.note for row in result.rows):
        rows.columns[-1].justify = "left"
    out.print(rows)
    out.print(result.words, style="italic", width=min(out.width, 110))
    out.print()


def _has_errata(result: Result) -> bool:
    return any("ERR-" in words for words in (result.words, *(row.note for row in result.rows)))


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return f"{float(value):.9g}" if isinstance(value, float | Fraction) else str(value)


def _plain(result: Result) -> dict[str, Any]:
    rows = [
        {
            "what": row.what,
            "computed": _number(row.computed),
            "published": row.published,
            "claimed": _number(row.claimed),
            "reference": _number(row.reference),
            "agrees": row.agrees,
            "note": row.note,
        }
        for row in result.rows
    ]
    return {"name": result.name, "title": result.title, "paper": result.paper, "rows": rows, "words": result.words}


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value
