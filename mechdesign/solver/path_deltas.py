"""Counts and other values on a path with deltas, and an expected loss: by chains, which are added where they pay.

What is released of each output is made of chains, see `mechdesign.solver.chains`. How much of each there is, is a
linear program with one row for each value, whose probabilities sum to 1, and one for each edge with a delta, both ways:

    sum of what chains exceed there / delta <= 1.

It begins with the chains of the geometric mechanism, those of delta = 0, which are a vertex, and the same cut where
their masses are about a delta. Its multipliers price all other chains, and those that cost less than nothing are added
until there are none: then they prove that no mechanism has a smaller loss. For a count of 200 there are some thousand
chains with 600 rows, where the whole program has 120,000 columns and 80,000 rows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import highspy
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective import ExpectedLoss
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers
from mechdesign.problem import NEAR, Problem
from mechdesign.program.program import Program
from mechdesign.program.tolerances import MOST_ROUNDS, VIOLATION
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.chains import Chains, Cheapest
from mechdesign.solver.geometric_remap import ValuesOnPath, values_on_path, vertex_of
from mechdesign.solver.highs import Basis
from mechdesign.solver.minimise import MANY_ROWS, Wanted, minimum_of
from mechdesign.solver.on_path import OnPath, undone
from mechdesign.solver.stopping import offer
from mechdesign.stopwatch import announce

Columns: TypeAlias = tuple[Floats, sp.csc_matrix]
"""What chains cost, and their columns of a program."""


def has_chains(problem: Problem) -> bool:
    """Return whether a problem is solved here: a large one of values on a path, some edges of which have a delta."""
    if not isinstance(problem.objective, ExpectedLoss) or not any(one.delta for one in problem.required):
        return False
    large = 2 * len(problem.required) * problem.outputs > MANY_ROWS
    return large and problem.is_local and values_on_path(problem) is not None


def solve_by_chains(problem: Problem) -> Solution | str:
    """Return an optimum with its multipliers, also as a vertex; why there is none, if it is not found or not proved."""
    path = values_on_path(problem)
    assert path is not None
    master = _Master.of(problem, path)
    known: set[bytes] = set()
    chains = master.first().fresh(known)
    parts = [master.columns(chains)]
    start: Basis | None = master.geometric_basis().with_columns(len(chains.outputs) - len(path.order))
    for number in range(MOST_ROUNDS):
        announce(f"solve, round {number + 1}: {len(chains.outputs)} chains")
        found = minimum_of(master.program(parts), Wanted.VERTEX, start=start)
        if isinstance(found, str):
            return found
        cheapest = master.cheapest(found)
        more = cheapest.below(-VIOLATION * master.value(found)).fresh(known)
        if not len(more.outputs):
            break
        offer(problem, partial(master.solution, chains, found, cheapest))
        parts.append(master.columns(more))
        chains, start = chains.with_others(more), found.basis and found.basis.with_columns(len(more.outputs))
    else:
        return f"the chains did not end within {MOST_ROUNDS} rounds"
    solution = master.solution(chains, found, cheapest)
    if not abs(solution.value - master.proved(cheapest.multipliers())) <= NEAR * abs(solution.value):
        return "doubles do not hold what is to be proved of chains"
    return replace(solution, vertex=vertex_of(problem, solution))


@dataclass(frozen=True, eq=False)
class _Master:
    """The linear program of chains; values in the order of the path."""

    path: ValuesOnPath
    losses: Floats
    unit: float
    weights: Floats

    @classmethod
    def of(cls, problem: Problem, path: ValuesOnPath) -> "_Master":
        weights = problem.weights[path.order]
        losses = weights[:, None] * path.losses
        unit = float(abs(losses).max()) or 1.0
        return cls(path, losses / unit, unit, weights)

    @cached_property
    def geometric(self) -> OnPath:
        """The geometric mechanism with the best remap of each answer, and its multipliers."""
        return OnPath(self.path.steps, self.path.losses, self.weights)

    @property
    def loose(self) -> npt.NDArray[np.bool_]:
        """Which edges have a delta."""
        return self.path.deltas > 0

    @property
    def limits(self) -> int:
        """How many limits deltas are: of each such edge one for either way."""
        return 2 * int(self.loose.sum())

    def first(self) -> Chains:
        """Return the chains of the geometric mechanism, and the same cut where masses are about a delta, both ways."""
        geometric, n = self.geometric, len(self.losses)
        masses = geometric.beta[:, None] * geometric.kernel
        own, after = np.eye(n, dtype=bool), np.arange(n) > np.arange(n)[:, None]
        parts = [geometric.kernel]
        before, behind = np.append(0.0, self.path.deltas), np.append(self.path.deltas, 0.0)  # of each value's two edges
        for left, right in self._cuts():
            large = np.where(after, masses > right * before, masses > left * behind)
            outwards = np.logical_and.accumulate(large | own | ~after, axis=1)
            inwards = np.logical_and.accumulate((large | own | after)[:, ::-1], axis=1)[:, ::-1]
            kept = np.where(after, outwards, inwards) | own
            parts.append(np.where(kept, geometric.kernel, 0.0))
        return Chains(np.tile(geometric.read, len(parts)), np.concatenate(parts))

    def _cuts(self) -> list[tuple[float, float]]:
        """Return by what factors around a delta, up to about e, masses are where chains are cut on their two sides."""
        step = 1 / float(self.path.steps.min())
        powers = [0, 1]
        while powers[-1] * math.log(step) < 1:
            powers.append(max(powers[-1] + 1, powers[-1] * 3 // 2))
        pairs = {(sign * power, sign * power) for power in powers for sign in (-1, 1)}
        pairs |= {(left, right) for left in (-1, 0, 1) for right in (-1, 0, 1)}
        return [(step**left, step**right) for left, right in sorted(pairs)]

    def geometric_basis(self) -> Basis:
        """Return the vertex of the geometric mechanism's own chains, which are the first."""
        n, kinds = len(self.losses), highspy.HighsBasisStatus
        return Basis([kinds.kBasic] * n, np.array([kinds.kLower] * n + [kinds.kBasic] * self.limits, dtype=object))

    def columns(self, chains: Chains) -> Columns:
        """Return what chains cost, and their columns of the rows: sums by their differences, then limits."""
        n, count, ends = len(self.losses), len(chains.outputs), []
        with np.errstate(divide="ignore"):
            parts = 1 / self.path.deltas
        for places, edges in ((chains.first, chains.first - 1), (chains.last, chains.last)):
            there = np.flatnonzero((edges >= 0) & (edges < n - 1))
            values = chains.masses[there, places[there]] * parts[edges[there]]
            ends.append(sp.csr_matrix((values, (edges[there], there)), shape=(n - 1, count))[self.loose])
        sums = undone(self.path.steps, chains.masses)
        sums[abs(sums) < VIOLATION] = 0.0
        cost = np.einsum("ri,ir->r", chains.masses, self.losses[:, chains.outputs])
        return cost, sp.vstack([sp.csr_matrix(sums.T), *ends], format="csc")

    def program(self, parts: Sequence[Columns]) -> Program:
        """Return the program of all these columns."""
        costs, columns = zip(*parts, strict=True)
        cost, upper = np.concatenate(costs), np.append(self.geometric.beta, np.ones(self.limits))
        lower = np.append(self.geometric.beta, np.full(self.limits, -np.inf))
        return Program(cost, sp.hstack(columns, format="csr"), lower, upper, np.zeros(len(cost)), None, {})

    def cheapest(self, found: Minimum) -> Cheapest:
        """Return the cheapest of all chains, by an answer's multipliers."""
        n, room = len(self.losses), np.full((2, len(self.path.deltas)), np.inf)
        room[:, self.loose] = found.multipliers[n:].reshape(2, -1) / self.path.deltas[self.loose]
        paid = undone(self.path.steps, found.multipliers[:n])
        return Cheapest(self.losses + paid[:, None], self.path.steps, *room)

    def value(self, found: Minimum) -> float:
        """Return what an answer loses, in the unit of this program, by its multipliers."""
        return abs(float(found.multipliers @ np.append(self.geometric.beta, np.ones(self.limits))))

    def solution(self, chains: Chains, found: Minimum, cheapest: Cheapest) -> Solution:
        """Return an answer as a solution of the problem, with multipliers."""
        released = np.zeros(self.losses.T.shape)
        np.add.at(released, chains.outputs, np.maximum(0.0, found.columns)[:, None] * chains.masses)
        value, order = float((released.T * self.losses).sum()) * self.unit, self.path.order
        privacy = {(order[i], order[j]): one * self.unit for (i, j), one in cheapest.multipliers().items()}
        place = np.argsort(order)
        return Solution(value, released.T[place], multipliers=Multipliers(privacy), way="chains along the path")

    def proved(self, multipliers: PrivacyMultipliers) -> float:
        """Return what multipliers prove: see `mechdesign.certificate.bound`."""
        paid = sum(
            delta * (multipliers[i, i + 1].max() + multipliers[i + 1, i].max())
            for i, delta in enumerate(self.path.deltas)
        )
        geometric = self.geometric
        unscaled = {pair: one * self.unit for pair, one in multipliers.items()}
        return geometric.proved(unscaled) - float(paid) * self.unit
