"""The families of graphs: what they are, and that every way to solve them agrees at small sizes."""

import math
from fractions import Fraction
from functools import cache

import networkx as nx
import pytest
from oracles.divergence import exp_64_above
from oracles.optimum import optimum

from mechdesign import Design, ExpectedLoss, InputError, MaxOffDiagonal, WorstLoss, design
from mechdesign.bench.families import FAMILIES, ROLE, family, graph_of_family
from mechdesign.graph.distribution import support
from mechdesign.graph.properties import has_point_masses
from mechdesign.objective import Objective, profile_weights
from mechdesign.privacy.requirement import requirements

EPSILON = Fraction(1, 2)
GAP = 1e-8
KINDS = ("max-off-diagonal", "expected-loss", "worst-loss")


@cache
def graph(name: str) -> nx.Graph:
    return graph_of_family(name, 11, 3, seed=2)


def objective(name: str, kind: str) -> Objective:
    """The kind of objective with the family's own loss, or Hamming loss where it has none."""
    own = FAMILIES[name].objective(len(graph(name).graph["categories"]))
    loss = "hamming" if isinstance(own, MaxOffDiagonal) else own.loss
    if kind == "max-off-diagonal":
        return MaxOffDiagonal()
    return ExpectedLoss(loss) if kind == "expected-loss" else WorstLoss(loss)


def straight_from_the_definition(name: str, goal: Objective) -> Fraction:
    profiles = [node["distribution"] for node in graph(name).nodes.values()]
    edges = [
        (r.first, r.second, exp_64_above(r.epsilon), Fraction(0))
        for r in requirements(graph(name), EPSILON, Fraction(0))
    ]
    d = len(profiles[0])
    shared = has_point_masses(graph(name))
    groups = [list(range(len(profiles)))] if shared else [[i] for i in range(len(profiles))]
    loss = None if isinstance(goal, MaxOffDiagonal) else goal.table(range(d))
    weights = profile_weights(graph(name)) if isinstance(goal, ExpectedLoss) else None
    return optimum(profiles, edges, groups, outputs=d, loss=loss, weights=weights)


def gap(result: Design, bound: Fraction) -> float:
    return float((result.value - bound) / bound)


@pytest.mark.parametrize(("number", "name"), [*enumerate(FAMILIES)])
def test_methods_and_the_definition_agree(number: int, name: str) -> None:
    """Each family by one kind of objective, in turn: test_agree.py asks for every kind."""
    kind = KINDS[number % len(KINDS)]
    goal = objective(name, kind)
    results = {
        method: design(graph(name), epsilon=EPSILON, objective=goal, method=method, any_optimum=method != "structured")
        for method in ("structured", "highs")
    }  # `reference`, another model, is held against all solvers in test_solvers.py
    best = straight_from_the_definition(name, goal)
    assert best > 0
    for method, result in results.items():
        assert result.bound <= best <= result.value, method
        assert gap(result, result.bound) <= GAP, method


@pytest.mark.parametrize("name", FAMILIES)
def test_a_seed_makes_the_same_graph_again(name: str) -> None:
    first, again, other = (graph_of_family(name, 11, 3, seed=seed) for seed in (2, 2, 3))
    assert nx.utils.graphs_equal(first, again)
    assert (first.nodes(data=True) == other.nodes(data=True)) == FAMILIES[name].values


@pytest.mark.parametrize(("k", "d"), [(4, 2), (5, 3), (16, 5), (23, 4)])
@pytest.mark.parametrize("name", FAMILIES)
def test_sizes(name: str, k: int, d: int) -> None:
    made = graph_of_family(name, k, d, seed=1)
    size = len(made), len(made.graph["categories"])
    assert size == FAMILIES[name].size(k, d)
    assert FAMILIES[name].values == has_point_masses(made)
    if FAMILIES[name].values:
        assert size[0] == size[1] <= k
    else:
        assert size == (k, d)
    assert made.graph["name"] == f"{name}-{size[0]}x{size[1]}"


def test_shapes() -> None:
    """Each family's graph is of the shape that its words say."""
    made = {name: graph_of_family(name, 25, 6, seed=1) for name in FAMILIES}
    edges = {name: one.number_of_edges() for name, one in made.items()}
    assert edges["chain"] == edges["tree"] == edges["counting"] == 24
    assert edges["ring"] == edges["sparse"] == edges["scaled"] == 50
    assert 50 < edges["random-chords"] <= 50 + 12  # a chord may join neighbours on the ring
    assert edges["complete"] == edges["local"] == edges["grid"] == 25 * 24 // 2
    assert nx.is_tree(made["tree"])
    assert sorted(map(len, nx.connected_components(made["clusters"]))) == [ROLE, 2 * ROLE, 2 * ROLE]
    assert made["grid"].edges[(0, 0), (1, 2)]["distance"] == Fraction(str(math.sqrt(5)))
    assert [made["local"].nodes[x]["weight"] for x in (0, 24)] == [1, 25]
    supports = {len(support(node["distribution"])) for node in made["sparse"].nodes.values()}
    assert supports == {2}
    masses = [mass for node in made["scaled"].nodes.values() for mass in node["distribution"]]
    assert min(masses) < 1e-7
    assert max(masses) > 0.9


def test_no_such_family() -> None:
    with pytest.raises(InputError, match=r"expected some of chain, ring, .*found 'star'"):
        family("star")


def test_random_chords_of_another_size_are_other_profiles() -> None:
    """Growth with the size is measured on graphs of which none is a part of the next."""
    small, large = (graph_of_family("random-chords", k, 3, seed=1) for k in (20, 40))
    assert all(small.nodes[i]["distribution"] != large.nodes[i]["distribution"] for i in small)


@pytest.mark.parametrize(("k", "least"), [(4, 4), (54, 5), (55, 5), (1234, 5)])
def test_components_have_5_to_54_profiles(k: int, least: int) -> None:
    for seed in (1, 2):
        sizes = sorted(map(len, nx.connected_components(graph_of_family("components", k, 2, seed))))
        assert sum(sizes) == k
        assert least <= sizes[0] <= sizes[-1] <= 54
    assert len(set(sizes)) > 20 or k < 1000
