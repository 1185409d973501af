"""How a drawing says what edges have of their own: beside each, once for all of them, or in sum."""

from collections.abc import Sequence
from typing import Any

import networkx as nx
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from mechdesign.exact.text import short
from mechdesign.graph.positions import on_earth
from mechdesign.reports.figure import INK
from mechdesign.reports.graph_layout import Places, Point
from mechdesign.words import counted

MOST_WRITTEN = 60
"""More edges with limits of their own than this are summed up in the title."""
SIGNS = {"distance": "×", "epsilon": "ε", "delta": "δ"}
SMALL = 6.5
"""Points of the small letters."""


class EdgeLimits:
    """What the edges of a graph have of their own: `written` beside them, and `lines` of the title."""

    def __init__(self, graph: nx.Graph) -> None:
        edges = [(a, b, own) for a, b, data in graph.edges(data=True) if (own := _words(data))]
        alike = {own for _, _, own in edges}
        common = len(alike) == 1 and len(edges) == graph.number_of_edges()
        self.written = [] if common or len(edges) > MOST_WRITTEN else edges
        self.lines = [f"every edge: {one}" for one in alike] if common else []
        if edges and not common and not self.written:
            self.lines = [line for key in SIGNS if (line := _summed_up(graph, key))]

    def draw(self, axes: Axes, places: Places, taken: Sequence[Bbox]) -> None:
        """Write beside each edge what it has of its own, where nothing else stands."""
        used = list(taken)
        for a, b, words in self.written:
            used.append(_free(places[a], places[b], (0.06 * len(words), 0.13), used))
            (left, low), (right, high) = used[-1].get_points()
            write(axes, ((left + right) / 2, (low + high) / 2), words, va="center")


def _words(edge: dict[str, Any]) -> str:
    return ", ".join(f"{sign} {short(edge[key], 3)}" for key, sign in SIGNS.items() if key in edge)


def _summed_up(graph: nx.Graph, key: str) -> str:
    values = [edge[key] for edge in graph.edges.values() if key in edge]
    if not values:
        return ""
    unit = f" {graph.graph['unit']}" if key == "distance" and on_earth(graph) else ""
    return f"{counted(len(values), 'edge')} with own {key}, {short(min(values), 3)} to {short(max(values), 3)}{unit}"


def _free(one: Point, other: Point, size: Point, used: Sequence[Bbox]) -> Bbox:
    """Return where on a line a text of this size overlaps least with what stands there, nearest to the middle."""
    spots = []
    for share in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
        x, y = (p + share * (q - p) for p, q in zip(one, other, strict=True))
        spots.append(around((x, y), size))
    return min(spots, key=lambda spot: spot.count_overlaps(used))


def around(centre: Point, size: Point) -> Bbox:
    """Return a box of this size about a point."""
    return Bbox.from_bounds(centre[0] - size[0] / 2, centre[1] - size[1] / 2, *size)


def write(axes: Axes, place: Point, words: str, va: str) -> None:
    """Write words that stay clear of the lines behind them: on paper of their own."""
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}
    axes.text(*place, words, fontsize=SMALL, color=INK, ha="center", va=va, zorder=5, bbox=paper)
