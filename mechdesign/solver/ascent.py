"""Multipliers of rows, improved step by step, and the distributions that they release: those closest to the targets.

Given the multipliers, every profile's is the projection of one point onto the simplex.
"""

from collections.abc import Callable

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.program.tolerances import MOST_ROUNDS
from mechdesign.solver.priced_rows import Parts, PricedRows


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


class Ascent:
    """The dual problem of the closest distributions that meet the rows, from the multipliers that these have.

    Attributes
    ----------
    released
        m x k: what the multipliers release.
    shifts
        of the projections onto the simplex, one a profile; those of points nearby are where to begin.
    """

    def __init__(self, rows: PricedRows, shifts: Floats) -> None:
        self.rows, self.shifts = rows, shifts
        self.move(rows.multipliers)

    @property
    def unsettled(self) -> float:
        """The most by which a row is violated, or a row with a multiplier does not bind."""
        return float(self.rest.max(initial=0.0))

    @property
    def rest(self) -> Floats:
        """How much each row is violated or, if it has a multiplier, does not bind."""
        rows = self.rows
        moved = np.maximum(rows.multipliers + rows.step * rows.excess(self.released), 0.0) - rows.multipliers
        return np.array(abs(moved) / rows.step)

    def climb(self, steps: int) -> None:
        """Take gradient steps with Nesterov's momentum, which is lost where it leads the wrong way.

        References
        ----------
        Beck and Teboulle 2009, A fast iterative shrinkage-thresholding algorithm: the steps.
        O'Donoghue and Candes 2015, Adaptive restart for accelerated gradient schemes: (13), the gradient scheme.
        """
        rows, last = self.rows, self.rows.multipliers
        parts, at, speed = Parts(rows.part, rows.parts), last, np.ones(rows.parts)
        for _ in range(steps):
            released = self._released_by(at)
            new = np.maximum(at + rows.step * rows.excess(released), 0.0)
            change, faster = new - last, (1 + np.sqrt(1 + 4 * speed * speed)) / 2
            wrong = parts.inner((at - new) / rows.step, change) > 0
            momentum, speed = np.where(wrong, 0.0, (speed - 1) / faster), np.where(wrong, 1.0, faster)
            at, last = new + parts.each(momentum) * change, new
        self.move(last)

    def polish(self, steps: int) -> None:
        """Take the step by conjugate gradients, in each part where it improves the dual value, or what is violated.

        A dual value changes by `NOTHING` of it because of rounding errors; it is then the violations that decide.
        """
        parts = Parts(self.rows.part, self.rows.parts)
        now, values, least = self.rows.multipliers, self._values(parts), parts.largest(self.rest)
        step, noise = conjugate_step(self.rows, self.released, steps), NOTHING * abs(values)
        self.move(np.maximum(now + step, 0.0))
        gain = self._values(parts) - values
        lost = (gain <= noise) & ((gain <= -noise) | (parts.largest(self.rest) >= least))
        if lost.any():
            self.move(np.where(parts.each(lost), now, self.rows.multipliers))

    def move(self, multipliers: Floats) -> None:
        """Go on from other multipliers."""
        self.rows.multipliers, self.released = multipliers, self._released_by(multipliers)

    def _values(self, parts: Parts) -> Floats:
        """Return the value of the dual problem, of each part."""
        moved = self.released - self.rows.targets
        squares = np.bincount(self.rows.of, np.einsum("yk,yk->k", moved, moved), parts.count)
        return squares / 2 + parts.inner(self.rows.multipliers, self.rows.excess(self.released))

    def _released_by(self, multipliers: Floats) -> Floats:
        released, self.shifts = onto_simplex(self.rows.pulled(multipliers), self.shifts)
        return released
