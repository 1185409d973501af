"""Everything that a profile known within bounds may release through a mechanism.

Exactly, one set of outputs at a time, by the sorting of `mechdesign.graph.uncertainty`; and in doubles, for every set
at once, within `room` of the truth, so that few sets have to be looked at exactly.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, cached_property

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.graph.uncertainty import Ball, Box, Uncertainty
from mechdesign.privacy.gaps import Outputs
from mechdesign.privacy.released import Released, released_through

CHUNK = 1_000_000
"""Numbers in a table at once."""


class Reachable:
    """What one profile may release: its rows, and every distribution that it may have.

    Parameters
    ----------
    bounds
        the distributions.
    nominal
        the one that it is said to have.
    rows
        positive weights for each category, as the mechanism has them for this profile.
    blocks
        disjoint sets of outputs, all that are ever released; of each, every subset stands in the tables.

    Examples
    --------
    >>> rows = [np.array(row, dtype=object) for row in ([3, 1], [1, 3])]
    >>> half = (Fraction(1, 2), Fraction(1, 2))
    >>> one = Reachable(Ball(half, Fraction(1, 10)), half, rows, [(0, 1)])
    >>> one.most((0,)), one.least((0,)), [str(mass) for mass in one.at_most((0,))]
    (Fraction(11, 20), Fraction(9, 20), ['3/5', '2/5'])
    """

    def __init__(
        self, bounds: Uncertainty, nominal: Sequence[Fraction], rows: Sequence[Exact], blocks: Sequence[Outputs]
    ) -> None:
        self._possible, self._bounds = _trimmed(bounds)
        self._categories = len(nominal)
        self.is_known = isinstance(self._bounds, Box) and self._bounds.lower == self._bounds.upper
        self.released: Released = released_through((nominal[x], rows[x]) for x in self._possible)
        chosen = [rows[x] for x in self._possible]
        totals = [int(row.sum()) for row in chosen]
        self._unit = math.lcm(*totals)
        self._rows = [row * (self._unit // total) for row, total in zip(chosen, totals, strict=True)]
        self.blocks = blocks
        self._extremes: dict[tuple[Outputs, bool], tuple[Fraction, list[Fraction]]] = {}

    def most(self, outputs: Outputs) -> Fraction:
        """Return the largest probability that any of the distributions gives a set of outputs."""
        return self._extreme(outputs, True)[0]

    def least(self, outputs: Outputs) -> Fraction:
        """Return the least."""
        return self._extreme(outputs, False)[0]

    def at_most(self, outputs: Outputs) -> tuple[Fraction, ...]:
        """Return a distribution that gives the largest."""
        return self._whole(self._extreme(outputs, True)[1])

    def at_least(self, outputs: Outputs) -> tuple[Fraction, ...]:
        """Return a distribution that gives the least."""
        return self._whole(self._extreme(outputs, False)[1])

    def _extreme(self, outputs: Outputs, largest: bool) -> tuple[Fraction, list[Fraction]]:
        if (outputs, largest) not in self._extremes:
            values = [sum(int(row[y]) for y in outputs) for row in self._rows]
            masses = self._bounds.largest(values if largest else [-value for value in values])
            total = sum((mass * value for mass, value in zip(masses, values, strict=True) if mass), Fraction(0))
            self._extremes[outputs, largest] = total / self._unit, masses
        return self._extremes[outputs, largest]

    def _whole(self, masses: Sequence[Fraction]) -> tuple[Fraction, ...]:
        own = dict(zip(self._possible, masses, strict=True))
        return tuple(own.get(x, Fraction(0)) for x in range(self._categories))

    @cached_property
    def matrix(self) -> Floats:
        """The rows of the possible categories, in nearest doubles."""
        return np.array([row / self._unit for row in self._rows], dtype=np.float64)

    @property
    def room(self) -> float:
        """More than the doubles below err by: sums of m and of d numbers of total 1, each rounded a few times."""
        return sum(self.matrix.shape) * 2.0**-48

    @cached_property
    def tables(self) -> list[tuple[Floats, Floats]]:
        """(most, least) of every subset of each block in doubles, the subsets in the order of `subset`."""
        return [(self._table(block, 1.0), self._table(block, -1.0)) for block in self.blocks]

    def _table(self, block: Outputs, sign: float) -> Floats:
        columns = self.matrix[:, list(block)].T
        step = max(1, CHUNK // columns.shape[1])
        parts = [members @ columns for members in np.array_split(_every_set(len(block)), 1 + 2 ** len(block) // step)]
        return np.concatenate([(self.largest_at(sign * values) * values).sum(axis=1) for values in parts])

    def largest_at(self, values: Floats) -> Floats:
        """Return for each row of values a distribution at which their mean is largest, in doubles."""
        if isinstance(self._bounds, Box):
            return _box_largest(values, *self._doubles)
        return _ball_largest(values, *self._doubles)

    @cached_property
    def _doubles(self) -> tuple[Floats, Floats]:
        """(lower, width) of a box, with the total of the masses above the lower ones at the end; (centre, radius)."""
        bounds = self._bounds
        if isinstance(bounds, Ball):
            return np.array(bounds.centre, dtype=np.float64), np.array(float(bounds.radius))
        width = [high - low for low, high in zip(bounds.lower, bounds.upper, strict=True)]
        spare = 1 - sum(bounds.lower, Fraction(0))
        return np.array(bounds.lower, dtype=np.float64), np.array([*width, spare], dtype=np.float64)


def subset(block: Outputs, number: int) -> Outputs:
    """Return the subset of a block that stands at a place of its table.

    Examples
    --------
    >>> subset((0, 3, 4), 6)
    (3, 4)
    """
    return tuple(y for bit, y in enumerate(block) if number >> bit & 1)


@cache
def _every_set(size: int) -> Floats:
    return np.array(np.arange(2**size)[:, None] >> np.arange(size) & 1, dtype=np.float64)


def _trimmed(bounds: Uncertainty) -> tuple[list[int], Uncertainty]:
    """Return the categories that have mass in some distribution, and the bounds of these alone."""
    if isinstance(bounds, Ball):
        if bounds.radius:
            return list(range(len(bounds.centre))), bounds
        bounds = Box(bounds.centre, bounds.centre)
    possible = [x for x, mass in enumerate(bounds.reach) if mass]
    reach = bounds.reach
    return possible, Box(tuple(bounds.lower[x] for x in possible), tuple(reach[x] for x in possible))


def _box_largest(values: Floats, lower: Floats, widths: Floats) -> Floats:
    """Return lower + what is taken of the rest, the largest values first."""
    order = np.argsort(-values, axis=1)
    width = widths[:-1][order]
    before = np.cumsum(width, axis=1)[:, :-1]
    taken = np.clip(widths[-1] - np.pad(before, ((0, 0), (1, 0))), 0.0, width)
    result = np.empty_like(taken)
    np.put_along_axis(result, order, taken, axis=1)
    return np.array(lower + result)


def _ball_largest(values: Floats, centre: Floats, radius: Floats) -> Floats:
    """Return the centre, mass up to the radius moved from the smallest values to the largest."""
    order = np.argsort(values, axis=1)
    masses = centre[order]
    before = np.cumsum(masses, axis=1)[:, :-1]
    taken = np.clip(radius - np.pad(before, ((0, 0), (1, 0))), 0.0, masses)
    result = np.empty_like(taken)
    np.put_along_axis(result, order, -taken, axis=1)
    result[np.arange(len(values)), order[:, -1]] += taken.sum(axis=1)
    return np.array(centre + result)
