"""[GC] (4) through HiGHS: method "one-bit-cluster"."""

from mechdesign.errors import SolverError
from mechdesign.problem import Problem
from mechdesign.program.one_bit import one_bit_program
from mechdesign.solver.minimise import Wanted, minimise


def solve_flip(problem: Problem) -> float | None:
    """Return the least probability of flipping a component's bits that keeps them private, in doubles.

    None if the solver finds none: to its tolerances, limits that nearly cancel may contradict each other.
    """
    try:
        return float(minimise(one_bit_program(problem), Wanted.VERTEX).columns[0])
    except SolverError:
        return None
