"""One optimum, not any: the optimum of [GC] (5) is not unique, so which one is returned must not be left to chance.

Among all optima take the one whose released distributions are closest to what would be released without privacy,
least sum_i |q^i - target_i|², which is unique. With one shared matrix the q^i do not determine it; there the least sum
of squares of the distorting entries is taken.
"""

from functools import partial

from mechdesign.errors import SolverError
from mechdesign.problem import Problem, Solution
from mechdesign.program.transport import transport_program
from mechdesign.solver.full import released_by
from mechdesign.solver.quadratic import minimise_quadratic
from mechdesign.solver.structured import released_part, solve_with_cuts

COARSE = 1e-4
"""Accuracy enough to see which constraints bind."""

SLACKS = (1e-12, 1e-11, 1e-10, 1e-9)
"""How far above the optimum found the objective may be held, tried in order: a face has no interior otherwise."""


def canonical(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the canonical optimum; None if no solver would find it, and `optimum` has to do."""
    for slack in SLACKS:
        level = optimum.value + slack * max(1.0, abs(optimum.value))
        try:
            if problem.shared:
                program, layout = transport_program(problem, level=level)
                matrices = layout.matrices(problem, minimise_quadratic(program)[0])
                return Solution(level, released_by(problem, matrices), matrices)
            # Of losses coarse answers say little about what binds.
            coarsely = partial(minimise_quadratic, accuracy=COARSE) if problem.loss is None else None
            _, x, _, _ = solve_with_cuts(problem, level, minimise_quadratic, coarsely=coarsely, near=optimum.released)
            return Solution(level, released_part(problem, x))
        except SolverError:
            continue
    return None
