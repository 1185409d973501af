"""Roads: places that are the nodes of a graph, as far apart as the ways along its edges."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.numbers import number
from mechdesign.exact.text import shown
from mechdesign.graph.located import PARTS, Located, read_places

LENGTH, NODE = "length", "node"
"""The attribute of roads, which osmnx calls so too; and what the nodes themselves are called as a column."""

POINTS = (("x", "y"), ("lon", "lat"), ("longitude", "latitude"))
"""What the coordinates of nodes are called. They have some or none: a map of them is all that these are for."""

EXACT = 2**53
"""Up to this, sums of whole numbers are exact in doubles: so ways are, of roads that are rounded down."""


def along_roads(roads: nx.Graph, label: str | None, prior: str | None) -> Located:
    """Return the nodes of a graph as places, with the shortest ways between them, all roads both ways.

    Raises
    ------
    InputError
        naming a road without a length, or two places that no way joins.
    """
    from scipy.sparse.csgraph import dijkstra  # loads slowly

    nodes = list(roads.nodes.values())
    at = next((pair for pair in POINTS if nodes and all(name in own for own in nodes for name in pair)), ())
    columns = {name: [own.get(name) for own in nodes] for name in (*at, label, prior) if name is not None}
    labels, points, weights = read_places(
        {NODE: list(roads)} | columns, at, [math.inf] * len(at), NODE if label is None else label, prior
    )
    parts = dijkstra(_lengths(roads), directed=False)
    if not np.isfinite(parts).all():
        i, j = np.argwhere(~np.isfinite(parts))[0].tolist()
        words = f"roads: no way leads from {shown(labels[i])} to {shown(labels[j])}"
        raise InputError(f"{words}; give each part of the roads by itself")
    if parts.max(initial=0) > EXACT:
        raise InputError(f"roads: some are {parts.max() / PARTS:.3g} apart; give lengths in a larger unit")
    return Located(labels, parts, np.stack(points, axis=1) if points else None, weights)


def _lengths(roads: nx.Graph) -> Any:
    """Return the length of the shortest road of each pair that has one, in whole parts, as a sparse table."""
    from scipy.sparse import csr_array  # loads slowly

    place = {node: number for number, node in enumerate(roads)}
    expected, least = "a number of at least a millionth", Fraction(1, PARTS)
    shortest: dict[tuple[int, int], float] = {}
    for a, b, own in roads.edges(data=True):
        ends = min(place[a], place[b]), max(place[a], place[b])
        length = number(f"road {shown(a)}-{shown(b)}: {LENGTH}", own.get(LENGTH), expected, at_least=least)
        shortest[ends] = min(math.floor(length * PARTS), shortest.get(ends, math.inf))
    i, j = zip(*shortest, strict=True) if shortest else ((), ())
    return csr_array((np.array(list(shortest.values()), dtype=float), (i, j)), shape=(len(place), len(place)))
