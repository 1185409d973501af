"""The profile graph as a drawing: profiles as dots or boxes with their names, edges as wide as they cost."""

from collections.abc import Mapping
from fractions import Fraction

import networkx as nx

from mechdesign.graph.labels import Label
from mechdesign.report.corner import Places
from mechdesign.report.graph_layout import layout
from mechdesign.show.blocks import Picture, Shape, Table
from mechdesign.words import counted

MOST_NAMED = 60
"""Graphs of more profiles have dots alone; each says its name when it is pointed at."""
CELL, DOT = (94.0, 46.0), (14.0, 14.0)
"""Pixels that a profile needs with its name, and as a dot."""
ROOM_OF_DOTS = 2.6
"""Dots have more room for their edges: 500 fill the width of a page."""
LARGEST = 2_400.0
WIDEST, WIDEST_OF_DOTS = 9.0, 6.0
THIN = Fraction(1, 20)
"""As in `mechdesign.report.edge_costs`: the width of the dearest edge, and the share of its price below which an edge
is drawn as one that costs nothing."""
MANY = 150
"""More edges than this are drawn fainter: 300 between 25 points would be one dark spot."""

Edges = Mapping[tuple[Label, Label], Fraction | None]
"""Edges with their prices of epsilon, None where these are not known."""


def network(graph: nx.Graph, prices: Edges, tips: Mapping[tuple[Label, Label], str], table: Table) -> Picture | None:
    """Return a drawing of the profiles that have edges; None where it would be too large to be of use."""
    ordered = nx.Graph()
    ordered.add_nodes_from(profile for profile in graph if graph.degree(profile))
    ordered.add_edges_from(graph.edges)
    if not len(ordered):
        return None
    named = len(ordered) <= MOST_NAMED
    cell = CELL if named else DOT
    places = layout(ordered, cell, LARGEST) if named else layout(ordered, cell, LARGEST, ROOM_OF_DOTS)
    if places is None:
        return None
    width = max(x for x, _ in places.values()) + cell[0] / 2
    height = max(y for _, y in places.values()) + cell[1] / 2
    at = {profile: (x, height - y) for profile, (x, y) in places.items()}
    shapes = _edges(at, prices, tips, WIDEST if named else WIDEST_OF_DOTS)
    shapes += [_profile(str(profile), place, named) for profile, place in at.items()]
    keys = [("edge", "linked: these two are protected from being told apart")]
    if any(prices.values()):
        wide = "wide: what this link costs; links that are alike may share that otherwise"
        keys = [("after", wide), ("edge", "thin: this link costs next to nothing")]
    words = f"{counted(len(ordered), 'profile')}, {counted(len(prices), 'link')} between them"
    title = "Who is protected from being told from whom"
    return Picture(title, words, (width, height), shapes, table, keys, whole=not named)


def _edges(at: Places, prices: Edges, tips: Mapping[tuple[Label, Label], str], widest: float) -> list[Shape]:
    """Return the edges, the cheap ones below; those of one width in one stroke unless each says what it is."""
    dearest = max((price or Fraction(0) for price in prices.values()), default=Fraction(0))
    look = "edge many" if len(prices) > MANY else "edge"
    strokes: dict[tuple[float, str], list[str]] = {}
    for edge, price in prices.items():
        share = (price or Fraction(0)) / dearest if dearest else Fraction(0)
        width = round(widest * float(share), 1) if share >= THIN else 0.0
        (x, y), (u, v) = at[edge[0]], at[edge[1]]
        strokes.setdefault((width, tips.get(edge, "")), []).append(f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}")
    shapes = []
    for (width, tip), parts in sorted(strokes.items(), key=lambda stroke: stroke[0][0]):
        style: dict[str, str | float] = {"class": "dear", "stroke-width": width} if width else {"class": look}
        shapes.append(Shape("path", {**style, "d": "".join(parts)}, tip=tip))
    return shapes


def _profile(name: str, place: tuple[float, float], named: bool) -> Shape:
    x, y = (round(part, 1) for part in place)
    if not named:
        return Shape("circle", {"class": "dot", "cx": x, "cy": y, "r": 4}, tip=name)
    cut = name if len(name) <= 11 else f"{name[:10]}…"
    width = max(24.0, 6.6 * len(cut) + 10)
    box: dict[str, str | float] = {
        "class": "box",
        "x": round(x - width / 2, 1),
        "y": y - 11,
        "width": round(width, 1),
        "height": 22,
        "rx": 5,
    }
    words: dict[str, str | float] = {"x": x, "y": y + 4, "text-anchor": "middle"}
    return Shape("g", {}, tip=name, inside=[Shape("rect", box), Shape("text", words, cut)])
