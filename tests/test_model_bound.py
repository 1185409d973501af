"""Exact lower bounds of linear models: whatever the multipliers, never above the optimum."""

from fractions import Fraction
from typing import Any

import cvxpy as cp
import networkx as nx
import numpy as np
import pytest

from mechdesign import Convex, design, profile_graph
from mechdesign.certificate.model_bound import ModelMultipliers, model_bound
from mechdesign.objective.by_model import Matrices
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.privacy.requirement import requirements

GRAPH = profile_graph(
    {"a": ["1/3", "1/3", "1/3"], "b": ["0.6", "0.4", 0], "c": [0, "1/7", "6/7"]},
    edges=[("a", "b"), ("b", "c")],
    categories=["x", "y", "z"],
)


def build(matrices: Matrices, _graph: nx.Graph) -> Any:
    """The largest entry off the diagonal, less a tenth; a's x never says z; b says y as often for x as for y."""
    off = 1 - np.eye(3)
    largest = cp.max(cp.hstack([cp.max(cp.multiply(off, A)) for A in matrices.values()])) - 0.1
    A, B = matrices["a"], matrices["b"]
    return largest, [A[0, 2] == 0, B[0, 1] == B[1, 1], A[1, 1] >= 0.4, A[2, 2] + B[1, 2] <= 1.2]


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 20)])
@pytest.mark.parametrize("shared", [False, True])
def test_any_multipliers_prove_something_true(delta: Fraction, shared: bool) -> None:
    result = design(GRAPH, epsilon=1, delta=delta, objective=Convex(build), shared=shared)
    assert 0 <= result.value - result.bound <= Fraction(1, 10**9)
    groups = result.proof.groups
    required = requirements(GRAPH, Fraction(1), delta)
    problem = ModelProblem.of(Convex(build), GRAPH, groups, required)
    model = problem.model
    assert model.pieces is not None
    random = np.random.default_rng(3)
    for scale in (0.0, 1e-3, 0.1, 1.0, 100.0):
        multipliers = ModelMultipliers(
            {pair: scale * random.random(3) for edge in required for pair in edge.directions()},
            scale * random.normal(size=len(model.pieces.constants)),
            [scale * random.normal(size=len(limit.rows.constants)) for limit in model.linear],
        )
        proved = model_bound(problem, multipliers).least
        assert proved <= result.bound + Fraction(1, 10**9)
    assert proved < result.bound - 1  # the last ones are no good
