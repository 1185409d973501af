"""The nearest design: of all that are nearly optimal the one closest to what would be released without privacy."""

import math
from fractions import Fraction

import cvxpy as cp
import numpy as np
import pytest

from mechdesign import ExpectedLoss, LargestCost, MaxOffDiagonal, WorstLoss
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem, near_optimal
from mechdesign.solver.canonical import canonical
from mechdesign.solver.structured import solve_structured

TABLE = [[0, 1, 3, 4], ["1/2", 0, 1, 2], [2, 2, 0, "1/3"], [1, 1, 1, 0]]
OBJECTIVES: dict[str, Objective] = {
    "max-off-diagonal": MaxOffDiagonal(),
    "largest-cost": LargestCost(),
    "hamming": ExpectedLoss(),
    "absolute": ExpectedLoss("absolute"),
    "table": ExpectedLoss(TABLE),
    "worst": WorstLoss(),
    "worst absolute": WorstLoss("absolute"),
}


def problem_of(objective: Objective, delta: str, k: int = 6, seed: int = 1) -> Problem:
    graph = graph_of_family("ring", k, 4, seed)
    required = requirements(graph, Fraction(1, 2), Fraction(delta))
    return components(graph, required, objective, shared=False)[0].problem


def closest(problem: Problem, level: float) -> float:
    """Return the least squared distance at this level, from the definition: all matrices, in cvxpy."""
    k, d = problem.profiles.shape
    matrices = [cp.Variable((d, problem.outputs), nonneg=True) for _ in range(k)]
    released = [P @ A for P, A in zip(problem.profiles, matrices, strict=True)]
    constraints = [cp.sum(A, axis=1) == 1 for A in matrices]
    for edge in problem.required:
        for i, j in edge.directions():
            over = cp.sum(cp.pos(released[i] - math.exp(edge.epsilon) * released[j]))
            constraints.append(over <= float(edge.delta))
    if isinstance(problem.objective, LargestCost):
        constraints += [cp.abs(q - P) <= level for q, P in zip(released, problem.profiles, strict=True)]
    elif problem.loss is None:
        constraints += [cp.max(cp.multiply(1 - np.eye(d), A)) <= level for A in matrices]
    else:
        losses = [
            P @ cp.sum(cp.multiply(problem.loss, A), axis=1) for P, A in zip(problem.profiles, matrices, strict=True)
        ]
        total = (
            cp.max(cp.hstack(losses))
            if isinstance(problem.objective, WorstLoss)
            else problem.weights @ cp.hstack(losses)
        )
        constraints.append(total <= level)
    distance = sum(cp.sum_squares(q - target) for q, target in zip(released, problem.target_in_doubles, strict=True))
    return float(cp.Problem(cp.Minimize(distance), constraints).solve(solver="CLARABEL"))


@pytest.mark.parametrize("delta", ["0", "1/50"])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_closest_of_all_that_are_nearly_optimal(name: str, delta: str) -> None:
    problem = problem_of(OBJECTIVES[name], delta)
    optimum = solve_structured(problem)
    chosen = canonical(problem, optimum)
    assert chosen is not None
    distance = float(((chosen.released - problem.target_in_doubles) ** 2).sum())
    nearly = closest(problem, optimum.value + 1e-7)  # a face alone has no interior, which cvxpy's solver needs
    assert nearly - 1e-7 <= distance == pytest.approx(nearly, rel=1e-3)
    assert chosen.value <= near_optimal(optimum.value)
