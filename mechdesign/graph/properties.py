"""What kind of graph a profile graph is: of single values, local, with ordered categories."""

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.graph.distribution import support
from mechdesign.graph.edge_table import OWN
from mechdesign.graph.uncertainty import is_robust
from mechdesign.words import counted


def has_point_masses(graph: nx.Graph) -> bool:
    """Return whether the profiles are distinct single values, so that one matrix serves them all.

    One that is known only within bounds may have other values too.
    """
    if is_robust(graph):
        return False
    positions = [support(attributes["distribution"]) for attributes in graph.nodes.values()]
    values = {pairs[0][0] for pairs in positions if len(pairs) == 1}
    return len(values) == len(positions)


def is_local(graph: nx.Graph) -> bool:
    """Return whether the graph is that of local differential privacy: values, all pairs alike."""
    return has_point_masses(graph) and len(graph) > 1 and nx.density(graph) == 1 and not has_own_limits(graph)


def has_own_limits(graph: nx.Graph) -> bool:
    """Return whether an edge has an epsilon, delta or distance of its own, so that it asks for something else."""
    return any(not OWN.keys().isdisjoint(edge) for _, _, edge in graph.edges(data=True))


def has_order(graph: nx.Graph) -> bool:
    """Return whether steps between categories in their order mean something.

    They do if the graph's attribute `ordered` says so; without one, if the categories are numbers that rise or fall
    throughout. Between two categories there is but one step, so any order will do.

    Examples
    --------
    >>> from mechdesign.graph.values import counting_graph, value_graph
    >>> has_order(counting_graph(3)), has_order(value_graph(["agree", "disagree", "neutral"]))
    (True, False)
    """
    categories = graph.graph["categories"]
    if len(categories) <= 2:
        return True
    if "ordered" in graph.graph:
        return bool(graph.graph["ordered"])
    try:
        numbers = [parse_number(label) for label in categories]
    except InputError:
        return False
    return numbers in (sorted(set(numbers)), sorted(set(numbers), reverse=True))


def sizes_of(graph: nx.Graph) -> str:
    """Return a graph's size in words."""
    sizes = {"profile": len(graph), "category": len(graph.graph["categories"]), "edge": graph.number_of_edges()}
    return ", ".join(counted(size, what) for what, size in sizes.items())


def heading_of(graph: nx.Graph, shared: bool) -> str:
    """Return a graph's name and size in words."""
    name = graph.graph.get("name") or "profile graph"
    return f"{name}: {sizes_of(graph)}" + ("; one matrix for each component" if shared else "")
