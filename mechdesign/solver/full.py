"""The full program in every matrix entry, through HiGHS: method "highs"."""

import numpy as np

from mechdesign.problem import Floats, Problem, Solution
from mechdesign.program.transport import transport_program
from mechdesign.solver.linear import minimise_linear


def solve_full(problem: Problem) -> Solution:
    """Return an optimum of the textbook program, [GC] (5).

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum.
    """
    program, layout = transport_program(problem)
    x = minimise_linear(program)
    matrices = layout.matrices(problem, x)
    return Solution(float(program.cost @ x), released_by(problem, matrices), matrices)


def released_by(problem: Problem, matrices: Floats) -> Floats:
    """Return q^i = P_i A^i, k x m."""
    each = np.broadcast_to(matrices, (len(problem.profiles), *matrices.shape[1:]))
    return np.array(np.einsum("ix,ixy->iy", problem.profiles, each))
