"""Rows of probabilities, of a mechanism or of what profiles release: integer weights, whatever they are stored as.

Rows of doubles stay doubles: a double is the rational that it is, and a matrix of millions of them is certified by
looking at a few exactly. Rows that fit in 64 bits stay there: Python integers take five times as much memory.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.integers import LONGEST
from mechdesign.privacy.released import TINY, Released, mixed, released_by

CHUNK = 256
"""Rows added up at once."""

KEPT = 1_024
"""Rows that are kept as Python integers, besides what they are stored as."""

Mixture: TypeAlias = Sequence[tuple[int, Fraction]]
"""Positions of rows, and the probability above 0 with which each is used."""


class Rows(Sequence[Released]):
    """Rows of weights >= 0, none all zero: a row's probabilities are its weights divided by their total.

    Each is a `Released`, made when it is needed.

    Parameters
    ----------
    table
        integers, or finite doubles, each the rational that it is. Of what is stored as `numpy.int64` sums may be taken
        only up to 2^63, so that rows of larger totals become Python integers.
    totals
        what the weights are divided by, if not by their sums.

    Examples
    --------
    >>> rows = Rows(np.array([[0.75, 0.25], [0.5, 0.5]]))
    >>> rows.exact(0), rows.doubles().tolist()
    (array([3, 1], dtype=object), [[0.75, 0.25], [0.5, 0.5]])
    """

    def __init__(self, table: npt.NDArray[Any], totals: Iterable[int | Fraction] | None = None) -> None:
        fits = table.dtype == np.int64 and table.max(initial=0) <= LONGEST // max(1, table.shape[1])
        fits = fits or (table.dtype == np.int64 and max(table.sum(axis=1, dtype=object), default=0) <= LONGEST)
        self._table = table if fits or table.dtype == np.float64 else table.astype(object)
        self.shape: tuple[int, ...] = table.shape
        self._totals = None if totals is None else list(map(Fraction, totals))
        self._made: dict[int, Released] = {}

    @classmethod
    def of(cls, released: Sequence[Released]) -> "Rows":
        """Return distributions as rows, each with its total."""
        return cls(np.array([one.weights for one in released], dtype=object), [one.total for one in released])

    def __reduce__(self) -> tuple[Any, ...]:  # another process makes for itself what it needs
        return Rows, (self._table, self._totals)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, row: int) -> Released:  # type: ignore[override]  # nobody takes slices of it
        if row not in self._made:
            if len(self._made) == KEPT:
                self._made.clear()
            self._made[row] = self._one(row)
        return self._made[row]

    def _one(self, row: int) -> Released:
        weights = self.exact(row)
        return Released(weights, int(weights.sum() if self.given_doubles is not None else self.sums[row]))

    @property
    def given_doubles(self) -> Floats | None:
        """The doubles that these rows are in proportion to, not divided by their sums; None for integers."""
        return self._table if self._table.dtype == np.float64 else None

    @cached_property
    def sums(self) -> list[Fraction]:
        """The exact sums of the rows as they were given, or what their weights are divided by instead."""
        if self._totals is not None:
            return self._totals
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
        return np.array([self._one(row).doubles for row in self._chosen(rows)]).reshape(-1, self.shape[1])

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

    def released(self, mixtures: Sequence[Mixture]) -> "Rows":
        """Return what each mixture of rows releases; single rows stay as they are stored."""
        if any(len(mixture) > 1 for mixture in mixtures):
            return Rows.of(self.mixed(mixtures))
        which = [mixture[0][0] for mixture in mixtures]
        return self if which == list(range(len(self))) else Rows(self._table[which], [self.sums[row] for row in which])

    def mixed(self, mixtures: Sequence[Mixture]) -> list[Released]:
        """Return what each mixture of rows releases."""
        result: list[Released] = []
        for start in range(0, len(mixtures), CHUNK):
            some = mixtures[start : start + CHUNK]
            if max(map(len, some)) == 1:
                result += [released_by([one[0][1]], self.table([one[0][0]])) for one in some]
                continue
            place = np.repeat(np.arange(len(some)), list(map(len, some)))
            slot = np.concatenate([np.arange(len(one)) for one in some])
            masses, units = (np.zeros((len(some), slot.max() + 1), dtype=object) for _ in range(2))
            which = [row for one in some for row, _ in one]
            masses[place, slot] = [mass.numerator for one in some for _, mass in one]
            units[place, slot] = [mass.denominator for one in some for _, mass in one]
            rows = np.zeros((*masses.shape, self.shape[1]), dtype=object)
            rows[place, slot] = self.table(which)
            result += mixed(masses, units, rows)
        return result

    @cached_property
    def near(self) -> Floats:
        """All probabilities in doubles that are within `ROOM`: of integers the nearest, of doubles a few units off."""
        if self.given_doubles is None:
            return np.array([one.doubles for one in self])
        return np.array(self._table / self._table.sum(axis=1, keepdims=True))

    @cached_property
    def has_all_digits(self) -> bool:
        """Whether all probabilities but 0 are large enough for doubles to have all their digits."""
        return bool(self.near[self._table > 0].min() >= TINY)

    def distinct(self, y: int, rows: Sequence[int]) -> dict[int, Fraction]:
        """Return one row for each distinct probability of output y among those of `rows`, with it."""
        seen: dict[tuple[Any, int], int] = {}
        for row, weight in zip(rows, self._table[rows, y].tolist(), strict=True):
            seen.setdefault((weight, self._sum_names[row]), row)
        return {row: self.probability(row, y) for row in seen.values()}

    @cached_property
    def _sum_names(self) -> list[int]:
        """A number for each row, the same where the sums are the same."""
        names: dict[Fraction, int] = {}
        return [names.setdefault(total, len(names)) for total in self.sums]

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
