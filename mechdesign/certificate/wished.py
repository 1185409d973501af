"""The claim that a reader wants of a file, said as the file says it; what nobody asked for is as in the file."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import networkx as nx

from mechdesign.certificate.claim import Claim, Delta, Edge, Kind, Multiple, Profile, Ratio, Strength, profiles_of
from mechdesign.certificate.wanted import Wanted
from mechdesign.certificate.written import written_labels
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above, exp_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.uncertainty import uncertainty_of
from mechdesign.objective import Objective, profile_shares
from mechdesign.privacy.requirement import requirements

LARGEST_POWER = 10_000
"""Of a ratio, where distances are compared."""

There: TypeAlias = Mapping[frozenset[str], Edge]
"""The edges of a file."""
Attributes: TypeAlias = Mapping[frozenset[str], Mapping[str, Any]]
"""What a graph has of its own on its edges."""


def wished(found: Claim, wanted: Wanted) -> Claim:
    """Return the claim that is wanted of a file which has the claim `found`."""
    graph = wanted.profiles
    if graph is None:
        edges = [_as_asked(edge, wanted.epsilon, wanted.delta) for edge in found.edges]
        asked = replace(found, edges=tuple(edges))
    else:
        asked = with_profiles(found, graph)
        asked = replace(asked, edges=tuple(_edges(found, asked, graph, wanted.epsilon, wanted.delta)))
    if isinstance(wanted.objective, Objective):
        categories = found.labels(found.categories)
        outputs = tuple(written_labels(wanted.objective.output_labels(categories)))
        losses = tuple(map(tuple, wanted.objective.table(categories)))
        asked = replace(asked, objective=wanted.objective.name, outputs=outputs, losses=losses)
    return asked


def with_profiles(found: Claim, graph: nx.Graph) -> Claim:
    """Return a claim with the profiles of a graph in place of its own, and without edges.

    A refutation is about two of them, each at any of the distributions that it may have.
    """
    profiles = list(profiles_of(graph, found.objective))
    if found.kind is Kind.REFUTATION:
        there = {profile.name: profile for profile in found.profiles}
        own = zip(profiles, graph.nodes.values(), strict=True)
        profiles = [_held(there[one.name], one, attributes) for one, attributes in own if one.name in there]
    categories = tuple(written_labels(graph.graph["categories"]))
    shares = tuple(profile_shares(graph)) if found.shares else ()
    return replace(found, categories=categories, profiles=tuple(profiles), edges=(), shares=shares)


def _held(found: Profile, wanted: Profile, attributes: Mapping[str, Any]) -> Profile:
    """Return the profile of a refutation if it may be as it is there, else as it is wanted."""
    at = found.distribution
    is_it = len(at) == len(wanted.distribution) and uncertainty_of(attributes).holds(at)
    return found if is_it else replace(wanted, limits=None)


def _as_asked(edge: Edge, epsilon: Epsilon | None, delta: Fraction | None) -> Edge:
    """Return an edge of a file with the epsilon and delta asked for: itself the one that varies."""
    strength, least = edge.epsilon, edge.delta
    if epsilon is not None:
        strength = Multiple(Fraction(1)) if isinstance(strength, Multiple) else _strength(edge, epsilon)
    if delta is not None:
        least = Delta(Fraction(0), Fraction(1)) if least.slope else Delta(delta)
    return replace(edge, epsilon=strength, delta=least)


def _strength(edge: Edge, epsilon: Epsilon) -> Strength:
    """Return an epsilon as the file says it, if that is what its edge has; else as it is.

    700 stands for any larger one, unless a bound or a refutation rests on it; and a ratio for any epsilon of which it
    is e^epsilon as far as numbers are computed.
    """
    if isinstance(edge.epsilon, Ratio) and edge.epsilon.ratio is not None and isinstance(epsilon, Fraction):
        is_it = exp_below(epsilon) <= edge.epsilon.ratio <= exp_above(epsilon)
    else:
        is_it = edge.epsilon == MAX_EPSILON <= epsilon and not edge.rests
    return edge.epsilon if is_it else epsilon


def _edges(
    found: Claim, asked: Claim, graph: nx.Graph, epsilon: Epsilon | None, delta: Fraction | None
) -> Iterator[Edge]:
    """Yield the edges of a graph; where no epsilon or delta is given, at those that the file was made for."""
    there = {found.ends(edge): edge for edge in found.edges}
    names = written_labels(graph)
    text = dict(zip(graph, names, strict=True))
    own = {frozenset((text[a], text[b])): attributes for a, b, attributes in graph.edges(data=True)}
    position = {name: n for n, name in enumerate(asked.names)}
    made_for = _epsilon_of(there, own) if epsilon is None and not found.parameter else epsilon
    unit = Fraction(1) if found.parameter == "epsilon" or made_for is None else made_for
    common = _delta_of(found, there, own) if delta is None or found.parameter == "delta" else Delta(delta)
    base = _base(there, own) if found.parameter == "delta" and epsilon is None else None
    scaled = all("epsilon" in attributes for attributes in own.values())
    for one in requirements(graph, unit, Fraction(0)):
        pair = frozenset((names[one.first], names[one.second]))
        if found.kind is Kind.REFUTATION and pair not in there:
            continue
        strength: Strength = one.epsilon
        if found.parameter == "epsilon" and (one.distance is not None or scaled or not one.epsilon):
            strength = Multiple(one.epsilon)
        elif pair in there and base is not None and one.distance is not None:
            strength = _by_distance(there[pair], one.distance, base)
        elif pair in there:
            strength = _strength(there[pair], one.epsilon)
        least = Delta(own[pair]["delta"]) if "delta" in own[pair] else common
        yield Edge(position[names[one.first]], position[names[one.second]], strength, least)


def _epsilon_of(there: There, own: Attributes) -> Fraction:
    """Return the epsilon that a file was made for, by the first edge that has none of its own."""
    largest = MAX_EPSILON
    for pair, attributes in own.items():
        distance: Fraction = attributes.get("distance", Fraction(1))
        if pair in there and "epsilon" not in attributes and distance:
            epsilon = there[pair].epsilon
            assert isinstance(epsilon, Fraction)
            if epsilon < MAX_EPSILON:
                return epsilon / distance
            largest = max(largest, epsilon / distance)  # where all are 700, which may stand for more
    return largest


def _delta_of(found: Claim, there: There, own: Attributes) -> Delta:
    """Return the delta that a file was made for, by the first edge that has none of its own."""
    if found.parameter == "delta":
        return Delta(Fraction(0), Fraction(1))
    common = (there[pair].delta for pair, attributes in own.items() if pair in there and "delta" not in attributes)
    return next(common, Delta(Fraction(0)))


def _base(there: There, own: Attributes) -> tuple[Fraction, Fraction] | None:
    """Return e^epsilon and the distance of the first edge whose epsilon is that of its distance, and not 0."""
    for pair, edge in there.items():
        distance = own[pair].get("distance", Fraction(1)) if pair in own and "epsilon" not in own[pair] else None
        if distance and isinstance(edge.epsilon, Ratio) and edge.epsilon.ratio:
            return edge.epsilon.ratio, distance
    return None


def _by_distance(edge: Edge, distance: Fraction, base: tuple[Fraction, Fraction]) -> Strength:
    """Return the ratio of an edge if it is the base's to the power of the distances."""
    assert isinstance(edge.epsilon, Ratio)
    ratio, unit = edge.epsilon.ratio, lcm(base[1].denominator, distance.denominator)
    first, second = int(base[1] * unit), int(distance * unit)
    is_it = ratio is not None and max(first, second) <= LARGEST_POWER and ratio**first == base[0] ** second
    return edge.epsilon if is_it else Ratio(None)
