"""Other packages, each as its users run it, and what everybody does with a solver's floats.

All but libqif get the textbook program: one variable for each transition probability.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import highspy
import networkx as nx
import numpy as np
from scipy.optimize import linprog

from mechdesign.arrays import Floats
from mechdesign.bench.task import Found, Task
from mechdesign.errors import InputError, SolverError
from mechdesign.graph.distribution import support
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.probabilities import integer_rows
from mechdesign.objective import ExpectedLoss
from mechdesign.problem import Problem
from mechdesign.program.transport import transport_program
from mechdesign.solver.command import answer_of
from mechdesign.solver.highs import highs_of
from mechdesign.stopwatch import Stopwatch

Peer: TypeAlias = Callable[[Task, Stopwatch], Floats]
"""Returns the transition matrices of the profiles, k x d x m, or 1 x d x m for all."""


def clipped(peer: Peer) -> Callable[[Task, Stopwatch], Found]:
    """Return the method that takes a peer's matrices, sets negative entries to 0 and divides each row by its total."""

    def solve(task: Task, timed: Stopwatch) -> Found:
        matrices = peer(task, timed)
        with timed("repair"):
            matrices = np.maximum(matrices, 0.0)
            totals = matrices.sum(axis=2, keepdims=True)
            if not np.isfinite(totals).all() or totals.min() <= 0:
                raise SolverError("the answer has rows that are no distributions")
            matrices = matrices / totals
        labels = task.objective.output_labels(task.graph.graph["categories"])
        return Found(mechanism_of_matrices(task.graph, labels, matrices))

    return solve


def mechanism_of_matrices(graph: nx.Graph, outputs: tuple[object, ...], matrices: Floats) -> Mechanism:
    """Return the mechanism with these transition matrices, exactly; one matrix serves all profiles."""
    count, d, m = matrices.shape
    rows, _ = integer_rows(matrices.reshape(count * d, m))
    index = np.broadcast_to(np.arange(count * d).reshape(count, d), (len(graph), d))
    return Mechanism(graph, outputs, rows, index)


def highs_with(solver: str) -> Peer:
    """Return the peer that runs HiGHS with this value of its option `solver`."""

    def solve(task: Task, timed: Stopwatch) -> Floats:
        with timed("build"):
            problem = task.problem()
            program, layout = transport_program(problem)
        with timed("compile"):
            highs = highs_of(program, least_coefficient=1e-9)  # its default
            highs.setOptionValue("solver", solver)
        with timed("solve"):
            highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS: {highs.modelStatusToString(status)}")
        return layout.matrices(problem, np.array(highs.getSolution().col_value))

    return solve


def scipy_linprog(task: Task, timed: Stopwatch) -> Floats:
    """Solve the textbook program with scipy's default method."""
    with timed("build"):
        problem = task.problem()
        program, layout = transport_program(problem)
        equal = program.lower == program.upper
        above, totals = program.matrix[~equal], program.matrix[equal]
        bounds = np.column_stack([program.floor, np.full(len(program.floor), np.inf)])
    with timed("solve"):
        answer = linprog(program.cost, above, program.upper[~equal], totals, program.upper[equal], bounds)
    if not answer.success:
        raise SolverError(f"scipy: {answer.message}")
    return layout.matrices(problem, answer.x)


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


def libqif(task: Task, timed: Stopwatch) -> Floats:
    """Solve for a channel over single values with libqif's default solver.

    Raises
    ------
    InputError
        unless the profiles are single values, the objective is an expected loss, and delta is 0.
    """
    qif: Any = import_module("qif")
    with timed("build"):
        problem = task.problem()
        if not (problem.shared and isinstance(task.objective, ExpectedLoss)) or task.delta:
            raise InputError("libqif minimises the expected loss of a channel over single values, with delta = 0")
        place = [support(masses)[0][0] for masses in problem.exact]
        apart = np.full((problem.outputs, problem.outputs), np.inf)
        np.fill_diagonal(apart, 0.0)
        for edge in problem.required:
            a, b = place[edge.first], place[edge.second]
            apart[a, b] = apart[b, a] = float(edge.epsilon)
        metric, loss = qif.metric.from_distance_matrix(apart), qif.metric.from_distance_matrix(problem.loss)
        prior = problem.weights @ problem.profiles
    with timed("solve"):
        answer = qif.mechanism.d_privacy.min_loss_given_d(prior, problem.outputs, metric, loss)
    return np.asarray(answer)[None]


def outside(task: Task, timed: Stopwatch) -> Floats:
    """Return what the task's command answers; to solve includes to start it, and to write and read the files."""
    with timed("build"):
        problem = task.problem()
        program, layout = transport_program(problem)
    with timed("solve"):
        x, _ = answer_of(problem, program, layout, task.command)
    return layout.matrices(problem, x)
