"""The textbook model as people write it with cvxpy, handed to one of its solvers."""

from typing import Any

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.bench.peers.customary import Peer
from mechdesign.bench.task import Task
from mechdesign.errors import SolverError
from mechdesign.problem import Problem
from mechdesign.stopwatch import Stopwatch


def cvxpy_with(solver: str) -> Peer:
    """Return the peer that solves the cvxpy model with this solver."""

    def solve(task: Task, timed: Stopwatch) -> Floats:
        import cvxpy as cp  # loaded before the clock started

        with timed("build"):
            model, matrices = textbook(task.problem())
        try:
            with timed("compile"):
                data, chain, inverse = model.get_problem_data(solver, solver_opts={})
            with timed("solve"):
                model.unpack_results(chain.solve_via_data(model, data), chain, inverse)
        except cp.error.SolverError as error:
            raise SolverError(f"cvxpy: {error}") from None
        if model.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
            raise SolverError(f"cvxpy: {model.status}")
        return np.array([matrix.value for matrix in matrices])

    return solve


def textbook(problem: Problem) -> tuple[Any, list[Any]]:
    """Return the model and its matrices: [GC] (5), or the expected or worst loss in place of its objective."""
    import cvxpy as cp

    P = problem.profiles
    (k, d), m = P.shape, problem.outputs
    matrices = [cp.Variable((d, m), nonneg=True) for _ in range(1 if problem.shared else k)]
    A = matrices * k if problem.shared else matrices
    released = [P[i] @ A[i] for i in range(k)]
    constraints = [cp.sum(matrix, axis=1) == 1 for matrix in matrices]
    for edge in problem.required:
        for a, b in edge.directions():
            beyond = released[a] - np.exp(float(edge.epsilon)) * released[b]
            constraints.append(cp.sum(cp.pos(beyond)) <= float(edge.delta) if edge.delta else beyond <= 0)
    value = cp.Variable()
    constraints += problem.objective.modelled(problem, A, value)
    return cp.Problem(cp.Minimize(value), constraints), matrices
