"""The rows of one component, and what they cost."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import drawn_objectives, profile_graphs

from mechdesign import ExpectedLoss, MaxOffDiagonal, design, read_graph
from mechdesign.bench.families import graph_of_family
from mechdesign.exact.integers import LONGEST
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective, value_of
from mechdesign.privacy.cover import violated
from mechdesign.privacy.stored_rows import Rows
from mechdesign.problem import Problem
from mechdesign.rounding import realise
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
    assert found == pytest.approx(float(value_of(objective, mechanism)), rel=1e-12, abs=1e-15)


def test_rows_that_serve_several_profiles_count_for_each() -> None:
    """Of the mean (1/4 + 1/2) / 2."""
    half = Fraction(1, 2)
    problem = Problem([[half, half]] * 3, (), ExpectedLoss(), np.ones(3) / 3, True)
    profiles, categories = np.divmod(np.arange(6), 2)
    rows = NoisyRows(profiles, categories, categories, np.array([[3, 1], [1, 1]]))
    assert reached(problem, rows) == pytest.approx(3 / 8)


@pytest.mark.slow
def test_rows_are_kept_in_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """And made into Python integers where they are looked at; as long as it takes, where rounding is not private."""
    found = (design(graph_of_family("ring", 6, 20, seed), epsilon=Fraction(1, 2)).mechanism for seed in range(1, 20))
    short = next(one for one in found if one.totals.max() <= LONGEST)  # rounded to it, it happens to be private
    graph = short.graph
    assert type(short.rows.exact(0)[0]) is type(short.weights[0, 0]) is int
    judged: list[bool] = []

    def refused(*arguments: Any) -> list[int]:
        judged.append(not list(violated(*arguments)))
        return [0]

    monkeypatch.setattr(realise, "violated", refused)
    long = design(graph, epsilon=Fraction(1, 2)).mechanism
    assert judged == [True]
    assert max(long.totals) > LONGEST
    for profile in graph:
        assert np.allclose(long.matrix(profile), short.matrix(profile), atol=1e-15)


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
