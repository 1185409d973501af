"""The paper of a graph's drawing: panels whose coordinates are inches, a title, words below, the axes of a map."""

from collections.abc import Sequence
from fractions import Fraction

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from mechdesign.arrays import Floats
from mechdesign.graph.distribution import support
from mechdesign.graph.positions import on_earth, on_map, points_of
from mechdesign.graph.properties import has_point_masses
from mechdesign.graph.uncertainty import bounds_in_words
from mechdesign.objective import profile_shares
from mechdesign.reports.edge_costs import EdgeLimits
from mechdesign.reports.figure import INK, Figure, named
from mechdesign.reports.graph_layout import Places

LARGEST = 22.0
"""Inches: a drawing with bars that would be wider or higher has dots in their place."""
TITLE, HEADING, LINE, TICKS = 0.5, 0.25, 0.15, 0.4
"""Inches that the title, the headings of panels, a line below and the ticks of a map take."""
WIDE = 5.5
"""Inches of a map, the longer way."""
SMALL_DOT, SMALLEST_DOT, LARGEST_DOT = 16.0, 9.0, 140.0
"""Square points of a dot: usually, and on a map at least and of the most likely profile; areas are as shares."""


def canvas(
    graph: nx.Graph,
    places: Places,
    margin: tuple[float, float],
    panels: Sequence[str] = ("",),
    lines: Sequence[str] = (),
    *,
    legend: bool = False,
) -> tuple[Figure, list[Axes]]:
    """Return a figure of panels side by side, whose data coordinates are inches; of several, each has its heading.

    What is said below stands with the title where a legend takes its place.
    """
    bounds = [
        (min(place[axis] for place in places.values()) - margin[axis],
         max(place[axis] for place in places.values()) + margin[axis])
        for axis in (0, 1)
    ]  # fmt: skip
    (left, right), (low, high) = bounds
    notes = [*_notes(graph), *lines]
    title = "\n".join([*_title(graph), *(notes if legend else [])])
    around = TICKS if on_map(graph) else 0.0
    width = (max(right - left, 3.5 / len(panels)) + around) * len(panels)
    height = high - low + TITLE + around + LINE * len(notes) + (HEADING if len(panels) > 1 else 0)
    figure = Figure(figsize=(width, height), layout="constrained")
    drawn = list(figure.subplots(1, len(panels), squeeze=False).flat)
    for axes, heading in zip(drawn, panels, strict=True):
        axes.set(xlim=(left, right), ylim=(low, high), aspect="equal")
        label_axes(axes, graph, places)
        axes.set_title(title if len(panels) == 1 else heading, fontsize=10, color=INK, wrap=True)
    if len(panels) > 1:
        figure.suptitle(title, fontsize=10, color=INK, wrap=True)
    if notes and not legend:
        figure.supxlabel("\n".join(notes), fontsize=7, color=INK, wrap=True)
    return figure, drawn


def _title(graph: nx.Graph) -> list[str]:
    """Return the graph's name; and a warning, if nobody is protected."""
    name = named(graph.graph.get("name") or "profile graph")
    return [name] if graph.number_of_edges() else [name, "no edges: nobody is protected"]


def _notes(graph: nx.Graph) -> list[str]:
    """Return in words what is not drawn."""
    within = bounds_in_words(graph)
    return [*([] if within is None else [within]), *EdgeLimits(graph).lines]


def label_axes(axes: Axes, graph: nx.Graph, places: Places) -> None:
    """Write the coordinates at the axes of a map; hide the axes of any other drawing."""
    points = points_of(graph)
    if points is None or not on_map(graph):
        axes.set_axis_off()
        return
    names = ("longitude (degrees)", "latitude (degrees)") if on_earth(graph) else ("x", "y")
    drawn = np.array(list(places.values()))
    for axis, name, there, here in zip((axes.xaxis, axes.yaxis), names, points.T, drawn.T, strict=True):
        axis.set_ticks([])
        axis.set_label_text(name, fontsize=8, color=INK)
        low, high = int(there.argmin()), int(there.argmax())
        if there[low] < there[high]:
            ticks = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(there[low], there[high])
            at = np.interp(ticks, there[[low, high]], here[[low, high]], left=np.nan, right=np.nan)
            shown = np.isfinite(at)
            axis.set_ticks(at[shown], [f"{tick:.6g}" for tick in ticks[shown]], fontsize=7, color=INK)
    axes.spines[:].set_visible(False)


def dot_sizes(graph: nx.Graph, panels: Sequence[Sequence[Sequence[Fraction]]]) -> list[Floats]:
    """Return square points of each profile's dot, for each panel of distributions.

    On a map they are as the shares of its value among all that is released, by weight; but large enough to be seen, or
    0 where it is never released.
    """
    if not on_map(graph) or not has_point_masses(graph):
        return [np.full(len(graph), SMALL_DOT) for _ in panels]
    own = [support(attributes["distribution"])[0][0] for attributes in graph.nodes.values()]
    shares = np.array(list(map(float, profile_shares(graph))))
    overall = [(shares @ np.array(panel, dtype=float))[own] for panel in panels]
    largest = max(map(np.max, overall))
    return [np.where(one > 0, np.maximum(SMALLEST_DOT, LARGEST_DOT * one / largest), 0.0) for one in overall]


def about_map(graph: nx.Graph, sizes: Sequence[Floats]) -> list[str]:
    """Return in words what dots of a map mean; nothing of any other drawing."""
    if not on_map(graph) or not has_point_masses(graph):
        return []
    there = np.concatenate(sizes)
    small = ", of small ones a little more" if (there == SMALLEST_DOT).any() else ""
    return [f"area of a dot: its share, by weight{small}", *(["a grey ring: never released"] if 0 in there else [])]
