"""Multipliers to the last digits, where those above 0 and the outputs with any mass are known: conjugate gradients."""

from collections.abc import Callable

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.solver.priced_rows import Parts, PricedRows


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
    parts = Parts(rows.part[active], rows.parts)
    curve = _curvature(rows, active, released)
    start = rows.excess(released)[active]
    x, rest, free = np.zeros(len(active)), start, np.ones(len(active), dtype=bool)
    along, length = scale * rest, parts.inner(rest, scale * rest)
    going = np.ones(parts.count, dtype=bool)
    for _ in range(steps):
        going &= parts.largest(abs(rest)) > NOTHING
        if not going.any():
            break
        curved = curve(along) * free
        bend = parts.inner(along, curved)
        flat = going & (bend <= NEAR * parts.inner(along, along / scale))
        if flat.any():
            x = x + parts.each(np.where(flat, _until_zero(parts, last + x, along), 0.0)) * along
            going &= ~flat
        far = np.divide(length, bend, out=np.zeros(parts.count), where=going)
        x = x + parts.each(far) * along
        rest = rest - parts.each(far) * curved
        negative = free & (last + x < 0) & parts.each(going)
        stopped = parts.largest(negative.astype(np.float64)) > 0
        if stopped.any():
            x, free = np.where(negative, -last, x), free & ~negative
            rest = np.where(parts.each(stopped), (start - curve(x)) * free, rest)
        before, length = length, parts.inner(rest, scale * rest)
        kept = np.divide(length, before, out=np.zeros(parts.count), where=going & ~stopped)
        along = (scale * rest + parts.each(kept) * along) * parts.each(going)
    step = np.zeros(len(rows.multipliers))
    step[active] = x
    return step


def _until_zero(parts: Parts, multipliers: Floats, along: Floats) -> Floats:
    """Return how far each part may go along until a multiplier is 0; nowhere if none becomes less."""
    down = along < 0
    rate = parts.largest(
        np.divide(-along, multipliers, out=np.where(down, np.inf, 0.0), where=down & (multipliers > 0))
    )
    return np.divide(1.0, rate, out=np.zeros(parts.count), where=rate > 0)


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
