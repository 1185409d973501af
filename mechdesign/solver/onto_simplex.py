"""The closest distributions to any points: their projections onto the probability simplex, many at a time."""

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.program.tolerances import MOST_ROUNDS


def onto_simplex(points: Floats, shifts: Floats) -> tuple[Floats, Floats]:
    """Return the distributions closest to the columns of `points`, m x k, and the shift of each.

    The closest is max(0, v - s), with the shift s at which that sums up to 1. Newton's method finds it from any
    `shifts`; from those of points nearby it takes two steps.

    References
    ----------
    Held, Wolfe and Crowder 1974, Validation of subgradient optimization: the projection has this form.

    Examples
    --------
    >>> closest, shifts = onto_simplex(np.array([[1.0, 0.5], [0.5, 0.5], [-2.0, 0.5]]), np.zeros(2))
    >>> closest.round(3).tolist(), shifts.round(3).tolist()
    ([[0.75, 0.333], [0.25, 0.333], [0.0, 0.333]], [0.25, 0.167])
    """
    before = np.full(shifts.shape, -1)
    for _ in range(MOST_ROUNDS):
        closest = np.maximum(points - shifts, 0.0)
        count = (closest > 0).view(np.int8).sum(axis=0, dtype=np.int32)
        step = (closest.sum(axis=0) - 1) / np.maximum(count, 1)
        if not count.all():  # no category is above the shift: from here the next step ends below the right one
            step = np.where(count > 0, step, points.max(axis=0) - 1 - shifts)
        shifts = shifts + step
        if (count == before).all():  # of any two shifts one leaves all that the other does: as many are the same ones
            break
        before = count
    return np.maximum(points - shifts, 0.0), shifts
