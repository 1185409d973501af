"""`certify --workload`: how many inequalities decide, by each kind of sufficient sets of [HLM]."""

from fractions import Fraction
from typing import Any

from rich.console import Console

from mechdesign.certifier.work import Work
from mechdesign.cli.output import in_json, table
from mechdesign.exact.text import short

SAFE = 2**53
"""Integers below this are exact wherever JSON is read."""

LONGEST = 10**15
"""Numbers below this are printed in full."""


def workload_summary(work: Work) -> dict[str, Any]:
    """Return the JSON object of the workload; numbers that a double cannot hold are rounded, or null beyond doubles."""
    counts = {"every_subset": work.every_subset, "theorem_2": work.theorem_2, "corollary_1": work.corollary_1}
    rounded = {key: count if count < SAFE else in_json(Fraction(count)) for key, count in counts.items()}
    return {"pairs": work.pairs, **rounded, "sizes": {str(size): count for size, count in work.sizes.items()}}


def print_workload(out: Console, work: Work, *, delta: Fraction) -> None:
    """Print the workload for people."""
    rows = table("Inequalities that decide, over all ordered pairs", "", "how many")
    rows.add_row("every set of outputs: the definition", _number(work.every_subset))
    rows.add_row("the subsets of {y : P(y) > P'(y)}: [HLM], Theorem 2", _number(work.theorem_2))
    if delta == 0:
        rows.add_row("the parts of it where P(y) / P'(y) is the same: [HLM], Corollary 1", _number(work.corollary_1))
    rows.add_row("one set, {y : P(y) > e^epsilon P'(y)}: what decided here", _number(work.pairs))
    out.print()
    out.print(rows)


def _number(count: int) -> str:
    return f"{count:,}" if count < LONGEST else short(Fraction(count))
