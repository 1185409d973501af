"""[GC] (4) through HiGHS: method "one-bit-cluster"."""

from mechdesign.problem import Problem
from mechdesign.program.one_bit import one_bit_program
from mechdesign.solver.minimise import Wanted, minimum_of
from mechdesign.stopwatch import announce


def solve_flip(problem: Problem) -> float | None:
    """Return the least probability of flipping a component's bits that keeps them private, in doubles.

    None if the solver finds none: to its tolerances, limits that nearly cancel may contradict each other.
    """
    found = minimum_of(one_bit_program(problem), Wanted.VERTEX)
    if isinstance(found, str):
        announce(f"one bit cluster: {found}")
        return None
    return float(found.columns[0])
