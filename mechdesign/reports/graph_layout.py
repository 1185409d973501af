"""Where the profiles of a drawing stand: points of a plane where they are, the rest by networkx, by component."""

import math
from collections.abc import Sequence

import networkx as nx
import numpy as np
from scipy.spatial import KDTree

from mechdesign.arrays import Floats
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import on_earth, points_of

Point = tuple[float, float]
Places = dict[Label, Point]
Part = tuple[list[Label], Floats]
"""Profiles, with a point for each."""

IN_LINE = 11
"""A path of more profiles than this is folded, about as wide as high, each line in the direction against the last."""
CLOSER = 0.85
"""The power of distances: at 1 the ends of long arms stand far away, at 0.8 a ring of 50 is no longer round."""
LARGE = 400
"""Profiles of a component up to which each keeps its distance to all others; that takes two seconds for 400."""
APART = 0.4
"""Of a cell, between components, so that no two look joined."""


def arranged(graph: nx.Graph) -> list[Part]:
    """Return points for the profiles of each component, of the largest first; the same every time.

    Examples
    --------
    >>> ((profiles, points),) = arranged(nx.path_graph(["a", "b", "c"]))
    >>> profiles, bool(points[0][0] < points[1][0] < points[2][0])
    (['a', 'b', 'c'], True)
    """
    points = points_of(graph)
    if points is not None:
        return [(list(graph), points * _degrees(points) if on_earth(graph) else points)]
    return [_part(graph, members) for members in sorted(nx.connected_components(graph), key=len, reverse=True)]


def _degrees(points: Floats) -> Floats:
    """Return how long a degree of longitude and one of latitude are, in the middle of these."""
    return np.array([max(0.1, math.cos(math.radians(float(points[:, 1].mean())))), 1.0])


def _part(graph: nx.Graph, members: set[Label]) -> Part:
    part = nx.Graph()
    part.add_nodes_from(profile for profile in graph if profile in members)  # a set has no order
    part.add_edges_from((a, b) for a in list(part) for b in graph[a])
    ends = [profile for profile, degree in part.degree() if degree == 1]
    if nx.is_tree(part) and len(ends) == 2:
        wide = max(IN_LINE, math.isqrt(len(part)) + 1)
        places: Places = {}
        for step, profile in enumerate(nx.dfs_preorder_nodes(part, ends[0])):
            line, column = divmod(step, wide)
            places[profile] = (wide - column if line % 2 else column + 1, -line)
    else:
        places = _spread(part) if len(part) <= LARGE else nx.spring_layout(part, seed=0)
    return list(part), np.array([places[profile] for profile in part], dtype=float)


def _spread(part: nx.Graph) -> Places:
    """Return places whose distances are like the numbers of edges between them, the farther the less."""
    steps = nx.all_pairs_shortest_path_length(part)
    found: Places = nx.kamada_kawai_layout(
        part, dist={a: {b: far**CLOSER for b, far in row.items()} for a, row in steps}
    )
    return found


def fitted(parts: Sequence[Part], cell: tuple[float, float], largest: float = math.inf) -> Places | None:
    """Return a place for each profile, so that cells of this size centred there do not overlap, components on shelves.

    The lowest cell begins at 0, and the leftmost. None if the drawing would be wider or higher than `largest`.

    Examples
    --------
    >>> fitted(arranged(nx.path_graph(["a", "b", "c"])), (1.0, 1.0), 5.0)
    {'a': (0.5, 0.5), 'b': (1.5, 0.5), 'c': (2.5, 0.5)}
    """
    size = np.array(cell)
    scaled = [points * _factor(points / size) for _, points in parts]
    corners = [points - points.min(axis=0) + size / 2 for points in scaled]
    extents = [(points.max(axis=0) + size / 2).tolist() for points in corners]
    wide = max(*(width for width, _ in extents), 1.2 * math.sqrt(sum(width * height for width, height in extents)))
    places: Places = {}
    left = low = shelf = 0.0
    for (profiles, _), points, (width, height) in zip(parts, corners, extents, strict=True):
        if left and left + width > wide:  # a new shelf below
            left, low, shelf = 0.0, low - shelf - APART * cell[1], 0.0
        at = (points + np.array([left, low - height])).tolist()
        places |= {profile: (x, y) for profile, (x, y) in zip(profiles, at, strict=True)}
        left, shelf = left + width + APART * cell[0], max(shelf, height)
    low -= shelf
    right = max(x for x, _ in places.values()) + cell[0] / 2
    return {profile: (x, y - low) for profile, (x, y) in places.items()} if max(right, -low) <= largest else None


def _factor(points: Floats) -> float:
    """Return by how much points are stretched until unit squares around them do not overlap; 1 for a single one."""
    if len(points) < 2:
        return 1.0
    nearest, _ = KDTree(points).query(points, k=2, p=math.inf)
    return 1 / max(1e-9, float(nearest[:, 1].min()))
