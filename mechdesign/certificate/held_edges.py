"""The edges of a certificate held against those that its reader wanted, and what is in force on them."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx

from mechdesign.certificate.checker import REFUTATION
from mechdesign.certificate.protects import protects
from mechdesign.certificate.written import apart, edge_words, written_labels
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import shown
from mechdesign.privacy.requirement import requirements

Limits = tuple[Fraction, Fraction, bool]
"""The epsilon and delta in force on an edge of a certificate, and whether what it proves rests on that edge."""


def of_edges(c: Any, graph: nx.Graph, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
    """Yield differences in edges and what is in force on them; a refutation is about one edge only."""
    there = _limits(c)
    if epsilon is None or delta is None:
        found = _asked(graph, there)
        epsilon, delta = (found[0] if epsilon is None else epsilon), (found[1] if delta is None else delta)
    names = written_labels(graph)
    here = {
        frozenset((names[edge.first], names[edge.second])): (edge.epsilon, edge.delta)
        for edge in requirements(graph, epsilon, delta)
    }
    for pair, limits in here.items():
        if pair in there:
            yield from _of_limit(pair, there[pair], limits)
        elif c.format != REFUTATION:
            yield f"the certificate does not have your edge {edge_words(pair)}: it protects nobody there"
    for pair in there:
        if pair not in here:
            yield f"the certificate has the edge {edge_words(pair)}, where you require nothing"


def of_missing_pairs(c: Any) -> Iterator[str]:
    """Yield the first pair of a certificate's profiles that it does not prove; a refutation is about one pair only."""
    there = set(map(frozenset, c.edges))
    missing = (pair for pair in combinations(range(len(c.profiles)), 2) if frozenset(pair) not in there)
    if c.format != REFUTATION and (first := next(missing, None)) is not None:
        words = edge_words(frozenset(c.profiles[end] for end in first))
        yield f"the certificate does not have the pair {words}: it is proved for {protects(c).words()}"


def _limits(c: Any) -> dict[frozenset[str], Limits]:
    """Return what is in force on each edge of a certificate."""
    used = set(range(len(c.edges))) if c.format == REFUTATION else {edge for edge, *_, lam in c.privacy if lam}
    return {
        frozenset((c.profiles[i], c.profiles[j])): (epsilon, delta, n in used)
        for n, ((i, j), epsilon, delta) in enumerate(zip(c.edges, c.epsilons, c.deltas, strict=True))
    }


def _asked(graph: nx.Graph, there: dict[frozenset[str], Limits]) -> tuple[Epsilon, Fraction]:
    """Return the epsilon and delta that a certificate was made for, by the first edges that have none of their own."""
    written = dict(zip(graph, written_labels(graph), strict=True))
    epsilons, deltas, largest = [], [], MAX_EPSILON
    for a, b, attributes in graph.edges(data=True):
        if (pair := frozenset((written[a], written[b]))) not in there:
            continue
        epsilon, delta, _ = there[pair]
        distance = attributes.get("distance", Fraction(1))
        if "epsilon" not in attributes and distance:
            largest = max(largest, epsilon / distance)  # where all are 700, which may stand for more
            epsilons += [epsilon / distance] * (epsilon < MAX_EPSILON)
        if "delta" not in attributes:
            deltas.append(delta)
    return next(iter(epsilons), largest), next(iter(deltas), Fraction(0))


def of_limits(c: Any, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
    """Yield differences in what is in force on the edges, for a reader who gives no graph."""
    if not c.edges and epsilon != math.inf and (epsilon, delta) != (None, None):
        yield "the certificate has no edges: no two profiles are protected from being told apart"
    for pair, its in _limits(c).items():
        here = its[0] if epsilon is None else epsilon, its[1] if delta is None else delta
        yield from _of_limit(pair, its, here, "; if your edges have limits of their own, give your graph too")


def _of_limit(pair: frozenset[str], there: Limits, here: tuple[Epsilon, Fraction], remark: str = "") -> Iterator[str]:
    """Yield a difference; 700 stands for any larger epsilon, unless a bound or a refutation rests on it."""
    epsilon, delta, used = there
    if epsilon != here[0] and (used or epsilon != min(here[0], MAX_EPSILON)):
        asked = shown(here[0]) + apart(epsilon, here[0]) if isinstance(here[0], Fraction) else "inf"
        yield f"edge {edge_words(pair)}: the certificate has epsilon {shown(epsilon)}, you asked for {asked}{remark}"
    if delta != here[1]:
        words = f"the certificate has delta {shown(delta)}, you asked for {shown(here[1])}{apart(delta, here[1])}"
        yield f"edge {edge_words(pair)}: {words}{remark}"
