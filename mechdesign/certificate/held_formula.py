"""The proof of a formula held against what its reader wanted; and what it says at one epsilon or delta.

The fields are those that `formula_checker.check` returns.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import networkx as nx

from mechdesign.certificate.formula_checker import End
from mechdesign.certificate.held import of_objective, of_profiles, of_weights
from mechdesign.certificate.held_edges import of_missing_pairs
from mechdesign.certificate.wanted import Wanted
from mechdesign.certificate.written import edge_words, written_labels
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.exact.text import shown, shown_epsilon
from mechdesign.objective import OBJECTIVES
from mechdesign.privacy.requirement import Requirement, requirements

LARGEST_POWER = 10_000
"""Of a ratio, where distances are compared."""


def formula_difference(c: Any, wanted: Wanted) -> str | None:
    """Return in a sentence the first thing in which a proof differs from what is wanted; None if in nothing."""
    return next(_differences(c, wanted), None)


def optima(c: Any, *, epsilon: Number | None = None, delta: Number | None = None) -> tuple[Fraction, Fraction]:
    """Return what the optimum is at most and at least: at this epsilon, or delta, or else wherever the proof holds.

    The optimum falls as epsilon or delta grows, so at a z between two rationals it is between the optima there.
    """
    low, high = c.pieces[0].start.low, c.pieces[-1].end.high
    if c.parameter == "epsilon" and epsilon is not None:
        low, high = _z(c, parse_epsilon(epsilon))
    elif c.parameter == "delta" and delta is not None:
        low = high = parse_delta(delta)
    return value_at(c, low), value_at(c, high)


def value_at(c: Any, z: Any) -> Fraction:
    """Return the optimum at a rational z, or its limit at infinity."""
    piece = next(piece for piece in c.pieces if not _beyond(z, piece.end))
    if z == math.inf:
        degree = len(piece.denominator)
        return Fraction(piece.numerator[-1], piece.denominator[-1]) if len(piece.numerator) == degree else Fraction(0)
    return _at(piece.numerator, z) / _at(piece.denominator, z)


def _beyond(z: Any, end: End) -> bool:
    """Tell whether a number is larger than an end, which may be the root of a polynomial."""
    if not end.polynomial:
        return bool(z > end.high)
    if not end.low < z < end.high:
        return bool(z >= end.high)
    return _at(end.polynomial, end.low) * _at(end.polynomial, z) < 0


def _at(f: Any, z: Fraction) -> Fraction:
    return sum((a * z**k for k, a in enumerate(f)), Fraction(0))


def _z(c: Any, epsilon: Epsilon) -> tuple[Any, Any]:
    """Return numbers around e^(epsilon/root), z itself."""
    if not isinstance(epsilon, Fraction):
        return math.inf, math.inf
    return exp_below(epsilon / c.root), exp_above(epsilon / c.root)


def _differences(c: Any, wanted: Wanted) -> Iterator[str]:
    graph, epsilon, delta = wanted.graph, wanted.epsilon, wanted.delta
    if graph is not None:
        yield from of_profiles(c, graph)
        yield from _of_edges(c, graph, epsilon, delta)
        if OBJECTIVES[c.objective].additive:
            yield from of_weights(c, graph)
    else:
        yield from of_missing_pairs(c) if wanted.all_pairs else ()
        yield from _of_limits(c, epsilon, delta)
    yield from _of_range(c, epsilon, delta)
    if wanted.objective is not None:
        yield from of_objective(c, wanted.objective)
    if wanted.mechanism is not None or wanted.mended_from is not None:
        yield "the certificate is about the optimum alone: it has no mechanism like yours"


def _of_limits(c: Any, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
    """Yield differences in what does not vary on the edges, for a reader who gives no graph."""
    if c.parameter == "epsilon" and delta is not None:
        yield from _of_deltas(c, dict.fromkeys(range(len(c.edges)), (delta, Fraction(0))))
    elif c.parameter == "delta" and epsilon is not None:
        yield from (words for n in range(len(c.edges)) if (words := _ratio_difference(c, n, epsilon)))


def _of_range(c: Any, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
    """Yield whether what is asked for is beyond the range of the formula."""
    first, last = c.pieces[0].start.low, c.pieces[-1].end.high
    words = f"{shown(first)} on" if last == math.inf else f"{shown(first)} to {shown(last)}"
    if c.parameter == "epsilon" and epsilon is not None:
        low, high = _z(c, epsilon)
        if low < first or high > last:
            power = "e^epsilon" if c.root == 1 else f"e^(epsilon/{c.root})"
            yield f"the certificate is for {power} from {words}, you asked for epsilon {shown_epsilon(epsilon)}"
    if c.parameter == "delta" and delta is not None and not first <= delta <= last:
        yield f"the certificate is for delta from {words}, you asked for {shown(delta)}"


def _of_edges(c: Any, graph: nx.Graph, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
    """Yield differences in edges, in the multiples of epsilon that they have, or their ratios, and in deltas."""
    unit = epsilon if c.parameter == "delta" and epsilon is not None else Fraction(1)
    profiles = list(graph)
    position = {name: number for number, name in enumerate(written_labels(profiles))}
    here = {frozenset((one.first, one.second)): one for one in requirements(graph, unit, Fraction(0))}
    there = {frozenset(position[c.profiles[end]] for end in edge): n for n, edge in enumerate(c.edges)}
    for pair in here.keys() - there.keys():
        words = edge_words(frozenset(written_labels([profiles[end] for end in pair])))
        yield f"the certificate does not have your edge {words}: it protects nobody there"
    for pair in there.keys() - here.keys():
        yield f"the certificate has the edge {_edge(c, there[pair])}, where you require nothing"
    edges = {n: here[pair] for pair, n in there.items()}
    yield from _of_multiples(c, edges) if c.parameter == "epsilon" else _of_ratios(c, edges, epsilon)
    common = [n for n, one in edges.items() if "delta" not in graph.edges[profiles[one.first], profiles[one.second]]]
    if c.parameter == "delta":
        asked = Fraction(0), Fraction(1)
    else:
        asked = (c.deltas[common[0]] if delta is None and common else delta or Fraction(0)), Fraction(0)
    yield from _of_deltas(c, {n: asked if n in common else (one.delta, Fraction(0)) for n, one in edges.items()})


def _of_multiples(c: Any, edges: dict[int, Requirement]) -> Iterator[str]:
    for n, one in edges.items():
        if (there := Fraction(c.powers[n], c.root)) != one.epsilon:
            words = f"{shown(there)} times epsilon, you have {shown(one.epsilon)} times"
            yield f"edge {_edge(c, n)}: the certificate has {words}"


def _of_ratios(c: Any, edges: dict[int, Requirement], epsilon: Epsilon | None) -> Iterator[str]:
    """Yield differences in e^epsilon: from what is asked for; or else from one number to the power of the distances."""
    base: tuple[Fraction, Fraction] | None = None
    for n, one in edges.items():
        ratio = c.ratios[n]
        if epsilon is not None or one.distance is None:
            if words := _ratio_difference(c, n, one.epsilon):
                yield words
            continue
        base = base or (ratio, one.distance)
        unit = lcm(base[1].denominator, one.distance.denominator)
        first, second = int(base[1] * unit), int(one.distance * unit)
        if max(first, second) > LARGEST_POWER or ratio**first != base[0] ** second:
            place = f"edge {_edge(c, n)}: the certificate has e^epsilon {shown(ratio)}"
            yield f"{place}, which is not that of its distance"


def _ratio_difference(c: Any, n: int, epsilon: Epsilon) -> str | None:
    """Return how the rational that stands for e^epsilon is not one; a rational is, as far as numbers are computed."""
    there = f"edge {_edge(c, n)}: the certificate has e^epsilon {shown(c.ratios[n])}"
    if isinstance(epsilon, Fraction) and exp_below(epsilon) <= c.ratios[n] <= exp_above(epsilon):
        return None
    return f"{there}, you asked for epsilon {shown_epsilon(epsilon)}"


def _of_deltas(c: Any, wanted: dict[int, tuple[Fraction, Fraction]]) -> Iterator[str]:
    for n, here in wanted.items():
        if (c.deltas[n], c.slopes[n]) != here:
            found, asked = (_delta_words(*one) for one in ((c.deltas[n], c.slopes[n]), here))
            yield f"edge {_edge(c, n)}: the certificate has delta {found}, you asked for {asked}"


def _delta_words(delta: Fraction, slope: Fraction) -> str:
    return f"{shown(delta)} + {shown(slope)} times delta" if slope else shown(delta)


def _edge(c: Any, n: int) -> str:
    return edge_words(frozenset(c.profiles[end] for end in c.edges[n]))
