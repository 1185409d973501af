"""What kind of graph a profile graph is: of single values, local, with ordered categories."""

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.graph.distribution import support
from mechdesign.graph.uncertainty import is_robust


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
    plain = not any({"distance", "epsilon", "delta"} & set(edge) for _, _, edge in graph.edges(data=True))
    return has_point_masses(graph) and len(graph) > 1 and nx.density(graph) == 1 and plain


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
