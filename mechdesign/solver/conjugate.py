"""Multipliers to the last digits, where those above 0 and the outputs with any mass are known: conjugate gradients."""

from collections.abc import Callable

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.solver.priced_rows import PricedRows


def conjugate_step(rows: PricedRows, released: Floats, steps: int) -> Floats:
    """Return the step of the multipliers to where the rows that have any bind, or what so many steps find of it.

    Rows without a multiplier get none, and outputs without mass stay so. That leaves linear equations, which may have
    many solutions, as where the edges of a square all bind, or none, where it is not yet known which rows bind. The
    first do no harm; with the second a direction without curvature turns up, and is followed until a multiplier is 0.

    References
    ----------
    Dostal 1997, Box constrained quadratic programming with proportioning and projections: conjugate gradients that
    leave the multipliers which reach 0.
    """
    active = np.flatnonzero(rows.multipliers > 0)
    last, scale = rows.multipliers[active], rows.step[active]
    curve = _curvature(rows, active, released)
    start = rows.excess(released)[active]
    x, rest, free = np.zeros(len(active)), start, np.ones(len(active), dtype=bool)
    along, length = scale * rest, inner(rest, scale * rest)
    for _ in range(steps):
        if abs(rest).max(initial=0.0) <= NOTHING:
            break
        curved = curve(along) * free
        bend = inner(along, curved)
        if bend <= NEAR * inner(along, along / scale):
            down = along < 0
            x = x + along * ((last + x)[down] / -along[down]).min(initial=np.inf) if down.any() else x
            break
        x = x + length / bend * along
        rest = rest - length / bend * curved
        negative = free & (last + x < 0)
        if negative.any():
            x, free = np.where(negative, -last, x), free & ~negative
            rest = (start - curve(x)) * free
            along, length = scale * rest, inner(rest, scale * rest)
        else:
            before, length = length, inner(rest, scale * rest)
            along = scale * rest + length / before * along
    step = np.zeros(len(rows.multipliers))
    step[active] = x
    return step


def _curvature(rows: PricedRows, active: Integers, released: Floats) -> Callable[[Floats], Floats]:
    """Return what a step of the active multipliers takes from the excess of their rows."""
    matrix = rows.matrix[active]
    transposed = matrix.T.tocsr()
    positive = (released > 0).astype(np.float64)
    share = positive / positive.sum(axis=0)

    def curve(step: Floats) -> Floats:
        pulled = (transposed @ step).reshape(released.shape) * positive
        return np.array(matrix @ (pulled - share * pulled.sum(axis=0)).ravel())

    return curve


def inner(first: Floats, second: Floats) -> float:
    """Return the inner product, by one thread: several wait for each other longer than they sum."""
    return float(np.einsum("r,r", first, second))
