"""An optimum of a component and the nearest design, in doubles: one stage after the other."""

from collections.abc import Callable
from dataclasses import replace

from mechdesign.designer.method import Method
from mechdesign.designer.search import Search
from mechdesign.problem import Problem
from mechdesign.program.tolerances import MOST_PROJECTED
from mechdesign.solution import Solution
from mechdesign.solver.canonical import canonical
from mechdesign.solver.decisive_pairs import solve_and_project, solve_decisive
from mechdesign.solver.full import solve_full
from mechdesign.solver.geometric_remap import Remap, vertex_of
from mechdesign.solver.reference import solve_reference
from mechdesign.solver.structured import solve_structured
from mechdesign.solver.worst_distributions import solve_robust
from mechdesign.stopwatch import Stopwatch

Solve = Callable[[Problem], Solution]

SOLVERS: dict[Method, Solve] = {
    Method.STRUCTURED: solve_structured,
    Method.HIGHS: solve_full,
    Method.REFERENCE: solve_reference,
}


def usual(problem: Problem) -> Solve:
    """Return how a problem is solved unless another method is asked for."""
    if problem.uncertain is not None:
        return solve_robust
    return solve_full if problem.shared else solve_structured


def by_remap(problem: Problem, remap: Remap, any_optimum: bool, timed: Stopwatch) -> tuple[Solution, Solution | None]:
    """Return the geometric mechanism's best remap, and the nearest design if it is wanted and found."""
    if remap.unique:
        return remap.solution, remap.solution
    if any_optimum or problem.profiles.size > MOST_PROJECTED:
        return remap.solution, None
    with timed("canonical"):
        vertex = vertex_of(problem, remap.solution)
        return remap.solution, canonical(problem, replace(remap.solution, vertex=vertex))


def in_stages(search: Search, solve: Solve, any_optimum: bool, timed: Stopwatch) -> tuple[Solution, Solution | None]:
    """Return an optimum (stage 1), and the nearest design (stage 2) if it is wanted and found.

    Large problems are projected, where they can be. Where stage 2 follows, stage 1 of the structured solver may be that
    of the profiles which ask for most. If stage 2 fails, the others ask for more: both are then solved in full. Where a
    gap is wanted that rounding does not reach, there is no stage 2 either.
    """
    problem = search.problem
    if solve is solve_structured and not any_optimum:
        with timed("canonical"):
            both = solve_and_project(problem)
        if both is not None:
            return both
        with timed("solve"):
            decisive = solve_decisive(problem)
        with timed("canonical"):
            chosen = None if decisive is None else canonical(problem, decisive)
        if decisive is not None and chosen is not None:
            return decisive, chosen
    for accuracy in search.accuracies:
        search.accuracy = accuracy
        optimum = _optimum(search, solve, timed)
    with timed("canonical"):
        left_out = any_optimum or search.until.gap is not None
        return optimum, None if left_out else canonical(problem, optimum)


def _optimum(search: Search, solve: Solve, timed: Stopwatch) -> Solution:
    with timed("solve"):
        optimum = solve(search.problem)
    search.take(lambda: optimum)
    if search.until.gap is not None:
        search.settle()
    return optimum
