"""The most and the least that a profile within bounds gives each set of outputs: many sets at once, in arrays.

In doubles for every set, within `room` of the truth; and in integers, exactly, for those sets that doubles cannot tell
apart. The sorting is that of `mechdesign.graph.uncertainty`.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.graph.uncertainty import Ball, Box, Uncertainty
from mechdesign.privacy.gaps import Outputs

CHUNK = 1_000_000
"""Numbers in an array at once."""

Numbers: TypeAlias = Any
"""An array of doubles, or of integers."""


class Masses:
    """The distributions within bounds, in arrays whose numbers are made by `number`: doubles, or integers."""

    def __init__(self, bounds: Uncertainty, number: Callable[[Fraction], Any], kind: type) -> None:
        self._is_box = isinstance(bounds, Box)
        start = bounds.lower if isinstance(bounds, Box) else bounds.centre
        self._start: Numbers = np.array(list(map(number, start)), dtype=kind)
        if isinstance(bounds, Ball):
            self._left, self._width = number(bounds.radius), self._start
        else:
            self._left = number(1 - sum(bounds.lower, Fraction(0)))
            width = [number(high - low) for low, high in zip(bounds.lower, bounds.upper, strict=True)]
            self._width = np.array(width, dtype=kind)

    def largest_at(self, values: Numbers) -> Numbers:
        """Return for each row of values a distribution at which their mean is largest.

        In a box what the lower bounds leave goes to the largest values; in a ball mass moves from the smallest values
        to the largest.

        Examples
        --------
        >>> ball = Ball((Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)), Fraction(1, 2))
        >>> Masses(ball, float, float).largest_at(np.array([[3.0, 1.0, 2.0]]))
        array([[0.75, 0.  , 0.25]])
        """
        order = np.argsort(-values if self._is_box else values, axis=1)
        width = self._width[order]
        before = np.zeros_like(width)
        np.cumsum(width[:, :-1], axis=1, out=before[:, 1:])
        taken = np.minimum(np.maximum(self._left - before, 0), width)
        moved = np.empty_like(taken)
        np.put_along_axis(moved, order, taken if self._is_box else -taken, axis=1)
        if not self._is_box:
            moved[np.arange(len(values)), order[:, -1]] += taken.sum(axis=1)
        return self._start + moved


class Extremes:
    """The most and the least of every subset of a block of outputs, the subsets in the order of `subset`.

    Parameters
    ----------
    bounds
        of the distribution over some categories.
    rows
        of these, integers over `unit`.
    """

    def __init__(self, bounds: Uncertainty, rows: Exact, unit: int, block: Outputs) -> None:
        self._bounds, self._columns, self._rows_unit = bounds, np.array(rows[:, list(block)].T), unit

    @cached_property
    def most(self) -> Floats:
        """The most of every subset, in doubles."""
        return self._in_doubles(1.0)

    @cached_property
    def least(self) -> Floats:
        """The least of every subset, in doubles."""
        return self._in_doubles(-1.0)

    @property
    def room(self) -> float:
        """More than these doubles err by: sums of m and of d numbers of total 1, each rounded a few times."""
        return sum(self._columns.shape) * 2.0**-48

    @cached_property
    def unit(self) -> int:
        """What the integers are over that are exact."""
        return self._rows_unit * self._masses_unit

    def exactly(self, numbers: Integers, *, largest: bool) -> Exact:
        """Return the most, or the least, of some of the subsets, as integers over `unit`; they are kept."""
        known, exact = self._kept[largest]
        missing = numbers[~known[numbers]]
        for part in np.array_split(missing, 1 + len(missing) * self._columns.shape[1] // CHUNK):
            low, high = self._halves
            values = low[part % len(low)] + high[part // len(low)]
            exact[part] = (self._integers.largest_at(values if largest else -values) * values).sum(axis=1)
        known[missing] = True
        return np.array(exact[numbers])

    @cached_property
    def _kept(self) -> dict[bool, tuple[npt.NDArray[np.bool_], Exact]]:
        """For the most and for the least: whether each subset's is known, and what it is."""
        size = 2 ** len(self._columns)
        return {largest: (np.zeros(size, dtype=bool), np.zeros(size, dtype=object)) for largest in (True, False)}

    def _in_doubles(self, sign: float) -> Floats:
        columns = np.array(self._columns / self._rows_unit, dtype=np.float64)
        masses = Masses(self._bounds, float, float)
        sets = every_set(len(columns))
        parts = [one @ columns for one in np.array_split(sets, 1 + len(sets) * columns.shape[1] // CHUNK)]
        return np.concatenate([(masses.largest_at(sign * values) * values).sum(axis=1) for values in parts])

    @cached_property
    def _halves(self) -> tuple[Exact, Exact]:
        """The sums of the rows over every subset of the first half of the block, and of the second."""
        half = len(self._columns) // 2
        low, high = self._columns[:half], self._columns[half:]
        return every_set(half).astype(int).astype(object) @ low, every_set(len(high)).astype(int).astype(object) @ high

    @cached_property
    def _masses_unit(self) -> int:
        bounds = self._bounds
        parts = (*bounds.lower, *bounds.upper) if isinstance(bounds, Box) else (*bounds.centre, bounds.radius)
        return math.lcm(*(part.denominator for part in parts))

    @cached_property
    def _integers(self) -> Masses:
        return Masses(self._bounds, lambda mass: int(mass * self._masses_unit), object)


def subset(block: Outputs, number: int) -> Outputs:
    """Return the subset of a block that has a place among all.

    Examples
    --------
    >>> subset((0, 3, 4), 6)
    (3, 4)
    """
    return tuple(y for bit, y in enumerate(block) if number >> bit & 1)


@cache
def every_set(size: int) -> Floats:
    """Return every subset of so many outputs, a row each: 1 where an output is in it.

    Examples
    --------
    >>> every_set(2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    return np.array(np.arange(2**size)[:, None] >> np.arange(size) & 1, dtype=np.float64)
