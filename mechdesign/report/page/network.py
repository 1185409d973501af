"""The profile graph as a drawing: profiles as dots or boxes with their names, edges as wide as they cost."""

from collections.abc import Mapping
from fractions import Fraction

import networkx as nx

from mechdesign.graph.labels import Label
from mechdesign.report.corner import Places
from mechdesign.report.graph_layout import layout
from mechdesign.report.page.blocks import Picture, Shape, Table
from mechdesign.words import counted

MOST_NAMED = 60
"""Graphs of more profiles have dots alone; each says its name when it is pointed at."""
CELL = (94.0, 46.0)
"""Pixels that a named profile needs."""
LARGEST = 2_400.0
WIDEST = 9.0
THIN = Fraction(1, 20)
"""As in `mechdesign.report.edge_costs`: the width of the dearest edge, and the share of its price below which an edge
is drawn as one that costs nothing."""

Edges = Mapping[tuple[Label, Label], Fraction | None]
"""Edges with their prices of epsilon, None where these are not known."""


def network(graph: nx.Graph, prices: Edges, tips: Mapping[tuple[Label, Label], str], table: Table) -> Picture | None:
    """Return a drawing of the profiles that have edges; None where it would be too large to be of use."""
    linked = graph.subgraph([profile for profile in graph if graph.degree(profile)])
    linked = nx.Graph(linked.edges) if linked.number_of_nodes() else linked
    ordered = nx.Graph()
    ordered.add_nodes_from(profile for profile in graph if profile in linked)
    ordered.add_edges_from(linked.edges)
    if not len(ordered):
        return None
    named = len(ordered) <= MOST_NAMED
    places = layout(ordered, CELL, LARGEST) if named else _scattered(ordered)
    if places is None:
        return None
    width = max(x for x, _ in places.values()) + CELL[0] / 2
    height = max(y for _, y in places.values()) + CELL[1] / 2
    at = {profile: (x, height - y) for profile, (x, y) in places.items()}
    dearest = max((price or Fraction(0) for price in prices.values()), default=Fraction(0))
    shapes = [_edge(at, edge, price, dearest, tips.get(edge, "")) for edge, price in prices.items()]
    shapes += [_profile(str(profile), place, named) for profile, place in at.items()]
    keys = [("edge", "linked: these two are protected from being told apart")]
    if dearest:
        keys = [("after", "wide: what this link costs"), ("edge", "thin: this link costs next to nothing")]
    words = f"{counted(len(ordered), 'profile')}, {counted(len(prices), 'link')} between them"
    return Picture("Who is protected from being told from whom", words, (width, height), shapes, table, keys)


def _edge(at: Places, edge: tuple[Label, Label], price: Fraction | None, dearest: Fraction, tip: str) -> Shape:
    (x, y), (u, v) = at[edge[0]], at[edge[1]]
    look: dict[str, str | float] = {"class": "edge", "d": f"M{x:.1f} {y:.1f}L{u:.1f} {v:.1f}"}
    if dearest and (share := (price or Fraction(0)) / dearest) >= THIN:
        look |= {"class": "dear", "stroke-width": round(WIDEST * float(share), 2)}
    return Shape("path", look, tip=tip)


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


def _scattered(graph: nx.Graph) -> Places:
    """Return places for dots, by springs: the same every time."""
    side = 46.0 * len(graph) ** 0.5
    found = nx.spring_layout(graph, seed=0, iterations=60)
    low = [min(place[axis] for place in found.values()) for axis in (0, 1)]
    span = max(max(place[axis] for place in found.values()) - low[axis] for axis in (0, 1)) or 1.0
    return {
        profile: tuple(CELL[axis] / 2 + float(place[axis] - low[axis]) / span * side for axis in (0, 1))
        for profile, place in found.items()
    }
