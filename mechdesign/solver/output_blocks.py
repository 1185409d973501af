"""Stage 1 of values with an expected loss, nearly all pairs of which are required: a block for each output.

What is released with output y, v_y = (q^1_y, ..., q^k_y), is in the cone of all with e^-epsilon v_iy <= v_jy for each
pair and direction, the same for every output. Only sum_y v_y = 1 joins the outputs, k equations:

    least sum_y c_y · v_y   with   S v_y >= 0   and   sum_y v_y = 1,      (S v)_ij = v_j - e^-epsilon_ij v_i;

its dual: most sum_i lam_i   with   lam_i <= g_iy = c_iy - (S^T z_y)_i   and   z >= 0.

A step of an interior point, Mehrotra's predictor and corrector with Gondzio's further ones, solves with D = z / S v

    (S^T D_y S) dv_y - dlam = r_y   for each y,   and   sum_y dv_y = e :

each block is k x k, and the sum of their inverses gives dlam. That is dense linear algebra, m k^3 operations a step.
Of the k^2 m rows only those count that come close on the way: a step that others would end takes them in. So v
satisfies all of them, always. Outputs that hardly anything is released with sleep, as long as their multipliers can
follow lam; what is goes to the output where it costs least, since a sum of two in the cone is in it. Multipliers z of
any accuracy prove sum_i min_y g_iy.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.linalg import blas

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR
from mechdesign.solver.interior_point import corrected
from mechdesign.solver.output_rows import Rows, close_rows, first_rows
from mechdesign.solver.output_system import Point, System, Way
from mechdesign.stopwatch import announce

MOST_STEPS = 300
"""Steps before the search is given up; 20 to 80 are usual."""

BACK = 0.9
"""Share of the way to the nearest bound that a step goes at least."""

CLOSE = 0.5
"""Share of its slack that a row not looked at has to keep in a step, and of a step that may be lost for such rows."""

LITTLE = 0.03
"""Share of what is released with an output on average, below which it sleeps."""


class _Asleep:
    """Outputs that hardly anything is released with: their multipliers follow lam, by the last systems they had."""

    def __init__(self, factors: Floats, inverses: Floats) -> None:
        self.inverses, self.outputs = inverses, np.empty(0, dtype=np.int64)
        self.rows, self.z, self.weights = Rows(factors, self.outputs), np.empty(0), np.empty(0)
        self.central = np.zeros(inverses.shape[:2])

    def take(self, rows: Rows, z: Floats, weights: Floats) -> None:
        """Take in the rows of others."""
        numbers = np.concatenate([self.rows.numbers, rows.numbers])
        order = np.argsort(numbers, kind="stable")
        self.rows = Rows(rows.factors, numbers[order])
        self.z, self.weights = (np.concatenate(both)[order] for both in ((self.z, z), (self.weights, weights)))
        self.outputs = np.unique(numbers // rows.factors.size)

    def give(self, outputs: Integers) -> tuple[Rows, Floats]:
        """Give away the rows of some."""
        gone = self.rows.of(outputs)
        given = self.rows.only(gone), self.z[gone]
        self.rows, self.z, self.weights = self.rows.only(~gone), self.z[~gone], self.weights[~gone]
        self.outputs = np.setdiff1d(self.outputs, outputs)
        return given

    def follow(self, costs: Floats, lam: Floats) -> Integers:
        """Let multipliers ask for lam, and return the outputs where some would be negative."""
        if not len(self.outputs):
            return self.outputs
        left = lam - costs + self.rows.pulls(self.z, len(costs))
        step = np.zeros(left.shape)
        for y in self.outputs.tolist():
            step[y] = blas.dsymv(1.0, self.inverses[y].T, left[y], lower=1)
        z = self.z - self.weights * self.rows.slacks(step)
        owner = self.rows.numbers // self.rows.factors.size
        lost = np.unique(owner[z <= 0])
        self.z = np.where(np.isin(owner, lost), self.z, z)
        return lost


class Search:
    """The search for an optimum, of costs m x k, the largest of which is 1, and factors e^-epsilon, 0 for no row.

    Attributes
    ----------
    at
        where it is, with the rows of outputs that are awake.
    best
        the same, with the multipliers that have proved most.
    failure
        why value and bound did not come near; nothing if they did.
    """

    failure = ""

    def __init__(self, costs: Floats, factors: Floats) -> None:
        self.costs, (m, k) = costs, costs.shape
        rows, v = first_rows(factors, m), np.full((m, k), 1 / m)
        slacks = rows.slacks(v)
        z = (costs * v).sum() / len(slacks) / slacks
        self.best = self.at = Point(v, rows, z, (costs - rows.pulls(z, m)).mean(axis=0))
        self.inverses = np.empty((m, k, k))
        self.awake, self.woken = np.arange(m), np.full(m, False)
        self.asleep = _Asleep(factors, self.inverses)

    def points(self) -> Iterator[Point]:
        """Yield the point after each step, until value and bound are as near as doubles can tell."""
        least, most = np.inf, -np.inf
        for number in range(MOST_STEPS):
            system = self._step()
            lost = self.asleep.follow(self.costs, self.at.lam)
            proof = self.at.joined(self.asleep.rows, self.asleep.z)
            for tried in (proof, self._mended(system, proof)):
                bound = tried.prices(self.costs).min(axis=0).sum()
                if bound > most:
                    most, self.best = bound, tried
            self.best = replace(self.best, v=self.at.v, lam=self.at.lam).judged(self.costs)
            announce(f"solve, step {number + 1}: a gap of {self.best.gap:.1e}")
            if least < NEAR and not self.best.gap < least:
                return
            least = min(least, self.best.gap)
            yield replace(proof, gap=system.mean * len(system.z) / float((self.costs * self.at.v).sum()))
            self._wake(lost, system.mean)
            self._rest(system)
        self.failure = f"the interior point by outputs ends with a gap of {least:.1g}"

    def _mended(self, system: System, point: Point) -> Point:
        """Return a point with multipliers that ask for lam, but for those that would be negative."""
        left = point.lam - point.prices(self.costs)
        change = system.weights * system.rows.slacks(system.by_blocks(left))
        z = point.z.copy()
        z[point.rows.places(system.rows)] -= change
        return replace(point, z=np.maximum(z, 0.0))

    def _wake(self, outputs: Integers, mean: float) -> None:
        if len(outputs):
            v = self.at.v.copy()
            v[outputs] = self.asleep.central[outputs] * mean
            self.at, self.woken[outputs] = replace(self.at, v=v), True
            self.awake = np.union1d(self.awake, outputs)
            self.at = self.at.joined(*self.asleep.give(outputs))

    def _rest(self, system: System) -> None:
        """Let those sleep that hardly anything is released with, and have not been woken."""
        totals = self.at.v.sum(axis=1)
        few = (totals < LITTLE * totals.mean()) & ~self.woken
        outputs = self.awake[few[self.awake]]
        if len(outputs):
            v, gone = self.at.v.copy(), self.at.rows.of(outputs)
            self.asleep.central[outputs] = v[outputs] / system.mean
            weights = np.where(self.at.rows.among(system.rows), system.weights[system.rows.places(self.at.rows)], 0.0)
            self.asleep.take(self.at.rows.only(gone), self.at.z[gone], weights[gone])
            self.awake = np.setdiff1d(self.awake, outputs)
            nearest = self.awake[(self.costs[self.awake] @ v[outputs].T).argmin(axis=0)]
            np.add.at(v, nearest, v[outputs])
            v[outputs] = 0.0
            self.at = replace(self.at, v=v, rows=self.at.rows.only(~gone), z=self.at.z[~gone])

    def _step(self) -> System:
        """Take a step, and return the system that it solved."""
        while True:
            at = self.at
            system = System(at, self.awake, self.inverses)
            way = self._way(system)
            new, most = close_rows(at.rows, at.v, way.primal * way.dv, self.awake, CLOSE)
            enough = BACK * most >= CLOSE
            if enough:
                v = at.v + way.primal * min(1.0, BACK * most) * way.dv
                self.at = replace(at, v=v, z=at.z + way.dual * way.dz, lam=at.lam + way.dual * way.dlam)
            if len(new.numbers):
                z = system.mean / np.maximum(new.slacks(at.v), new.slacks(self.at.v))
                self.at = self.at.joined(new, z)
            if enough:
                return system

    def _way(self, system: System) -> Way:
        """Return the corrected step, short of the nearest bound."""
        sums, right = 1 - self.at.v.sum(axis=0), self.at.lam - self.costs
        way, target = corrected(partial(system.way, right, sums), system.slacks, system.z)
        back = max(BACK, 1 - target / system.mean)
        return replace(way, primal=back * way.primal, dual=back * way.dual)
