"""Rows of doubles that become exact integers only where they are looked at.

A double is the rational that it is. A foreign matrix of millions of them is certified by looking at a few exactly, so
turning all of them into integers would be most of the work.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.privacy.released import TINY, AllReleased, Released

CHUNK = 256
"""Rows added up at once."""


class DoubleRows:
    """Rows of finite doubles >= 0, none all zero, as rows of integers in the same proportions.

    Examples
    --------
    >>> DoubleRows(np.array([[0.75, 0.25]]))[0]
    array([3, 1], dtype=object)
    """

    def __init__(self, doubles: Floats) -> None:
        self.doubles = doubles
        self.shape = doubles.shape

    def __len__(self) -> int:
        return len(self.doubles)

    def __getitem__(self, row: int) -> Exact:
        """Return one row as integers without a common divisor."""
        mantissa, exponent = np.frexp(self.doubles[row])
        integers = (mantissa * 2.0**53).astype(np.int64)
        used = integers != 0
        shift = np.where(used, exponent - exponent[used].min(), 0)
        weights = integers.astype(object) << shift.astype(object)
        return np.array(weights // np.gcd.reduce(weights), dtype=object)

    def __iter__(self) -> Iterator[Exact]:
        return (self[row] for row in range(len(self)))

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Exact:
        """Return all rows; numpy calls this."""
        del dtype, copy
        return np.array(list(self), dtype=object)

    @cached_property
    def sums(self) -> list[Fraction]:
        """The exact sums of the rows' doubles."""
        return [
            total for start in range(0, len(self), CHUNK) for total in _exact_sums(self.doubles[start : start + CHUNK])
        ]


def _exact_sums(doubles: Floats) -> list[Fraction]:
    """Return the exact sums of rows of doubles.

    Each double is an integer of 53 bits times a power of two. The integers are added up power by power, in halves, so
    that the sums stay below 2^53 and doubles add them without error.
    """
    mantissa, exponent = np.frexp(doubles)
    integers = (mantissa * 2.0**53).astype(np.int64)
    lowest = int(exponent.min())
    count = int(exponent.max()) - lowest + 1
    place = (exponent - lowest + np.arange(len(doubles))[:, None] * count).ravel()
    high, low = integers >> 26, integers & (2**26 - 1)
    sums = [np.bincount(place, half.ravel(), len(doubles) * count).reshape(-1, count) for half in (high, low)]
    result = []
    for upper, lower in zip(*sums, strict=True):
        powers = np.nonzero(upper + lower)[0]
        total = sum((int(upper[power]) * 2**26 + int(lower[power])) << int(power) for power in powers)
        result.append(Fraction(total) * Fraction(2) ** (lowest - 53))
    return result


class ReleasedRows(AllReleased):
    """What point-mass profiles release through rows of doubles, made exact one by one."""

    def __init__(self, rows: DoubleRows, which: Sequence[int]) -> None:
        self._rows, self._which = rows, list(which)
        self._exact = lru_cache(maxsize=1024)(self._make)

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, index: int) -> Released:  # type: ignore[override]
        return self._exact(self._which[index])

    def _make(self, row: int) -> Released:
        weights = self._rows[row]
        return Released(weights, int(weights.sum()))

    @cached_property
    def _sum_names(self) -> list[int]:
        """A number for each profile, the same where the rows' sums are the same."""
        names: dict[Fraction, int] = {}
        return [names.setdefault(self._rows.sums[row], len(names)) for row in self._which]

    def distinct(self, y: int, profiles: Sequence[int]) -> dict[int, Fraction]:
        """Return one profile for each distinct probability of output y among those of `profiles`, with it."""
        seen: dict[tuple[float, int], int] = {}
        for profile, double in zip(profiles, self._rows.doubles[self._which, y][list(profiles)].tolist(), strict=True):
            seen.setdefault((double, self._sum_names[profile]), int(profile))
        return {one: Fraction(double) / self._rows.sums[self._which[one]] for (double, _), one in seen.items()}

    @cached_property
    def doubles(self) -> Floats:
        """The probabilities in doubles; dividing by the row's sum errs by a few units in the last place."""
        chosen = self._rows.doubles[self._which]
        return np.array(chosen / chosen.sum(axis=1, keepdims=True))

    @cached_property
    def has_all_digits(self) -> bool:
        """Whether all probabilities but 0 are large enough for doubles to have all their digits."""
        return bool(self.doubles[self.doubles > 0].min() >= TINY)
