"""Where the profiles of a drawing stand: points of a plane where they are, a path in a line, the rest by component."""

import math

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.graph.labels import Label
from mechdesign.report.corner import Places, in_a_corner
from mechdesign.report.spread import ROOM, factor, spread

IN_LINE, WIDE = 11, 1.5
"""A path of more profiles than this is folded, into about so many times the width of its height, but not narrower."""


def layout(graph: nx.Graph, cell: tuple[float, float], largest: float, room: float = ROOM) -> Places | None:
    """Return a place for each profile, so that cells of this width and height centred there do not overlap.

    None where the drawing would be wider or higher than `largest`. A component has `room`, as in `spread`. The lowest
    cell begins at 0, and the leftmost.

    Examples
    --------
    >>> layout(nx.path_graph(["a", "b", "c"]), (1.0, 1.0), 5.0)
    {'a': (0.5, 0.5), 'b': (1.5, 0.5), 'c': (2.5, 0.5)}
    """
    if all(isinstance(profile, tuple) and len(profile) == 2 for profile in graph):
        points = np.array(list(graph), dtype=float)
        return _within(_named(graph, points * factor(points, cell)), cell, largest)
    return _packed(graph, cell, largest, room)


def _named(graph: nx.Graph, points: Floats) -> Places:
    return {profile: (x, y) for profile, (x, y) in zip(graph, points.tolist(), strict=True)}


def _is_path(graph: nx.Graph) -> bool:
    """Return whether a connected graph is a path."""
    degrees = sorted(degree for _, degree in graph.degree())
    return degrees[:2] == [1, 1] and degrees[-1] <= 2


def _packed(graph: nx.Graph, cell: tuple[float, float], largest: float, room: float) -> Places | None:
    """Return the components on shelves, from the largest; profiles without neighbours in a corner that is left."""
    components = [part for part in nx.connected_components(graph) if len(part) > 1]
    alone = [profile for profile in graph if not graph.degree(profile)]
    if not components:
        components, alone = [{profile} for profile in alone], []
    parts = [_within(_part(graph, part, cell, room), cell, largest) for part in components]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    known.sort(key=lambda part: (-len(part), list(graph).index(next(iter(part)))))
    sizes = [_size(part, cell) for part in known]
    widest = max(max(width for width, _ in sizes), 1.2 * math.sqrt(sum(width * height for width, height in sizes)))
    gaps = [size * (room - 1) / 2 for size in cell]  # so that no two components look joined
    result: Places = {}
    left = top = shelf = 0.0
    for part, (width, height) in zip(known, sizes, strict=True):
        if left and left + width > widest:  # a new shelf below
            left, top, shelf = 0.0, top - shelf - gaps[1], 0.0
        result |= {profile: (left + x, top - height + y) for profile, (x, y) in part.items()}
        left, shelf = left + width + gaps[0], max(shelf, height)
    result |= in_a_corner(alone, result, list(graph.edges), cell)
    return _within({profile: result[profile] for profile in graph}, cell, largest)


def _part(graph: nx.Graph, members: set[Label], cell: tuple[float, float], room: float) -> Places | None:
    """Return a component: a path in lines, another one spread; the same every time, in the graph's own order."""
    part = nx.Graph()
    part.add_nodes_from(profile for profile in graph if profile in members)
    part.add_edges_from((a, b) for a in list(part) for b in graph[a])
    if _is_path(part):
        return _folded(part, cell)
    points = spread(part, cell, room)
    return None if points is None else _named(part, points)


def _folded(path: nx.Graph, cell: tuple[float, float]) -> Places:
    """Return a path in lines, each in the other direction than the one above."""
    start = next(profile for profile in path if path.degree(profile) == 1)
    wide = max(IN_LINE, round(math.sqrt(WIDE * len(path) * cell[1] / cell[0])))
    places: Places = {}
    for step, profile in enumerate(nx.dfs_preorder_nodes(path, start)):
        line, column = divmod(step, wide)
        places[profile] = ((wide - 1 - column if line % 2 else column) * cell[0], -line * cell[1])
    return {profile: places[profile] for profile in path}


def _within(places: Places | None, cell: tuple[float, float], largest: float) -> Places | None:
    """Return the places with the first cell at 0, or None if all together are too large."""
    if places is None:
        return None
    left, low = (min(place[axis] for place in places.values()) - cell[axis] / 2 for axis in (0, 1))
    moved = {profile: (x - left, y - low) for profile, (x, y) in places.items()}
    return moved if max(_size(moved, cell)) <= largest else None


def _size(places: Places, cell: tuple[float, float]) -> tuple[float, float]:
    """Return the width and height of places whose first cells begin at 0."""
    right, high = (max(place[axis] for place in places.values()) + cell[axis] / 2 for axis in (0, 1))
    return right, high
