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
from matplotlib.transforms import Bbox

from mechdesign.designer.edge_prices import Price
from mechdesign.errors import InputError
from mechdesign.exact.text import short
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import on_earth
from mechdesign.reports.drawable import MANY_EDGES
from mechdesign.reports.figure import AFTER, BEFORE, INK
from mechdesign.reports.graph_layout import Places, Point
from mechdesign.words import counted

MOST_WRITTEN = 60
"""More edges with limits of their own than this are summed up in the title."""

SIGNS = {"distance": "×", "epsilon": "ε", "delta": "δ"}

SMALL = 6.5
"""Points of the small letters."""

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
