"""The linear program of chains along a path of values with deltas, and what its multipliers say of all chains.

How much of each chain there is, see `mechdesign.solver.chains`, is a linear program with one row for each value, whose
probabilities sum to 1, one for each edge with a delta, both ways,

    sum of what chains exceed there / delta <= 1,

and one for the loss that is expected, or of a worst loss one for that of each value. Where chains change by e^epsilon
with every step, differences of rows of neighbours have nothing: without these in place of the rows "count 200x200,
expected absolute, epsilon 0.1, delta 1e-6" of benchmarks/cliffs.py takes 7 s of processor time, not 2 s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.objective import WorstLoss
from mechdesign.objective.multipliers import Multipliers
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.program import Program
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.chains import Chains, Cheapest
from mechdesign.solver.geometric_remap import ValuesOnPath
from mechdesign.solver.highs import FINEST
from mechdesign.solver.on_path import OnPath, proved, undone
from mechdesign.solver.worst_remap import read_for_worst


@dataclass(frozen=True, eq=False)
class ChainProgram:
    """The linear program of chains; values in the order of the path.

    Attributes
    ----------
    shares
        h x n: the objective is the largest of `shares` @ losses of the values.
    mixed
        h x h: by what the rows of these losses are multiplied, so that few entries are left.
    worst
        whether it is a worst loss.
    geometric
        the geometric mechanism.
    answers, outputs
        its answers, and as which output each is read, or may be.
    """

    path: ValuesOnPath
    shares: Floats
    mixed: Floats
    worst: bool
    geometric: OnPath
    answers: Integers
    outputs: Integers

    @classmethod
    def of(cls, problem: Problem, path: ValuesOnPath) -> "ChainProgram | str":
        """Return the program of a problem along its path; why there is none."""
        n = len(path.order)
        if not isinstance(problem.objective, WorstLoss):
            weights = problem.weights[path.order]
            geometric = OnPath(path.steps, path.losses, weights)
            return cls(path, weights[None], np.eye(1), False, geometric, np.arange(n), geometric.read)
        worst = read_for_worst(path.steps, path.losses)
        if worst is None:
            return "no remap"
        answers, outputs = np.nonzero(worst.remap)
        mixed = _mixed(path, worst.path.kernel[answers].T * path.losses[:, outputs])
        return cls(path, np.eye(n), mixed, True, worst.path, answers, outputs)

    @property
    def unit(self) -> float:
        """What the geometric mechanism loses."""
        return abs(self.geometric.value) or 1.0

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
        kernel, places = self.geometric.kernel[self.answers], np.arange(len(self.path.order))
        masses = self.geometric.beta[self.answers, None] * kernel
        own, after = places == self.answers[:, None], places > self.answers[:, None]
        parts = [kernel]
        before, behind = np.append(0.0, self.path.deltas), np.append(self.path.deltas, 0.0)  # of each value's two edges
        for left, right in self._cuts():
            large = np.where(after, masses > right * before, masses > left * behind)
            outwards = np.logical_and.accumulate(large | own | ~after, axis=1)
            inwards = np.logical_and.accumulate((large | own | after)[:, ::-1], axis=1)[:, ::-1]
            kept = np.where(after, outwards, inwards) | own
            parts.append(np.where(kept, kernel, 0.0))
        return Chains(np.tile(self.outputs, len(parts)), np.concatenate(parts))

    def _cuts(self) -> list[tuple[float, float]]:
        """Return by what factors around a delta, up to about e, masses are where chains are cut on their two sides."""
        step = 1 / float(self.path.steps.min())
        powers = [0, 1]
        while powers[-1] * math.log(step) < 1:
            powers.append(max(powers[-1] + 1, powers[-1] * 3 // 2))
        pairs = {(sign * power, sign * power) for power in powers for sign in (-1, 1)}
        pairs |= {(left, right) for left in (-1, 0, 1) for right in (-1, 0, 1)}
        return [(step**left, step**right) for left, right in sorted(pairs)]

    def columns(self, chains: Chains) -> sp.csc_matrix:
        """Return the columns of chains: differences of sums, limits, and losses, mixed."""
        n, count, ends = len(self.path.order), len(chains.outputs), []
        with np.errstate(divide="ignore"):
            parts = 1 / self.path.deltas
        for places, edges in ((chains.first, chains.first - 1), (chains.last, chains.last)):
            there = np.flatnonzero((edges >= 0) & (edges < n - 1))
            values = chains.masses[there, places[there]] * parts[edges[there]]
            ends.append(sp.csr_matrix((values, (edges[there], there)), shape=(n - 1, count))[self.loose])
        sums = undone(self.path.steps, chains.masses)
        sums[abs(sums) < FINEST] = 0.0
        losses = self.mixed @ self.shares @ (chains.masses.T * self.path.losses[:, chains.outputs]) / self.unit
        losses[abs(losses) < FINEST] = 0.0
        return sp.vstack([sp.csr_matrix(sums.T), *ends, sp.csr_matrix(losses)], format="csc")

    def program(self, parts: Sequence[sp.csc_matrix]) -> Program:
        """Return the program of all these columns, after those of the objective and of what losses leave of it."""
        n, h = len(self.path.order), len(self.shares)
        own = sp.csc_matrix(np.column_stack([-self.mixed.sum(axis=1), self.mixed]))
        above = sp.csc_matrix((n + self.limits, 1 + h))
        matrix = sp.hstack([sp.vstack([above, own]), *parts], format="csr")
        upper = np.concatenate([self.geometric.beta, np.ones(self.limits), np.zeros(h)])
        lower = upper.copy()
        lower[n : n + self.limits] = -np.inf
        cost, floor = np.zeros(matrix.shape[1]), np.zeros(matrix.shape[1])
        cost[0], floor[0] = 1.0, -np.inf
        return Program(cost, matrix, lower, upper, floor, None, {})

    def weights(self, found: Minimum) -> Floats:
        """Return how much each value's loss counts, by an answer's multipliers."""
        return np.maximum(0.0, found.multipliers[-len(self.shares) :] @ self.mixed) @ self.shares

    def cheapest(self, found: Minimum, more: float) -> Cheapest:
        """Return the cheapest of all chains, by an answer's multipliers.

        Each probability costs a little more than they say: rounding errors, which grow along a path, cost nothing less.
        Each limit counts by so much `more`, as a share of the loss: chains of which there may be next to nothing, which
        hide others that save something, cost more than nothing then.
        """
        n, room = len(self.path.order), np.full((2, len(self.path.deltas)), np.inf)
        limits = found.multipliers[n : n + self.limits] + more * abs(found.columns[0])
        room[:, self.loose] = limits.reshape(2, -1) / self.path.deltas[self.loose]
        losses = self.weights(found)[:, None] * self.path.losses / self.unit
        paid = undone(self.path.steps, found.multipliers[:n]) + NOTHING * abs(found.columns[0])
        return Cheapest(losses + paid[:, None], self.path.steps, room[0], room[1], self.path.deltas)

    def solution(self, chains: Chains, found: Minimum, cheapest: Cheapest) -> Solution:
        """Return an answer as a solution of the problem, with multipliers."""
        released = np.zeros(self.path.losses.T.shape)
        amounts = np.maximum(0.0, found.columns[1 + len(self.shares) :])
        np.add.at(released, chains.outputs, amounts[:, None] * chains.masses)
        value, order = float((self.shares @ (released.T * self.path.losses).sum(axis=1)).max()), self.path.order
        place = np.argsort(order)
        privacy = {(order[i], order[j]): one * self.unit for (i, j), one in cheapest.multipliers().items()}
        profiles = self.weights(found)[place] if self.worst else None
        multipliers = Multipliers(privacy, profiles=profiles)
        return Solution(value, released.T[place], multipliers=multipliers, way="chains along the path")

    def offered(self, chains: Chains, found: Minimum) -> Solution:
        """Return an answer that is not the last as a solution, with multipliers."""
        return self.solution(chains, found, self.cheapest(found, NOTHING))

    def proved_solution(self, chains: Chains, found: Minimum) -> Solution | str:
        """Return an answer as a solution, with what proves that it is an optimum.

        Multipliers as they are say what is common to all optima; where they prove nothing, limits count by more.
        """
        for more in (0.0, NOTHING, NEAR / 4 / self.limits):
            cheapest = self.cheapest(found, more)
            solution = self.solution(chains, found, cheapest)
            if abs(solution.value - self.proved(found, cheapest)) <= NEAR * abs(solution.value):
                return solution
        return "doubles do not hold what is to be proved of chains"

    def proved(self, found: Minimum, cheapest: Cheapest) -> float:
        """Return what an answer's multipliers prove: see `mechdesign.certificate.bound`."""
        multipliers = {pair: one * self.unit for pair, one in cheapest.multipliers().items()}
        paid = sum(
            delta * (multipliers[i, i + 1].max() + multipliers[i + 1, i].max())
            for i, delta in enumerate(self.path.deltas)
        )
        return proved(self.path.steps, self.weights(found)[:, None] * self.path.losses, multipliers) - float(paid)


def _mixed(path: ValuesOnPath, losses: Floats) -> Floats:
    """Return by what rows of losses are multiplied: of their differences none, once or twice, what has fewest entries.

    Where chains change by e^epsilon with every step, so do Hamming losses but for one, and once is enough; those that
    grow with the distance need it twice.
    """
    once = undone(path.steps, np.eye(len(losses)))
    ways = np.eye(len(losses)), once, undone(path.steps, once)
    mixed = [way / abs(way).max() for way in ways]
    return min(mixed, key=lambda way: int((abs(way @ losses) > FINEST * abs(losses).max()).sum()))
