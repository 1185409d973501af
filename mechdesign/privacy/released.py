"""What a profile releases: a distribution over the outputs, as integers."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers

ROOM = 1e-12
"""Relative room for the errors of doubles that stand for rationals, products and ratios of them: these stay below
2^-50, as each rounding is by 2^-53 at most."""

TINY = 1e-290
"""Below this doubles have fewer digits, so that their errors are no longer relative: then rationals are compared."""


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

    @cached_property
    def doubles(self) -> Floats:
        """The probabilities in nearest doubles."""
        return np.array(self.weights / self.total, dtype=np.float64)

    @cached_property
    def occurs(self) -> npt.NDArray[np.bool_]:
        """Which outputs have a probability above 0."""
        return np.array(self.weights > 0, dtype=bool)

    @cached_property
    def codes(self) -> Integers:
        """Small numbers for the weights, the same for the same weight."""
        numbers: dict[int, int] = {}
        return np.array([numbers.setdefault(weight, len(numbers)) for weight in self.weights.tolist()])


def released_by(masses: Sequence[Fraction], rows: Sequence[Exact] | Exact) -> Released:
    """Return sum_x P(x) row_x for probabilities and rows of weights, Python integers.

    Examples
    --------
    >>> released_by([Fraction(1, 2), Fraction(1, 2)], [[1, 0], [1, 3]]).fractions()
    (Fraction(5, 8), Fraction(3, 8))
    """
    table = np.asarray(rows, dtype=object)
    if len(masses) == 1:  # of classes the same objects may be there a million times
        return Released(table[0], table[0].sum())
    over, under = np.array([mass.as_integer_ratio() for mass in masses], dtype=object).T
    return mixed(over[None], under[None], table[None])[0]


def mixed(masses: Exact, units: Exact, rows: Exact) -> list[Released]:
    """Return sum_x P(x) row_x of many distributions P, each `masses` / `units`; n x s, of rows n x s x m.

    What has no mass need have no row.
    """
    totals, used = rows.sum(axis=2), masses != 0
    common = np.where(used, np.gcd(masses, totals), 1)
    shares, over = masses // common, np.where(used, units * (totals // common), 1)
    whole = np.lcm.reduce(over, axis=1)
    factors = shares * (whole[:, None] // over)
    return list(map(Released, (factors[:, :, None] * rows).sum(axis=1), whole.tolist()))
