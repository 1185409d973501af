"""The linear system of a step of the interior point by outputs: see `output_blocks`."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas, cho_factor, cho_solve, lapack

from mechdesign.arrays import Floats, Integers
from mechdesign.errors import SolverError
from mechdesign.problem import NOTHING
from mechdesign.solver.interior_point import Direction
from mechdesign.solver.output_rows import Rows


@dataclass(frozen=True, eq=False)
class Point:
    """Where the search is: v, m x k, rows with their multipliers z, and lam, and the gap that they prove."""

    v: Floats
    rows: Rows
    z: Floats
    lam: Floats
    gap: float = np.inf

    def prices(self, costs: Floats) -> Floats:
        """Return g, what a unit of each probability costs by the multipliers of what is required."""
        return np.asarray(costs - self.rows.pulls(self.z, len(costs)))

    def judged(self, costs: Floats) -> "Point":
        """Return the same with its gap: of value and bound, as a share; or how far v is from sums of 1."""
        value, bound = float((costs * self.v).sum()), float(self.prices(costs).min(axis=0).sum())
        gap = max(abs(value - bound) / abs(value), float(abs(self.v.sum(axis=0) - 1).max()))
        return replace(self, gap=gap)

    def joined(self, rows: Rows, z: Floats) -> "Point":
        """Return the same with other rows too, and their multipliers."""
        numbers = np.concatenate([self.rows.numbers, rows.numbers])
        order = np.argsort(numbers, kind="stable")
        return replace(self, rows=Rows(rows.factors, numbers[order]), z=np.concatenate([self.z, z])[order])


@dataclass(frozen=True, eq=False)
class Way(Direction):
    """Where a step leads v and lam, too."""

    dv: Floats
    dlam: Floats


class System:
    """The linear system of a step, by the inverses of the blocks of some outputs, and of the sum of these."""

    def __init__(self, at: Point, outputs: Integers, inverses: Floats) -> None:
        self.rows, self.z, self.outputs, k = at.rows, at.z, outputs, at.v.shape[1]
        self.slacks = at.rows.inside(at.v)
        self.weights, self.mean = at.z / self.slacks, float(np.vdot(at.z, self.slacks)) / len(at.z)
        self.inverses, joint = inverses, np.zeros((k, k))
        ends = np.searchsorted(at.rows.numbers, np.array([outputs, outputs + 1]) * k * k)
        for y, start, end in zip(outputs.tolist(), *ends.tolist(), strict=True):
            self._invert(inverses[y], slice(start, end))
            joint += inverses[y]
        self.size = 1 / np.sqrt(joint.diagonal())
        self.whole = cho_factor(joint * self.size[:, None] * self.size + NOTHING * np.eye(k))

    def _invert(self, block: Floats, own: slice) -> None:
        """Put the inverse of an output's block in its place, in the triangle above the diagonal."""
        (k, _), regular, flat = block.shape, NOTHING, block.ravel()
        i, j = self.rows.before[own] % k, self.rows.after[own] % k
        across = self.rows.factor[own] * self.weights[own]
        diagonal = np.bincount(j, self.weights[own], k) + np.bincount(i, self.rows.factor[own] * across, k)
        for _ in range(10):
            flat[:] = np.bincount(np.minimum(i, j) * k + np.maximum(i, j), -across, k * k)
            flat[:: k + 1] = diagonal * (1 + regular)
            _, failed = lapack.dpotrf(block.T, lower=1, clean=0, overwrite_a=1)
            if not failed:
                lapack.dpotri(block.T, lower=1, overwrite_c=1)
                return
            regular *= 100
        raise SolverError("the interior point's linear system is singular")

    def way(self, right: Floats, sums: Floats, wanted: Floats) -> Way:
        """Return where that leads which is wanted of the products s z."""
        over = wanted / self.slacks
        dv, dlam = self._solve(right + self.rows.pulls(over, len(right)), sums)
        ds = self.rows.slacks(dv)
        dz = over - self.z - self.weights * ds
        primal, dual = (max(1.0, -float((step / here).min())) for step, here in ((ds, self.slacks), (dz, self.z)))
        return Way(wanted, ds, dz, 1 / primal, 1 / dual, dv, dlam)

    def _solve(self, right: Floats, sums: Floats) -> tuple[Floats, Floats]:
        """Return dv and dlam, refined until what is missed is little enough, or rounding allows no more."""
        dv, dlam, best = np.zeros_like(right), np.zeros_like(sums), np.inf
        left, missed = right, sums
        while True:
            own = self.by_blocks(left)
            more = self.size * cho_solve(self.whole, self.size * (missed - own.sum(axis=0)))
            tried, dtried = dv + own + self.by_blocks(np.broadcast_to(more, own.shape)), dlam + more
            left, missed = right + dtried - self._applied(tried), sums - tried.sum(axis=0)
            error = abs(left[self.outputs]).max()
            if error >= best:
                return dv, dlam
            dv, dlam, best = tried, dtried, error
            if error < self.mean:
                return dv, dlam

    def by_blocks(self, right: Floats) -> Floats:
        """Return what the blocks' inverses make of it."""
        result = np.zeros(right.shape)
        for y in self.outputs.tolist():
            result[y] = blas.dsymv(1.0, self.inverses[y].T, right[y], lower=1)
        return result

    def _applied(self, dv: Floats) -> Floats:
        return self.rows.pulls(self.weights * self.rows.slacks(dv), len(dv))
