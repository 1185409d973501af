"""Dual multipliers: as solvers give them, in doubles, and as integers, which alone prove anything."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.integers import floors

FINENESS = 2**80
"""Solvers' multipliers become integers over this; the bound holds for any, so rounding them only costs accuracy."""

NEGLIGIBLE = 1e-16
"""Multipliers this far below the largest of their table are dropped, for the same reason: interior points have many."""


PrivacyMultipliers: TypeAlias = dict[tuple[int, int], Floats]
"""(a, b) -> one weight >= 0 per output y, for q^a_y <= e^epsilon q^b_y (+ its part of delta)."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """What proves that no mechanism does much better, in doubles: see `mechdesign.certificate.bound`.

    Attributes
    ----------
    privacy
        weights of the privacy constraints.
    entries
        k x d x m (1 x d x m when shared) weights of A^i_xy <= t; None for an expected loss.
    profiles
        k weights of cost_i <= T; None unless the worst profile counts.
    worst
        2 x k x m x d: for each profile and output the distribution in the place of q^a, then that in the place of q^b;
        all zeros where none is needed. None where the profiles are known.
    kept
        for each output the weight, of any sign, of the overall share that is kept; None where none are.
    """

    privacy: PrivacyMultipliers
    entries: Floats | None = None
    profiles: Floats | None = None
    worst: Floats | None = None
    kept: Floats | None = None


def integers(weights: Floats, unit: Fraction) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the weights times `unit` as integers over FINENESS, with their places; negligible ones are left out.

    Examples
    --------
    >>> [(place, weight == 3 * FINENESS // 4) for place, weight in integers(np.array([0.0, 0.25]), Fraction(3))]
    [((1,), True)]
    """
    places, whole = over_fineness(weights)
    scaled = whole * unit.numerator // unit.denominator
    yield from zip(map(tuple, places.tolist()), scaled.tolist(), strict=True)


def over_fineness(weights: Floats, axis: int | None = None) -> tuple[Integers, Exact]:
    """Return the places of the weights that are not negligible, one in a row, and these weights over FINENESS.

    With an axis, each line along it is a table of its own.
    """
    places = np.argwhere(weights > NEGLIGIBLE * weights.max(axis=axis, keepdims=True, initial=0.0))
    return places, floors(weights[tuple(places.T)], FINENESS)
