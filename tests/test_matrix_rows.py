"""Rows near solvers' matrices are of one total before room is made."""

from fractions import Fraction
from typing import Any

import numpy as np
from test_robust import example, problem_of

from mechdesign.problem import Problem
from mechdesign.rounding.matrix_rows import _unshared

UNIT = 2**61


def matrices(problem: Problem, seed: int) -> Any:
    return np.random.default_rng(seed).dirichlet(np.ones(3), size=problem.profiles.shape)


def test_all_rows_have_one_total_where_some_edges_are_equal() -> None:
    graph = example()
    graph.add_node("far", distribution=["0.1", "0.2", "0.7"])
    graph.add_edge("ball", "far", epsilon="1")
    for one in graph.edges:
        graph.edges[one].setdefault("epsilon", "0")
    problem = problem_of(graph, epsilon=Fraction(1))
    left = set()
    for seed in range(9):
        tables = _unshared(problem, matrices(problem, seed), UNIT)
        (total,) = {sum(row) for table in tables for row in table.values()}
        left.add((total - UNIT) % 3)
    assert 2 in left, "the last of three outputs gets nothing of what is left"
