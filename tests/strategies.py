"""Hypothesis strategies: profile graphs with exact distributions, objectives, epsilon and delta."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
from cases import ANYWHERE
from hypothesis import strategies as st

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss, profile_graph
from mechdesign.objective import Objective


@st.composite
def distributions(draw: st.DrawFn, categories: int) -> tuple[Fraction, ...]:
    """Counts over their total: zeros and point masses included."""
    counts = draw(st.lists(st.integers(0, 12), min_size=categories, max_size=categories).filter(any), label="counts")
    return tuple(Fraction(count, sum(counts)) for count in counts)


@st.composite
def profile_graphs(
    draw: st.DrawFn, *, most_profiles: int = 4, most_categories: int = 4, own: bool = False, weighted: bool = True
) -> nx.Graph:
    """One to a few profiles: identical ones, isolated ones, single categories; with `own`, edges' own requirements."""
    categories = draw(st.integers(1, most_categories), label="categories")
    count = draw(st.integers(1, most_profiles), label="profiles")
    found: list[tuple[Fraction, ...]] = []
    for _ in range(count):
        again = st.sampled_from(found) if found else st.nothing()
        found.append(draw(st.one_of(distributions(categories), again)))
    pairs = list(combinations(range(count), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True), label="edges") if pairs else []
    weights = None
    if weighted and draw(st.booleans()):
        weights = {i: draw(st.integers(0 if i else 1, 5)) for i in range(count)}
    graph = profile_graph(dict(enumerate(found)), edges=edges, categories=list(range(categories)), weights=weights)
    for pair in edges if own else []:
        graph.edges[pair].update(draw(_own(), label="own"))
    return graph


def _own() -> st.SearchStrategy[dict[str, Any]]:
    """An edge's own epsilon, delta, distance: each may be there or not."""
    return st.fixed_dictionaries(
        {},
        optional={
            "epsilon": epsilons(),
            "delta": st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 2)]),
            "distance": st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2)]),
        },
    )


@st.composite
def _bounds(draw: st.DrawFn, own: tuple[Fraction, ...]) -> dict[str, Any]:
    """None, a box or a ball around a distribution; of width 0 too."""
    kind = draw(st.sampled_from(["known", "box", "ball"]))
    if kind == "known":
        return {}
    if kind == "ball":
        return {"radius": draw(st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 4), Fraction(1)]))}
    sizes = st.sampled_from([Fraction(0), Fraction(1, 30), Fraction(1, 5)])
    steps = st.lists(sizes, min_size=len(own), max_size=len(own))
    lower = tuple(max(Fraction(0), mass - step) for mass, step in zip(own, draw(steps), strict=True))
    upper = tuple(min(Fraction(1), mass + step) for mass, step in zip(own, draw(steps), strict=True))
    return {"lower": lower, "upper": upper}


@st.composite
def bounded_graphs(draw: st.DrawFn, *, categories: int, profiles: int = 2) -> nx.Graph:
    """All pairs of a few profiles, each known, or within a box or a ball."""
    owns = [draw(distributions(categories)) for _ in range(profiles)]
    graph = profile_graph(dict(enumerate(owns)), edges="all", categories=list(range(categories)))
    for profile, own in enumerate(owns):
        graph.nodes[profile].update(draw(_bounds(own)))
    return graph


def stochastic(rows: int, columns: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """Rows of small counts over their total: ties, 0/0 and x/0 happen often."""
    row = st.lists(st.integers(0, 4), min_size=columns, max_size=columns).filter(any)
    return st.lists(row.map(lambda w: [Fraction(x, sum(w)) for x in w]), min_size=rows, max_size=rows)


def epsilons() -> st.SearchStrategy[Fraction | float]:
    """Nothing, very little, little, usual, much, 700 and infinite."""
    some = st.fractions(Fraction(1, 100), 4, max_denominator=100)
    special = [Fraction(0), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 2), Fraction(30), Fraction(700), math.inf]
    return st.one_of(some, st.sampled_from(special))


def deltas() -> st.SearchStrategy[Fraction]:
    """Mostly none."""
    return st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 10**9), Fraction(1, 50), Fraction(1, 3)])


def tables(rows: int, columns: int) -> st.SearchStrategy[list[list[int]]]:
    """Losses from 0 to 6."""
    return st.lists(st.lists(st.integers(0, 6), min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def drawn_objectives(draw: st.DrawFn, categories: int, *, square: bool = False) -> Objective:
    """Every objective with every kind of loss."""
    columns = categories if square else draw(st.integers(1, 4))
    if draw(st.sampled_from([0, 1, 2])) == 0:
        return MaxOffDiagonal()
    kind: type[ExpectedLoss] | type[WorstLoss] = ExpectedLoss if draw(st.booleans()) else WorstLoss
    return kind(draw(st.one_of(st.sampled_from(ANYWHERE), tables(categories, columns))))
