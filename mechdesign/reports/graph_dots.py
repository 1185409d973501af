"""A graph drawn as dots, for large ones and maps: names stand where they hide nothing, those of most weight first."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox

from mechdesign.arrays import Floats
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import on_map
from mechdesign.objective import profile_shares
from mechdesign.reports.drawable import edges_are_drawn
from mechdesign.reports.edge_costs import EdgeCosts
from mechdesign.reports.edge_limits import EdgeLimits, around, write
from mechdesign.reports.figure import AFTER, Figure, named
from mechdesign.reports.graph_canvas import LARGEST, canvas
from mechdesign.reports.graph_layout import Part, Places, Point, fitted
from mechdesign.reports.map_axes import SMALLEST_DOT, WIDE, about_map, dot_sizes

RING = "#909090"
"""The colour of a place that is never released."""
LETTER, HIGH, GAP = 0.068, 0.13, 0.03
"""Inches: how wide a letter is, how high a name, and how far it is from its dot."""


def draw_dots(
    graph: nx.Graph, parts: Sequence[Part], costs: EdgeCosts, panels: Mapping[str, Sequence[Sequence[Fraction]]]
) -> Figure:
    """Return a drawing without bars; names are left out where they would lie over a dot or over another name."""
    places = fitted(parts, (0.2, 0.2)) or {}
    extent = max(max(x, y) for x, y in places.values())
    scale = WIDE / math.sqrt(len(panels)) / extent if on_map(graph) else min(1.0, (LARGEST - 6) / extent)
    places = {profile: (x * scale, y * scale) for profile, (x, y) in places.items()}
    with_edges = edges_are_drawn(graph) or bool(costs.shares)
    sizes = dot_sizes(graph, list(panels.values()))
    radii = np.sqrt(np.maximum(SMALLEST_DOT, np.max(sizes, axis=0)) / math.pi) / 72
    words = {profile: named(profile) for profile in places}
    written = _names(_by_weight(graph, places), places, radii, words)
    lines = [*about_map(graph, sizes), *([] if with_edges else ["an edge between every two, not drawn"])]
    lines += [f"{len(written)} of {len(places)} named"] if len(written) < len(places) else []
    figure, drawn = canvas(graph, places, (0.5, 0.4), list(panels), lines)
    for axes, areas in zip(drawn, sizes, strict=True):
        if with_edges:
            costs.draw(axes, graph.edges, places)
        EdgeLimits(graph).draw(axes, places, [])
        _dots(axes, np.array(list(places.values())), areas)
        for profile, spot in written.items():
            write(axes, spot, words[profile], va="center")
    costs.legend(figure)
    return figure


def _dots(axes: Axes, points: Floats, areas: Floats) -> None:
    """Draw dots, and a ring where the area is 0: above all names."""
    seen = areas > 0
    axes.scatter(points[seen, 0], points[seen, 1], areas[seen], color=AFTER, alpha=0.75, linewidths=0, zorder=6)
    if not seen.all():
        x, y = points[~seen].T
        axes.scatter(x, y, SMALLEST_DOT, facecolors="none", edgecolors=RING, linewidths=0.6, zorder=6)


def _by_weight(graph: nx.Graph, places: Places) -> list[Label]:
    """Return the profiles, of the most weight first; of equal weight, as they come."""
    shares = dict(zip(graph, profile_shares(graph), strict=True))
    return sorted(places, key=lambda profile: -shares[profile])


def _names(profiles: Sequence[Label], places: Places, radii: Floats, words: Mapping[Label, str]) -> dict[Label, Point]:
    """Return where the middle of each name is: above its dot or else below, right or left, if nothing is there."""
    radius = dict(zip(places, radii.tolist(), strict=True))
    dots = _corners([around(place, (2 * radius[one], 2 * radius[one])) for one, place in places.items()])
    taken = np.empty((0, 4))
    found: dict[Label, Point] = {}
    for profile in profiles:
        size = (LETTER * len(words[profile]), HIGH)
        for spot in _beside(places[profile], radius[profile] + GAP, size):
            area = _corners([around(spot, size)])
            if not _overlap(area, dots).any() and not _overlap(area, taken).any():
                found[profile], taken = spot, np.vstack([taken, area])
                break
    return found


def _beside(place: Point, off: float, size: Point) -> list[Point]:
    """Return the middles of a text of this size on each side of a dot."""
    (x, y), across, up = place, off + size[0] / 2, off + size[1] / 2
    return [(x, y + up), (x, y - up), (x + across, y), (x - across, y)]


def _corners(boxes: Sequence[Bbox]) -> Floats:
    return np.array([box.extents for box in boxes]).reshape(-1, 4)


def _overlap(area: Floats, others: Floats) -> Floats:
    """Return over which of the others an area lies."""
    apart = (others[:, :2] >= area[:, 2:]) | (others[:, 2:] <= area[:, :2])
    return np.array(~apart.any(axis=1))
