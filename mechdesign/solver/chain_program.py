"""The linear program of chains along a path of values with deltas, and what its multipliers say of all chains.

How much of each chain there is, see `mechdesign.solver.chains`, is a linear program with one row for each value, whose
probabilities sum to 1, and one for each edge with a delta, both ways,

    sum of what chains exceed there / delta <= 1.

Its columns are the arms of chains: one before a peak comes with what the geometric mechanism has after it, and one
after a peak changes this, of which there may be as much as of all before it, one row for each output and peak. With
whole chains as columns, as many as arms on one side times those on the other, "count 200x200, expected absolute,
epsilon 2, delta 1e-9" of benchmarks/cliffs.py and four others with this delta have no nearest design, and it takes
1.7 s of processor time, not 0.7 s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers
from mechdesign.problem import NOTHING, Problem
from mechdesign.program.program import Program
from mechdesign.solution import Solution
from mechdesign.solver.chains import Arms, Chains, Cheapest
from mechdesign.solver.geometric_remap import ValuesOnPath
from mechdesign.solver.highs import FINEST
from mechdesign.solver.on_path import OnPath, proved, undone


class Prices(NamedTuple):
    """What multipliers of the program of chains say.

    Attributes
    ----------
    values
        n: what a probability of each value costs besides its loss.
    room
        2 x (n - 1): what exceeding privacy over each edge costs, upwards and downwards.
    """

    values: Floats
    room: Floats


class Proof(NamedTuple):
    """What prices prove: the least loss of all mechanisms, by multipliers of privacy; and which chains cost least."""

    bound: float
    cheapest: Cheapest
    multipliers: PrivacyMultipliers


@dataclass(frozen=True, eq=False)
class ChainProgram:
    """The linear program of chains, to begin with of the geometric mechanism; values in the order of the path."""

    path: ValuesOnPath
    geometric: OnPath

    @classmethod
    def of(cls, problem: Problem, path: ValuesOnPath) -> "ChainProgram":
        """Return the program of a problem along its path."""
        return cls(path, OnPath(path.steps, path.losses, problem.weights[path.order]))

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
        kernel, places = self.geometric.kernel, np.arange(len(self.path.order))
        masses = self.geometric.beta[:, None] * kernel
        own, after = places == places[:, None], places > places[:, None]
        parts = [kernel]
        before, behind = np.append(0.0, self.path.deltas), np.append(self.path.deltas, 0.0)  # of each value's two edges
        for factor in self._cuts():
            large = masses > factor * np.where(after, before, behind)
            outwards = np.logical_and.accumulate(large | own | ~after, axis=1)
            inwards = np.logical_and.accumulate((large | own | after)[:, ::-1], axis=1)[:, ::-1]
            kept = np.where(after, outwards, inwards) | own
            parts.append(np.where(kept, kernel, 0.0))
        return Chains(np.tile(self.geometric.read, len(parts)), np.concatenate(parts))

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
        """Return the columns of arms: differences of sums, and limits."""
        n, count, ends, limits = len(self.path.order), len(arms.outputs), arms.ends, []
        with np.errstate(divide="ignore"):
            parts = 1 / self.path.deltas
        for side, edges in ((~arms.after, ends - 1), (arms.after, ends)):
            there = np.flatnonzero(side & (edges >= 0) & (edges < n - 1))
            values = arms.masses[there, ends[there]] * parts[edges[there]]
            limits.append(sp.csr_matrix((values, (edges[there], there)), shape=(n - 1, count))[self.loose])
        sums = undone(self.path.steps, self.changes(arms))
        sums[abs(sums) < FINEST] = 0.0
        return sp.vstack([sp.csr_matrix(sums.T), *limits], format="csc")

    def program(self, parts: Sequence[sp.csc_matrix], arms: Arms) -> Program:
        """Return the program of all these columns of arms; the rows of pairs of arms come last, as more come later."""
        pairs, signs, count = arms.pairs, np.where(arms.after, 1.0, -1.0), len(arms.outputs)
        paired = sp.csc_matrix((signs, (pairs, np.arange(count))))
        matrix = sp.vstack([sp.hstack(parts), paired], format="csr")
        upper = np.concatenate([self.geometric.beta, np.ones(self.limits), np.zeros(paired.shape[0])])
        lower = np.concatenate([self.geometric.beta, np.full(len(upper) - len(self.geometric.beta), -np.inf)])
        cost = (self.changes(arms) * self.geometric.losses[:, arms.outputs].T).sum(axis=1) / self.unit
        return Program(cost, matrix, lower, upper, np.zeros(count), None, {})

    def prices(self, multipliers: Floats, loss: float, more: float = 0.0) -> Prices:
        """Return what multipliers of the program say, where it comes to a loss.

        Each probability costs a little more than they say: rounding errors, which grow along a path, cost nothing less.
        Each limit counts by so much `more`, as a share of the loss: chains of which there may be next to nothing, which
        hide others that save something, cost more than nothing then.
        """
        n, room = len(self.path.order), np.full((2, len(self.path.deltas)), np.inf)
        sums, limits, _ = np.split(multipliers, np.cumsum([n, self.limits]))
        room[:, self.loose] = (limits + more * loss).reshape(2, -1) / self.path.deltas[self.loose]
        return Prices(undone(self.path.steps, sums) + NOTHING * loss, room)

    def proof(self, prices: Prices) -> Proof:
        """Return what prices prove: see `mechdesign.certificate.bound`."""
        losses = self.geometric.losses
        costs = losses / self.unit + prices.values[:, None]
        cheapest = Cheapest(costs, self.path.steps, prices.room[0], prices.room[1], self.path.deltas)
        multipliers = {pair: one * self.unit for pair, one in cheapest.multipliers().items()}
        paid = sum(
            delta * (multipliers[i, i + 1].max() + multipliers[i + 1, i].max())
            for i, delta in enumerate(self.path.deltas)
        )
        return Proof(proved(self.path.steps, losses, multipliers) - float(paid), cheapest, multipliers)

    def solution(self, arms: Arms, amounts: Floats, proof: Proof) -> Solution:
        """Return so much of each arm as a solution of the problem, with what proves it."""
        released, order = np.zeros(self.path.losses.shape), self.path.order
        np.add.at(released.T, arms.outputs, np.maximum(0.0, amounts)[:, None] * self.changes(arms))
        value, place = float((released * self.geometric.losses).sum()), np.argsort(order)
        privacy = {(order[i], order[j]): one for (i, j), one in proof.multipliers.items()}
        return Solution(value, released[place], multipliers=Multipliers(privacy), way="chains along the path")
