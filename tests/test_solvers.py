"""One grid, problems x objectives x solvers: every solver finds the same value, and what it finds is feasible."""

import math
from fractions import Fraction
from functools import cache

import networkx as nx
import numpy as np
import pytest

from mechdesign import (
    ExpectedLoss,
    LargestCost,
    MaxOffDiagonal,
    WorstLoss,
    counting_graph,
    design,
    profile_graph,
    read_graph,
    value_graph,
)
from mechdesign.arrays import Floats
from mechdesign.designer.component import SOLVERS, components
from mechdesign.designer.method import Method
from mechdesign.graph.checks import checked
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.solution import Solution

CHAIN = read_graph("categorical-chain")


def mixed() -> nx.Graph:
    """Every edge asks for something else; two profiles are the same, one is sure, weights differ."""
    graph = profile_graph(
        {
            "a": ["0.2", "0.3", "0.5"],
            "b": ["0.2", "0.3", "0.5"],
            "c": [0, "0.25", "0.75"],
            "d": [1, 0, 0],
            "e": ["0.4", 0, "0.6"],
        },
        edges="all",
        categories=["x", "y", "z"],
        weights={"a": 1, "b": 2, "c": 3, "d": 1, "e": 4},
    )
    graph.edges["a", "c"]["epsilon"] = Fraction(1, 10)
    graph.edges["a", "d"]["delta"] = Fraction(1, 5)
    graph.edges["c", "e"]["distance"] = Fraction(2)
    graph.edges["b", "d"]["epsilon"] = Fraction(0)
    graph.edges["d", "e"]["epsilon"] = float("inf")
    return checked(graph)


PROBLEMS: dict[str, tuple[nx.Graph, str, str]] = {
    "chain": (CHAIN, "0.5", "0"),
    "chain, little epsilon": (CHAIN, "0.05", "0"),
    "chain, delta": (CHAIN, "0.5", "0.02"),
    "chain, all released the same": (CHAIN, "0", "0"),
    "chain, epsilon 0 but delta": (CHAIN, "0", "0.05"),
    "values": (value_graph(range(4)), "1", "0"),
    "a count": (counting_graph(4), "0.5", "0"),
    "points on a line": (value_graph(range(4), metric=lambda x, y: abs(x - y)), "0.7", "0.01"),
    "mixed": (mixed(), "0.4", "0"),
}


def objectives(d: int) -> dict[str, Objective]:
    random = np.random.default_rng(7)
    square, wide = random.integers(0, 10, (d, d)), random.integers(0, 10, (d, d + 2))
    return {
        "max-off-diagonal": MaxOffDiagonal(),
        "largest-cost": LargestCost(),
        "expected-hamming": ExpectedLoss("hamming"),
        "worst-hamming": WorstLoss("hamming"),
        "expected-absolute": ExpectedLoss("absolute"),
        "worst-absolute": WorstLoss("absolute"),
        "expected-square": ExpectedLoss(square),
        "worst-square": WorstLoss(square),
        "expected-wide": ExpectedLoss(wide),
        "worst-narrow": WorstLoss(wide[:, :2]),
    }


GRID = [(problem, objective) for problem in PROBLEMS for objective in objectives(2)]


@cache
def problem_of(name: str, objective: str, shared: bool) -> Problem:
    graph, epsilon, delta = PROBLEMS[name]
    goal = objectives(len(graph.graph["categories"]))[objective]
    required = requirements(graph, Fraction(epsilon), Fraction(delta))
    (component,) = components(graph, required, goal, shared=shared)
    return component.problem


@cache
def reference(name: str, objective: str, shared: bool) -> Solution:
    return SOLVERS[Method.REFERENCE](problem_of(name, objective, shared))


def assert_feasible(problem: Problem, solution: Solution) -> None:
    """Each q^i is a distribution, every edge's hockey-stick divergence is within delta, and matrices release q."""
    q = solution.released
    assert q.shape == (len(problem.exact), problem.outputs)
    assert q.min() > -1e-8
    assert q.sum(axis=1) == pytest.approx(1, abs=1e-8)
    for edge in problem.required:
        for a, b in edge.directions():
            excess = np.maximum(0, np.exp(-float(edge.epsilon)) * q[a] - q[b]).sum()
            assert excess <= np.exp(-float(edge.epsilon)) * float(edge.delta) + 1e-8
    if solution.matrices is None:
        return
    assert solution.matrices.min() > -1e-8
    assert solution.matrices.sum(axis=2) == pytest.approx(1, abs=1e-8)
    matrices = np.broadcast_to(solution.matrices, (len(q), *solution.matrices.shape[1:]))
    assert np.einsum("ix,ixy->iy", problem.profiles, matrices) == pytest.approx(q, abs=1e-8)
    assert objective_of(problem, matrices) == pytest.approx(solution.value, abs=1e-8)


def objective_of(problem: Problem, matrices: Floats) -> float:
    """The objective from the definition, over rows that play a part."""
    if isinstance(problem.objective, LargestCost):
        return float(abs(np.einsum("ix,ixy->iy", problem.profiles, matrices) - problem.profiles).max())
    if problem.loss is None:
        used = problem.profiles.any(axis=0) if problem.shared else problem.profiles > 0
        off = matrices * ~np.eye(problem.outputs, dtype=bool)
        return float((off.max(axis=2) * used).max())
    costs = np.einsum("ix,ixy,xy->i", problem.profiles, matrices, problem.loss)
    return float(costs.max() if isinstance(problem.objective, WorstLoss) else problem.weights @ costs)


@pytest.mark.parametrize("solver", [Method.STRUCTURED, Method.HIGHS])
@pytest.mark.parametrize(("name", "objective"), GRID)
def test_solvers_agree(name: str, objective: str, solver: Method) -> None:
    problem = problem_of(name, objective, False)
    solution = SOLVERS[solver](problem)
    assert_feasible(problem, solution)
    assert solution.value == pytest.approx(reference(name, objective, False).value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("name", "objective"), GRID)
def test_one_matrix_for_all(name: str, objective: str) -> None:
    problem = problem_of(name, objective, True)
    solution = SOLVERS[Method.HIGHS](problem)
    assert_feasible(problem, solution)
    assert solution.value == pytest.approx(reference(name, objective, True).value, rel=1e-9, abs=1e-9)
    assert solution.value >= reference(name, objective, False).value - 1e-9  # one matrix cannot do better than several


@pytest.mark.parametrize("shared", [False, True])
def test_the_reference_is_feasible(shared: bool) -> None:
    for name, objective in GRID:
        assert_feasible(problem_of(name, objective, shared), reference(name, objective, shared))


@pytest.mark.parametrize("solver", sorted(SOLVERS))
def test_every_solver_finds_the_closed_form_on_the_chain(solver: Method) -> None:
    """[GC] (5) on Table I at epsilon 1/2: t* = (3 - E)/(9 (1 + E))."""
    E = np.exp(0.5)
    value = SOLVERS[solver](problem_of("chain", "max-off-diagonal", False)).value
    assert value == pytest.approx((3 - E) / (9 * (1 + E)), rel=1e-9)


def test_another_solver_where_simplex_fails() -> None:
    """Bell curves with masses down to 1e-47, epsilon 0: HiGHS' simplex calls the program infeasible."""
    profiles = {}
    for i in range(9):
        heights = [math.exp(-(((x - i * 5 / 9) / 0.3) ** 2) / 2) for x in range(5)]
        profiles[i] = [Fraction(height) / sum(map(Fraction, heights)) for height in heights]
    edges = [(i, j) for i in range(9) for j in range(i)]
    result = design(profile_graph(profiles, edges=edges, categories=list(range(5))), epsilon=0, method="highs")
    assert result.value - result.bound <= Fraction(1, 10**7)
