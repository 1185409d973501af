"""The rows of a mechanism: integer weights, whatever they are stored as.

Rows of doubles stay doubles: a double is the rational that it is, and a matrix of millions of them is certified by
looking at a few exactly. Rows that fit in 64 bits stay there: Python integers take five times as much memory.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.integers import LONGEST
from mechdesign.privacy.released import TINY, AllReleased, Released, released_by

CHUNK = 256
"""Rows added up at once."""

Mixture: TypeAlias = Sequence[tuple[int, Fraction]]
"""Positions of rows, and the probability above 0 with which each is used."""


class Rows:
    """Rows of weights >= 0, none all zero: a row's probabilities are its weights divided by their total.

    Parameters
    ----------
    table
        integers, or finite doubles, each the rational that it is. Of what is stored as `numpy.int64` sums may be taken
        only up to 2^63, so that rows of larger totals become Python integers.

    Examples
    --------
    >>> rows = Rows(np.array([[0.75, 0.25], [0.5, 0.5]]))
    >>> rows.exact(0), rows.doubles().tolist()
    (array([3, 1], dtype=object), [[0.75, 0.25], [0.5, 0.5]])
    """

    def __init__(self, table: npt.NDArray[Any]) -> None:
        fits = table.dtype == np.int64 and table.max(initial=0) <= LONGEST // max(1, table.shape[1])
        fits = fits or (table.dtype == np.int64 and max(table.sum(axis=1, dtype=object), default=0) <= LONGEST)
        self._table = table if fits or table.dtype == np.float64 else table.astype(object)
        self.shape: tuple[int, ...] = table.shape

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def given_doubles(self) -> Floats | None:
        """The doubles that these rows are in proportion to, not divided by their sums; None for integers."""
        return self._table if self._table.dtype == np.float64 else None

    @cached_property
    def sums(self) -> list[Fraction]:
        """The exact sums of the rows as they were given."""
        if self.given_doubles is None:
            return list(map(Fraction, self._table.sum(axis=1).tolist()))
        parts = (self._table[start : start + CHUNK] for start in range(0, len(self), CHUNK))
        return [total for part in parts for total in _exact_sums(part)]

    def exact(self, row: int) -> Exact:
        """Return one row as Python integers; of doubles, those without a common divisor."""
        if self._table.dtype != np.float64:
            return np.array(self._table[row].astype(object))
        mantissa, exponent = np.frexp(self._table[row])
        integers = (mantissa * 2.0**53).astype(np.int64)
        used = integers != 0
        shift = np.where(used, exponent - exponent[used].min(), 0)
        weights = integers.astype(object) << shift.astype(object)
        return np.array(weights // np.gcd.reduce(weights), dtype=object)

    def table(self, rows: Sequence[int] | Integers | None = None) -> Exact:
        """Return these rows, or all, as Python integers."""
        if self._table.dtype == np.float64:
            return np.array([self.exact(row) for row in self._chosen(rows)], dtype=object).reshape(-1, self.shape[1])
        return (self._table if rows is None else self._table[rows]).astype(object)

    def doubles(self, rows: Sequence[int] | Integers | None = None) -> Floats:
        """Return the probabilities of these rows, or of all, in nearest doubles."""
        weights = map(self.exact, self._chosen(rows))
        return np.array([row / row.sum() for row in weights], dtype=np.float64)

    def probability(self, row: int, y: int) -> Fraction:
        """Return one probability, without making the row integers."""
        return Fraction(self._table[row, [y]].tolist()[0]) / self.sums[row]

    def largest(self) -> tuple[Exact | Integers, Exact | Integers, Integers, Exact | Integers]:
        """Return of each row the largest weight, the largest of the others (0 for none), its place, and the total."""
        table = self._table.copy() if self._table.dtype == np.int64 else self.table()
        totals = table.sum(axis=1)
        first, rows = table.argmax(axis=1), np.arange(len(table))
        largest = table[rows, first]
        table[rows, first] = 0
        return largest, table.max(axis=1), first, totals

    def released(self, mixtures: Sequence[Mixture]) -> AllReleased:
        """Return what each mixture of rows releases; of single rows of doubles, each made exact when it is needed."""
        if self._table.dtype == np.float64 and all(len(mixture) == 1 for mixture in mixtures):
            return _OfDoubles(self, self._table, [mixture[0][0] for mixture in mixtures])
        return AllReleased([self.mixed(mixture) for mixture in mixtures])

    def mixed(self, mixture: Mixture) -> Released:
        """Return what one mixture of rows releases."""
        return released_by([mass for _, mass in mixture], self.table([row for row, _ in mixture]))

    def _chosen(self, rows: Sequence[int] | Integers | None) -> Sequence[int] | Integers:
        return range(len(self)) if rows is None else rows


def _exact_sums(doubles: Floats) -> list[Fraction]:
    """Return the sums of a few rows of doubles.

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


class _OfDoubles(AllReleased):
    """What single rows of doubles release, made exact one by one."""

    def __init__(self, rows: Rows, doubles: Floats, which: Sequence[int]) -> None:
        self._rows, self._given, self._which = rows, doubles, list(which)
        self._exact = lru_cache(maxsize=1024)(self._make)

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, index: int) -> Released:  # type: ignore[override]
        return self._exact(self._which[index])

    def _make(self, row: int) -> Released:
        weights = self._rows.exact(row)
        return Released(weights, int(weights.sum()))

    @cached_property
    def _sum_names(self) -> list[int]:
        """A number for each profile, the same where the rows' sums are the same."""
        names: dict[Fraction, int] = {}
        return [names.setdefault(self._rows.sums[row], len(names)) for row in self._which]

    def distinct(self, y: int, profiles: Sequence[int]) -> dict[int, Fraction]:
        """Return one profile for each distinct probability of output y among those of `profiles`, with it."""
        seen: dict[tuple[float, int], int] = {}
        for profile, double in zip(profiles, self._given[self._which, y][list(profiles)].tolist(), strict=True):
            seen.setdefault((double, self._sum_names[profile]), int(profile))
        return {one: Fraction(double) / self._rows.sums[self._which[one]] for (double, _), one in seen.items()}

    @cached_property
    def doubles(self) -> Floats:
        """The probabilities in doubles; dividing by the row's sum errs by a few units in the last place."""
        chosen = self._given[self._which]
        return np.array(chosen / chosen.sum(axis=1, keepdims=True))

    @cached_property
    def has_all_digits(self) -> bool:
        """Whether all probabilities but 0 are large enough for doubles to have all their digits."""
        return bool(self.doubles[self.doubles > 0].min() >= TINY)
