"""A solver of fewer requirements: what is released meets all of them, and the multipliers prove a bound for all.

Two programs over the pairs that a spanner keeps, see `mechdesign.privacy.spanner`. Where these are divided, so that
detours count, whatever meets them meets all; where they are as they are, they ask for less, so that no mechanism which
meets all is below their optimum. The problem that is solved stays that of all: rounding, proof and check are as ever.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mechdesign.privacy.requirement import Requirement
from mechdesign.privacy.spanner import Spanner
from mechdesign.problem import Problem
from mechdesign.solution import Solution
from mechdesign.solver.cutting_planes import solve_by_cuts
from mechdesign.solver.stopping import followed_as, offer
from mechdesign.solver.structured import solve_structured

Solve = Callable[[Problem], Solution]


def solve_with_detours(problem: Problem, solve: Solve, by: Spanner) -> Solution:
    """Return what meets all requirements, by divided pairs, with the multipliers of undivided ones.

    Raises
    ------
    SolverError
        if a solver finds no optimum.
    """
    found = _part(problem, solve, by.divided, lambda own: own)
    offer(problem, lambda: found)

    def with_rows(own: Solution) -> Solution:
        return replace(found, multipliers=own.multipliers, way=f"with detours; {found.way}")

    return _part(problem, solve, by.kept, with_rows)


def _part(
    problem: Problem, solve: Solve, required: Sequence[Requirement], made: Callable[[Solution], Solution]
) -> Solution:
    """Return what is made of an optimum of these requirements alone; so is what its solver offers on its way."""
    part = replace(problem, required=tuple(required))

    def whole(own: Solution) -> Solution:
        return made(replace(own, vertex=None, canonical=False, program=None, columns=None))

    with followed_as(problem, part, whole):
        return whole(_by_cuts(part) if solve is solve_structured else solve(part))


def _by_cuts(problem: Problem) -> Solution:
    """Return any optimum, no vertex: without most pairs a program is sparse, and an interior point is quickest.

    All rows at once: most pairs that detours nearly imply are not there.
    """
    return solve_by_cuts(problem, at_once=True)[0]
