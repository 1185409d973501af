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

from mechdesign.certifier.applied import released_under
from mechdesign.designer.edge_prices import Price
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import on_map
from mechdesign.graph.properties import has_order, has_point_masses
from mechdesign.graph.uncertainty import Uncertainty, bounded, bounds_in_words, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.reports.drawable import check_graph, edges_are_drawn
from mechdesign.reports.edge_costs import EdgeCosts
from mechdesign.reports.edge_limits import EdgeLimits, around, write
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure, named
from mechdesign.reports.graph_layout import Part, Places, arranged, fitted
from mechdesign.reports.map_axes import WIDE, about_map, dot_sizes, label_axes
from mechdesign.reports.plots import COLOURS, in_lines
from mechdesign.words import counted

LARGEST = 22.0
"""Inches: a drawing with bars that would be wider or higher has dots in their place."""
NAME = 0.16
"""Inches that a name takes above its profile."""
Colour = tuple[float, float, float, float]


def plot_graph(
    graph: nx.Graph | str | os.PathLike[str], mechanism: Mechanism | None = None, *, prices: Sequence[Price] = ()
) -> Figure:
    """Return a drawing of a profile graph: each profile with its distribution as a small bar chart.

    With a mechanism there are two: what the profiles release without privacy, and what they release through it. All
    bars have one scale. Profiles with coordinates stand where they are, on axes; single values are dots there, as large
    as they are likely by weight, without privacy and private. Lines over them reach as far as the bounds of a profile.
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
        return _dots(graph, parts, costs, panels)
    if places is None:
        raise InputError(f"{counted(len(graph), 'profile')} with bars, twice, do not fit in one drawing; plot the "
                         "mechanism alone, or draw a part of the graph")  # fmt: skip
    figure, axes = _canvas(graph, places, (box[0] / 2 + 0.2, box[1] / 2 + NAME + 0.15), list(panels))
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
    if count <= 12:
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


def _dots(
    graph: nx.Graph, parts: Sequence[Part], costs: EdgeCosts, panels: Mapping[str, Sequence[Sequence[Fraction]]]
) -> Figure:
    """Return a drawing without bars, for large graphs and maps; names are left out where they would overlap."""
    places = fitted(parts, (0.2, 0.2)) or {}
    extent = max(max(x, y) for x, y in places.values())
    scale = WIDE / math.sqrt(len(panels)) / extent if on_map(graph) else min(1.0, (LARGEST - 6) / extent)
    places = {profile: (x * scale, y * scale) for profile, (x, y) in places.items()}
    with_edges = edges_are_drawn(graph) or bool(costs.shares)
    words = {profile: named(profile) for profile in places}
    written = _readable(places, words)
    lines = [*about_map(graph), *([] if with_edges else ["an edge between every two, not drawn"])]
    lines += [f"{len(written)} of {len(places)} named"] if len(written) < len(places) else []
    figure, drawn = _canvas(graph, places, (0.5, 0.4), list(panels), lines)
    for axes, sizes in zip(drawn, dot_sizes(graph, list(panels.values())), strict=True):
        if with_edges:
            costs.draw(axes, graph.edges, places)
        EdgeLimits(graph).draw(axes, places, [])
        x, y = zip(*places.values(), strict=True)
        axes.scatter(x, y, sizes, color=AFTER, alpha=0.75, linewidths=0, zorder=6)  # above all names
        above = dict(zip(places, np.sqrt(sizes / math.pi) / 72 + 0.02, strict=True))
        for profile in written:
            write(axes, (places[profile][0], places[profile][1] + above[profile]), words[profile], va="bottom")
    costs.legend(figure)
    return figure


def _readable(places: Places, words: Mapping[Label, str]) -> list[Label]:
    """Return the profiles whose names are written, in turn: those that do not lie over one before."""
    areas = np.array([[x, y, 0.06 * len(words[profile]), 0.12] for profile, (x, y) in places.items()])
    free, chosen = np.ones(len(places), dtype=bool), []
    for number, profile in enumerate(places):
        if free[number]:
            chosen.append(profile)
            apart = np.abs(areas[:, :2] - areas[number, :2]) >= (areas[:, 2:] + areas[number, 2:]) / 2
            free &= apart.any(axis=1)
    return chosen


def _canvas(
    graph: nx.Graph,
    places: Places,
    margin: tuple[float, float],
    panels: Sequence[str] = ("",),
    lines: Sequence[str] = (),
) -> tuple[Figure, list[Axes]]:
    """Return a figure of panels side by side, whose data coordinates are inches; of several, each has its heading."""
    bounds = [
        (min(place[axis] for place in places.values()) - margin[axis],
         max(place[axis] for place in places.values()) + margin[axis])
        for axis in (0, 1)
    ]  # fmt: skip
    (left, right), (low, high) = bounds
    title = "\n".join([*_title(graph), *lines])
    width = max(right - left, 3.5 / len(panels)) * len(panels)
    figure = Figure(figsize=(width, high - low + (0.9 if len(panels) == 1 else 1.1)), layout="constrained")
    drawn = list(figure.subplots(1, len(panels), squeeze=False).flat)
    for axes, heading in zip(drawn, panels, strict=True):
        axes.set(xlim=(left, right), ylim=(low, high), aspect="equal")
        label_axes(axes, graph, places)
        axes.set_title(title if len(panels) == 1 else heading, fontsize=10, color=INK, wrap=True)
    if len(panels) > 1:
        figure.suptitle(title, fontsize=10, color=INK, wrap=True)
    return figure, drawn


def _columns(names: Sequence[str], width: float) -> int:
    """Return how many columns of a legend, six at most, fit in so many inches: a patch takes 0.47, a letter 0.055."""
    for columns in range(min(6, len(names)), 1, -1):
        if sum(0.47 + 0.055 * max(map(len, names[column::columns])) for column in range(columns)) <= width:
            return columns
    return 1


def _title(graph: nx.Graph) -> list[str]:
    """Return the graph's name, and in words what is not drawn."""
    lines = [named(graph.graph.get("name") or "profile graph")]
    if (within := bounds_in_words(graph)) is not None:
        lines.append(within)
    if not graph.number_of_edges():
        lines.append("no edges: nobody is protected")
    return lines + EdgeLimits(graph).lines


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
