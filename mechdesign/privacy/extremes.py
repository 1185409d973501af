"""What privacy requires of profiles that are known only within bounds, exactly.

Let h^i_y be the largest and g^i_y the least of P A^i_y over the distributions P in the set of profile i. An edge (i, j)
is held to sum_y max(0, h^i_y - e^epsilon g^j_y) <= delta, both ways. For delta = 0 this says just that privacy holds
for every pair of distributions within the sets. For delta > 0 it is sufficient: it adds up the worst cases of the
outputs, which no one pair of distributions need have together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.graph.uncertainty import Uncertainty
from mechdesign.privacy.requirement import Requirement, both_ways


@dataclass(frozen=True)
class Extremes:
    """The largest and the least that a profile may release of each output."""

    largest: tuple[Fraction, ...]
    least: tuple[Fraction, ...]


def extremes(one: Uncertainty, rows: Sequence[Sequence[Any]]) -> Extremes:
    """Return the extremes of sum_x P(x) row_x over the distributions in a set, for exact rows of one total.

    Examples
    --------
    >>> from mechdesign.graph.uncertainty import Ball
    >>> extremes(Ball((Fraction(1, 2), Fraction(1, 2)), Fraction(1, 4)), [[1, 0], [0, 1]]).largest
    (Fraction(3, 4), Fraction(3, 4))
    """
    columns = list(zip(*rows, strict=True))
    return Extremes(
        tuple(_largest(one, column) for column in columns),
        tuple(-_largest(one, [-value for value in column]) for column in columns),
    )


def _largest(one: Uncertainty, values: Sequence[Any]) -> Fraction:
    return sum((mass * value for mass, value in zip(one.largest(values), values, strict=True)), Fraction(0))


def gaps(first: Extremes, second: Extremes, ratio: Fraction) -> list[Fraction]:
    """Return h_y - ratio g_y for each output, for h of the first and g of the second."""
    return [high - ratio * low for high, low in zip(first.largest, second.least, strict=True)]


def excess(first: Extremes, second: Extremes, ratio: Fraction) -> Fraction:
    """Return sum_y max(0, h_y - ratio g_y)."""
    return sum((gap for gap in gaps(first, second, ratio) if gap > 0), Fraction(0))


def met_within(found: Sequence[Extremes], required: Iterable[Requirement]) -> bool:
    """Return whether every requirement is met; True proves privacy, for a rational below e^epsilon stands for it."""
    return all(excess(found[a], found[b], edge.ratio_below) <= edge.delta for a, b, edge in both_ways(required))
