"""Pictures that nobody could read are refused before they take minutes and the memory."""

import networkx as nx
import pytest

import mechdesign as md
from mechdesign.graph.distribution import PointMass


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (nx.path_graph(2001), "at most 2,000 profiles, found 2,001"),
        (nx.complete_graph(202), "at most 20,000 edges, found 20,301"),
    ],
)
def test_a_graph_too_large_to_be_drawn_is_refused(graph: nx.Graph, words: str) -> None:
    nx.set_node_attributes(graph, (1,), "distribution")
    graph.graph["categories"] = ("x",)
    with pytest.raises(md.InputError, match=f"a drawing has {words}; draw a part of it"):
        md.plot_graph(graph)


def test_too_many_bars_are_refused() -> None:
    d = 2000
    graph = nx.Graph(categories=range(d))
    for position in range(30):
        graph.add_node(position, distribution=PointMass(position, d))
    mechanism = md.design(md.profile_graph({"a": [1, 0]}, edges=[], categories=["x", "y"]), epsilon=1).mechanism
    many = md.Mechanism(graph, tuple(range(d)), mechanism.rows, mechanism.index)
    with pytest.raises(md.InputError, match="at most 50,000 bars, found 60,000"):
        md.plot_released(many)
