"""A picture of a profile graph: each profile with its distribution as bars, and the edges between them."""

import os
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

import networkx as nx
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
from mechdesign.graph.positions import on_map
from mechdesign.graph.properties import has_order, has_point_masses
from mechdesign.graph.uncertainty import Uncertainty, bounded, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.reports.drawable import check_graph
from mechdesign.reports.edge_costs import EdgeCosts
from mechdesign.reports.edge_limits import EdgeLimits, around, write
from mechdesign.reports.figure import BEFORE, INK, Figure, in_lines, named
from mechdesign.reports.graph_canvas import LARGEST, canvas
from mechdesign.reports.graph_dots import draw_dots
from mechdesign.reports.graph_layout import Places, arranged, fitted
from mechdesign.reports.plots import COLOURS
from mechdesign.words import counted

NAME = 0.16
"""Inches that a name takes above its profile."""
MOST_KEYS = 12
"""Categories that a legend has room for."""
Colour = tuple[float, float, float, float]


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
