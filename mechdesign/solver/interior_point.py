"""An interior-point method for linear programs whose linear systems have a structure that general solvers do not see.

    least cost · x   with   matrix x <= bounds;   its dual: most -bounds · z   with   cost + matrix^T z = 0,  z >= 0.

It is Mehrotra's predictor and corrector with Gondzio's further corrections. Each step solves linear systems with the
weights W = z / slacks of the rows M and L, of which the last, L, have many entries, and unknowns of their own:

    M^T W M x + L^T y = r,   L x - y / W = q.

Whatever knows the structure of M and L solves them; solutions are refined.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.problem import NEAR
from mechdesign.solver.stopping import is_over
from mechdesign.stopwatch import announce

FURTHER, APART = 0.3, 10.0
"""How much further each of Gondzio's corrections should lead, a tenth of which is worth another; how often as large or
small as wanted the products s z may be there."""


@dataclass(frozen=True, eq=False)
class Direction:
    """Where a step leads slacks and multipliers, for what is `wanted` of s z; and how far, at most all of it."""

    wanted: Floats
    ds: Floats
    dz: Floats
    primal: float
    dual: float


Led = TypeVar("Led", bound=Direction)


def corrected(towards: Callable[[Floats], Led], slacks: Floats, z: Floats) -> tuple[Led, float]:
    """Return the predictor's step, corrected until no correction leads further, and what is wanted of each s z."""

    def products(way: Led, primal: float, dual: float) -> Floats:
        return np.asarray((slacks + primal * way.ds) * (z + dual * way.dz))

    mean = float(np.vdot(z, slacks)) / len(z)
    way = towards(np.zeros_like(z))
    share = float((products(way, way.primal, way.dual).mean() / mean) ** 3)
    target = min(1.0, max(1e-6, share)) * mean
    way = towards(target - way.ds * way.dz)
    while True:
        there = products(way, *(min(1.0, one + FURTHER) for one in (way.primal, way.dual)))
        change = np.maximum(np.clip(there, target / APART, target * APART) - there, -target * APART)
        further = towards(way.wanted + change)
        if further.primal + further.dual < way.primal + way.dual + FURTHER / 10:
            return way, target
        way = further


class System(Protocol):
    """Solves the linear system for the weights that it was made with."""

    def solve(self, right: Floats) -> Floats:
        """Return x and after it y, of r and after it q."""


class Point(NamedTuple):
    """Where the search is: columns, slacks of the rows, multipliers, and how far these are from an optimum."""

    x: Floats
    slacks: Floats
    z: Floats
    error: float = np.inf


@dataclass(frozen=True, eq=False)
class _Way(Direction):
    """Where a step leads the columns, too."""

    dx: Floats


class InteriorPoint:
    """The search for an optimum of a program, the last rows of which, so many, are `long`."""

    def __init__(
        self, matrix: sp.csr_matrix, bounds: Floats, cost: Floats, long: int, system: Callable[[Floats], System]
    ) -> None:
        self._matrix, self._bounds, self._cost, self._system = matrix, bounds, cost, system
        self._across, self._long = sp.csr_matrix(matrix.T), slice(len(bounds) - long, None)

    def optimum(self) -> Point:
        """Return the best point that there is once it ends.

        Raises
        ------
        SolverError
            if a linear system is singular before anything was found.
        """
        at, errors = self._judged(self._start()), list[float]()
        best = at
        for number in range(100):  # 15 to 45 are usual
            errors.append(best.error)
            if best.error < NEAR**1.1 or _is_settled(errors) or is_over():
                break
            announce(f"solve, step {number + 1}: an error of {at.error:.0e}")
            try:
                at = self._judged(self._step(at))
            except SolverError:
                if not _is_near(best.error):
                    raise
                break
            best = min(best, at, key=lambda one: one.error)
        return best

    def _start(self) -> Point:
        """Return the point of least squares, with slacks and multipliers moved above 0."""
        ones = np.ones(len(self._bounds))
        origin = Point(np.zeros(len(self._cost)), ones, ones)
        way = self._way(self._system(ones), origin, np.zeros(len(ones)))
        slacks, z = self._bounds - self._matrix @ way.dx, ones + way.dz
        slacks, z = (one + max(0.0, -1.5 * float(one.min())) for one in (slacks, z))
        product = slacks @ z
        slacks = slacks + max(product / max(z.sum(), 1.0) / 2, 1e-2)
        return Point(way.dx, slacks, z + max(product / slacks.sum() / 2, 1e-2))

    def _judged(self, at: Point) -> Point:
        primal, dual = self._missed(at)
        return at._replace(error=float(max(at.slacks @ at.z, abs(primal).max(), abs(dual).max())))

    def _missed(self, at: Point) -> tuple[Floats, Floats]:
        return self._matrix @ at.x + at.slacks - self._bounds, self._cost + self._across @ at.z

    def _step(self, at: Point) -> Point:
        way, _ = corrected(partial(self._way, self._system(at.z / at.slacks), at), at.slacks, at.z)
        back = min(0.9995, max(0.9, 1 - float(np.vdot(at.slacks, at.z) / len(at.z)) ** 0.5))
        primal, dual = (back * length for length in (way.primal, way.dual))
        return Point(at.x + primal * way.dx, at.slacks + primal * way.ds, at.z + dual * way.dz)

    def _way(self, system: System, at: Point, wanted: Floats) -> _Way:
        """Return the step after which the products s z would be as wanted."""
        primal, dual = self._missed(at)
        change, long = wanted - at.slacks * at.z, self._long
        pull = (change + at.z * primal) / at.slacks
        pull[long] = 0.0
        right = np.concatenate([-dual - self._across @ pull, -primal[long] - change[long] / at.z[long]])
        x, own = np.split(self._refined(system, at, right), [len(at.x)])
        slacks = -primal - self._matrix @ x
        z = (change - at.z * slacks) / at.slacks
        z[long] = own
        primal_length, dual_length = (
            1 / max(1.0, -float((one / here).min())) for one, here in ((slacks, at.slacks), (z, at.z))
        )
        return _Way(wanted, slacks, z, primal_length, dual_length, x)

    def _refined(self, system: System, at: Point, right: Floats) -> Floats:
        """Return the solution of a linear system, refined while that halves what is missed, to a share of the mean."""
        found, best, enough = np.zeros(len(right)), np.inf, float(at.slacks @ at.z) / len(at.z) / 100
        left = right
        for _ in range(5):
            tried = found + system.solve(left)
            left = right - self._applied(at, tried)
            error = float(abs(left).max())
            if not error < best:
                break
            found, stops, best = tried, error > best / 2 or error < enough, error
            if stops:
                break
        return found

    def _applied(self, at: Point, found: Floats) -> Floats:
        x, own = np.split(found, [len(at.x)])
        there, long = self._matrix @ x, self._long
        pull = at.z / at.slacks * there
        pull[long] = own
        return np.concatenate([self._across @ pull, there[long] - own * at.slacks[long] / at.z[long]])


def _is_near(error: float) -> bool:
    """Return whether an error is one from which a crossover finds its way."""
    return error < 1e-6


def _is_settled(errors: list[float]) -> bool:
    """Return whether rounding allows no more: five steps have left a third of an error that is small."""
    return _is_near(errors[-1]) and len(errors) > 5 and 3 * errors[-1] > errors[-6]
