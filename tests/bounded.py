"""Profiles known within bounds, and the vertices of their sets: from the definition, without the package's sorting."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import Any

import networkx as nx
from hypothesis import strategies as st
from strategies import distributions

from mechdesign import profile_graph

F = Fraction
Distribution = tuple[Fraction, ...]


@st.composite
def bounds_of(draw: st.DrawFn, own: Distribution) -> dict[str, Any]:
    """None, a box or a ball around a distribution; of width 0 too."""
    kind = draw(st.sampled_from(["known", "box", "ball"]))
    if kind == "known":
        return {}
    if kind == "ball":
        return {"radius": draw(st.sampled_from([F(0), F(1, 20), F(1, 4), F(1)]))}
    steps = st.lists(st.sampled_from([F(0), F(1, 30), F(1, 5)]), min_size=len(own), max_size=len(own))
    lower = tuple(max(F(0), mass - step) for mass, step in zip(own, draw(steps), strict=True))
    upper = tuple(min(F(1), mass + step) for mass, step in zip(own, draw(steps), strict=True))
    return {"lower": lower, "upper": upper}


@st.composite
def bounded_graphs(draw: st.DrawFn, *, categories: int, profiles: int = 2) -> nx.Graph:
    """All pairs of a few profiles, each known, or within a box or a ball."""
    owns = [draw(distributions(categories)) for _ in range(profiles)]
    graph = profile_graph(dict(enumerate(owns)), edges="all", categories=list(range(categories)))
    for profile, own in enumerate(owns):
        graph.nodes[profile].update(draw(bounds_of(own)))
    return graph


def matrices(rows: int, columns: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """Small counts: ties, 0/0 and x/0 happen often."""
    row = st.lists(st.integers(0, 4), min_size=columns, max_size=columns).filter(any)
    return st.lists(row.map(lambda w: [F(x, sum(w)) for x in w]), min_size=rows, max_size=rows)


def vertices(attributes: dict[str, Any]) -> list[Distribution]:
    """Distributions of a profile among which each linear function has its largest.

    Of a box those with at most one mass between its bounds; of a ball what is left when categories in some order give
    to one of them until the radius is moved.
    """
    own: Distribution = attributes["distribution"]
    if "radius" in attributes:
        orders = permutations(range(len(own)))
        return sorted({_moved(own, attributes["radius"], order, to) for order in orders for to in range(len(own))})
    found = set()
    ends = list(zip(attributes.get("lower", own), attributes.get("upper", own), strict=True))
    for x, (low, high) in enumerate(ends):
        for others in product(*(end for y, end in enumerate(ends) if y != x)):
            mass = 1 - sum(others, F(0))
            if low <= mass <= high:
                found.add((*others[:x], mass, *others[x:]))
    return sorted(found)


def _moved(own: Distribution, radius: Fraction, order: Sequence[int], to: int) -> Distribution:
    masses, left = list(own), radius
    for x in order:
        taken = min(left, masses[x]) if x != to else F(0)
        masses[x] -= taken
        masses[to] += taken
        left -= taken
    return tuple(masses)


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), count) for count in range(size + 1))


def released(masses: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum((p * row[y] for p, row in zip(masses, rows, strict=True)), F(0)) for y in range(len(rows[0]))]


def extremes(attributes: dict[str, Any], rows: Sequence[Sequence[Fraction]]) -> dict[tuple[int, ...], tuple[Any, Any]]:
    """Return (least, most) of each set of outputs, by all vertices."""
    laws = [released(masses, rows) for masses in vertices(attributes)]
    sums = {s: [sum((law[y] for y in s), F(0)) for law in laws] for s in subsets(len(rows[0]))}
    return {s: (min(masses), max(masses)) for s, masses in sums.items()}
