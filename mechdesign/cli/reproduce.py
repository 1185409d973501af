"""`mechdesign reproduce`."""

from collections import Counter
from collections.abc import Sequence
from textwrap import fill

import click

from mechdesign.cli.answering import command
from mechdesign.cli.option_names import completes
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.papers import ERRATA, RESULTS
from mechdesign.papers.published import Result
from mechdesign.show.answer import Answer, for_programs, sentences
from mechdesign.show.as_json import facts_of
from mechdesign.words import expected_one_of

PAPERS = list(dict.fromkeys(name.partition("-")[0] for name in RESULTS))
"""What stands for all results of a paper."""

NAMES = "\b\n" + fill(
    f"NAME is a paper, {', '.join(PAPERS[:-1])} or {PAPERS[-1]}, or one of {', '.join(RESULTS)}.",
    76,
    break_on_hyphens=False,
)


@command("reproduce", epilog=f"{NAMES}\n\n{ERRATA}")
@click.argument("name", metavar="[NAME|all]", default="all", shell_complete=completes(["all", *PAPERS, *RESULTS]))
def reproduce_command(name: str) -> Answer:
    """Compute what the papers print: computed next to printed or claimed, and in words where a paper is wrong.

    Printed are digits that stand in the paper; claimed is what it says in words, or by a formula whose value is found
    here. The right value is ours: it is given where the paper has none, another, or fewer digits. What is computed is
    then "as in the paper", or "right, unlike the paper", or "right" where the paper says nothing. [GC], [HLM], [ND] and
    [SM] are the papers, named in full in the heading of each result.

    Exit 1 if anything computed differs from what it should be.
    """
    chosen = [key for key in RESULTS if name in ("all", key, key.partition("-")[0])]
    if not chosen:
        raise InputError(expected_one_of(["all", *PAPERS, *RESULTS], name))
    results = []
    with progress_bar("reproducing") as progress:
        for done, key in enumerate(chosen):
            results.append(RESULTS[key]())
            progress(done + 1, len(chosen))
    (summary, words), told = summary_of(results), [result.answer() for result in results]
    listed = {"results": [facts_of(one) for one in told], "summary": summary}
    said = [text for result in results for text in (result.words, *(row.note for row in result.rows))]
    return Answer(
        words if len(results) > 1 else "",
        status=int(summary["wrong"] > 0),
        tone="bad" if summary["wrong"] else "good",
        facts=[*for_programs(listed), *sentences(ERRATA if any("ERR-" in text for text in said) else None)],
        tables=[table for one in told for table in one.tables],
    )


def summary_of(results: Sequence[Result]) -> tuple[dict[str, int], str]:
    """Return how many rows agree with what a paper prints or claims, differ, go with neither, are wrong; and in words.

    A row that differs is wrong only if it is not the right value either.
    """
    rows = [row for result in results for row in result.rows]
    stated = Counter(row.as_stated for row in rows)
    wrong = sum(row.agrees is False for row in rows)
    counts = {"agree": stated[True], "differ": stated[False], "unstated": stated[None], "wrong": wrong}
    of_papers = f"{stated[True]} agree with what is printed or claimed, {stated[False]} differ from it"
    end = f"{wrong} ARE NOT AS THEY SHOULD BE" if wrong else "all that have a right value have it"
    words = f"{len(results)} results, {len(rows)} rows: {of_papers}, {stated[None]} have neither; {end}."
    return {"results": len(results), **counts}, words
