"""What a design or a verdict does not protect, or does not mean, though its numbers are right."""

from collections.abc import Sized

import networkx as nx

from mechdesign.graph.properties import has_order
from mechdesign.graph.uncertainty import is_robust
from mechdesign.objective import Goal

UNBOUNDED = "The profiles are taken to be as their distributions say; nothing is said of others within their bounds."
"""What does not hold of a design or verdict for distributions alone, where profiles have bounds."""


def unprotected(graph: nx.Graph | None, required: Sized) -> str | None:
    """Return that nothing is protected, in words, where the edges of a graph require nothing; else None.

    Examples
    --------
    >>> import mechdesign as md
    >>> unprotected(md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=["no", "yes"]), [])
    'Nothing is protected: the graph has no edges.'
    """
    if len(required):
        return None
    if graph is None:
        return "Nothing is protected: there is one input only, or epsilon is infinite."
    if not graph.number_of_edges():
        return "Nothing is protected: the graph has no edges."
    return "Nothing is protected: no edge requires anything, as every epsilon is infinite."


def unordered(graph: nx.Graph, objective: Goal) -> str | None:
    """Return that absolute loss means nothing, in words, where nobody said that the categories have an order.

    Examples
    --------
    >>> import mechdesign as md
    >>> unordered(md.read_graph("hobbies"), md.ExpectedLoss("absolute"))
    'The absolute loss counts steps between categories in the order Sports, Cars, Television, ..., which nobody ...
    """
    if not objective.needs_order() or has_order(graph):
        return None
    categories = graph.graph["categories"]
    first = ", ".join(map(str, categories[:3])) + (", ..." if len(categories) > 3 else "")
    return (
        f"The absolute loss counts steps between categories in the order {first}, which nobody said means anything."
        ' Give the graph the right order and "ordered": true, or take another loss.'
    )


def unbounded(graph: nx.Graph, *, nominal: bool) -> str | None:
    """Return that bounds are left out, in words, where profiles have them; else None."""
    return UNBOUNDED if nominal and is_robust(graph) else None


def warning_of(graph: nx.Graph, required: Sized, objective: Goal) -> str | None:
    """Return all of this in one text, or None."""
    return " ".join(filter(None, (unprotected(graph, required), unordered(graph, objective)))) or None
