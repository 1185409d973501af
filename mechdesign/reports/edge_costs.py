"""How a drawing shows what edges cost: an edge is as wide as its price of epsilon, and a legend says so."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from mechdesign.designer.edge_prices import Price
from mechdesign.errors import InputError
from mechdesign.graph.labels import Label
from mechdesign.reports.drawable import MANY_EDGES
from mechdesign.reports.figure import AFTER, BEFORE, INK
from mechdesign.reports.graph_layout import Places, Point

WIDEST = 9.0
"""Points: the dearest edge."""
THIN = Fraction(1, 20)
"""Edges that cost less than this share of the dearest are drawn as those that cost nothing, as a thin grey line: nobody
tells narrower ones apart."""
THINNEST = 0.4
"""Points of that line: less than any other's."""
USUAL = 1.2
"""Points of the line of an edge whose price is not known."""
FAINT = 0.6
"""Of many edges, which are thin: 300 between 25 points would be one dark spot."""

ROOM = 0.55
"""Inches that the legend takes."""


class EdgeCosts:
    """The look of each edge of a graph; where none costs anything, that of a graph without prices."""

    def __init__(self, graph: nx.Graph, prices: Sequence[Price] = ()) -> None:
        found = {frozenset(price.edge): price.epsilon for price in prices}
        if prices and found.keys() != {frozenset(edge) for edge in graph.edges}:
            raise InputError("prices: expected one for each edge of the graph, such as the prices() of its design")
        self.many = graph.number_of_edges() > MANY_EDGES
        self.dearest = max(found.values(), default=Fraction(0))
        self.shares = {edge: float(cost / self.dearest) for edge, cost in found.items() if self.dearest}

    def draw(self, axes: Axes, edges: Iterable[tuple[Label, Label]], places: Places) -> None:
        """Draw the edges, those that look alike as one shape: where they cross it is no darker, and a file is small."""
        alike: dict[float, list[Point]] = {}
        for a, b in edges:
            alike.setdefault(self.shares.get(frozenset((a, b)), 0.0), []).extend((places[a], places[b]))
        for share, ends in sorted(alike.items()):  # the dearest above the others
            codes = [Path.MOVETO, Path.LINETO] * (len(ends) // 2)
            axes.add_patch(PathPatch(Path(ends, codes), fill=False, capstyle="butt", zorder=1, **self._look(share)))

    def _look(self, share: float) -> dict[str, Any]:
        if share < THIN:
            width = THINNEST if self.dearest or self.many else USUAL
            return {"color": to_rgba(BEFORE, FAINT if self.many else 1.0), "linewidth": width}
        return {"color": to_rgba(AFTER, 0.55), "linewidth": WIDEST * share}

    def legend(self, figure: Figure) -> None:
        """Say above the drawing what the widths mean, if any edge costs something."""
        if not self.dearest:
            return
        keys = [
            Line2D([], [], label=f"{float(self.dearest) * share:.3g}", **self._look(share)) for share in (1.0, 0.5, 0.2)
        ]
        less = f"less than {float(self.dearest * THIN):.2g}"
        keys.append(Line2D([], [], label=less, **self._look(0.0)))
        title = (
            "width of an edge: what it costs,\nhow fast the optimum falls as the edge's own epsilon grows;\n"
            "edges that are alike may share it otherwise"
        )
        if above := figure.get_suptitle():  # the two would stand in one place
            figure.suptitle("")
            title = f"{above}\n{title}"
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + ROOM)
        drawn = figure.legend(
            handles=keys, title=title, loc="outside upper center", ncols=len(keys), fontsize=7, frameon=False
        )
        drawn.get_title().set(fontsize=7, color=INK, ha="center", multialignment="center")
