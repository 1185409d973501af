"""Distributions near a solver's that are exactly within the set of a profile, as integers."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from mechdesign.arrays import Floats
from mechdesign.exact.integers import rounded_to_total
from mechdesign.graph.uncertainty import Limits, Uncertainty

FINEST = 2**60
"""The unit is at least this: the bound is then lower by no more than solvers' errors make it."""


def unit_of(limits: Limits, nominal: Sequence[Fraction]) -> int:
    """Return a common denominator of a set's limits and its nominal distribution, FINEST at least."""
    lower, upper, radius = limits
    unit = math.lcm(*(mass.denominator for mass in (*lower, *upper, *nominal, radius)))
    return unit << max(0, FINEST.bit_length() - unit.bit_length())


def within(one: Uncertainty, masses: Floats) -> list[int]:
    """Return a distribution in the set, near `masses`, as integers over `unit_of` it.

    Examples
    --------
    >>> import numpy as np
    >>> from mechdesign.graph.uncertainty import uncertainty_of
    >>> one = uncertainty_of({"distribution": (Fraction(1, 2), Fraction(1, 2)), "radius": Fraction(1, 10)})
    >>> found = within(one, np.array([0.7, 0.3]))
    >>> Fraction(found[0], sum(found))
    Fraction(3, 5)
    """
    lower, upper, radius = one.limits
    unit = unit_of(one.limits, one.centre)
    low, high, centre = ([int(mass * unit) for mass in side] for side in (lower, upper, one.centre))
    change = [
        min(max(mass, least), most) - own
        for mass, least, most, own in zip(
            rounded_to_total(masses[None], unit)[0].tolist(), low, high, centre, strict=True
        )
    ]
    moved = min(*(sum(max(0, sign * step) for step in change) for sign in (1, -1)), int(radius * unit))
    for sign in (1, -1):
        over = sum(max(0, sign * step) for step in change) - moved
        for x in sorted(range(len(change)), key=lambda x: sign * change[x], reverse=True):
            cut = min(over, max(0, sign * change[x]))
            change[x] -= sign * cut
            over -= cut
    return [own + step for own, step in zip(centre, change, strict=True)]


def thresholds(bounds: Mapping[str, Any], masses: Sequence[int], values: Mapping[int, Fraction]) -> tuple[int, int]:
    """Return the categories of two values: where a mean is largest, mass up to the radius comes from below the second.

    It goes to above the first; `masses` and `bounds` are integers, over the total of the masses.

    Examples
    --------
    >>> thresholds({"lower": [0, 0, 0], "upper": [9, 9, 9], "radius": 4}, [3, 3, 3], {0: 5, 1: 7, 2: 8})
    (2, 1)
    """
    left, order = bounds["radius"], sorted(values, key=values.__getitem__)
    taken, room = ({x: abs(bounds[side][x] - masses[x]) for x in order} for side in ("lower", "upper"))
    low, high = 0, len(order) - 1
    while low < high:
        step = min(left, taken[order[low]], room[order[high]])
        left -= step
        taken[order[low]] -= step
        room[order[high]] -= step
        if not left:
            break
        low, high = (low + 1, high) if not taken[order[low]] else (low, high - 1)
    return order[high], order[low]
