"""What a given mechanism releases, as the profile graph that is designed for: its categories are the outputs."""

from collections.abc import Sequence

import networkx as nx

from mechdesign.certifier.applied import released_under
from mechdesign.graph.checks import check_number_of_edges
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import check_known
from mechdesign.mechanism.given import Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.released import Released


def rows_of(mechanism: Given, graph: nx.Graph | None, *, all_pairs: bool) -> nx.Graph:
    """Return the profile graph of what is mended, `Mended.rows`: what profiles release, and the pairs asked for."""
    given, asked = as_mechanism(mechanism, graph, all_pairs=all_pairs)
    check_known(asked.profiles, "mended-from")
    return graph_of_rows(given, asked, *released_under(given, asked))


def graph_of_rows(given: Mechanism, asked: Asked, names: Sequence[Label], released: Sequence[Released]) -> nx.Graph:
    """Return the profile graph of what is released: its categories are the outputs, its edges those that matter."""
    graph = asked.profiles
    about = {key: graph.graph[key] for key in ("name", "ordered") if key in graph.graph}
    if given.outputs != given.categories:
        about.pop("ordered", None)
    result = nx.Graph(categories=given.outputs, **about)
    for name, one in zip(names, released, strict=True):
        weight = {"weight": graph.nodes[name]["weight"]} if "weight" in graph.nodes[name] else {}
        result.add_node(name, distribution=one.fractions(), **weight)
    if asked.every_pair:
        check_number_of_edges(asked.edges)
    result.add_edges_from(asked.graph().edges(data=True))
    return result
