"""The linear program of chains along a path of values with deltas, and what its multipliers say of all chains.

How much of each chain there is, see `mechdesign.solver.chains`, is a linear program with one row for each value, whose
probabilities sum to 1, one for each edge with a delta, both ways,

    sum of what chains exceed there / delta <= 1,

and one for the loss that is expected, or of a worst loss one for that of each value. Its columns are the arms of
chains: one before a peak comes with what the geometric mechanism has after it, and one after a peak changes this, of
which there may be as much as of all before it, one row for each output and peak. With whole chains as columns, as many
as arms on one side times those on the other, "count 100x100, worst hamming, epsilon 0.1, delta 0.2" of
benchmarks/cliffs.py takes 5.4 s of processor time, not 1.1 s, and others have no vertex that is good enough, as the sum
of two columns is that of two others.

Where chains change by e^epsilon with every step, differences of rows of neighbours have nothing: without these in place
of the rows "count 200x200, worst absolute, epsilon 0.1, delta 1e-6" of benchmarks/cliffs.py takes over a minute of
processor time, not 9 s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.objective import WorstLoss
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers
from mechdesign.problem import NOTHING, Problem
from mechdesign.program.program import Program
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.chains import Arms, Chains, Cheapest
from mechdesign.solver.geometric_remap import ValuesOnPath
from mechdesign.solver.highs import FINEST
from mechdesign.solver.on_path import OnPath, proved, undone
from mechdesign.solver.worst_remap import read_for_worst


class Prices(NamedTuple):
    """What multipliers of the program of chains say.

    Attributes
    ----------
    values
        n: what a probability of each value costs besides its loss.
    room
        2 x (n - 1): what exceeding privacy over each edge costs, upwards and downwards.
    weights
        n: how much each value's loss counts.
    """

    values: Floats
    room: Floats
    weights: Floats


class Proof(NamedTuple):
    """What prices prove: the least loss of all mechanisms, by multipliers of privacy; and which chains cost least."""

    bound: float
    cheapest: Cheapest
    multipliers: PrivacyMultipliers
    weights: Floats


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
    geometric, released
        the geometric mechanism, and what each value releases, n x m.
    answers, outputs
        its answers, and as which output each is read, or may be.
    """

    path: ValuesOnPath
    shares: Floats
    mixed: Floats
    worst: bool
    geometric: OnPath
    released: Floats
    answers: Integers
    outputs: Integers

    @classmethod
    def of(cls, problem: Problem, path: ValuesOnPath) -> "ChainProgram | str":
        """Return the program of a problem along its path; why there is none."""
        n = len(path.order)
        if not isinstance(problem.objective, WorstLoss):
            weights = problem.weights[path.order]
            geometric = OnPath(path.steps, path.losses, weights)
            return cls(
                path, weights[None], np.eye(1), False, geometric, geometric.released(), np.arange(n), geometric.read
            )
        worst = read_for_worst(path.steps, path.losses)
        if worst is None:
            return "no remap"
        answers, outputs = np.nonzero(worst.remap)
        mixed = _mixed(path, worst.path.kernel[answers].T * path.losses[:, outputs])
        return cls(path, np.eye(n), mixed, True, worst.path, worst.released, answers, outputs)

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
        for factor in self._cuts():
            large = masses > factor * np.where(after, before, behind)
            outwards = np.logical_and.accumulate(large | own | ~after, axis=1)
            inwards = np.logical_and.accumulate((large | own | after)[:, ::-1], axis=1)[:, ::-1]
            kept = np.where(after, outwards, inwards) | own
            parts.append(np.where(kept, kernel, 0.0))
        return Chains(np.tile(self.outputs, len(parts)), np.concatenate(parts))

    def _cuts(self) -> list[float]:
        """Return by what factors around a delta, up to about e, masses are where chains are cut."""
        step = 1 / float(self.path.steps.min())
        powers = [0, 1]
        while powers[-1] * math.log(step) < 1:
            powers.append(max(powers[-1] + 1, powers[-1] * 3 // 2))
        return [step**power for power in sorted({sign * power for power in powers for sign in (-1, 1)})]

    def fresh(self, chains: Chains, known: set[bytes]) -> Arms:
        """Return the arms of chains that are not known and change anything."""
        arms = chains.arms()
        return arms.only(np.flatnonzero((abs(self.changes(arms)) > FINEST).any(axis=1))).fresh(known)

    def changes(self, arms: Arms) -> Floats:
        """Return what a column of each arm changes, r x n: what is released of its output, by as much as there is."""
        after = np.arange(arms.masses.shape[1]) > arms.peaks[:, None]
        geometric = np.where(after, self.geometric.kernel[arms.peaks], 0.0)
        return np.where(arms.after[:, None], np.where(after, arms.masses - geometric, 0.0), arms.masses + geometric)

    def columns(self, arms: Arms) -> sp.csc_matrix:
        """Return the columns of arms: differences of sums, limits, and losses, mixed."""
        n, count, ends, limits = len(self.path.order), len(arms.outputs), arms.ends, []
        with np.errstate(divide="ignore"):
            parts = 1 / self.path.deltas
        for side, edges in ((~arms.after, ends - 1), (arms.after, ends)):
            there = np.flatnonzero(side & (edges >= 0) & (edges < n - 1))
            values = arms.masses[there, ends[there]] * parts[edges[there]]
            limits.append(sp.csr_matrix((values, (edges[there], there)), shape=(n - 1, count))[self.loose])
        changes = self.changes(arms)
        sums = undone(self.path.steps, changes)
        sums[abs(sums) < FINEST] = 0.0
        losses = self.mixed @ self.shares @ (changes.T * self.path.losses[:, arms.outputs]) / self.unit
        losses[abs(losses) < FINEST] = 0.0
        return sp.vstack([sp.csr_matrix(sums.T), *limits, sp.csr_matrix(losses)], format="csc")

    def program(self, parts: Sequence[sp.csc_matrix], arms: Arms) -> Program:
        """Return the program of all these columns of arms, after those of the objective and of what losses leave of it.

        The rows of pairs of arms come last, as there are more with more arms.
        """
        n, h, pairs = len(self.path.order), len(self.shares), arms.pairs
        own = sp.csc_matrix(np.column_stack([-self.mixed.sum(axis=1), self.mixed]))
        nothing, signs = sp.csc_matrix((n + self.limits, 1 + h)), np.where(arms.after, 1.0, -1.0)
        paired = sp.csc_matrix((signs, (pairs, 1 + h + np.arange(len(pairs)))))
        matrix = sp.vstack([sp.hstack([sp.vstack([nothing, own]), *parts]), paired], format="csr")
        upper = np.concatenate([self.geometric.beta, np.ones(self.limits), np.zeros(h + paired.shape[0])])
        lower = upper.copy()
        lower[n : n + self.limits] = lower[n + self.limits + h :] = -np.inf
        cost, floor = np.zeros(matrix.shape[1]), np.zeros(matrix.shape[1])
        cost[0], floor[0] = 1.0, -np.inf
        return Program(cost, matrix, lower, upper, floor, None, {})

    def geometric_prices(self) -> Prices:
        """Return those of the geometric mechanism: each limit costs as much as is asked for, as without a delta."""
        room = np.full((2, len(self.path.deltas)), np.inf)
        return Prices(NOTHING - self.geometric.row_multipliers / self.unit, room, self.geometric.weights)

    def prices(self, found: Minimum, more: float = 0.0) -> Prices:
        """Return what an answer's multipliers say.

        Each probability costs a little more than they say: rounding errors, which grow along a path, cost nothing less.
        Each limit counts by so much `more`, as a share of the loss: chains of which there may be next to nothing, which
        hide others that save something, cost more than nothing then.
        """
        n, room, loss = len(self.path.order), np.full((2, len(self.path.deltas)), np.inf), abs(found.columns[0])
        sums, limits, losses, _ = np.split(found.multipliers, np.cumsum([n, self.limits, len(self.shares)]))
        room[:, self.loose] = (limits + more * loss).reshape(2, -1) / self.path.deltas[self.loose]
        weights = np.maximum(0.0, losses @ self.mixed) @ self.shares
        return Prices(undone(self.path.steps, sums) + NOTHING * loss, room, weights)

    def proof(self, prices: Prices) -> Proof:
        """Return what prices prove: see `mechdesign.certificate.bound`."""
        losses = prices.weights[:, None] * self.path.losses
        costs = losses / self.unit + prices.values[:, None]
        cheapest = Cheapest(costs, self.path.steps, prices.room[0], prices.room[1], self.path.deltas)
        multipliers = {pair: one * self.unit for pair, one in cheapest.multipliers().items()}
        paid = sum(
            delta * (multipliers[i, i + 1].max() + multipliers[i + 1, i].max())
            for i, delta in enumerate(self.path.deltas)
        )
        return Proof(proved(self.path.steps, losses, multipliers) - float(paid), cheapest, multipliers, prices.weights)

    def solution(self, arms: Arms, found: Minimum, proof: Proof) -> Solution:
        """Return an answer, so much of each arm, as a solution of the problem, with what proves it."""
        released = np.zeros(self.path.losses.T.shape)
        amounts = np.maximum(0.0, found.columns[1 + len(self.shares) :])
        np.add.at(released, arms.outputs, amounts[:, None] * self.changes(arms))
        return self._solution(released.T, proof)

    def geometric_solution(self, proof: Proof) -> Solution:
        """Return the geometric mechanism as a solution, with what it proves."""
        return self._solution(self.released, proof)

    def _solution(self, released: Floats, proof: Proof) -> Solution:
        value, order = float((self.shares @ (released * self.path.losses).sum(axis=1)).max()), self.path.order
        place = np.argsort(order)
        privacy = {(order[i], order[j]): one for (i, j), one in proof.multipliers.items()}
        multipliers = Multipliers(privacy, profiles=proof.weights[place] if self.worst else None)
        return Solution(value, released[place], multipliers=multipliers, way="chains along the path")


def _mixed(path: ValuesOnPath, losses: Floats) -> Floats:
    """Return by what rows of losses are multiplied: of their differences none, once or twice, what has fewest entries.

    Where chains change by e^epsilon with every step, so do Hamming losses but for one, and once is enough; those that
    grow with the distance need it twice.
    """
    once = undone(path.steps, np.eye(len(losses)))
    ways = np.eye(len(losses)), once, undone(path.steps, once)
    mixed = [way / abs(way).max() for way in ways]
    return min(mixed, key=lambda way: int((abs(way @ losses) > FINEST * abs(losses).max()).sum()))
