"""What kind of graph a profile graph is: of single values, local, with ordered categories."""

import math
import os

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import (
    Epsilon,
    Number,
    parse_epsilon,
    parse_number,
)
from mechdesign.exact.text import shown
from mechdesign.graph.distribution import support
from mechdesign.graph.edge_table import OWN
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.uncertainty import is_robust
from mechdesign.words import counted


def own_epsilons(graph: nx.Graph) -> list[Epsilon]:
    """Return the epsilons of those edges that have one of their own; an epsilon asked for does not apply to them."""
    return [attributes["epsilon"] for _, _, attributes in graph.edges(data=True) if "epsilon" in attributes]


def check_all_own(graph: nx.Graph, *, source: str = "") -> None:
    """Raise an InputError unless every edge has an epsilon of its own, so that all can be scaled."""
    without = graph.number_of_edges() - len(own_epsilons(graph))
    if without:
        found = f"{without} of {counted(graph.number_of_edges(), 'edge')}"
        raise InputError(f"only epsilons of the edges' own can be scaled: {found} have none", source=source)


def scaled(graph: nx.Graph | str | os.PathLike[str], factor: Number) -> nx.Graph:
    """Return the graph with each edge's own epsilon multiplied by `factor`, exactly; other edges stay as they are.

    An epsilon of 0 and an infinite one, which requires nothing, stay what they are, whatever the factor.

    Parameters
    ----------
    graph
        a profile graph, its name or the path of its file; it stays as it is.
    factor
        by which they are multiplied.

    Raises
    ------
    InputError
        if the factor is no number >= 0 (or inf), or the graph cannot be used.

    Examples
    --------
    >>> from mechdesign.graph.values import value_graph
    >>> graph = value_graph(["a", "b"])
    >>> graph.edges["a", "b"]["epsilon"] = "0.3"
    >>> scaled(graph, 2).edges["a", "b"]["epsilon"]
    Fraction(3, 5)
    """
    try:
        times = parse_epsilon(factor)
    except InputError:
        raise InputError(f"factor: expected a number >= 0 or inf, found {shown(factor)}") from None
    result = as_graph(graph)
    for _, _, attributes in result.edges(data=True):
        if attributes.get("epsilon") not in (None, 0, math.inf):
            attributes["epsilon"] *= times
    return result


def has_point_masses(graph: nx.Graph) -> bool:
    """Return whether the profiles are distinct single values, so that one matrix serves them all.

    One that is known only within bounds may have other values too.
    """
    if is_robust(graph):
        return False
    values: set[int] = set()
    for attributes in graph.nodes.values():
        (value, _), *others = support(attributes["distribution"])
        if others or value in values:
            return False
        values.add(value)
    return True


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


def without_own(graph: nx.Graph) -> nx.Graph:
    """Return a graph whose edges have no epsilon, delta or distance of their own.

    Examples
    --------
    >>> without_own(nx.Graph([("a", "b", {"epsilon": 3})])).edges["a", "b"]
    {}
    """
    found = nx.create_empty_copy(graph)
    found.add_edges_from(graph.edges)
    return found
