"""Where the profiles of a drawing stand: points of a plane where they are, a path in a line, the rest by component."""

import math
from collections.abc import Mapping

import networkx as nx

from mechdesign.graph.labels import Label
from mechdesign.report.corner import Places, in_a_corner

ROOM = 1.8
"""A component is spread over a square this many times as wide as its cells would fill, tried on the shipped graphs."""
PUSHES = 500
"""Rounds in which cells push each other away: the shipped graphs need up to 100."""


def layout(graph: nx.Graph, cell: tuple[float, float], largest: float) -> Places | None:
    """Return a place for each profile, so that cells of this width and height centred there do not overlap.

    None where the drawing would be wider or higher than `largest`. The lowest cell begins at 0, and the leftmost.
    """
    if all(isinstance(profile, tuple) and len(profile) == 2 for profile in graph):
        places: Places = {profile: (float(profile[0]), float(profile[1])) for profile in graph}
    elif _is_path(graph):
        start = next(profile for profile in graph if graph.degree(profile) == 1)
        places = {profile: (float(step), 0.0) for step, profile in enumerate(nx.dfs_preorder_nodes(graph, start))}
    else:
        return _packed(graph, cell, largest)
    return _within(_apart(places, cell), cell, largest)


def _is_path(graph: nx.Graph) -> bool:
    degrees = sorted(degree for _, degree in graph.degree())
    return len(graph) > 1 and nx.is_connected(graph) and degrees[:2] == [1, 1] and degrees[-1] <= 2


def _packed(graph: nx.Graph, cell: tuple[float, float], largest: float) -> Places | None:
    """Return the components on shelves, from the largest; profiles without neighbours in a corner that is left."""
    components = [part for part in nx.connected_components(graph) if len(part) > 1]
    alone = [profile for profile in graph if not graph.degree(profile)]
    if not components:
        components, alone = [{profile} for profile in alone], []
    parts = [_within(_pushed(_spread(graph, part), cell), cell, largest) for part in components]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    known.sort(key=lambda part: (-len(part), list(graph).index(next(iter(part)))))
    sizes = [_size(part, cell) for part in known]
    widest = max(max(width for width, _ in sizes), 1.2 * math.sqrt(sum(width * height for width, height in sizes)))
    result: Places = {}
    left = top = shelf = 0.0
    for part, (width, height) in zip(known, sizes, strict=True):
        if left and left + width > widest:  # a new shelf below
            left, top, shelf = 0.0, top - shelf, 0.0
        result |= {profile: (left + x, top - height + y) for profile, (x, y) in part.items()}
        left, shelf = left + width + cell[0] / 3, max(shelf, height)  # a gap, so that no two components look joined
    result |= in_a_corner(alone, result, list(graph.edges), cell)
    return _within({profile: result[profile] for profile in graph}, cell, largest)


def _spread(graph: nx.Graph, members: set[Label]) -> Places:
    """Return a component as springs spread it, the same every time: in the graph's own order."""
    part = nx.Graph()
    part.add_nodes_from(profile for profile in graph if profile in members)
    part.add_edges_from(edge for edge in graph.edges if edge[0] in members)
    placed: Mapping[Label, tuple[float, float]] = (
        nx.kamada_kawai_layout(part) if len(part) <= 60 else nx.spring_layout(part, seed=0)
    )
    return {profile: (float(placed[profile][0]), float(placed[profile][1])) for profile in part}


def _apart(places: Places, cell: tuple[float, float]) -> Places:
    """Return the places stretched, both ways alike, until no two cells overlap."""
    return _stretched(places, _factor(list(places.values()), cell))


def _factor(points: list[tuple[float, float]], cell: tuple[float, float]) -> float:
    """Return the least factor by which places are stretched until no two cells overlap."""
    return max(
        (
            min(size / abs(p - q) if p != q else math.inf for size, p, q in zip(cell, one, other, strict=True))
            for index, one in enumerate(points)
            for other in points[:index]
        ),
        default=1.0,
    )


def _stretched(places: Places, factor: float) -> Places:
    return {profile: (x * factor, y * factor) for profile, (x, y) in places.items()}


def _pushed(places: Places, cell: tuple[float, float]) -> Places | None:
    """Return the places stretched, but not beyond what all need together; cells that overlap then push each other away.

    None where that comes to no end.
    """
    room = (
        math.sqrt(cell[0] * cell[1] * len(places)) * ROOM / 2
    )  # half the width of a square for all; places span -1..1
    points = [list(point) for point in _stretched(places, min(_factor(list(places.values()), cell), room)).values()]
    for _ in range(PUSHES):
        still = True
        for index, one in enumerate(points):
            for other in points[:index]:
                gaps = [size - abs(p - q) for size, p, q in zip(cell, one, other, strict=True)]
                if min(gaps) > 1e-9:
                    still = False
                    axis = gaps.index(min(gaps))
                    step = math.copysign(gaps[axis] / 2 + 1e-9, one[axis] - other[axis])
                    one[axis] += step
                    other[axis] -= step
        if still:
            return {profile: (x, y) for profile, (x, y) in zip(places, points, strict=True)}
    return None


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
