"""The paper of a graph's drawing: panels whose coordinates are inches, a short title, and what else is said below."""

from collections.abc import Sequence

import networkx as nx
from matplotlib.axes import Axes

from mechdesign.graph.positions import on_map
from mechdesign.graph.uncertainty import bounds_in_words
from mechdesign.reports.edge_costs import EdgeLimits
from mechdesign.reports.figure import INK, Figure, named
from mechdesign.reports.graph_layout import Places
from mechdesign.reports.map_axes import label_axes

LARGEST = 22.0
"""Inches: a drawing with bars that would be wider or higher has dots in their place."""
TITLE, HEADING, LINE, TICKS = 0.5, 0.25, 0.15, 0.4
"""Inches that the title, the headings of panels, a line below and the ticks of a map take."""


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
