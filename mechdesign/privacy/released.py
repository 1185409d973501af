"""What a profile releases: a distribution over the outputs, as integers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Exact


@dataclass(frozen=True, eq=False)
class Released:
    """A distribution over the outputs as integer weights over their total; equal to others of the same probabilities.

    Examples
    --------
    >>> Released(np.array([1, 3], dtype=object), 4) == Released(np.array([2, 6], dtype=object), 8)
    True
    """

    weights: Exact
    total: int

    def __eq__(self, other: object) -> bool:
        return self.fractions() == other.fractions() if isinstance(other, Released) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.fractions())

    def fractions(self) -> tuple[Fraction, ...]:
        """Return the probabilities."""
        return tuple(Fraction(weight, self.total) for weight in self.weights)


def released_through(parts: Iterable[tuple[Fraction, Exact]]) -> Released:
    """Return sum_x P(x) row_x for pairs (P(x), integer weights of row_x).

    Examples
    --------
    >>> rows = [np.array(weights, dtype=object) for weights in ([1, 0], [1, 3])]
    >>> released_through(zip([Fraction(1, 2), Fraction(1, 2)], rows)).fractions()
    (Fraction(5, 8), Fraction(3, 8))
    """
    masses, rows = zip(*parts, strict=True)
    return released_by(masses, np.array(rows, dtype=object))


def released_by(masses: Sequence[Fraction], table: Exact) -> Released:
    """Return sum_x P(x) row_x for probabilities above 0 and the rows of a table of Python integers.

    Examples
    --------
    >>> released_by([Fraction(1, 2), Fraction(1, 2)], np.array([[1, 0], [1, 3]], dtype=object)).fractions()
    (Fraction(5, 8), Fraction(3, 8))
    """
    shares = []
    for mass, row_total in zip(masses, table.sum(axis=1).tolist(), strict=True):
        common = math.gcd(mass.numerator, row_total)
        shares.append((mass.numerator // common, mass.denominator * (row_total // common)))
    total = math.lcm(*(unit for _, unit in shares))
    if shares == [(1, total)]:  # of classes the same objects may be there a million times
        return Released(table[0], total)
    factors = np.array([share * (total // unit) for share, unit in shares], dtype=object)
    return Released(factors @ table, total)
