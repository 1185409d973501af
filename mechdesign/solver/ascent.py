"""Multipliers of rows, improved step by step, and the distributions that they release: those closest to the targets.

Given the multipliers, every profile's is the projection of one point onto the simplex.
"""

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.problem import NOTHING
from mechdesign.solver.conjugate import conjugate_step
from mechdesign.solver.onto_simplex import onto_simplex
from mechdesign.solver.priced_rows import Parts, PricedRows


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
