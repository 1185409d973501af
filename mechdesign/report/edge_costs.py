"""How a drawing shows what edges cost: an edge is as wide as its price of epsilon, and a legend says so."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from mechdesign.designer.edge_prices import Price
from mechdesign.errors import InputError
from mechdesign.report.plots import AFTER, BEFORE, INK

WIDEST = 9.0
"""Points: the dearest edge."""
THIN = Fraction(1, 20)
"""Edges that cost less than this share of the dearest are drawn as those that cost nothing, as a thin grey line: nobody
tells narrower ones apart."""
THINNEST = 0.4
"""Points of that line: less than any other's."""
USUAL = 1.2
"""Points of the line of an edge whose price is not known."""
MANY, FAINT = 150, 0.6
"""More edges than this are thin, and so opaque: 300 between 25 points would be one dark spot."""

ROOM = 0.55
"""Inches that the legend takes."""


class EdgeCosts:
    """The look of each edge of a graph; where none costs anything, that of a graph without prices."""

    def __init__(self, graph: nx.Graph, prices: Sequence[Price] = ()) -> None:
        found = {frozenset(price.edge): price.epsilon for price in prices}
        if prices and found.keys() != {frozenset(edge) for edge in graph.edges}:
            raise InputError("prices: expected one for each edge of the graph, such as the prices() of its design")
        self.many = graph.number_of_edges() > MANY
        self.dearest = max(found.values(), default=Fraction(0))
        self.shares = {edge: float(cost / self.dearest) for edge, cost in found.items() if self.dearest}

    def share(self, a: Hashable, b: Hashable) -> float:
        """Return what an edge costs, as a share of what the dearest does."""
        return self.shares.get(frozenset((a, b)), 0.0)

    def looks(self, edges: Sequence[tuple[Hashable, Hashable]]) -> dict[str, Any]:
        """Return what the lines of edges are drawn with."""
        each = [self._look(self.share(a, b)) for a, b in edges]
        return {f"{key}s": [look[key] for look in each] for key in ("color", "linewidth")} | {"capstyle": "butt"}

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
