"""Values on a path: the geometric mechanism's best remap is the optimum, its multipliers prove it."""

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.optimum import optimum_on_path

import mechdesign as md
from mechdesign.certificate.bound import proved
from mechdesign.count import least_error, prior_graph
from mechdesign.designer.component import Component, components
from mechdesign.privacy.requirement import requirements
from mechdesign.solver.geometric_remap import Remap, solve_path


def component_of(graph: nx.Graph, objective: md.ExpectedLoss, epsilon: str, **options: Any) -> Component:
    graph = md.profile_graph(
        {i: graph.nodes[i]["distribution"] for i in graph},
        edges=graph.edges(data=True),
        categories=graph.graph["categories"],
        weights={i: attributes.get("weight", 1) for i, attributes in graph.nodes.items()},
    )
    (one,) = components(graph, requirements(graph, Fraction(epsilon), Fraction(0)), objective, shared=False, **options)
    return one


def read_and_bound(component: Component) -> tuple[Remap, float, Fraction]:
    """The remap, its value and what its multipliers prove."""
    remap = solve_path(component.problem)
    assert remap is not None, "not an optimum"
    proof = proved(component.problem, remap.solution.multipliers, component.prior)
    return remap, remap.solution.value * float(component.problem.loss_unit), proof.least


growing = st.lists(st.integers(0, 9), min_size=1, max_size=6).map(lambda steps: np.cumsum([0, *steps]).tolist())
"""Losses at distances 0, 1, 2, ... that grow with them."""


@given(growing, st.sampled_from(["0.05", "0.5", "1", "3"]), st.data())
def test_no_private_mechanism_is_better_where_the_loss_grows_with_the_distance(
    at: list[int], epsilon: str, data: st.DataObject
) -> None:
    """Ghosh, Roughgarden and Sundararajan, for any prior; here proved case by case."""
    n = len(at)
    graph = md.counting_graph(n - 1)
    for i in graph:
        graph.nodes[i]["weight"] = data.draw(st.integers(0, 5)) + (i == 0)
    loss = [[at[abs(x - y)] for y in range(n)] for x in range(n)]
    _, value, bound = read_and_bound(component_of(graph, md.ExpectedLoss(loss), epsilon))
    assert value - bound <= 1e-12 * max(1, at[-1])


@given(st.integers(2, 5), st.data())
def test_it_is_used_only_where_it_is_an_optimum(n: int, data: st.DataObject) -> None:
    """Whatever the loss; steps may differ, and outputs be fewer or more."""
    outputs = data.draw(st.integers(2, 5))
    loss = data.draw(st.lists(st.lists(st.integers(0, 9), min_size=outputs, max_size=outputs), min_size=n, max_size=n))
    epsilons = data.draw(st.lists(st.sampled_from([0.1, 0.5, 2.0]), min_size=n - 1, max_size=n - 1))
    graph = md.counting_graph(n - 1)
    for i, epsilon in enumerate(epsilons):
        graph.edges[i, i + 1]["epsilon"] = Fraction(epsilon)
    component = component_of(graph, md.ExpectedLoss(loss), "1")
    if solve_path(component.problem) is not None:
        _, value, bound = read_and_bound(component)
        best = optimum_on_path(loss, [Fraction(epsilon) for epsilon in epsilons], [1] * len(loss))
        assert bound <= best
        assert value == pytest.approx(float(best), rel=1e-9, abs=1e-9)


def test_a_loss_for_which_it_is_no_optimum() -> None:
    """Both ends are best reported alike, and unlike what is between them: the probability of 1 has a valley."""
    loss = [[1, 3], [3, 1], [2, 1], [1, 3]]
    objective = md.ExpectedLoss(loss)
    assert solve_path(component_of(md.counting_graph(3), objective, "0.5").problem) is None
    made = md.design(md.counting_graph(3), epsilon="0.5", objective=objective)
    assert float(made.value) == pytest.approx(float(optimum_on_path(loss, [Fraction(1, 2)] * 3, [1] * 4)), rel=2e-9)


@pytest.mark.parametrize("n", [60, 150])
def test_it_is_known_to_be_the_only_one_where_the_prior_nearly_vanishes(n: int) -> None:
    """Binomial masses fall to 1e-78 and 1e-195; against the largest costs theirs are nothing, but they are not zero."""
    remap, value, bound = read_and_bound(component_of(prior_graph(n, "0.05"), md.ExpectedLoss("absolute"), "0.5"))
    assert remap.unique
    assert value - bound <= 1e-10
    assert value == pytest.approx(least_error(n, "0.05", "0.5"), rel=1e-9)


def test_where_others_are_as_good_it_is_not_unique() -> None:
    same = [[0, 0, 1], [1, 1, 0], [1, 1, 0]]  # two outputs that cost the same
    remap, value, bound = read_and_bound(component_of(md.counting_graph(2), md.ExpectedLoss(same), "0.5"))
    assert value == pytest.approx(bound)
    assert not remap.unique


def test_long_paths_lose_no_digits() -> None:
    """Errors shrink on the way to where an output costs least; passed on from one end alone they would grow by e^60."""
    _, value, bound = read_and_bound(component_of(md.counting_graph(60), md.ExpectedLoss("absolute"), "1"))
    assert 0 <= value - bound <= 1e-12


def test_the_order_of_the_profiles_does_not_matter() -> None:
    graph, objective = md.counting_graph(4), md.ExpectedLoss("absolute")
    shuffled = nx.Graph(**graph.graph)
    for i in (3, 0, 4, 2, 1):
        shuffled.add_node(i, **graph.nodes[i])
    shuffled.add_edges_from(graph.edges)
    straight, value, _ = read_and_bound(component_of(graph, objective, "1"))
    other, same, bound = read_and_bound(component_of(shuffled, objective, "1"))
    assert same == pytest.approx(value)
    assert same - bound <= 1e-12
    assert other.solution.released[1] == pytest.approx(straight.solution.released[0])


@pytest.mark.parametrize(
    "what", ["delta", "zero", "tiny", "huge", "circle", "star", "mixed", "twice", "shared", "branch"]
)
def test_what_it_does_not_apply_to(what: str) -> None:
    graph, objective = md.counting_graph(4), md.ExpectedLoss("absolute")
    problem = component_of(graph, objective, "1").problem
    if what == "delta":
        graph.edges[0, 1]["delta"] = "0.1"
    if what in ("zero", "tiny", "huge"):
        graph.edges[0, 1]["epsilon"] = {"zero": 0, "tiny": "1e-17", "huge": 1000}[what]
    if what == "circle":
        graph.add_edge(0, 4)
    if what == "star":
        graph.remove_edges_from(list(graph.edges))
        graph.add_edges_from((0, i) for i in range(1, 5))
    if what == "branch":
        graph.remove_edge(3, 4)
        graph.add_edge(1, 4)
    if what == "mixed":
        graph.nodes[0]["distribution"] = ["1/2", "1/2", 0, 0, 0]
    if what == "twice":
        graph.nodes[0]["distribution"] = graph.nodes[1]["distribution"]
    if what == "shared":
        (one,) = components(graph, requirements(graph, Fraction(1), Fraction(0)), objective, shared=True)
        problem = one.problem
    else:
        problem = component_of(graph, objective, "1").problem
    assert solve_path(problem) is None
