"""The second stage: of all mechanisms that are nearly optimal the one nearest to the profiles, so that it is no chance.

It is the one with the least sum_i |q^i - target_i|², among all whose objective is within `NEAR` of the optimum; it is
unique. With one shared matrix the q^i do not determine the matrix; there the least sum of squares of the distorting
entries is taken.

It is found by one program in which the objective is held to that level. Where stage 1 found an optimal vertex, as of
large problems, of classes and of one matrix, what all optima have in common is known, and stage 2 is a projection on
that, which takes a tenth of the time: see `mechdesign.solver.closest`. Its answer is among the optima themselves, the
limit of this definition.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from mechdesign.errors import SolverError
from mechdesign.problem import CORRECTED, Problem, near_optimal
from mechdesign.program.released_program import released_part, released_program
from mechdesign.program.transport import transport_program
from mechdesign.solution import Solution
from mechdesign.solver.by_outputs import BY_OUTPUTS
from mechdesign.solver.closest import all_at_once, closest
from mechdesign.solver.cutting_planes import solve_with_cuts, values_on_tree
from mechdesign.solver.full import released_by
from mechdesign.solver.large_loss import solve_large_loss
from mechdesign.solver.minimise import MANY_ROWS, minimise
from mechdesign.solver.optimal_face import is_only_optimum
from mechdesign.solver.projection import first_rounds
from mechdesign.solver.worst_distributions import canonical_robust
from mechdesign.stopwatch import announce

Way: TypeAlias = Callable[[Problem, Solution], Solution | str | None]
"""From a problem and an optimum to the nearest of the nearly optimal, or why it is not found."""


def canonical(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the nearest of the nearly optimal; None if it is not found, so that `optimum` has to do."""
    if optimum.canonical:
        return optimum
    for way in _ways(problem, optimum):
        try:
            found = way(problem, optimum)
        except SolverError as error:
            announce(f"canonical: {error}")
            continue
        if isinstance(found, str):
            announce(f"canonical: {found}")
        elif found is not None:
            return found
    return None


def _ways(problem: Problem, optimum: Solution) -> list[Way]:
    by_face, large = optimum.vertex is not None, problem.privacy_rows > MANY_ROWS
    if optimum.way == BY_OUTPUTS:
        return [_by_face, _by_another_vertex] if by_face else []
    if problem.uncertain is not None:
        return [canonical_robust]
    if problem.shared:
        return [_only_one, _by_face, _shared_at_level] if by_face else [_shared_at_level]
    if by_face:
        return [_by_face] if large and values_on_tree(problem) else [_by_face, _at_level]
    return [_within_limits, _at_level] if _suits_limits(problem) else [_at_level]


def _only_one(_: Problem, optimum: Solution) -> Solution | None:
    """Return an optimum that is the only one."""
    assert optimum.vertex is not None
    assert optimum.program is not None
    return optimum if is_only_optimum(optimum.program(), optimum.vertex) else None


def _by_face(problem: Problem, optimum: Solution) -> Solution | str:
    assert optimum.vertex is not None
    return closest(problem, optimum.value, optimum.vertex)


def _by_another_vertex(problem: Problem, _: Solution) -> Solution | str | None:
    """Return the same by a vertex of the whole program: of an optimum from within its face too little may be known."""
    optimum = solve_large_loss(problem)
    return None if optimum is None else _by_face(problem, optimum)


def _within_limits(problem: Problem, optimum: Solution) -> Solution | str:
    return closest(problem, near_optimal(optimum.value))


def _at_level(problem: Problem, optimum: Solution) -> Solution:
    """Return the closest answer whose objective is hardly above the optimum.

    Of single values whose face has not led to it, masses fall by e^-epsilon with every edge, and each round of rows
    would add a few: "values on a ring 50x50, worst hamming, epsilon 2, delta 0.01" of benchmarks/cliffs.py would take
    over 30 s of processor time, not 5 s.
    """
    level = near_optimal(optimum.value)
    _, found, cuts = solve_with_cuts(
        problem,
        level,
        near=optimum.released,
        guess=first_rounds(problem, level),
        at_once=optimum.vertex is not None and all_at_once(problem),
    )
    corrected = near_optimal(optimum.value, CORRECTED)
    program = partial(released_program, problem, cuts, level=corrected)
    released = released_part(problem, found.columns)
    return Solution(level, released, program=program, columns=found.columns, way="nearest, held")


def _shared_at_level(problem: Problem, optimum: Solution) -> Solution:
    """Return the answer of one matrix with the least squares whose objective is hardly above the optimum."""
    level, corrected = near_optimal(optimum.value), near_optimal(optimum.value, CORRECTED)
    program, layout = transport_program(problem, level=level)
    x = minimise(program).columns
    matrices = layout.matrices(problem, x)
    rebuilt = partial(transport_program, problem, level=corrected)
    released = released_by(problem, matrices)
    return Solution(level, released, matrices, program=lambda: rebuilt()[0], columns=x, way="nearest, held")


def _suits_limits(problem: Problem) -> bool:
    """Return whether limits are added as they are violated: where deltas need a column for each output of many edges.

    Of single values each limit is on one output, and all of them bind: "values on a regular graph 50x50, largest entry,
    epsilon 0.5, delta 1e-6" of benchmarks/cliffs.py takes over 60 s of processor time, not 0.7 s.
    """
    slacks = 2 * problem.outputs * sum(one.delta > 0 for one in problem.required)
    plain = problem.objective.by_cuts and problem.is_local and not problem.has_single_values
    return plain and slacks > MANY_ROWS
