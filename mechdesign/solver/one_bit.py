"""[GC] (4) through HiGHS: method "one-bit-cluster"."""

from mechdesign.problem import Problem
from mechdesign.program.one_bit import one_bit_program
from mechdesign.solver.highs import minimise_linear


def solve_flip(problem: Problem) -> float:
    """Return the least probability of flipping a component's bits that keeps them private, in doubles.

    Raises
    ------
    SolverError
        if the solver stops without an optimum.
    """
    return float(minimise_linear(one_bit_program(problem))[0][0])
