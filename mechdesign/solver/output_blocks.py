"""Stage 1 of values with an expected loss, nearly all pairs of which are required: a block for each output.

What is released with output y, v_y = (q^1_y, ..., q^k_y), is in the cone of all with e^-epsilon v_iy <= v_jy for each
pair and direction, the same for every output. Only sum_y v_y = 1 joins the outputs, k equations:

    least sum_y c_y · v_y   with   S v_y >= 0   and   sum_y v_y = 1,      (S v)_ij = v_j - e^-epsilon_ij v_i;

its dual: most sum_i lam_i   with   lam_i <= g_iy = c_iy - (S^T z_y)_i   and   z >= 0.

A step of an interior point, Mehrotra's predictor and corrector with Gondzio's further ones, solves with D = z / S v

    (S^T D_y S) dv_y - dlam = r_y   for each y,   and   sum_y dv_y = e :

each block is k x k, and the sum of their inverses gives dlam. That is dense linear algebra, m k^3 operations a step,
where the program has k m columns and k^2 m rows. Multipliers z of any accuracy prove sum_i min_y g_iy.

Where a pair is not required, and for i = j, e^-epsilon counts as 0: the row is v_j >= 0, which is always true.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lapack

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.problem import NEAR, NOTHING
from mechdesign.stopwatch import announce

MOST_STEPS = 300
"""Steps before the search is given up; 30 to 130 are usual."""

BACK = 0.97
"""Share of the way to the nearest bound that a step goes."""

FURTHER, APART = 0.3, 10.0
"""How much further each of Gondzio's corrections should lead, a tenth of which is worth another; how often as large or
small as wanted the products s z may be there. Without any, 60 points take 72 steps, not 46."""

TOGETHER = 2**16
"""Entries of tables of pairs that are computed together: they stay in a processor's cache."""

ROUNDED = np.finfo(float).eps
"""The share of a probability that a slack is at least, whatever rounding leaves of it."""


@dataclass(frozen=True, eq=False)
class Point:
    """Where the search is: v, m x k, the multipliers z, m x k x k, and lam, and the gap that they prove."""

    v: Floats
    z: Floats
    lam: Floats
    gap: float = np.inf


class Cone:
    """The rows S, of factors e^-epsilon, k x k, 0 where nothing is required."""

    def __init__(self, factors: Floats, outputs: int) -> None:
        self.factors, self.required = factors, factors > 0
        with np.errstate(divide="ignore"):
            self.logs = np.log(factors)
        size = max(1, TOGETHER // factors.size)
        self.parts = [slice(start, start + size) for start in range(0, outputs, size)]

    def slacks(self, v: Floats) -> Floats:
        """Return S v of each output."""
        result: Floats = self.factors * v[:, :, None]
        return np.subtract(v[:, None, :], result, out=result)

    def inside(self, v: Floats) -> Floats:
        """Return S v of each output, where that is positive but for rounding."""
        result = self.slacks(v)
        return np.maximum(result, ROUNDED * v[:, None, :], out=result)

    def pulls(self, z: Floats) -> Floats:
        """Return S^T z of each output."""
        result: Floats = z.sum(axis=1) - np.einsum("ij,yij->yi", self.factors, z)
        return result

    def prices(self, costs: Floats, z: Floats) -> Floats:
        """Return g, what a unit of each probability costs by the multipliers of what is required."""
        return np.concatenate([costs[part] - self.pulls(z[part] * self.required) for part in self.parts])


class _System:
    """The linear system of a step, by the inverses of its blocks and of their sum."""

    def __init__(self, cone: Cone, v: Floats, z: Floats) -> None:
        self.cone = cone
        k = v.shape[1]
        self.slacks, self.weights, self.inverses = (np.empty_like(z) for _ in range(3))
        self.scale, self.joint = np.empty_like(v), np.zeros((k, k))
        for part in cone.parts:
            self._prepare(part, v[part], z[part])
        self.size = 1 / np.sqrt(self.joint.diagonal())
        self.whole = cho_factor(self.joint * self.size[:, None] * self.size + NOTHING * np.eye(k))

    def _prepare(self, part: slice, v: Floats, z: Floats) -> None:
        factors, inside = self.cone.factors, np.arange(v.shape[1])
        self.slacks[part] = self.cone.inside(v)
        weights = self.weights[part] = z / self.slacks[part]
        across = factors * weights
        blocks = across + across.transpose(0, 2, 1)
        diagonal = weights.sum(axis=1) + np.einsum("ij,yij->yi", factors, across)
        scale = self.scale[part] = 1 / np.sqrt(diagonal)
        blocks *= -scale[:, :, None] * scale[:, None, :]
        blocks[:, inside, inside] = 1
        for inverse, block, column in zip(self.inverses[part], blocks, scale, strict=True):
            inverse[:] = _inverse(block)
            self.joint += inverse * column[:, None] * column

    def solve(self, right: Floats, sums: Floats, enough: float) -> tuple[Floats, Floats]:
        """Return dv and dlam, refined until what is missed is little enough, or rounding allows no more."""
        dv, dlam, best = np.zeros_like(right), np.zeros_like(sums), np.inf
        left, missed = right, sums
        while True:
            own = self._by_blocks(left)
            more = self.size * cho_solve(self.whole, self.size * (missed - own.sum(axis=0)))
            tried, dtried = dv + own + self._by_blocks(np.broadcast_to(more, own.shape)), dlam + more
            left, missed = right + dtried - self._applied(tried), sums - tried.sum(axis=0)
            error = abs(left).max()
            if error >= best:
                return dv, dlam
            dv, dlam, best = tried, dtried, error
            if error < enough:
                return dv, dlam

    def _by_blocks(self, right: Floats) -> Floats:
        result: Floats = self.scale * np.matmul(self.inverses, (self.scale * right)[:, :, None])[:, :, 0]
        return result

    def _applied(self, dv: Floats) -> Floats:
        cone, weights = self.cone, self.weights
        return np.concatenate([cone.pulls(weights[part] * cone.slacks(dv[part])) for part in cone.parts])


def _inverse(block: Floats) -> Floats:
    """Return the inverse of a block with a diagonal of ones; more regular, where rounding leaves it indefinite."""
    regular, inside = NOTHING, np.arange(len(block))
    for _ in range(10):
        block[inside, inside] = 1 + regular
        factor, failed = lapack.dpotrf(block, lower=1)
        if not failed:
            inverse, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
            whole: Floats = inverse + inverse.T  # above its diagonal there was nothing
            whole[inside, inside] /= 2
            return whole
        regular *= 100
    raise SolverError("the interior point's linear system is singular")


def gap_of(costs: Floats, cone: Cone, v: Floats, z: Floats) -> float:
    """Return how far value and what multipliers prove are apart, as a share, or how far v is from sums of 1."""
    value, bound = float((costs * v).sum()), float(cone.prices(costs, z).min(axis=0).sum())
    return max(abs(value - bound) / abs(value), float(abs(v.sum(axis=0) - 1).max()))


class Search:
    """The search for an optimum, of costs m x k, the largest of which is 1."""

    def __init__(self, costs: Floats, cone: Cone, start: Floats) -> None:
        self.costs, self.cone = costs, cone
        z = np.concatenate([1 / cone.inside(start[part]) for part in cone.parts])
        self.at = Point(start, z * ((costs * start).sum() / z.size), np.zeros(costs.shape[1]))

    def points(self) -> Iterator[Point]:
        """Yield the best point so far after each step, until value and bound are as near as doubles can tell.

        Raises
        ------
        SolverError
            if they do not come near.
        """
        best = self.at
        for number in range(MOST_STEPS):
            self._step()
            announce(f"solve, step {number + 1}: a gap of {self.at.gap:.1e}")
            if best.gap < NEAR and not self.at.gap < best.gap:
                return
            best = min(best, self.at, key=lambda point: point.gap)
            yield best
        raise SolverError(f"the interior point by outputs ends with a gap of {best.gap:.1g}")

    def _step(self) -> None:
        at, cone = self.at, self.cone
        system = _System(cone, at.v, at.z)
        sums, right = 1 - at.v.sum(axis=0), at.lam - self.costs
        mean = self._mean(system, 0.0, 0.0, None)
        wanted = np.zeros_like(at.z)
        dv, dlam = system.solve(right, sums, mean)
        far = self._longest(system, dv, wanted)
        share = min(1.0, max(1e-6, (self._mean(system, *far, dv) / mean) ** 3))
        target = share * mean
        for part in cone.parts:
            ds = cone.slacks(dv[part])
            wanted[part] = (target + ds * (at.z[part] + system.weights[part] * ds)) / system.slacks[part]
        dv, dlam = system.solve(right + self._pulls(wanted), sums, mean)
        far = self._longest(system, dv, wanted)
        while True:
            changed = self._corrected(system, dv, wanted, target, *(min(1.0, one + FURTHER) for one in far))
            other = system.solve(right + self._pulls(changed), sums, mean)
            further = self._longest(system, other[0], changed)
            if sum(further) < sum(far) + FURTHER / 10:
                return self._move(system, dv, dlam, wanted, *(BACK * one for one in far))
            (dv, dlam), far, wanted = other, further, changed

    def _pulls(self, wanted: Floats) -> Floats:
        return np.concatenate([self.cone.pulls(wanted[part]) for part in self.cone.parts])

    def _mean(self, system: _System, primal: float, dual: float, dv: Floats | None) -> float:
        """Return the mean of the products s z, after so much of the predictor's step."""
        total = 0.0
        for part in self.cone.parts:
            s, z = system.slacks[part], self.at.z[part]
            if dv is not None:
                ds = self.cone.slacks(dv[part])
                s, z = s + primal * ds, z - dual * (z + system.weights[part] * ds)
            total += float(np.vdot(s, z))
        return total / self.at.z.size

    def _longest(self, system: _System, dv: Floats, wanted: Floats) -> tuple[float, float]:
        """Return how much of a step leaves no slack and no multiplier negative, at most all of it."""
        least, lower = -1.0, -1.0
        for part in self.cone.parts:
            z, ds = self.at.z[part], self.cone.slacks(dv[part])
            least = min(least, float((ds / system.slacks[part]).min()))
            ds *= system.weights[part]
            lower = min(lower, float(((wanted[part] - ds) / z).min()) - 1)
        return -1 / least, -1 / lower

    def _corrected(
        self, system: _System, dv: Floats, wanted: Floats, target: float, primal: float, dual: float
    ) -> Floats:
        """Return what is wanted of s z, over s, for a longer step: what is far from the target is mended."""
        result = np.empty_like(wanted)
        for part in self.cone.parts:
            s, ds, z = system.slacks[part], self.cone.slacks(dv[part]), self.at.z[part]
            products = (s + primal * ds) * (z + dual * (wanted[part] - z - system.weights[part] * ds))
            change = np.clip(products, target / APART, target * APART) - products
            result[part] = wanted[part] + np.maximum(change, -target * APART) / s
        return result

    def _move(self, system: _System, dv: Floats, dlam: Floats, wanted: Floats, primal: float, dual: float) -> None:
        z = np.empty_like(wanted)
        for part in self.cone.parts:
            before, ds = self.at.z[part], self.cone.slacks(dv[part])
            z[part] = before + dual * (wanted[part] - before - system.weights[part] * ds)
        v = self.at.v + primal * dv
        self.at = Point(v, z, self.at.lam + dual * dlam, gap_of(self.costs, self.cone, v, z))
