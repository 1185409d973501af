"""The rows of one component, and what they cost."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import objectives, profile_graphs

from mechdesign import ExpectedLoss, design
from mechdesign.objective import Objective, value_of
from mechdesign.problem import Problem
from mechdesign.rounding.realise import NoisyRows, reached


@given(st.data(), st.sampled_from([Fraction(1, 10), Fraction(1)]), st.booleans())
def test_what_rows_reach_is_the_objective(data: st.DataObject, epsilon: Fraction, shared: bool) -> None:
    """In doubles and over the largest loss, as solvers count."""
    graph = data.draw(profile_graphs())
    objective: Objective = data.draw(objectives(len(graph.graph["categories"])))
    mechanism = design(graph, epsilon=epsilon, objective=objective, shared=shared).mechanism
    weights = np.array([float(node.get("weight", 1)) for node in graph.nodes.values()])
    exact = [node["distribution"] for node in graph.nodes.values()]
    problem = Problem(exact, (), objective, weights / weights.sum(), shared)
    rows: NoisyRows = [
        ([i], x, mechanism.weights[mechanism.index[i, x]])
        for i, masses in enumerate(exact)
        for x, mass in enumerate(masses)
        if mass
    ]
    found = reached(problem, rows) * float(problem.loss_unit)
    assert found == pytest.approx(float(value_of(objective, mechanism)), rel=1e-12, abs=1e-15)


def test_rows_that_serve_several_profiles_count_for_each() -> None:
    """Of the mean (1/4 + 1/2) / 2."""
    half = Fraction(1, 2)
    problem = Problem([[half, half]] * 3, (), ExpectedLoss(), np.ones(3) / 3, True)
    rows: NoisyRows = [(range(3), 0, np.array([3, 1], dtype=object)), (range(3), 1, np.array([1, 1], dtype=object))]
    assert reached(problem, rows) == pytest.approx(3 / 8)
