"""The largest weighted entry off the diagonal."""

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from exactly import assert_private
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from strategies import profile_graphs, tables

from mechdesign import InputError, MaxOffDiagonal, WeightedOffDiagonal, design, profile_graph, read_graph

CHAIN = read_graph("categorical-chain")


@pytest.mark.parametrize("arguments", [{}, {"shared": True}, {"delta": "0.02"}])
def test_with_weights_of_1_it_is_the_largest_entry(arguments: dict[str, Any]) -> None:
    weighted = design(CHAIN, epsilon="1/2", objective=WeightedOffDiagonal(), **arguments)
    plain = design(CHAIN, epsilon="1/2", objective=MaxOffDiagonal(), **arguments)
    assert weighted.bound_by == "duality"
    assert abs(weighted.value - plain.value) <= Fraction(1, 10**9)
    assert abs(weighted.bound - plain.bound) <= Fraction(1, 10**9)


@settings(max_examples=15, deadline=None)
@given(
    graph=profile_graphs(most_profiles=3, most_categories=3),
    epsilon=st.fractions(0, 3, max_denominator=9),
    data=st.data(),
)
def test_against_scipy(graph: nx.Graph, epsilon: Fraction, data: st.DataObject) -> None:
    d = len(graph.graph["categories"])
    table = data.draw(tables(d, d))
    weights = [[Fraction(entry, 3) for entry in row] for row in table]
    result = design(graph, epsilon=epsilon, objective=WeightedOffDiagonal(weights))
    assert_private(result.mechanism, graph, epsilon)
    assert 0 <= result.value - result.bound <= Fraction(1, 10**8)
    assert float(result.value) == pytest.approx(least(graph, float(epsilon), np.array(table) / 3), abs=1e-7)


def least(graph: nx.Graph, epsilon: float, weights: Any) -> float:
    """The linear program on the definition, in every entry A^i_xy of categories that a profile has."""
    P = np.array([[float(p) for p in node["distribution"]] for node in graph.nodes.values()])
    k, d = P.shape
    unit = np.eye(k * d * d + 1)
    entry = unit[:-1].reshape(k, d, d, -1)
    q = np.einsum("ix,ixyn->iyn", P, entry)
    place = {profile: i for i, profile in enumerate(graph)}
    both = [(place[a], place[b]) for edge in graph.edges for a, b in (edge, edge[::-1])]
    above = [q[a, y] - np.exp(epsilon) * q[b, y] for a, b in both for y in range(d)]
    above += [
        weights[x, y] * entry[i, x, y] - unit[-1]
        for i in range(k)
        for x in range(d)
        if P[i, x]
        for y in range(d)
        if x != y
    ]
    above.append(-unit[-1])
    totals = entry.sum(axis=2).reshape(k * d, -1)
    found = linprog(unit[-1], A_ub=np.array(above), b_ub=np.zeros(len(above)), A_eq=totals, b_eq=np.ones(k * d))
    return float(found.fun)


def test_categories_that_a_profile_never_has_are_kept() -> None:
    graph = profile_graph(
        {"a": ["1/2", "1/2", 0], "b": ["1/4", "3/4", 0]}, edges=[("a", "b")], categories=["x", "y", "z"]
    )
    result = design(graph, epsilon="1/2", objective=WeightedOffDiagonal([[0, 1, 5], [2, 0, 5], [1, 1, 0]]))
    assert result.mechanism.row("b", "z")[2] == 1


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ([[0, 1, 1, 1]] * 3, "loss: expected one row per category, 4, found 3"),
        (
            [[0, 1, 1]] * 4,
            "weighted-off-diagonal: expected one output for each category, 4, found a table of 3 columns",
        ),
        ([[0, 1, 1, -2]] * 4, "weighted-off-diagonal: expected weights >= 0, found -2 for '1' reported as '4'"),
    ],
)
def test_refused(loss: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        design(CHAIN, epsilon=1, objective=WeightedOffDiagonal(loss))
