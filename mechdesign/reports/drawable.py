"""What is too large to be drawn is refused before it takes minutes and the memory."""

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.graph.positions import on_map

MOST_PROFILES = 2_000
MOST_EDGES = 20_000
MANY_EDGES = 150
"""More edges than this are thin and opaque; on a map, if every two profiles have one, they are left out."""
MOST_BARS = 50_000
"""So much takes some ten seconds to draw; more than that nobody can tell apart."""


def check_graph(graph: nx.Graph) -> None:
    """Raise an InputError if a graph has too many profiles or edges to be drawn.

    Examples
    --------
    >>> check_graph(nx.complete_graph(300))
    Traceback (most recent call last):
    mechdesign.errors.InputError: a drawing has at most 20,000 edges, found 44,850; draw a part of it
    """
    _check("profiles", len(graph), MOST_PROFILES)
    if edges_are_drawn(graph):
        _check("edges", graph.number_of_edges(), MOST_EDGES)


def edges_are_drawn(graph: nx.Graph) -> bool:
    """Return whether edges show anything: on a map not, where every two of many profiles have one."""
    return not (on_map(graph) and graph.number_of_edges() > MANY_EDGES and nx.density(graph) == 1)


def check_bars(profiles: int, outputs: int) -> None:
    """Raise an InputError if so many profiles have too many bars between them, one for each output."""
    _check("bars", profiles * outputs, MOST_BARS)


def _check(what: str, count: int, most: int) -> None:
    if count > most:
        raise InputError(f"a drawing has at most {most:,} {what}, found {count:,}; draw a part of it")
