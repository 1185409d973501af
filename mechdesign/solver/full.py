"""The full program in every matrix entry, through HiGHS: method "highs"."""

import numpy as np

from mechdesign.problem import Floats, Multipliers, Problem, Solution
from mechdesign.program.program import privacy_multipliers
from mechdesign.program.transport import entry_weights, transport_program
from mechdesign.solver.linear import minimise_linear


def solve_full(problem: Problem) -> Solution:
    """Return an optimum of the textbook program, [GC] (5), with its multipliers.

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum.
    """
    program, layout = transport_program(problem)
    x, duals = minimise_linear(program)
    matrices = layout.matrices(problem, x)
    privacy = privacy_multipliers(program, duals, problem.outputs, problem.required)
    weights = duals[program.blocks["objective"]]
    if problem.loss is None:
        multipliers = Multipliers(privacy, entries=entry_weights(problem, layout, weights))
    else:
        multipliers = Multipliers(privacy, profiles=weights if problem.worst else None)
    return Solution(float(program.cost @ x), released_by(problem, matrices), matrices, multipliers)


def released_by(problem: Problem, matrices: Floats) -> Floats:
    """Return q^i = P_i A^i, k x m."""
    each = np.broadcast_to(matrices, (len(problem.profiles), *matrices.shape[1:]))
    return np.array(np.einsum("ix,ixy->iy", problem.profiles, each))
