"""Which graphs are those of all databases: exactly these, whatever their order and names."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import counting_graph, database_graph, profile_graph, read_graph, shipped_graphs, value_graph
from mechdesign.graph.checks import checked
from mechdesign.graph.databases import database_shape, product_weights, row_distances
from mechdesign.papers.hlm import distance


def shuffled(graph: nx.Graph, seed: int, *, renamed: bool = True) -> nx.Graph:
    """The same graph with profiles, categories and edges in another order, and other names of profiles."""
    source = random.Random(seed)
    old = graph.graph["categories"]
    categories = source.sample(list(old), len(old))
    profiles = source.sample(list(graph), len(graph))
    names = {profile: f"P{number}" if renamed else profile for number, profile in enumerate(profiles)}
    distributions = {}
    for profile in profiles:
        masses = dict(zip(old, graph.nodes[profile]["distribution"], strict=True))
        distributions[names[profile]] = [masses[category] for category in categories]
    edges = [source.sample([names[a], names[b]], 2) for a, b in source.sample(list(graph.edges), graph.size())]
    return profile_graph(distributions, edges=map(tuple, edges), categories=categories)


SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]


@pytest.mark.parametrize(("m", "n"), SHAPES)
@pytest.mark.parametrize("seed", [0, 1])
def test_databases_in_any_order(m: int, n: int, seed: int) -> None:
    """Two orders as a sample, none special."""
    graph = database_graph([f"value {x}" for x in range(m)], n)
    assert database_shape(graph) == database_shape(shuffled(graph, seed)) == (m, n)


@pytest.mark.parametrize("values", [["a", "b"], range(5), [("x", "x"), ("x", "y"), ("y", "x"), ("y", "y")]])
def test_one_row(values: Any) -> None:
    """All pairs are edges: local privacy, also where the values are tuples."""
    assert database_shape(value_graph(values)) == (len(values), 1)
    assert database_shape(shuffled(value_graph(values), 2)) == (len(values), 1)
    assert database_shape(database_graph(["a", "b"], 1)) == (2, 1)


def without_edge(graph: nx.Graph) -> None:
    graph.remove_edge(*next(iter(graph.edges)))


def moved_edge(graph: nx.Graph) -> None:
    """As many edges, but one joins databases that differ in two rows."""
    without_edge(graph)
    graph.add_edge(("a", "a"), ("b", "b"))


def own(key: str, value: Any) -> Any:
    def give(graph: nx.Graph) -> None:
        graph.edges[("a", "a"), ("a", "b")][key] = value

    return give


def without_profile(graph: nx.Graph) -> None:
    graph.remove_node(("a", "a"))


def uncertain(graph: nx.Graph) -> None:
    graph.nodes["a", "a"]["distribution"] = [Fraction(1, 4)] * 4


def same_value_twice(graph: nx.Graph) -> None:
    graph.nodes["a", "a"]["distribution"] = graph.nodes["b", "b"]["distribution"]


def categories(labels: list[Any]) -> Any:
    def give(graph: nx.Graph) -> None:
        graph.graph["categories"] = labels

    return give


@pytest.mark.parametrize(
    "change",
    [
        without_edge,
        moved_edge,
        own("epsilon", 1),
        own("delta", 0.1),
        own("distance", 1),
        without_profile,
        uncertain,
        same_value_twice,
        categories(["aa", "ab", "ba", "bb"]),
        categories([("a", "a"), ("a", "b"), ("b", "a"), ("b",)]),
        categories([("a", "a"), ("a", "b"), ("b", "a"), ("b", "c")]),
        categories([("a", "a"), ("b", "b"), ("a", "b"), ("b", "a")]),  # all databases, other edges
    ],
)
def test_what_is_not_quite(change: Any) -> None:
    graph = database_graph("ab", 2)
    change(graph)
    assert database_shape(checked(graph)) is None


def test_other_graphs() -> None:
    named = [name for name in shipped_graphs() if database_shape(read_graph(name)) is not None]
    assert all(database_shape(read_graph(name)) == (len(read_graph(name)), 1) for name in named)
    assert database_shape(counting_graph(3)) is None
    assert database_shape(value_graph(["a"])) is None
    long = profile_graph({"x": [1, 0], "y": [0, 1]}, edges=[], categories=[("a",) * 999, ("b",) * 999])
    assert database_shape(long) is None


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(["0", "1"])), min_size=1, max_size=9))
def test_row_distances(databases: list[tuple[Any, ...]]) -> None:
    assert row_distances(databases).tolist() == [[distance(d, a) for a in databases] for d in databases]


def test_product_weights_are_products() -> None:
    z = Fraction(2, 5)
    databases = list(product("abc", repeat=2))
    weights = product_weights(row_distances(databases), 2, z)
    assert [[Fraction(w, 25) for w in row] for row in weights] == [
        [z ** distance(d, a) for a in databases] for d in databases
    ]
