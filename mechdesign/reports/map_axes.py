"""Axes of a drawing whose profiles have coordinates: ticks where these are, and in what they are."""

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from mechdesign.graph.positions import on_earth, on_map, points_of
from mechdesign.objective import profile_shares
from mechdesign.reports.figure import AFTER, INK
from mechdesign.reports.graph_layout import Places

WIDE = 5.5
"""Inches of a map, the longer way."""
LARGEST_DOT = 140.0
"""Square points of the dot of the most likely profile; others are as much smaller as they are less likely."""


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


def draw_dots(axes: Axes, graph: nx.Graph, places: Places) -> None:
    """Draw a dot for each profile, on a map as large as it is likely."""
    x, y = zip(*places.values(), strict=True)
    if not on_map(graph):
        axes.plot(x, y, "o", markersize=4, color=AFTER, zorder=2)
        return
    shares = np.array(list(map(float, profile_shares(graph))))
    alike = shares.min() == shares.max()
    sizes = np.full(len(shares), LARGEST_DOT / 6) if alike else LARGEST_DOT * shares / shares.max()
    axes.scatter(x, y, sizes, color=AFTER, alpha=0.75, linewidths=0, zorder=2)


def about_map(graph: nx.Graph) -> list[str]:
    """Return in words what dots of a map mean; nothing of any other drawing."""
    weights = {own.get("weight", 1) for own in graph.nodes.values()}
    return ["area of a dot: its weight"] if on_map(graph) and len(weights) > 1 else []
