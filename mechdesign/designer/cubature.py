"""The integral over a square in the plane of what has ridges, kinks and peaks but no jumps."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mechdesign.arrays import Floats

RELATIVE_ERROR = 1e-3
"""Of an integral: squares are divided until the last division of all of them changes it by less."""


class Squares(NamedTuple):
    """Squares, with the integral over each and how much that may be off."""

    centres: Floats
    widths: Floats
    integrals: Floats
    errors: Floats


def integral_over_square(logarithm: Callable[[Floats], Floats], centre: Floats, width: float) -> float:
    """Return the integral of a positive function over a square, to a thousandth of it.

    Parameters
    ----------
    logarithm
        of the function, for points n x 2: nowhere above 0, and it changes by no more than points are apart. So what a
        square holds has a bound, and no peak is overlooked, however high or narrow.

    Examples
    --------
    >>> round(integral_over_square(lambda at: -np.hypot(*at.T), np.zeros(2), 40) / math.tau, 3)
    1.0
    """
    squares = _measured(logarithm, centre[None], np.array([width]))
    while squares.errors.sum() > (most := RELATIVE_ERROR * squares.integrals.sum()):
        off = squares.errors * len(squares.errors) > most  # by more than an equal part of what all may be
        divided = _divided(logarithm, Squares(*(of[off] for of in squares)))
        squares = Squares(*(np.concatenate([of[~off], new]) for of, new in zip(squares, divided, strict=True)))
    return float(squares.integrals.sum())


def _divided(logarithm: Callable[[Floats], Floats], squares: Squares) -> Squares:
    """Return the quarters of squares. Where these are small, they are off by what dividing has changed, at most."""
    quarters = _measured(
        logarithm, _around(squares.centres, squares.widths / 4).reshape(-1, 2), np.repeat(squares.widths / 2, 4)
    )
    changes = abs(quarters.integrals.reshape(-1, 4).sum(axis=1) - squares.integrals)
    errors = np.where(quarters.widths > 2, quarters.errors, np.repeat(changes / 4, 4))
    return quarters._replace(errors=errors)


def _measured(logarithm: Callable[[Floats], Floats], centres: Floats, widths: Floats) -> Squares:
    """Return squares, integrated by Gauss's rule of two points each way, and off by what they may hold at most.

    No point of a square is further from one of the four than its centre is, sqrt(1/6) of its width.
    """
    points = _around(centres, widths / math.sqrt(12))
    heights = logarithm(points.reshape(-1, 2)).reshape(-1, 4)
    most = np.exp(np.minimum(heights.max(axis=1) + widths / math.sqrt(6), 0))
    return Squares(centres, widths, widths**2 * np.exp(heights).mean(axis=1), widths**2 * most)


def _around(centres: Floats, away: Floats) -> Floats:
    """Return the four points that lie so far away both ways from each centre, n x 4 x 2."""
    return np.array(centres[:, None] + away[:, None, None] * np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)]))
