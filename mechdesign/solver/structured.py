"""The program in the released distributions, with cuts: method "structured"."""

import numpy as np

from mechdesign.errors import SolverError
from mechdesign.problem import Floats, Multipliers, Problem, Solution
from mechdesign.program.program import Program
from mechdesign.program.released import Cut, released_multipliers, released_program, singleton_cuts, violated_cuts
from mechdesign.solver.linear import minimise_inside
from mechdesign.solver.quadratic import minimise_quadratic

CUT_TOLERANCE = 1e-11
ROUNDS = 500


def solve_structured(problem: Problem) -> Solution:
    """Return an optimum over the released distributions, with its multipliers.

    Raises
    ------
    SolverError
        if the solver stops without an optimum, or cuts keep coming.
    """
    program, x, duals, cuts = solve_with_cuts(problem, None)
    privacy = released_multipliers(problem, program, duals)
    weights = duals[program.blocks["objective"]]
    if problem.loss is None:
        multipliers = Multipliers(privacy, entries=_entry_weights(problem, cuts, weights))
    else:
        multipliers = Multipliers(privacy, profiles=weights if problem.worst else None)
    return Solution(float(program.cost @ x), released_part(problem, x), multipliers=multipliers)


def released_part(problem: Problem, x: Floats) -> Floats:
    """Return the released distributions within a solution x of the released program."""
    k, m = len(problem.profiles), problem.outputs
    return x[: k * m].reshape(k, m)


def solve_with_cuts(problem: Problem, level: float | None) -> tuple[Program, Floats, Floats, list[Cut]]:
    """Solve the released program, add the reachability constraints that the answer violates, and repeat.

    Without `level` it minimises the objective; with it, the distance from the targets. Returns the last program, its
    solution and multipliers, and the cuts in it.
    """
    cuts = dict.fromkeys(singleton_cuts(problem))
    for _ in range(ROUNDS):
        program = released_program(problem, cuts, level=level)
        x, duals = minimise_inside(program) if level is None else minimise_quadratic(program)
        reached = float(program.cost @ x) if level is None else level
        violated = violated_cuts(problem, released_part(problem, x), reached, CUT_TOLERANCE)
        fresh = [cut for cut in violated if cut not in cuts]
        if not fresh:
            return program, x, duals, list(cuts)
        cuts.update(dict.fromkeys(fresh))
    raise SolverError(f"the reachability cuts did not end within {ROUNDS} rounds")


def _entry_weights(problem: Problem, cuts: list[Cut], weights: Floats) -> Floats:
    """Return the weights of A^i_xy <= t that add up to the cuts: P_i(x) times those of the sets with y but not x."""
    k, d = problem.profiles.shape
    entries = np.zeros((k, d, d))
    for (i, chosen), weight in zip(cuts, weights, strict=True):
        if weight > 0:
            inside = np.zeros(d, dtype=bool)
            inside[list(chosen)] = True
            entries[i] += weight * np.outer(~inside * problem.profiles[i], inside)
    return entries
