"""Everything that a profile known within bounds may release through a mechanism."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.certifier.extremes import Extremes, Masses
from mechdesign.graph.uncertainty import Ball, Box, Uncertainty
from mechdesign.privacy.gaps import Outputs
from mechdesign.privacy.released import Released, released_through


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
        disjoint sets of outputs, all that are ever released; of each, every subset stands in `extremes`.

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
        chosen = [rows[x] for x in self._possible]
        self.released: Released = released_through((nominal[x], rows[x]) for x in self._possible)
        totals = [int(row.sum()) for row in chosen]
        unit = math.lcm(*totals)
        self._unit = unit
        self._rows = np.array([row * (unit // total) for row, total in zip(chosen, totals, strict=True)], dtype=object)
        self.blocks = blocks
        self.extremes = [Extremes(self._bounds, self._rows, unit, block) for block in blocks]
        self._found: dict[tuple[Outputs, bool], tuple[Fraction, list[Fraction]]] = {}

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

    @cached_property
    def matrix(self) -> Floats:
        """The rows of the possible categories, in nearest doubles."""
        return np.array(self._rows / self._unit, dtype=np.float64)

    @cached_property
    def masses(self) -> Masses:
        """The distributions of the possible categories, in doubles."""
        return Masses(self._bounds, float, float)

    def _extreme(self, outputs: Outputs, largest: bool) -> tuple[Fraction, list[Fraction]]:
        if (outputs, largest) not in self._found:
            values = [sum(int(row[y]) for y in outputs) for row in self._rows]
            masses = self._bounds.largest(values if largest else [-value for value in values])
            total = sum((mass * value for mass, value in zip(masses, values, strict=True) if mass), Fraction(0))
            self._found[outputs, largest] = total / self._unit, masses
        return self._found[outputs, largest]

    def _whole(self, masses: Sequence[Fraction]) -> tuple[Fraction, ...]:
        own = dict(zip(self._possible, masses, strict=True))
        return tuple(own.get(x, Fraction(0)) for x in range(self._categories))


def _trimmed(bounds: Uncertainty) -> tuple[list[int], Uncertainty]:
    """Return the categories that have mass in some distribution, and the bounds of these alone."""
    if isinstance(bounds, Ball):
        if bounds.radius:
            return list(range(len(bounds.centre))), bounds
        bounds = Box(bounds.centre, bounds.centre)
    reach = bounds.reach
    possible = [x for x, mass in enumerate(reach) if mass]
    return possible, Box(tuple(bounds.lower[x] for x in possible), tuple(reach[x] for x in possible))
