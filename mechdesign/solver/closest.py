"""Stage 2 of large problems: the closest released distributions, or matrix, from what all optima have in common.

What is known: an optimal vertex of the whole program, or of what it says of some profiles, with its multipliers, see
`mechdesign.solver.optimal_face`. An optimum from within the face, known to 1e-9 only, is not enough: where the face is
thin, its small multipliers and what its limits leave are mistaken for each other. Limits are added as they are
violated: of the 8,000 rows of one matrix with deltas of 0.05 a hundred bind, and "shared 50x20, largest cost, epsilon
2, delta 0.05" of benchmarks/cliffs.py takes 0.6 s of processor time, with all of them 28 s.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.problem import CORRECTED, NEAR, Problem, near_optimal
from mechdesign.program.presolve import presolved, times
from mechdesign.program.released_program import released_part, released_program
from mechdesign.program.tolerances import FEW_NEW, MOST_ROUNDS, NEARLY_BINDS, VIOLATION
from mechdesign.program.transport import Layout, transport_program
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.full import released_by
from mechdesign.solver.limits import Limits
from mechdesign.solver.minimise import MOST_ERROR, minimum_of
from mechdesign.solver.optimal_face import MISTAKEN, OnFace
from mechdesign.solver.optimality import Refuted
from mechdesign.solver.stopping import offer
from mechdesign.stopwatch import announce

COARSE = 1e-5
"""Accuracy of the first rounds, which show what may bind: if all are exact, "random-chords 200x20 worst-loss absolute
0.5 0" takes 6 s of processor time, not 1 s. Of 1e-4 what is left out in one round comes back in the next: "sharp
200x20, worst absolute, epsilon 0.5, delta 0.05" of benchmarks/cliffs.py takes 16 s, not 10 s."""


class Rounds:
    """How accurate the rounds of a search are that adds what its answers violate: exact, as the first ones need not be.

    Those to `COARSE` end where few rows are new.
    """

    def __init__(self, *, coarse: bool) -> None:
        self._coarse, self._news = coarse, list[int]()

    @property
    def accuracy(self) -> float:
        """That of this round."""
        return COARSE if self._coarse else 0.0

    @property
    def leave_out(self) -> bool:
        """Whether what does not nearly bind is left out: in coarse rounds.

        But not where no fewer are new than two rounds before: the same might be left out and added for ever.
        """
        return self._coarse and (len(self._news) < 3 or self._news[-1] < self._news[-3])

    def are_over(self, new: int, count: int) -> bool:
        """Take note of how many rows are new, and how many there are; return whether an exact round has found none."""
        over = not self._coarse and new == 0
        self._coarse = self._coarse and new > FEW_NEW * count
        self._news.append(new)
        return over


class Beyond(str):
    """Why a level is too low, how much each profile has to do with that, and the last values before it was seen."""

    parts: Floats
    near: Floats


def closest(
    problem: Problem, level: float, vertex: Minimum | None = None, near: Floats | None = None
) -> Solution | str:
    """Return the closest answer at a level of the objective; why there is none, if the level is too low.

    Without a vertex, what all optima have in common is not known, and everything is a limit. It begins with the limits
    that nearly bind at values `near` the answer, such as those found at a lower level.
    """
    search = _Search(problem, level, vertex, near)
    way = "nearest within limits" if vertex is None else "nearest on the optimal face"
    rounds = Rounds(coarse=bool(search.limits) and not all_at_once(problem))
    for _ in range(MOST_ROUNDS):
        x = search.answer(rounds.accuracy)
        if isinstance(x, str):
            return x
        if rounds.are_over(search.add(x, leave_out=rounds.leave_out), len(search.limits)):
            value = search.value(x)
            return MISTAKEN if value is None else replace(search.solution(x, value), way=way)
        offer(problem, partial(search.solution, x, level))
    return f"the limits did not end within {MOST_ROUNDS} rounds"


def all_at_once(problem: Problem) -> bool:
    """Return whether the inequalities of privacy come all at once: of single values, unless most pairs are required.

    Masses fall by e^-epsilon with every edge, and each round would take one step along a chain: "equal values on a ring
    50x50, worst absolute, epsilon 2, delta 0" of benchmarks/cliffs.py would take 1.6 s of processor time, not 0.6 s. Of
    the pairs of places, all of which are required, few bind.
    """
    return problem.has_single_values and not problem.whole.requires_most_pairs


class _Search:
    """The projection of a target, with the limits so far; columns: q^i_y, or those of the vertex' program."""

    def __init__(self, problem: Problem, level: float, vertex: Minimum | None, near: Floats | None) -> None:
        self.problem, self.level = problem, level
        self.count = len(problem.sizes)
        self.face = None if vertex is None else OnFace(problem, level, vertex)
        if self.face is None:
            totals = sp.kron(sp.identity(len(problem.exact)), np.ones((1, problem.outputs)), "csr")
            self.base = presolved(totals, np.ones(totals.shape[0]), np.ones(totals.shape[0]))
            self.target, self.weights = problem.target_in_doubles.ravel(), np.ones(self.count)
            self.floor = np.full(self.count, -np.inf)
            self.limited, self.limits = sp.identity(self.count, format="csr"), Limits(problem, level)
        else:
            self.base, self.floor = self.face.rows, self.face.program.floor.copy()
            _, _, self.target, self.weights, self.limited, most = self.face.aim
            self.limits = Limits(problem, level, self.face.lacking, self.face.limited, most)
        self.known = None if vertex is None else self.base.known(vertex.columns)
        self.program = self.base.closest(self.floor, self.target, self.weights, self.known)
        self.near = self.limited @ self.target if near is None else near
        self.limits.leave_out(self.near, 0.0 if near is None else NEARLY_BINDS, single=not all_at_once(problem))

    def answer(self, accuracy: float) -> Floats | str:
        """Return the closest columns within the limits so far; why there are none."""
        announce(f"canonical: {len(self.limits)} limits")
        base, program = self.base, self.program
        matrix, bounds = self.limits.rows()
        among, slacks = matrix[:, : self.limited.shape[0]], matrix[:, self.limited.shape[0] :]
        over = sp.csr_matrix(among @ self.limited)
        room = bounds - over @ base.shift
        limits = sp.hstack([times(over, base.expansion), slacks], format="csr")
        free = np.diff(limits.indptr) > 0
        if room[~free].min(initial=0.0) < -NEAR:
            return self._beyond("what all optima have in common is beyond a limit", among, (room < -NEAR) & ~free)
        if not len(program.cost):
            return base.shift
        found = minimum_of(program.within(limits[free], room[free]), accuracy=accuracy, share=self._share)
        if isinstance(found, Refuted):
            return self._beyond(found, among[free], found.multipliers[len(program.upper) :])
        if isinstance(found, str):
            return found
        return np.array(base.expansion @ found.columns[: len(program.cost)] + base.shift)

    @property
    def _share(self) -> float:
        """What a violation counts: those that are corrected with exact residuals may be as large as is allowed there.

        If they counted as others do "count 100x100, worst hamming, epsilon 1, delta 0.01" of benchmarks/cliffs.py would
        take 4.8 s of processor time, not 3.3 s.
        """
        return NEAR / MOST_ERROR if self.face is not None and self.face.is_corrected else 1.0

    def _beyond(self, why: str, among: sp.csr_matrix, weights: Floats) -> Beyond:
        result = Beyond(why)
        result.parts = released_part(self.problem, abs(among).T @ weights).sum(axis=1)
        result.near = self.near
        return result

    def add(self, x: Floats, *, leave_out: bool) -> int:
        """Add the limits and floors that x violates, and leave out those that do not nearly bind; return how many."""
        self.near = self.limited @ x
        if leave_out:
            self.limits.leave_out(self.near)
        new = self.limits.add_violated(self.near)
        below = np.flatnonzero(np.isinf(self.floor) & (self.weights > 0) & (x < -VIOLATION))
        self.floor[below] = 0.0
        if len(below):
            self.program = self.base.closest(self.floor, self.target, self.weights, self.known)
        return new + len(below)

    def solution(self, x: Floats, value: float) -> Solution:
        """Return columns as a solution of this value, with what corrects it if that is to be."""
        level = near_optimal(value, CORRECTED)
        if self.problem.shared:
            matrices = Layout.of(self.problem).matrices(self.problem, x)
            found = Solution(value, released_by(self.problem, matrices), matrices)
            return replace(found, program=lambda: transport_program(self.problem, level=level)[0], columns=x)
        found = Solution(value, released_part(self.problem, x))
        if self.face is None or not self.face.is_corrected:
            return found
        return replace(found, program=partial(released_program, self.problem, (), level=level), columns=x)

    def value(self, x: Floats) -> float | None:
        """Return the objective; None if it, or another limit of the vertex' program, is not met."""
        return self.level if self.face is None else self.face.value(x)
