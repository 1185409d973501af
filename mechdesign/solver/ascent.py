"""Multipliers of rows, improved step by step, and the distributions that they release: those closest to the targets.

Given the multipliers, every profile's is the projection of one point onto the simplex.
"""

import math

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.problem import NOTHING
from mechdesign.solver.conjugate import conjugate_step, inner
from mechdesign.solver.onto_simplex import onto_simplex
from mechdesign.solver.priced_rows import PricedRows


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
        at, speed = last, 1.0
        for _ in range(steps):
            released = self._released_by(at)
            new = np.maximum(at + rows.step * rows.excess(released), 0.0)
            change, faster = new - last, (1 + math.sqrt(1 + 4 * speed * speed)) / 2
            momentum = (speed - 1) / faster
            if inner((at - new) / rows.step, change) > 0:
                momentum, faster = 0.0, 1.0
            at, last, speed = new + momentum * change, new, faster
        self.move(last)

    def polish(self, steps: int) -> None:
        """Take the step by conjugate gradients, if it improves the dual value, or else what is violated.

        A dual value changes by `NOTHING` of it because of rounding errors; it is then the violations that decide.
        """
        now, value, least = self.rows.multipliers, self._value, self.unsettled
        step, noise = conjugate_step(self.rows, self.released, steps), NOTHING * abs(value)
        self.move(np.maximum(now + step, 0.0))
        gain = self._value - value
        if gain <= noise and (gain <= -noise or self.unsettled >= least):
            self.move(now)

    def move(self, multipliers: Floats) -> None:
        """Go on from other multipliers."""
        self.rows.multipliers, self.released = multipliers, self._released_by(multipliers)

    @property
    def _value(self) -> float:
        """The value of the dual problem."""
        moved = (self.released - self.rows.targets).ravel()
        return inner(moved, moved) / 2 + inner(self.rows.multipliers, self.rows.excess(self.released))

    def _released_by(self, multipliers: Floats) -> Floats:
        released, self.shifts = onto_simplex(self.rows.pulled(multipliers), self.shifts)
        return released
