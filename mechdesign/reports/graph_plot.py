"""A picture of a profile graph: each profile with its distribution as bars, and the edges between them."""

import math
import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Bbox, BboxTransformTo

from mechdesign.arrays import Floats
from mechdesign.certifier.applied import released_under
from mechdesign.designer.edge_prices import Price
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import on_map
from mechdesign.graph.properties import has_order, has_point_masses
from mechdesign.graph.uncertainty import Uncertainty, bounded, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import profile_shares
from mechdesign.privacy.asked import Asked
from mechdesign.reports.drawable import check_graph, edges_are_drawn
from mechdesign.reports.edge_costs import EdgeCosts, EdgeLimits, around, write
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure, in_lines, named
from mechdesign.reports.graph_canvas import LARGEST, SMALLEST_DOT, WIDE, about_map, canvas, dot_sizes
from mechdesign.reports.graph_layout import Part, Places, Point, arranged, fitted
from mechdesign.reports.plots import COLOURS
from mechdesign.words import counted

RING = "#909090"
"""The colour of a place that is never released."""

LETTER, HIGH, GAP = 0.068, 0.13, 0.03
"""Inches: how wide a letter is, how high a name, and how far it is from its dot."""

NAME = 0.16
"""Inches that a name takes above its profile."""

MOST_KEYS = 12
"""Categories that a legend has room for."""

Colour = tuple[float, float, float, float]


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


def plot_graph(
    graph: nx.Graph | str | os.PathLike[str], mechanism: Mechanism | None = None, *, prices: Sequence[Price] = ()
) -> Figure:
    """Return a drawing of a profile graph: each profile with its distribution as a small bar chart.

    With a mechanism there are two: what the profiles release without privacy, and what they release through it. All
    bars have one scale. Profiles with coordinates stand where they are, on axes; single values are dots there, as large
    as they are likely by weight, without privacy and private; a ring is one that is never released. Where names have no
    room, those of the most weight are written. Lines over them reach as far as the bounds of a profile.
    Where they do not fit there are dots in their place. With the `prices()` of a design for the graph an edge is as
    wide as it costs; where none costs anything, all are as ever.

    Parameters
    ----------
    graph
        a profile graph, its name or the path of its file.
    mechanism
        one for its k profiles and d categories, with these as outputs.
    prices
        one for each edge.

    Raises
    ------
    InputError
        if the graph is too large to be drawn; or the mechanism is not one for its profiles and categories, has other
        outputs than these, or there is no room for its bars; or the prices are not those of its edges.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design("categorical-chain", epsilon=0.5)
    >>> figure = plot_graph(result.graph, result.mechanism, prices=result.prices())
    """
    graph = as_graph(graph)
    check_graph(graph)
    costs = EdgeCosts(graph, prices)
    before = [attributes["distribution"] for attributes in graph.nodes.values()]
    panels = {} if mechanism is None else {"without privacy": before, "private": _released(graph, mechanism)}
    panels = panels or {"": before}
    count, colours = len(graph.graph["categories"]), _colours(graph)
    box = (min(1.1, 0.4 + 0.07 * count), 0.45)
    limits = EdgeLimits(graph)
    gap = 0.6 if limits.written else 0.22
    parts = arranged(graph)
    places = fitted(parts, (box[0] + gap, box[1] + NAME + gap), LARGEST / len(panels))
    if (mechanism is None and places is None) or (on_map(graph) and has_point_masses(graph)):
        return draw_dots(graph, parts, costs, panels)
    if places is None:
        raise InputError(f"{counted(len(graph), 'profile')} with bars, twice, do not fit in one drawing; plot the "
                         "mechanism alone, or draw a part of the graph")  # fmt: skip
    margin = (box[0] / 2 + 0.2, box[1] / 2 + NAME + 0.15)
    figure, axes = canvas(graph, places, margin, list(panels), legend=count <= MOST_KEYS)
    ends = {profile: uncertainty_of(graph.nodes[profile]) for profile in bounded(graph)}
    drawn = [*chain.from_iterable(panels.values()), *(within.reach for within in ends.values())]
    tallest = max(float(max(distribution)) for distribution in drawn)
    for panel, shares in zip(axes, panels.values(), strict=True):
        heights = [[float(mass) / tallest for mass in distribution] for distribution in shares]
        costs.draw(panel, graph.edges, places)
        limits.draw(panel, places, [around((x, y + NAME / 2), (box[0], box[1] + NAME)) for x, y in places.values()])
        _profiles(panel, places, box, heights, colours)
    for profile, within in ends.items():
        _whiskers(axes[0], places[profile], box, within, tallest)
    if count <= MOST_KEYS:
        names = [named(category) for category in graph.graph["categories"]]
        columns = _columns(names, figure.get_figwidth())
        keys = in_lines([Patch(color=c, label=name) for c, name in zip(colours, names, strict=True)], columns)
        figure.legend(handles=keys, loc="outside lower center", ncols=columns, fontsize=7, frameon=False)
    costs.legend(figure)
    return figure


def _released(graph: nx.Graph, mechanism: Mechanism) -> list[Sequence[Fraction]]:
    """Return what each profile releases through a mechanism whose outputs are the categories."""
    _, released = released_under(mechanism, Asked(graph))
    if mechanism.outputs != mechanism.categories:
        found = f"found the outputs {shown(mechanism.outputs)}"
        raise InputError(f"before and after are compared category by category, {found}; plot the mechanism alone")
    return [one.fractions() for one in released]


def _profiles(
    axes: Axes,
    places: Places,
    box: tuple[float, float],
    heights: Sequence[Sequence[float]],
    colours: Sequence[Colour],
) -> None:
    """Draw each profile with its name and bars, those of a category as one shape; a height of 1 fills a white box."""
    boxes = [around(place, box) for place in places.values()]
    _shape(axes, boxes, facecolor="white", edgecolor=BEFORE, linewidth=0.6, zorder=2, gid="boxes")
    step = box[0] / len(colours)
    for index, colour in enumerate(colours):
        bars = [
            Bbox.from_bounds(one.x0 + (index + 0.08) * step, one.y0, 0.84 * step, shares[index] * box[1])
            for one, shares in zip(boxes, heights, strict=True)
            if shares[index]
        ]
        _shape(axes, bars, facecolor=colour, linewidth=0, zorder=3, gid="bars")
    for profile, (x, y) in places.items():
        write(axes, (x, y + box[1] / 2 + 0.02), named(profile), va="bottom")


def _shape(axes: Axes, boxes: Sequence[Bbox], **look: Any) -> None:
    """Draw boxes as one shape, which is far smaller in a file than one for each."""
    if boxes:
        paths = [BboxTransformTo(one).transform_path(Path.unit_rectangle()) for one in boxes]
        axes.add_patch(PathPatch(Path.make_compound_path(*paths), **look))


def _columns(names: Sequence[str], width: float) -> int:
    """Return how many columns of a legend, six at most, fit in so many inches: a patch takes 0.47, a letter 0.055."""
    for columns in range(min(6, len(names)), 1, -1):
        if sum(0.47 + 0.055 * max(map(len, names[column::columns])) for column in range(columns)) <= width:
            return columns
    return 1


def _whiskers(
    axes: Axes, centre: tuple[float, float], size: tuple[float, float], within: Uncertainty, tallest: float
) -> None:
    """Draw over each bar from where to where it may reach; `tallest` fills the box."""
    (x, y), (width, height) = centre, size
    left, low, step = x - width / 2, y - height / 2, width / len(within.reach)
    for index, ends in enumerate(zip(within.floor, within.reach, strict=True)):
        if ends[1]:
            place = left + (index + 0.5) * step
            at = [low + float(end) / tallest * height for end in ends]
            axes.plot([place, place], at, color=INK, linewidth=0.9, zorder=4, gid="bounds")


def _colours(graph: nx.Graph) -> list[Colour]:
    """Return a colour for each category: distinct ones; a ramp, which shows their order, of ordered or many ones."""
    count = len(graph.graph["categories"])
    if (has_order(graph) and graph.graph.get("ordered", True)) or count > len(COLOURS):
        return [colormaps["viridis"](0.2 + 0.65 * index / max(1, count - 1)) for index in range(count)]
    return [to_rgba(colour) for colour in COLOURS[:count]]
