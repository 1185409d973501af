"""What is kept for each unit of distance: of places, say, for each kilometre."""

from collections.abc import Iterator
from fractions import Fraction

import networkx as nx

Kept = list[tuple[Fraction, Fraction]]
"""The distance and the epsilon of each edge."""


def kept_by_distance(asked: nx.Graph, told: nx.Graph) -> Kept | None:
    """Return each edge's distance and epsilon; None where not all have both, or distances are alike.

    Parameters
    ----------
    asked
        a graph whose edges have what each is allowed.
    told
        a graph, of a file, whose edges have distances; an epsilon of an edge's own does not go with these.
    """
    pairs = list(_pairs(asked, told))
    found = [(far, epsilon) for far, epsilon in pairs if far and epsilon is not None]
    return found if found and len(found) == len(pairs) and min(found)[0] < max(found)[0] else None


def _pairs(asked: nx.Graph, told: nx.Graph) -> Iterator[tuple[Fraction | None, Fraction | None]]:
    for a, b, allowed in asked.edges(data=True):
        there = told.edges[a, b] if told.has_edge(a, b) else {}
        yield there.get("distance"), None if "epsilon" in there else allowed.get("epsilon")


def largest_rate(kept: Kept) -> Fraction:
    """Return the epsilon of the edge that is allowed most for a unit of distance.

    Examples
    --------
    >>> largest_rate([(Fraction(2), Fraction(1)), (Fraction(4), Fraction(3))])
    Fraction(3, 4)
    """
    return max(epsilon / far for far, epsilon in kept)
