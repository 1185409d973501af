"""The definition, written down in cvxpy: method "reference". It shares no code with the other formulations."""

from typing import Any

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import shrink
from mechdesign.graph.uncertainty import Uncertainty
from mechdesign.problem import Problem
from mechdesign.silent_highs import silent
from mechdesign.solution import Solution


def solve_reference(problem: Problem) -> Solution:
    """Return an optimum of [GC] (5), or of the expected or worst loss, through cvxpy and HiGHS.

    Raises
    ------
    SolverError
        if the solver stops without an optimum.
    """
    import cvxpy as cp  # here, because it takes a second to load and only this method needs it

    P = problem.profiles
    k, d = P.shape
    m = problem.outputs
    matrices = [cp.Variable((d, m), bounds=[0, 1]) for _ in range(1 if problem.shared else k)]
    A = matrices * k if problem.shared else matrices
    q = [P[i] @ A[i] for i in range(k)]
    constraints = [cp.sum(matrix, axis=1) == 1 for matrix in matrices]
    largest = smallest = q
    if problem.uncertain is not None:
        largest, smallest = ([cp.Variable(m) for _ in range(k)] for _ in range(2))
        for i, one in enumerate(problem.uncertain):
            constraints += _above_all(one, P[i], A[i], largest[i]) + _above_all(one, P[i], -A[i], -smallest[i])
    for requirement in problem.required:
        factor = shrink(requirement.epsilon)
        for a, b in requirement.directions():
            gap = factor * largest[a] - smallest[b]
            if requirement.delta == 0:
                constraints.append(gap <= 0)
            else:
                constraints.append(cp.sum(cp.pos(gap)) <= factor * float(requirement.delta))
    if problem.kept is not None:
        overall = sum(float(share) * one for share, one in zip(problem.kept.shares, q, strict=True))
        totals = np.array(list(map(float, problem.kept.totals)))
        constraints.append(overall[:-1] == totals[:-1])  # the last follows, as all rows add up to 1
    value = cp.Variable()
    constraints += problem.objective.modelled(problem, A, value)
    least = _solved(cp.Problem(cp.Minimize(value), constraints))
    found = np.array([matrix.value for matrix in matrices])
    released = np.array([P[i] @ found[0 if problem.shared else i] for i in range(k)])
    return Solution(least, released, found, way="model in cvxpy")


def _above_all(one: Uncertainty, nominal: Floats, values: Any, bound: Any) -> list[Any]:
    """Return that P values <= bound for every P in a set, by the dual of the transport of mass within it."""
    import cvxpy as cp

    lower, upper, radius = one.limits
    down, up = nominal - np.array(list(map(float, lower))), np.array(list(map(float, upper))) - nominal
    d, m = values.shape
    entering, leaving = cp.Variable((d, m), nonneg=True), cp.Variable((d, m), nonneg=True)
    moved, balance = cp.Variable((1, m), nonneg=True), cp.Variable((1, m))
    ones = np.ones((d, 1))
    return [
        entering + ones @ (moved + balance) >= values,
        leaving - ones @ balance >= -values,
        nominal @ values + up @ entering + down @ leaving + float(radius) * moved[0] <= bound,
    ]


def _solved(model: Any) -> float:
    """Return a cvxpy model's optimum."""
    import cvxpy as cp

    accuracy = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    try:
        with silent():
            model.solve(solver=cp.HIGHS, **accuracy)
    except cp.error.SolverError as error:
        raise SolverError(f"cvxpy: {error}") from None
    if model.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise SolverError(f"cvxpy stopped without an optimum: {model.status}")
    return float(model.value)
