"""The names of the textbook program's columns and rows: each is what it says, coefficient by coefficient."""

import math
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import drawn_objectives, epsilons, profile_graphs

from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.checks import checked
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.program.names import KINDS, Key, column_keys, name_of, row_keys
from mechdesign.program.transport import transport_program


def expected(problem: Problem, owner: list[int], row: Key, column: Key) -> float:
    """Return the coefficient that the two keys ask for; `owner` is the first profile with the same matrix."""
    (kind, at), (what, place) = row, column
    P, loss = problem.profiles, problem.loss
    if what == "level":
        return -1.0 if kind == "objective" else 0.0
    if what == "slack":
        return {"privacy": -1.0 * (place == at), "delta": 1.0 * (place[:2] == at)}.get(kind, 0.0)
    i, x, y = place
    if kind == "total":
        return 1.0 if at == (i, x) else 0.0
    if kind == "objective":
        if loss is None:
            return 1.0 if at == place else 0.0
        weights = {at[0]: 1.0} if at else dict(enumerate(problem.weights))
        return float(sum(weight * P[j, x] * loss[x, y] for j, weight in weights.items() if owner[j] == i))
    if kind == "privacy" and at[2] == y:
        epsilon = next(r.epsilon for r in problem.required if {r.first, r.second} == set(at[:2]))
        shrunk = math.exp(-float(min(epsilon, Fraction(700))))
        return float((owner[at[0]] == i) * shrunk * P[at[0], x] - (owner[at[1]] == i) * P[at[1], x])
    return 0.0


@given(
    data=st.data(),
    graph=profile_graphs(most_profiles=3, most_categories=3, own=True),
    epsilon=epsilons(),
    delta=st.sampled_from([Fraction(0), Fraction(1, 10)]),
    shared=st.booleans(),
)
def test_every_coefficient_is_what_the_names_say(
    data: st.DataObject, graph: nx.Graph, epsilon: Epsilon, delta: Fraction, shared: bool
) -> None:
    graph = checked(graph)
    objective: Objective = data.draw(drawn_objectives(len(graph.graph["categories"])))
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    weights = np.ones(len(graph)) / len(graph)
    problem = Problem(distributions, tuple(requirements(graph, epsilon, delta)), objective, weights, shared)
    program, layout = transport_program(problem)
    columns, rows = list(column_keys(problem, layout)), list(row_keys(problem, layout))
    assert program.matrix.shape == (len(rows), len(columns))
    assert len(set(map(name_of, [*rows, *columns]))) == len(rows) + len(columns)
    assert {kind for kind, _ in [*rows, *columns]} <= KINDS.keys()
    owner = [0 if shared else i for i in range(len(graph))]
    for row, coefficients in zip(rows, program.matrix.toarray(), strict=True):
        wanted = [expected(problem, owner, row, column) for column in columns]
        assert coefficients.tolist() == pytest.approx(wanted, abs=1e-12), row
