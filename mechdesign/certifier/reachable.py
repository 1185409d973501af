"""Everything that a profile known only within bounds may release through a mechanism."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from mechdesign.arrays import Exact
from mechdesign.graph.uncertainty import Uncertainty, is_single
from mechdesign.privacy.extremes import extremes, over_one_total
from mechdesign.privacy.gaps import Outputs
from mechdesign.privacy.released import Released, released_by

Distribution = Sequence[Fraction]
Extreme = tuple[Fraction, Distribution]


class Reachable:
    """What one profile may release: its rows, and every distribution that it may have.

    Parameters
    ----------
    bounds
        the distributions.
    rows
        positive weights for each category, as the mechanism has them for this profile.

    Examples
    --------
    >>> from mechdesign.graph.uncertainty import uncertainty_of
    >>> rows = [np.array(row, dtype=object) for row in ([3, 1], [1, 3])]
    >>> about = uncertainty_of({"distribution": (Fraction(1, 2), Fraction(1, 2)), "radius": Fraction(1, 10)})
    >>> one = Reachable(about, rows)
    >>> one.most.fractions(), one.least.fractions()
    ((Fraction(11, 20), Fraction(11, 20)), (Fraction(9, 20), Fraction(9, 20)))
    >>> one.at_most((0,))
    (Fraction(11, 20), [Fraction(3, 5), Fraction(2, 5)])
    """

    def __init__(self, bounds: Uncertainty, rows: Sequence[Exact]) -> None:
        totals = [int(row.sum()) for row in rows]
        self._bounds, self._unit = bounds, math.lcm(*totals)
        table = [row * (self._unit // total) for row, total in zip(rows, totals, strict=True)]
        self._rows: Exact = np.array(table, dtype=object)
        found = extremes(bounds, self._rows.tolist())
        self.most, self.least = (over_one_total(side, self._unit) for side in (found.largest, found.least))
        self.nominal = self.released(bounds.centre)
        self.is_known = is_single(bounds)
        self._extreme = lru_cache(maxsize=4096)(self._find_extreme)

    def released(self, masses: Distribution) -> Released:
        """Return what a distribution releases."""
        used = [x for x, mass in enumerate(masses) if mass]
        return released_by([masses[x] for x in used], self._rows[used])

    def at_most(self, outputs: Outputs) -> Extreme:
        """Return the largest probability that any of the distributions gives a set of outputs, and one that does."""
        return self._extreme(outputs, 1)

    def at_least(self, outputs: Outputs) -> Extreme:
        """Return the least, and a distribution that gives it."""
        return self._extreme(outputs, -1)

    def _find_extreme(self, outputs: Outputs, sign: int) -> Extreme:
        values = [sum(row[y] for y in outputs) for row in self._rows.tolist()]
        masses = self._bounds.largest([sign * value for value in values])
        total = sum((mass * value for mass, value in zip(masses, values, strict=True) if mass), Fraction(0))
        return total / self._unit, masses
