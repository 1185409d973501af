"""Graphs of values with weights and with distances in a table; and what is said of a graph without distributions."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import mechdesign as md

FAR = [[0, 1, 3], [1, 0, 2], [3, 2, 0]]


@pytest.mark.parametrize(
    "metric",
    [
        FAR,
        np.array(FAR, dtype=float),
        pd.DataFrame(FAR, index=list("abc"), columns=list("abc")).loc[list("cab"), list("bca")],
        [["0", "1", "3"], [1, 0, "2"], ["3.0", 2, 0]],
    ],
)
def test_a_metric_in_a_table_is_as_that_of_a_function(metric: Any) -> None:
    graph = md.value_graph("abc", metric=metric)
    expected = md.value_graph("abc", metric=lambda x, y: FAR["abc".index(x)]["abc".index(y)])
    assert nx.utils.graphs_equal(graph, expected)


def test_an_infinite_distance_is_no_edge_and_of_sums_of_doubles_the_shorter_counts() -> None:
    table = [[0, 0.1 + 0.2, math.inf], [0.3, 0, 1], [math.inf, 1, 0]]
    graph = md.value_graph("abc", metric=table)
    assert dict(graph.edges) == {("a", "b"): {"distance": Fraction(3, 10)}, ("b", "c"): {"distance": 1}}


def test_distances_along_roads_are_a_metric() -> None:
    roads = nx.Graph()
    roads.add_weighted_edges_from([("a", "b", 0.7), ("b", "c", 0.1), ("c", "d", 0.2), ("a", "d", 5)])
    graph = md.value_graph(roads, metric=nx.floyd_warshall_numpy(roads))
    assert float(graph.edges["a", "d"]["distance"]) == pytest.approx(1)


@pytest.mark.parametrize(
    "weights", [[3, "1/2"], {"b": "0.5", "a": 3}, pd.Series({"b": 0.5, "a": 3.0}), np.array([3, 0.5])]
)
def test_weights_are_in_order_or_by_value(weights: Any) -> None:
    assert dict(md.value_graph("ab", weights=weights).nodes(data="weight")) == {"a": 3, "b": Fraction(1, 2)}


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"weights": [1]}, "weights: expected one for each value, 2, found 1"),
        ({"weights": {"a": 1, "c": 2}}, "weights: expected the categories ('a', 'b') as labels, found ('a', 'c')"),
        ({"weights": [1, -1]}, "found -1"),
        ({"metric": [[0, 1]]}, "metric: expected a row and a column for each value, in their order"),
        ({"metric": [[0, 1], [2, 0]]}, "metric: expected the same distance both ways, found 1 from 'a' to 'b', 2 back"),
        ({"metric": [[0, math.inf], [2, 0]]}, "found inf from 'a' to 'b', 2 back"),
        ({"metric": pd.DataFrame(FAR[:2], index=list("ac"))}, "metric: expected the categories"),
        ({"metric": [[0, "x"], ["y", 0]]}, "expected a number"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(md.InputError) as refusal:
        md.value_graph("ab", **options)
    assert fault in str(refusal.value)


def test_of_a_graph_without_distributions_the_remedy_is_said() -> None:
    for graph in (nx.path_graph(3), nx.Graph([("a", "b", {"distance": 2})])):
        with pytest.raises(md.InputError, match=r"make the graph with value_graph\(values, metric=distances"):
            md.design(graph, epsilon=1)
