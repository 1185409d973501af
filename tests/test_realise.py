"""The rows of one component, and what they cost."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import drawn_objectives, profile_graphs

from mechdesign import ExpectedLoss, MaxOffDiagonal, design, read_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective
from mechdesign.privacy.stored_rows import Rows
from mechdesign.problem import Problem
from mechdesign.rounding.realise import NoisyRows, reached


@given(st.data(), st.sampled_from([Fraction(1, 10), Fraction(1)]), st.booleans())
def test_what_rows_reach_is_the_objective(data: st.DataObject, epsilon: Fraction, shared: bool) -> None:
    """In doubles and over the largest loss, as solvers count."""
    graph = data.draw(profile_graphs())
    objective: Objective = data.draw(drawn_objectives(len(graph.graph["categories"])))
    mechanism = design(graph, epsilon=epsilon, objective=objective, shared=shared).mechanism
    weights = np.array([float(node.get("weight", 1)) for node in graph.nodes.values()])
    exact = [node["distribution"] for node in graph.nodes.values()]
    problem = Problem(exact, (), objective, weights / weights.sum(), shared)
    users = [(i, x) for i, masses in enumerate(exact) for x, mass in enumerate(masses) if mass]
    rows = NoisyRows.of_each(users, np.array([mechanism.weights[mechanism.index[user]] for user in users]))
    found = reached(problem, rows) * float(problem.loss_unit)
    assert found == pytest.approx(float(objective.value(mechanism)), rel=1e-12, abs=1e-15)


def test_mechanisms_of_64_bits_say_what_those_of_integers_say() -> None:
    """Sums of squares, as of 4 x 2^61 x 2^61, would overflow 64 bits."""
    graph = read_graph("categorical-chain")
    rows = np.array([[2**61, 2**60, 2**60, 0], [1, 0, 2**61, 5], [3, 3, 3, 3], [0, 0, 0, 7]])
    index = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [1, 1, 0, 2]])
    kinds = Rows(rows), Rows(rows.astype(object))
    one, other = (Mechanism(graph, graph.graph["categories"], kind, index) for kind in kinds)
    assert list(one.all_released()) == list(other.all_released())
    for objective in (MaxOffDiagonal(), ExpectedLoss("absolute")):
        assert objective.costs(one) == objective.costs(other)
    entries = (one.row("P1", x)[y] for i, x in enumerate(one.categories) for y in range(4) if i != y)
    assert max(entries) == MaxOffDiagonal().costs(one)[0]
