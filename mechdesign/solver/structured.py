"""The program in the released distributions, with cuts: method "structured"."""

from collections.abc import Callable

from mechdesign.errors import SolverError
from mechdesign.problem import Floats, Problem, Solution
from mechdesign.program.program import Program
from mechdesign.program.released import released_program, singleton_cuts, violated_cuts
from mechdesign.solver.linear import minimise_linear

CUT_TOLERANCE = 1e-11
ROUNDS = 500


def solve_structured(problem: Problem) -> Solution:
    """Return an optimum over the released distributions.

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum, or cuts keep coming.
    """
    program, x = solve_with_cuts(problem, None, minimise_linear)
    return Solution(float(program.cost @ x), released_part(problem, x))


def released_part(problem: Problem, x: Floats) -> Floats:
    """Return the released distributions within a solution x of the released program."""
    k, m = len(problem.profiles), problem.outputs
    return x[: k * m].reshape(k, m)


def solve_with_cuts(
    problem: Problem, level: float | None, minimise: Callable[[Program], Floats]
) -> tuple[Program, Floats]:
    """Solve the released program, add the reachability constraints that the answer violates, and repeat."""
    cuts = dict.fromkeys(singleton_cuts(problem))
    for _ in range(ROUNDS):
        program = released_program(problem, cuts, level=level)
        x = minimise(program)
        reached = float(program.cost @ x) if level is None else level
        violated = violated_cuts(problem, released_part(problem, x), reached, CUT_TOLERANCE)
        fresh = [cut for cut in violated if cut not in cuts]
        if not fresh:
            return program, x
        cuts.update(dict.fromkeys(fresh))
    raise SolverError(f"the reachability cuts did not end within {ROUNDS} rounds")
