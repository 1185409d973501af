"""Stage 2 of large problems: the closest released distributions, from what all optima have in common.

What is known: an optimal vertex of some profiles' program, of all or of those that decide, and its multipliers. By
complementary slackness every optimum meets with equality what has a multiplier, and has nothing in a column that costs
something; whatever does both and is feasible is an optimum. So no loss has to be weighed against the distance, and most
columns follow from others by these equations: on a ring of 500 profiles with random chords and 20 categories, 1,086
stay of 19,952. An optimum from within the face, known to 1e-9 only, is not enough: where the face is thin, its small
multipliers and what its limits leave are mistaken for each other. Limits of the other profiles are added as they are
violated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.problem import NEAR, Problem
from mechdesign.program.presolve import Presolved, presolved, times
from mechdesign.program.program import Program
from mechdesign.program.released_program import Face, Flags, parts_of, released_program
from mechdesign.program.tolerances import FEW_NEW, MOST_ROUNDS, NEARLY_BINDS, VIOLATION
from mechdesign.program.transport import distorting_entries, transport_program
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.full import released_by
from mechdesign.solver.limits import Key, Limits, Row, matrix_of
from mechdesign.solver.minimise import MOST_ERROR, minimise
from mechdesign.solver.stopping import offer
from mechdesign.stopwatch import announce

COARSE = MOST_ERROR**0.5
"""Accuracy of the first rounds, half as many digits, which show what may bind: if all are exact, "random-chords 200x20
worst-loss absolute 0.5 0" takes 1.3 times as long."""


def face_of(program: Program, vertex: Minimum) -> Face:
    """Return what all optima of a linear program have in common, by a vertex of it."""
    reduced = program.cost + program.matrix.T @ vertex.multipliers
    limits, floors = program.lower < program.upper, np.isfinite(program.floor)
    most = max(reduced[floors].max(initial=0.0), vertex.multipliers[limits].max(initial=0.0))
    left, above = -program.excess(vertex.columns), vertex.columns - program.floor
    return Face(
        tight=limits & (vertex.multipliers > NEAR * most) & (left < NEAR),
        empty=floors & (reduced > NEAR * most) & (above < NEAR),
    )


def closest(problem: Problem, level: float, vertex: Minimum | None = None, members: Sequence[int] = ()) -> Solution | None:
    """Return the closest answer at a level of the objective; None if its face shows to be mistaken.

    The vertex is of the whole program; what it says may be of some profiles alone.

    Raises
    ------
    SolverError
        if the solver stops without an answer, as it does where the level is too low.
    """
    search = _Search(problem, level, vertex, members)
    way = "nearest within limits" if vertex is None else "nearest on the optimal face"
    coarse = search.waits and not of_values(problem)
    for number in range(MOST_ROUNDS):
        x = search.answer(COARSE if coarse else 0.0)
        new, found = search.add(x, leave_out=coarse), x[: search.count].reshape(-1, problem.outputs)
        if not coarse and new == 0:
            value = search.value(x)
            return None if value is None else Solution(value, found, way=way)
        offer(problem, partial(Solution, level, found, way=way))
        coarse = coarse and new > FEW_NEW * len(search.rows) and 2 * number < MOST_ROUNDS
    raise SolverError(f"the limits did not end within {MOST_ROUNDS} rounds")


def across(problem: Problem, outside: Flags) -> Flags:
    """Return which inequalities of deltas have an end outside."""
    asked = problem.inequalities
    return np.repeat(outside, problem.outputs)[np.stack([asked.above, asked.below])].any(axis=0)[asked.loose]


def of_values(problem: Problem) -> bool:
    """Return whether each profile is a single value, and the edges a tree: long chains of e^-epsilon.

    They are for no solver, and where limits are added as they are violated, each round takes one step along a chain.
    """
    return bool(problem.single.all()) and len(problem.required) < len(problem.exact)


class _Search:
    """The projection of the targets, with the limits so far; columns: q^i_y, then those of the vertex' program."""

    def __init__(self, problem: Problem, level: float, vertex: Minimum | None, members: Sequence[int]) -> None:
        self.problem, self.level = problem, level
        self.limits = Limits(problem, level, None if vertex is None else members)
        self.count = problem.target_in_doubles.size
        self.face = None if vertex is None else _OnFace(problem, level, vertex, members)
        if self.face is None:
            totals = sp.kron(sp.identity(len(problem.exact)), np.ones((1, problem.outputs)), "csr")
            self.base = presolved(totals, np.ones(totals.shape[0]), np.ones(totals.shape[0]))
            self.floor = np.full(self.count, -np.inf)
        else:
            self.base, self.floor = self.face.presolved(), self.face.program.floor.copy()
        width = len(self.floor)
        self.target = np.append(problem.target_in_doubles, np.zeros(width - self.count))
        self.weights = (np.arange(width) < self.count).astype(float)
        least = -np.inf if of_values(problem) else 0.0
        self.rows: dict[Key, Row] = self.limits.violated(problem.target_in_doubles, least)

    @property
    def waits(self) -> bool:
        """Whether anything is added only where it is violated."""
        return bool(self.limits) or (self.face is not None and bool(self.face.waiting.any()))

    def answer(self, accuracy: float) -> Floats:
        """Return the closest columns within the limits so far."""
        announce(f"canonical: {len(self.rows)} limits")
        base, (matrix, bounds) = self.base, matrix_of(self.rows.values(), len(self.target))
        program = base.closest(self.floor, self.target, self.weights)
        limits, room = times(matrix, base.expansion), bounds - matrix @ base.shift
        free = np.diff(limits.indptr) > 0
        if room[~free].min(initial=0.0) < -NEAR:
            raise SolverError("what all optima have in common is beyond a limit")
        if not len(program.cost):
            return base.shift
        rows = sp.vstack([program.matrix, limits[free]], format="csr")
        lower = np.concatenate([program.lower, np.full(int(free.sum()), -np.inf)])
        upper = np.concatenate([program.upper, room[free]])
        whole = Program(program.cost, rows, lower, upper, program.floor, program.curvature, {})
        return np.array(base.expansion @ minimise(whole, accuracy=accuracy).columns + base.shift)

    def add(self, x: Floats, *, leave_out: bool) -> int:
        """Add the limits and floors that x violates, and leave out those that do not nearly bind; return how many."""
        if leave_out:
            matrix, bounds = matrix_of(self.rows.values(), len(x))
            binding = matrix @ x - bounds > -NEARLY_BINDS / self.problem.outputs
            self.rows = {
                key: row for (key, row), binds in zip(self.rows.items(), binding.tolist(), strict=True) if binds
            }
        found = self.limits.violated(x[: self.count].reshape(-1, self.problem.outputs), VIOLATION)
        fresh = {key: row for key, row in found.items() if key not in self.rows}
        self.rows |= fresh
        below = np.nonzero(np.isinf(self.floor[: self.count]) & (x[: self.count] < -VIOLATION))[0]
        self.floor[below] = 0.0
        joined = 0 if self.face is None else self.face.add_violated(x)
        if self.face is not None and joined:
            self.base = self.face.presolved()
        return len(fresh) + len(below) + joined

    def value(self, x: Floats) -> float | None:
        """Return the objective; None if it, or another limit of the vertex' program, is not met."""
        return self.level if self.face is None else self.face.value(x)


class _OnFace:
    """The program of a loss on the face of its optima.

    The loss of a profile waits until it is above the level, if it carries no weight. The deltas of others than the
    members are left to limits.
    """

    def __init__(self, problem: Problem, level: float, vertex: Minimum, members: Sequence[int]) -> None:
        self.problem, self.level, self.program = problem, level, released_program(problem, ())
        self.face, objective = face_of(self.program, vertex), problem.objective
        self.waiting = np.zeros(len(problem.exact), dtype=bool)
        if not objective.additive and objective.priced is not None and (len(members)<len(problem.exact) or not any(o.delta for o in problem.required)):
            self.waiting = ~self.face.tight[self.program.blocks["objective"]]
        self.loose = across(problem, ~np.isin(np.arange(len(problem.exact)), members))

    def presolved(self) -> Presolved:
        """Return what does not wait, without the columns that follow from others."""
        self.left_out, columns = parts_of(self.problem, self.program, self.waiting, self.loose)
        face = Face(self.face.tight, self.face.empty | columns)
        return presolved(*_on_face(self.program, self.problem, face, self.level, self.left_out, later="strict"))

    def add_violated(self, x: Floats) -> int:
        """Let losses above the level wait no more; return how many these are."""
        if not self.waiting.any():
            return 0
        costs, _ = self.problem.objective.costs_of(self.problem, x[: self.problem.variables.size].reshape(-1, self.problem.outputs))
        above = self.waiting & (costs > self.level + VIOLATION)
        self.waiting &= ~above
        return int(above.sum())

    def value(self, x: Floats) -> float | None:
        """Return the objective; None if it, or another row, is not met."""
        return _value(self.program, x, self.level, self.left_out)


def closest_shared(problem: Problem, level: float, vertex: Minimum) -> Solution | None:
    """Return the optimum of one shared matrix with the least squares of distorting entries, by an optimal vertex.

    Raises
    ------
    SolverError
        if the solver stops without an answer.
    """
    program, layout = transport_program(problem)
    none = np.zeros(len(program.upper), dtype=bool)
    base = presolved(*_on_face(program, problem, face_of(program, vertex), level, none))
    weights = np.zeros(len(program.cost))
    weights[: layout.entries] = distorting_entries(problem, layout)
    announce("canonical")
    quadratic = base.closest(program.floor, np.zeros(len(weights)), weights)
    x = base.shift + base.expansion @ (minimise(quadratic).columns if len(quadratic.cost) else [])
    value = _value(program, x, level, none)
    matrices = layout.matrices(problem, x)
    if value is None:
        return None
    return Solution(value, released_by(problem, matrices), matrices, way="nearest on the optimal face")


def _on_face(
    program: Program, problem: Problem, face: Face, level: float, left_out: Flags, later: str = ""
) -> tuple[sp.csr_matrix, Floats, Floats]:
    """Return the rows of a program on the face of its optima, on which the objective is the level.

    Of the rows that come `later`, when they are violated, only the equations are among them.
    """
    column, kept = _column(program), ~left_out
    if problem.objective.additive:
        kept[program.blocks["objective"]] = False  # on the face every answer has the least loss
    if later in program.blocks:
        kept[program.blocks[later]] = face.tight[program.blocks[later]]
    constant = np.append(np.nonzero(face.empty)[0], column)
    values = np.append(program.floor[face.empty], level)
    units = sp.identity(len(program.cost), format="csr")[constant]
    lower = np.where(face.tight, program.upper, program.lower)[kept]
    matrix = sp.vstack([program.matrix[kept], units], format="csr")
    return matrix, np.concatenate([lower, values]), np.concatenate([program.upper[kept], values])


def _value(program: Program, x: Floats, level: float, left_out: Flags) -> float | None:
    """Return the objective; None if it is above the level, or another row is not met: the face was mistaken."""
    column, x = _column(program), x.copy()
    x[column] = 0.0
    x[column] = np.where(left_out, -np.inf, program.excess(x))[program.blocks["objective"]].max()
    activity = program.matrix @ x
    off = np.maximum(activity - program.upper, program.lower - activity)[~left_out]
    return None if max(off.max(), (program.floor - x).max(), x[column] - level) > NEAR else float(x[column])


def _column(program: Program) -> int:
    """Return the column of the objective, the only one that costs something."""
    return int(np.nonzero(program.cost)[0][0])
