"""The second stage: of all optima of [GC] (5), which are many, the canonical one, so that the answer is no chance.

It is the optimum whose released distributions are closest to the targets, what would be released without privacy: the
one with the least sum_i |q^i - target_i|², which is unique. With one shared matrix the q^i do not determine the matrix;
there the least sum of squares of the distorting entries is taken.

Where stage 1 found an optimum of a large problem from within, what all optima have in common is known, and stage 2 is a
projection on that: see `mechdesign.solver.closest`. Otherwise a loss is added to half the squared distance, times a
weight. Lemma: this is an exact penalty. There is a finite weight from which on every minimiser of the sum has the least
loss, and is therefore the canonical optimum (since the constraints are linear: the weight has to exceed a multiplier of
"loss <= optimum" in the problem of the distance). The weight is not known in advance, so it is raised if the loss found
is not the least. The largest off-diagonal entry, and whatever shares one matrix, is held to the optimum found by a
constraint instead.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from mechdesign.errors import SolverError
from mechdesign.problem import CORRECTED, HELD, Problem, Solution, near_optimal
from mechdesign.program.released import released_part, released_program
from mechdesign.program.transport import transport_program
from mechdesign.solver.clarabel import minimise_quadratic
from mechdesign.solver.closest import Known, closest, closest_shared
from mechdesign.solver.full import released_by
from mechdesign.solver.highs import MANY_ROWS
from mechdesign.solver.projection import roughly
from mechdesign.solver.robust import canonical_robust
from mechdesign.solver.structured import solve_with_cuts
from mechdesign.symmetry.quotient import Quotient

Way: TypeAlias = Callable[[Problem, Solution], Solution | None]
"""From a problem and an optimum to the canonical one."""

COARSE_ACCURACY = 1e-4
"""Accuracy of the first rounds: enough to see which constraints bind at the optimum."""


def canonical(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the canonical optimum; None if it is not found, so that `optimum` has to do."""
    if optimum.canonical:
        return optimum
    if problem.uncertain is not None:
        ways: list[Way] = [canonical_robust]
    else:
        ways = [_held]
        if problem.shared and _many_slacks(problem):
            ways.insert(0, _shared)
        if optimum.inner is not None:
            ways.insert(0, partial(_closest, known=Known(problem, range(len(problem.exact)), optimum.inner)))
        if problem.objective.by_cuts and not problem.shared and _many_slacks(problem):
            ways.insert(0, partial(_closest, known=None))
    for way in ways:
        try:
            found = way(problem, optimum)
        except SolverError:
            continue
        if found is not None:
            return found
    return None


def _held(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the closest answer whose objective is hardly above the optimum."""
    level = near_optimal(optimum.value, HELD)
    if problem.shared:
        program, layout = transport_program(problem, level=level)
        x, _ = minimise_quadratic(program)
        matrices = layout.matrices(problem, x)
        corrected = near_optimal(optimum.value, CORRECTED)
        return Solution(
            level,
            released_by(problem, matrices),
            matrices,
            program=lambda: transport_program(problem, level=corrected)[0],
            columns=x,
        )
    coarsely = partial(minimise_quadratic, accuracy=COARSE_ACCURACY)
    rough = roughly(problem, level)
    _, x, _, cuts = solve_with_cuts(
        problem, level, minimise_quadratic, coarsely=coarsely, near=optimum.released, rough=rough
    )
    return Solution(
        level,
        released_part(problem, x),
        program=partial(released_program, problem, cuts, level=near_optimal(optimum.value, CORRECTED)),
        columns=x,
    )


def _closest(problem: Problem, optimum: Solution, known: Known | None) -> Solution | None:
    """Return the closest of all optima, by what they have in common; or at hardly more than the optimum, by limits."""
    return closest(problem, near_optimal(optimum.value, HELD) if known is None else optimum.value, known)


def _shared(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the one of least squares by what all optima have in common."""
    return closest_shared(problem, optimum.value)


def _many_slacks(problem: Problem) -> bool:
    """Return whether deltas would need a column for each output of many edges."""
    loose = sum(one.delta > 0 for one in problem.required)
    return loose * 2 * problem.outputs > MANY_ROWS and not isinstance(problem, Quotient)
