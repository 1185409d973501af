"""One optimum, not any: the optimum of [GC] (5) is not unique, so which one is returned must not be left to chance.

Among all optima take the one whose released distributions are closest to what would be released without privacy,
least sum_i |q^i - target_i|², which is unique. With one shared matrix the q^i do not determine it; there the least sum
of squares of the distorting entries is taken.
"""

from functools import partial

import numpy as np

from mechdesign.errors import SolverError
from mechdesign.problem import Problem, Solution
from mechdesign.program.transport import transport_program
from mechdesign.solver.clarabel import minimise_quadratic
from mechdesign.solver.full import released_by
from mechdesign.solver.structured import released_part, solve_with_cuts

COARSE = 1e-4
"""Accuracy enough to see which constraints bind."""

SLACKS = (1e-12, 1e-11, 1e-10)
"""How far above the optimum found the objective may be held, tried in order: a face has no interior otherwise."""

WEIGHTS = (1e5, 1e6, 1e7)
"""How much a loss counts beside the squared distance, tried in order: from some finite weight on none is given up."""

GIVEN_UP, GOOD = 1e-11, 1e-9
"""How far above the optimum found a loss may be; a good accuracy where the weights are so large."""


def canonical(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the canonical optimum; None if no solver would find it, and `optimum` has to do."""
    weighs = not problem.objective.by_cuts and not problem.shared
    for size in WEIGHTS if weighs else SLACKS:
        try:
            found = (_weighed if weighs else _held)(problem, optimum, size)
        except SolverError:
            continue
        if found is not None:
            return found
    return None


def _held(problem: Problem, optimum: Solution, slack: float) -> Solution:
    """Return the closest answer whose objective is at most this much above the optimum."""
    level = optimum.value + slack * max(1.0, abs(optimum.value))
    if problem.shared:
        program, layout = transport_program(problem, level=level)
        matrices = layout.matrices(problem, minimise_quadratic(program)[0])
        return Solution(level, released_by(problem, matrices), matrices)
    coarsely = partial(minimise_quadratic, accuracy=COARSE)
    _, x, _, _ = solve_with_cuts(problem, level, minimise_quadratic, coarsely=coarsely, near=optimum.released)
    return Solution(level, released_part(problem, x))


def _weighed(problem: Problem, optimum: Solution, weight: float) -> Solution | None:
    """Return the least of loss times `weight` plus distance; None if some loss is given up."""
    minimise = partial(minimise_quadratic, good=GOOD)
    program, x, _, _ = solve_with_cuts(problem, None, minimise, weight=weight, near=optimum.released)
    released = released_part(problem, x)
    value = float(program.cost @ x + np.sum(problem.target_in_doubles * released)) / weight
    optimal = value <= optimum.value + GIVEN_UP * max(1.0, abs(optimum.value))
    return Solution(value, released) if optimal else None
