"""What all optima of a linear program have in common, by a vertex of it, and the answers that have it too.

By complementary slackness every optimum meets with equality what has a multiplier, and has nothing in a column that
costs something; whatever does both and is feasible is an optimum. So no loss has to be weighed against the distance,
and most columns follow from others by these equations: on a ring of 500 profiles with random chords and 20 categories,
1,086 stay of 19,952.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective.base import scale_at
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.presolve import presolved
from mechdesign.program.program import Program
from mechdesign.program.released_program import Flags, parts_of, released_point, released_program
from mechdesign.program.transport import distorting_entries, transport_program
from mechdesign.solution import Minimum
from mechdesign.solver.minimise import MANY_ROWS, MOST_ERROR

MISTAKEN = "what optima were taken to have in common they have not"


@dataclass(frozen=True, eq=False)
class Face:
    """What all optima have in common: rows that they meet with equality, and columns that they have at their floor."""

    tight: Flags
    empty: Flags


def face_of(program: Program, vertex: Minimum) -> Face:
    """Return what all optima of a linear program have in common, by a vertex of it.

    A multiplier that is no larger than what it is off by, or than what the vertex leaves of its limit, says nothing: of
    the two one is nothing. Without the second "count 60x60, expected absolute, epsilon 0.5, delta 1e-9" of
    benchmarks/cliffs.py has no nearest design.
    """
    reduced = program.cost + program.matrix.T @ vertex.multipliers
    limits, floors = program.lower < program.upper, np.isfinite(program.floor)
    left, above = -program.excess(vertex.columns), vertex.columns - program.floor
    return Face(
        tight=limits & _counts(vertex.multipliers, left, vertex.error),
        empty=floors & _counts(reduced, above, vertex.error),
    )


def _counts(multipliers: Floats, left: Floats, error: float) -> Flags:
    return (multipliers > max(NOTHING, error)) & (left < np.minimum(multipliers, NEAR))


def is_only_optimum(program: Program, vertex: Minimum) -> bool:
    """Return whether all that determines a vertex is common to all optima, so that there is no other."""
    if vertex.basis is None:
        return False
    face, (columns, rows) = face_of(program, vertex), vertex.basis.beside
    return bool((face.empty | ~columns).all() and (face.tight | ~rows)[program.lower < program.upper].all())


def to_limits(problem: Problem) -> bool:
    """Return whether what carries no weight is left to limits: of a worst loss, but not that of single values.

    Of these nearly all profiles decide: with limits "values on a regular graph 50x50, worst absolute, epsilon 0.5,
    delta 1e-6" of benchmarks/cliffs.py takes 14 s of processor time, not 4.5 s.

    With deltas, whose slacks join all outputs, in the worst case all at once is quicker in programs that are not
    large: "sharp 100x12, worst absolute, epsilon 0.5, delta 1e-9" of benchmarks/cliffs.py takes 3.0 s of processor
    time, not 7.3 s, though many others of this size take half. "random 200x20, worst hamming, epsilon 0.5, delta 0.05"
    takes 5 s by a part, and 16 s all at once. By a table of one's own each cost has many columns: "random 100x12, worst
    squares, epsilon 0.5, delta 0.05" takes 1.7 s by a part, and 4.2 s all at once.
    """
    objective = problem.objective
    if not isinstance(objective, ByLoss) or objective.additive or not problem.is_plain or problem.has_single_values:
        return False
    small = problem.profiles.size <= MANY_ROWS and objective.priced is not None
    return not small or not any(one.delta for one in problem.required)


class Aim(NamedTuple):
    """What is to come as close as possible to a target: the columns of a program, each by its weight.

    So many columns, the first, are probabilities. What is `limited` are rows over the columns: what is released, and
    after it what is to be at most `most`. Rows of the program that say so may be left out until they are violated.
    """

    program: Program
    probabilities: int
    target: Floats
    weights: Floats
    limited: sp.csr_matrix
    most: Floats = np.zeros(0)

    @classmethod
    def of(cls, problem: Problem, level: float) -> "Aim":
        """Return that of what is released; of one matrix that of its entries that distort, whose costs are limited."""
        return _aim_of_matrix(problem, level) if problem.shared else _aim_of_released(problem)


def _aim_of_released(problem: Problem) -> Aim:
    program, count = released_program(problem, ()), len(problem.sizes)
    target, weights = released_point(problem, program, problem.target_in_doubles), np.zeros(len(program.cost))
    weights[:count] = problem.sizes
    return Aim(program, count, target, weights, sp.eye(count, len(target), format="csr"))


def _aim_of_matrix(problem: Problem, level: float) -> Aim:
    program, layout = transport_program(problem)
    target, weights, count, costs = *np.zeros((2, len(program.cost))), layout.entries, program.blocks["objective"]
    weights[:count] = distorting_entries(problem, layout)
    target[:count] = 1.0 - weights[:count]
    limited = sp.vstack([layout.released(problem), program.matrix[costs, :count]], format="csr")
    limited.resize(limited.shape[0], len(target))
    return Aim(program, count, target, weights, limited, program.upper[costs] + level)


class OnFace:
    """A program on the face of its optima, without rows of privacy that are no equations there.

    Where that pays, the losses of profiles that carry no weight are left to limits, and the deltas of edges that carry
    none. The costs of one matrix are limits as those of privacy are.

    Attributes
    ----------
    limited
        the profiles whose losses the program lacks.
    lacking
        the inequalities of privacy of edges that the program lacks.
    rows
        its rows without the columns that follow from others.
    """

    def __init__(self, problem: Problem, level: float, vertex: Minimum) -> None:
        self.level, self.aim, self._shared = level, Aim.of(problem, level), problem.shared
        program = self.program = self.aim.program
        face, left = face_of(program, vertex), to_limits(problem)
        asked = Inequalities.of(problem.required, problem.outputs) if problem.shared else problem.inequalities
        there, limited = asked.loose_edges.copy(), np.zeros(len(problem.exact), dtype=bool)
        if left:
            limited = ~face.tight[program.blocks["objective"]]
        if problem.shared or left:
            there[there] = face.tight[program.blocks.get("deltas", slice(0))]
        self.limited, self.lacking = np.flatnonzero(limited), asked.of_edges(~there)
        self._left_out, columns = parts_of(self.aim.probabilities, program, limited, ~there[asked.edge[asked.loose]])
        face, kept = Face(face.tight, face.empty | columns), ~self._left_out
        if problem.objective.additive:
            kept[program.blocks["objective"]] = False  # on the face every answer has the least loss
        for name in ("strict", "objective") if problem.shared else ("strict",):
            part = program.blocks.get(name, slice(0))
            kept[part] &= face.tight[part]
        self.rows = presolved(*_rows_on(program, face, level, kept))

    @property
    def is_corrected(self) -> bool:
        """Whether its answers are corrected with exact residuals: of the released program, nothing left to limits."""
        return not self._shared and not self._left_out.any()

    def value(self, x: Floats) -> float | None:
        """Return the objective; None if it, or another row, is not met, but for what is corrected."""
        allowed = MOST_ERROR if self.is_corrected else NEAR
        return _value(self.program, x, self.level, ~self._left_out, allowed)


def _rows_on(program: Program, face: Face, level: float, kept: Flags) -> tuple[sp.csr_matrix, Floats, Floats]:
    """Return the rows that are kept of a program on the face of its optima, on which the objective is the level.

    Those of the objective are over the level, so that what they are off by is a share of it. As they are in the program
    "values on a path 50x50, worst squares, epsilon 2, delta 0" of benchmarks/cliffs.py has no nearest design.
    """
    constant = np.append(np.nonzero(face.empty)[0], _column(program))
    values = np.append(program.floor[face.empty], level)
    units = sp.identity(len(program.cost), format="csr")[constant]
    times = np.ones(len(kept))
    times[program.blocks["objective"]] = scale_at(level)
    times, lower = times[kept], np.where(face.tight, program.upper, program.lower)[kept]
    matrix = sp.vstack([sp.diags_array(times) @ program.matrix[kept], units], format="csr")
    return matrix, np.append(times * lower, values), np.append(times * program.upper[kept], values)


def _value(program: Program, x: Floats, level: float, kept: Flags, allowed: float) -> float | None:
    """Return the objective; None if it is above the level by more than is allowed, or another row is not met.

    The face was mistaken then.
    """
    column, x = _column(program), x.copy()
    x[column] = 0.0
    x[column] = np.where(kept, program.excess(x), -np.inf)[program.blocks["objective"]].max()
    activity = program.matrix @ x
    off = np.maximum(activity - program.upper, program.lower - activity)[kept].max()
    return None if max(off, (program.floor - x).max(), x[column] - level) > allowed else float(x[column])


def _column(program: Program) -> int:
    """Return the column of the objective, the only one that costs something."""
    return int(np.nonzero(program.cost)[0][0])
