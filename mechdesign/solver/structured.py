"""Method "structured": an optimum over the released distributions, of the whole program or by cutting planes."""

from mechdesign.errors import SolverError
from mechdesign.problem import Problem
from mechdesign.solution import Solution
from mechdesign.solver.by_outputs import MOST_OTHERWISE, entries, solve_by_outputs, suits
from mechdesign.solver.cutting_planes import solve_by_cuts
from mechdesign.solver.large_loss import solve_large_loss
from mechdesign.solver.path_deltas import has_chains, solve_by_chains
from mechdesign.stopwatch import announce


def solve_structured(problem: Problem) -> Solution:
    """Return an optimum over the released distributions, with its multipliers.

    Values with an expected loss go to `solve_by_outputs` if most pairs are required, and to `solve_by_chains` if they
    are on a path with deltas: where these do not lead to an optimum, few rows bind in one as a rule, and a vertex is
    near. Other losses go to `solve_large_loss` in large programs. For the largest off-diagonal entry an inner point is
    asked for: each reachability cut touches many columns, which makes Clarabel's factorisation slow.

    Raises
    ------
    SolverError
        if the solver stops without an optimum, or cuts keep coming.
    """
    if suits(problem):
        by_outputs = solve_by_outputs(problem)
        if isinstance(by_outputs, Solution):
            return by_outputs
        if entries(problem) > MOST_OTHERWISE:
            raise SolverError(by_outputs)
        announce(f"solve otherwise: {by_outputs}")
    if has_chains(problem):
        by_chains = solve_by_chains(problem)
        if isinstance(by_chains, Solution):
            return by_chains
        announce(f"solve otherwise: {by_chains}")
    whole = solve_large_loss(problem)
    if whole is not None:
        return whole
    optimum, _ = solve_by_cuts(problem)
    return optimum
