"""The families of graphs: what they are, and that designs for them are optimal at small sizes."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from oracles.optimum import optimum_of
from test_agree import agree

from mechdesign import InputError
from mechdesign.bench.families import FAMILIES, ROLE, family, graph_of_family
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import support
from mechdesign.graph.properties import has_point_masses


@pytest.mark.parametrize("name", FAMILIES)
def test_its_design_is_the_optimum(name: str) -> None:
    graph = checked(graph_of_family(name, 11, 3, seed=2))
    goal = FAMILIES[name].objective(len(graph.graph["categories"]))
    asked: dict[str, Any] = {"epsilon": Fraction(1, 2), "delta": Fraction(0), "objective": goal}
    agree(graph, optimum_of(graph, **asked, shared=has_point_masses(graph)), **asked)


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
