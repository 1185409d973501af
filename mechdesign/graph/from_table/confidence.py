"""Bounds that hold the true profiles, all of them at once, with a confidence that is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import Number
from mechdesign.exact.text import format_number
from mechdesign.graph.from_table.clopper_pearson import interval_outward
from mechdesign.graph.from_table.disclosure import Release
from mechdesign.graph.from_table.histogram import Tally, check_size_of
from mechdesign.graph.labels import Label

INTERVALS = (
    "Clopper-Pearson, two-sided, of all profiles and categories at once (Bonferroni), rounded outward; a profile is the"
    " law of the value given the profile, its records are independent draws, and their number is taken as given"
)

OCCURRING = (
    "the categories are those that occur in the records: the true profiles may have others, of which nothing is said;"
    " give the categories"
)

Masses = dict[Label, list[Fraction]]
"""For each profile a number for each category."""


@dataclass(frozen=True)
class Confidence:
    """How sure the bounds of the profiles are: `level` is the probability that they hold all true ones."""

    level: Fraction

    def bounds(
        self, tally: Tally, categories: Sequence[Label], distributions: dict[Label, Sequence[Fraction]]
    ) -> tuple[Masses, Masses]:
        """Return (lower, upper) of each profile; they hold what smoothing makes of its distribution too.

        Raises
        ------
        InputError
            if there would be more than `MOST_PROBABILITIES`.
        """
        check_size_of(len(tally), len(categories))
        cells = len(categories) if len(categories) > 2 else 1  # of two, one's interval mirrors the other's
        miss = (1 - self.level) / (len(tally) * cells)
        lower: Masses = {}
        upper: Masses = {}
        for profile, counter in tally.items():
            trials = counter.total()
            ends = [interval_outward(counter[category], trials, miss) for category in categories]
            own = distributions[profile]
            lower[profile] = [min(low, mass) for (low, _), mass in zip(ends, own, strict=True)]
            upper[profile] = [max(high, mass) for (_, high), mass in zip(ends, own, strict=True)]
        return lower, upper

    def described(self, *, declared: bool) -> dict[str, Any]:
        """Return what the graph says of it, in its attribute `made`; `declared` says whether categories were given."""
        said = {"level": format_number(self.level), "intervals": INTERVALS, "guarantee": self.guarantee()}
        return {"confidence": said if declared else said | {"caution": OCCURRING}}

    def guarantee(self) -> str:
        """Return what holds of a mechanism that is designed or certified with these bounds."""
        return (
            f"with probability at least {format_number(100 * self.level)} % over the sample, (epsilon, delta)-private"
            " for the true profiles; certainly for every profile within the graph's bounds. The sample must be public"
            " or somebody else's: otherwise the estimate is a release itself"
        )


def read_confidence(value: Number | None, release: Release, faults: Faults) -> Confidence | None:
    """Return the confidence asked for, if any; what stands against it is added to the faults."""
    if value is None:
        return None
    level = faults.number(
        "confidence", value, outside="a number between 0 and 1", above=0, below=1, beside="; 95 % is 0.95"
    )
    if release.noise is not None:
        faults.append(
            "confidence: bounds are for exact counts, and noise moves these further; give either of the two"
            " (a graph of values, `graph values`, needs no profiles)"
        )
    if release.steps is not None:
        faults.append(
            "confidence: bounds and counts would tell what rounding hides; give either confidence= or round_to="
        )
    return Confidence(level)


def guarantee_in(graph: nx.Graph) -> str | None:
    """Return what a graph says that its bounds guarantee, if they are from a sample; the text of `from-table`.

    Examples
    --------
    >>> guarantee_in(nx.Graph(made={"confidence": {"guarantee": "with probability at least 95 % ..."}}))
    'with probability at least 95 % ...'
    """
    made = graph.graph.get("made")
    sure = made.get("confidence") if isinstance(made, dict) else None
    said = sure.get("guarantee") if isinstance(sure, dict) else None
    return said if isinstance(said, str) else None
