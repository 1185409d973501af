"""Edges that have an epsilon of their own, which an epsilon asked for does not change."""

import math
import os

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import (
    Epsilon,
    Number,
    parse_epsilon,
)
from mechdesign.exact.text import shown
from mechdesign.graph.graph_file import as_graph
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
