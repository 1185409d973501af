"""What is found in cumulative coordinates as an answer to the released program: its columns, and its multipliers.

Multipliers of terms say what a unit of each q^i_y costs in losses, and those of its rows of transport are the same, but
for a constant that is the profile's.
"""

from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.objective.by_loss import ByLoss
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.solver.cumulative_program import CumulativeProgram, crossings_of
from mechdesign.solver.cumulative_system import CumulativeSystem, Structure
from mechdesign.solver.highs import priced
from mechdesign.solver.interior_point import InteriorPoint, Point
from mechdesign.solver.optimality import Answer


def by_blocks(problem: Problem, program: Program) -> Answer | None:
    """Return an answer to the released program, in the middle of its optimal face; None if it is not of this kind.

    Raises
    ------
    SolverError
        if nothing is found, or linear systems are too large.
    """
    crossings = crossings_of(problem)
    if crossings is None:
        return None
    posed = CumulativeProgram(problem, crossings)
    system = partial(CumulativeSystem, Structure(posed))
    point = InteriorPoint(posed.matrix, posed.bounds, posed.cost, len(posed.limits), system).optimum()
    columns = _columns(problem, program, posed, point)
    return priced(program, columns, -_multipliers(problem, program, posed, point))


def _columns(problem: Problem, program: Program, posed: CumulativeProgram, point: Point) -> Floats:
    objective = problem.objective
    assert isinstance(objective, ByLoss)
    released = posed.expansion @ point.x[: posed.expansion.shape[1]] + posed.constant
    released = np.maximum(released, 0.0).reshape(problem.profiles.shape)
    last = int(np.flatnonzero(program.cost)[0])
    columns, asked = np.zeros(len(program.cost)), problem.inequalities
    columns[:last] = np.concatenate([released.ravel(), objective.transported(problem, released)])
    columns[last + 1 :] = np.maximum(0.0, asked.gaps(released.ravel())[asked.loose])
    columns[last] = program.excess(columns)[program.blocks["objective"]].max()
    return columns


def _multipliers(problem: Problem, program: Program, posed: CumulativeProgram, point: Point) -> Floats:
    (k, m), crossings, blocks = problem.profiles.shape, posed.crossings, program.blocks
    sizes = [posed.single.shape[0] - k * m, k * m, posed.losses, posed.terms.shape[0] - posed.losses, len(posed.bounds)]
    strict, _, terms, loose, others = np.split(point.z * posed.unit, np.cumsum(sizes[:-1]))
    losses, deltas = np.split(others[posed.terms.shape[0] :], [k * posed.worst])
    found = np.zeros(len(program.upper))
    for name, values in (("strict", strict), ("loose", loose), ("deltas", deltas)):
        found[blocks.get(name, slice(0))] = values
    weights = losses if posed.worst else problem.weights
    found[blocks["objective"]] = losses if posed.worst else 1.0
    costs = terms.reshape(k, -1) - weights[:, None] * crossings.below
    _add_transport(program, found, costs @ crossings.borders[crossings.of])
    unpaid = (program.cost + program.matrix.T @ found)[: k * m]
    found[:k] = -unpaid.reshape(k, m).min(axis=1)
    return found


def _add_transport(program: Program, found: Floats, costs: Floats) -> None:
    """Set multipliers of the rows of transport, of which each has one q^i_y or none, by what q^i_y costs in losses.

    The constant makes that 0 which has no row: of inequalities the largest. A row without any is that of a category,
    whose multiplier is the most that keeps what its columns cost above 0.
    """
    (k, m), first, last = costs.shape, len(costs), program.blocks["objective"].start
    rows = np.arange(first, last)
    entries = program.matrix[rows][:, : k * m].tocoo()
    profile, output = np.divmod(entries.col, m)
    there = np.zeros((k, m), dtype=bool)
    there[profile, output] = True
    equal = (program.lower == program.upper)[rows[entries.row]]
    without = np.where(there.all(axis=1), 0.0, np.where(there, -np.inf, costs).max(axis=1))
    constant = np.where(equal, without[profile], costs.max(axis=1)[profile])
    found[rows[entries.row]] = (costs[profile, output] - constant) / entries.data
    supplies = np.delete(rows, entries.row)
    if len(supplies):
        theirs = program.matrix[supplies].tocoo()
        least = np.full(len(supplies), np.inf)
        np.minimum.at(least, theirs.row, (program.matrix.T @ found)[theirs.col])
        found[supplies] = -least
