"""The program of a small change: what is missing to privacy, seen through a magnifying glass.

Where the released distributions p^i miss their limits by little, by 1e-16 say, a solver of the whole program cannot
see it. Here the unknowns are r^i = (q^i - p^i) / s, where s is the largest miss: all numbers that matter are of size 1,
and the solver's errors are multiplied by s too. Limits that have `FAR` times s to spare are left out.

How much room each limit leaves is computed in integers over 2^bits, which are as fine as s needs.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Exact, Floats
from mechdesign.objective.base import bound_at_most
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.privacy.cover import Clique
from mechdesign.privacy.requirement import Directed
from mechdesign.problem import Problem
from mechdesign.program.matching import matched
from mechdesign.program.moves import moves
from mechdesign.program.program import Program, Rows, directed

FAR = 2**20
"""Limits with so many times the largest miss to spare are left out, and entries so large may lose what they like. A
change is as long as a few misses, or thousands where one entry makes up for as many others; whatever is left out is
checked at the end, exactly, with all that is required."""

FINE = 64
"""Bits of the largest miss."""


class Base:
    """What is released before the change, as k x m integers over 2^bits, rounded down, and the largest miss over it."""

    def __init__(self, problem: Problem, bits: int) -> None:
        self.bits = bits
        self.weights: Exact = np.array(
            [[(mass.numerator << bits) // mass.denominator for mass in masses] for masses in problem.exact],
            dtype=object,
        )
        misses = [0]
        for clique in problem.cover.cliques:
            own = self.weights[list(clique.members)]
            misses += (over(own.max(axis=0), clique.ratio_below) - own.min(axis=0)).tolist()
        strict, loose = directed(problem.cover.pairs)
        misses += [max(self.gaps(one)) for one in strict]
        misses += [sum(gap for gap in self.gaps(one) if gap > 0) - self.allowed(one) for one in loose]
        self.miss: int = max(misses)

    def gaps(self, one: Directed) -> list[int]:
        """Return q^a_y / E - q^b_y for each output, rounded up."""
        a, b, requirement = one
        gaps: list[int] = (over(self.weights[a], requirement.ratio_below) - self.weights[b]).tolist()
        return gaps

    def allowed(self, one: Directed) -> int:
        """Return delta / E, rounded down."""
        requirement = one[2]
        return int(requirement.delta * 2**self.bits / requirement.ratio_below)

    def near(self, room: int) -> bool:
        """Return whether a limit with this room, or this much beyond it, may matter."""
        return room < FAR * self.miss


def over(weights: Exact, ratio: Fraction) -> Exact:
    """Return weights / ratio, rounded up."""
    return np.array(-(-weights * ratio.denominator // ratio.numerator), dtype=object)


def base_of(problem: Problem) -> Base:
    """Return the distributions of a problem over so fine a unit that the largest miss has `FINE` bits."""
    base = Base(problem, 4 * FINE)
    bits = max(2 * FINE, base.bits - base.miss.bit_length() + FINE)
    return base if bits >= base.bits else Base(problem, bits)


class Changes:
    """The program of a problem's small change, and what its answer says.

    Attributes
    ----------
    program
        its columns are moves of mass, then the objective, then those that the limits need.
    """

    def __init__(self, problem: Problem, base: Base, margin: float) -> None:
        self.problem, self.base, self.margin = problem, base, margin
        self._entries: list[tuple[int, int, int, float]] = []  # row, i, y, coefficient
        self._others: list[tuple[int, int, float]] = []  # row, further column, coefficient
        self._rooms: list[int] = []
        self._may_be_negative: list[bool] = []  # of each further column
        self._pairs: list[tuple[int, Directed, list[int]]] = []  # row, whose, at which outputs
        self._sides: list[tuple[Clique, int, list[tuple[int, int]], list[tuple[int, int]]]] = []  # (i, row) of each
        strict, loose = directed(problem.independent_pairs)
        for clique in problem.cover.cliques:
            self._add_clique(clique)
        for one in strict:
            self._add_strict(one)
        for one in loose:
            self._add_loose(one)
        self.program = self._program()

    def _row(self, entries: Sequence[tuple[int, int, float]], others: Sequence[tuple[int, float]], room: int) -> int:
        row = len(self._rooms)
        self._entries += [(row, *entry) for entry in entries]
        self._others += [(row, *other) for other in others]
        self._rooms.append(room)
        return row

    def _column(self, *, may_be_negative: bool) -> int:
        self._may_be_negative.append(may_be_negative)
        return len(self._may_be_negative) - 1

    def _add_clique(self, clique: Clique) -> None:
        """l_y <= q^i_y and q^i_y / E <= l_y, as in `program.cliques`; l_y starts between the two."""
        own, factor = self.base.weights[list(clique.members)], float(1 / clique.ratio_below)
        least = over(own, clique.ratio_below)
        level = (least.max(axis=0) + own.min(axis=0)) // 2
        above, below = level - least, own - level
        for y in range(self.problem.outputs):
            if not (self.base.near(above[:, y].min()) and self.base.near(below[:, y].min())):
                continue
            column = self._column(may_be_negative=True)
            sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
            for side, rooms, own_factor, sign in ((0, above, factor, -1.0), (1, below, -1.0, 1.0)):
                for i, room in zip(clique.members, rooms[:, y], strict=True):
                    if self.base.near(room):
                        sides[side].append((i, self._row([(i, y, own_factor)], [(column, sign)], room)))
            self._sides.append((clique, y, *sides))

    def _add_strict(self, one: Directed) -> None:
        """q^a_y / E - q^b_y <= 0."""
        a, b, requirement = one
        factor = float(1 / requirement.ratio_below)
        for y, gap in enumerate(self.base.gaps(one)):
            if self.base.near(-gap):
                self._pairs.append((self._row([(a, y, factor), (b, y, -1.0)], [], -gap), one, [y]))

    def _add_loose(self, one: Directed) -> None:
        """q^a_y / E - q^b_y <= s_y and sum_y s_y <= delta / E, where a large gap stands for its own s_y."""
        a, b, requirement = one
        factor, gaps = float(1 / requirement.ratio_below), self.base.gaps(one)
        large = [y for y, gap in enumerate(gaps) if not self.base.near(gap)]
        small = [y for y, gap in enumerate(gaps) if self.base.near(gap) and self.base.near(-gap)]
        room = self.base.allowed(one) - sum(gaps[y] for y in large)
        if not self.base.near(room - sum(max(gaps[y], 0) for y in small)):
            return
        slack = [(self._column(may_be_negative=False), 1.0) for _ in small]
        entries = [entry for y in large for entry in ((a, y, factor), (b, y, -1.0))]
        self._pairs.append((self._row(entries, slack, room), one, large))
        for y, (column, _) in zip(small, slack, strict=True):
            self._pairs.append((self._row([(a, y, factor), (b, y, -1.0)], [(column, -1.0)], -gaps[y]), one, [y]))

    def _program(self) -> Program:
        """Minimise the cost of the moves subject to the limits, each tightened by the margin."""
        problem, base, objective = self.problem, self.base, self.problem.objective
        assert isinstance(objective, ByLoss)
        self._moves = moves(problem, base.weights, {(i, y) for _, i, y, _ in self._entries})
        rows, count, further = Rows(), len(self._moves), len(self._may_be_negative)
        rows.equal(self._moves.totals, 0.0)
        little = np.array([base.near(weight) for weight in base.weights.ravel()])
        held = base.weights.ravel()[little] / base.miss
        rows.at_most(self._moves.taken[little], np.array(held, dtype=np.float64))
        bound_at_most(rows, sp.csr_matrix(objective.counted(self._moves.costs, problem.weights)), None)
        entries = _sparse(
            [(row, i * problem.outputs + y, c) for row, i, y, c in self._entries], (len(self._rooms), base.weights.size)
        )
        others = _sparse(self._others, (len(self._rooms), further))
        room = np.array([one / base.miss for one in self._rooms]) - self.margin
        gap = sp.csr_matrix((len(self._rooms), 1))
        rows.at_most(sp.hstack([entries @ self._moves.changes, gap, others]), room, name="limits")
        floor = np.concatenate([np.zeros(count + 1), np.where(self._may_be_negative, -np.inf, 0.0)])
        return rows.program(np.eye(1, count + 1 + further, count)[0], floor)

    def changed(self, x: Floats) -> list[Exact | None]:
        """Return what each profile releases after the moves of an answer, over 2^bits; None where nothing changes.

        Changes of less than half the margin are errors of the solver; without them no limit is broken.
        """
        steps = (self._moves.changes @ x[: len(self._moves)]).reshape(self.base.weights.shape)
        result: list[Exact | None] = []
        for weights, own in zip(self.base.weights, steps, strict=True):
            if abs(own).max() <= self.margin / 2:
                result.append(None)
                continue
            parts = [step.as_integer_ratio() for step in own.tolist()]
            row = np.maximum(weights + np.array([p * self.base.miss // q for p, q in parts], dtype=object), 0)
            row[int(row.argmax())] += 2**self.base.bits - row.sum()
            result.append(row)
        return result

    def multipliers(self, duals: Floats) -> PrivacyMultipliers:
        """Return the multiplier of each q^a_y <= E q^b_y (+ s_y) that an answer gives."""
        result: PrivacyMultipliers = {}
        for a, b, y, weight in self._weighed(duals[self.program.blocks["limits"]].tolist()):
            result.setdefault((a, b), np.zeros(self.problem.outputs))[y] += weight
        return result

    def _weighed(self, weights: Sequence[float]) -> Iterator[tuple[int, int, int, float]]:
        for row, (a, b, requirement), outputs in self._pairs:
            for y in outputs if weights[row] else ():
                yield a, b, y, weights[row] / float(requirement.ratio_below)
        for clique, y, above, below in self._sides:
            high, low = ({i: weights[row] for i, row in side if weights[row]} for side in (above, below))
            for i in high.keys() & low.keys():
                itself = min(high[i], low[i])
                high[i], low[i] = high[i] - itself, low[i] - itself
            sources, sinks = list(high), list(low)
            for a, b, weight in matched(list(high.values()), list(low.values())):
                yield sources[a], sinks[b], y, weight / float(clique.ratio_below)


def _sparse(cells: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> sp.csr_matrix:
    if not cells:
        return sp.csr_matrix(shape)
    rows, columns, values = (np.array(part) for part in zip(*cells, strict=True))
    return sp.csr_matrix((values, (rows, columns)), shape=shape)
