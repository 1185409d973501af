"""A proof held against what its reader wanted: the first thing in which the two claims, or their rows, differ."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import networkx as nx

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Claim, Delta, Edge, Kind, Multiple, Profile, Ratio, Strength, profiles_of
from mechdesign.certificate.differences import of_edges, of_missing_pairs, of_objective, of_profiles
from mechdesign.certificate.rows import of_other_rows, of_released, of_rows, only_releases_alike
from mechdesign.certificate.wanted import Wanted
from mechdesign.certificate.written import written_labels
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above, exp_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.uncertainty import uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective, profile_shares
from mechdesign.privacy.requirement import requirements

LARGEST_POWER = 10_000
"""Of a ratio, where distances are compared."""

There: TypeAlias = Mapping[frozenset[str], Edge]
"""The edges of a file."""

Attributes: TypeAlias = Mapping[frozenset[str], Mapping[str, Any]]
"""What a graph has of its own on its edges."""

OTHER_MATRIX = "it was made from another matrix than yours: "

INPUTS = "; your profiles are the matrix' inputs here: if they are others, give your graph"

LIMITS = "; if your edges have limits of their own, give your graph too"


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


def first_difference(proof: Checked, wanted: Wanted) -> str | None:
    """Return in a sentence the first thing in which a proof differs from what is wanted; None if in nothing.

    Raises
    ------
    InputError
        if what is wanted does not go with such a proof.
    """
    return next(_differences(proof, wanted), None)


def by_release(proof: Checked, wanted: Wanted) -> bool:
    """Return whether the mechanism wanted is compared by what comes out, as of what was mended."""
    if wanted.mechanism is None:
        return False
    alone = wanted.graph is None and wanted.objective is None  # an objective is about matrices
    return wanted.mended_from is not None or (alone and only_releases_alike(proof, wanted.mechanism))


def _is_by_name(claim: Claim, mechanism: Mechanism) -> bool:
    """Return whether profiles have the names of the claim's, and categories do not: what comes out can be compared."""
    categories, profiles = map(set, map(written_labels, (mechanism.categories, mechanism.profiles)))
    return categories != set(claim.categories) and not profiles.isdisjoint(claim.names)


def _differences(proof: Checked, wanted: Wanted) -> Iterator[str]:
    """Yield what differs; whatever comes after the first may rest on what is the same up to there."""
    found = proof.claim
    if wanted.objective is not None and found.kind is Kind.REFUTATION:
        raise InputError("objective: a refutation has none")
    if found.kind is Kind.FORMULA and (wanted.mechanism is not None or wanted.mended_from is not None):
        yield "the certificate is about the optimum alone: it has no mechanism like yours"
    if wanted.mended_from is not None:
        yield from _of_mended(found)
    if wanted.profiles is not None:
        remark = "" if wanted.mended_from is None else OTHER_MATRIX
        yield from (remark + words for words in of_profiles(found, with_profiles(found, wanted.profiles)))
    elif wanted.all_pairs:
        yield from of_missing_pairs(found)
    asked = wished(found, wanted)
    if wanted.profiles is None:
        yield from _of_no_edges(found, wanted.epsilon, wanted)
        yield from (words + LIMITS for words in of_edges(found, asked))
    else:
        yield from of_edges(found, asked)
    if proof.formula is not None:
        yield from proof.formula.beyond(wanted.epsilon, wanted.delta)
    if wanted.objective is not None and not (isinstance(wanted.objective, Objective) and wanted.objective.certified):
        yield f"no certificate states the objective {wanted.objective.name}: of such a design it proves privacy alone"
    yield from of_objective(found, asked)
    if wanted.mechanism is not None:
        yield from _of_mechanism(proof, wanted.mechanism, wanted)


def _of_mended(found: Claim) -> Iterator[str]:
    """Yield how a claim does not say of a mechanism that none is nearer to the one that was mended."""
    if found.kind is Kind.REFUTATION:
        yield "it is a refutation, and not about a mechanism that was mended"
    elif not found.losses:
        yield f"it is about the objective {found.objective}, and not about a mechanism that was mended"
    elif found.matrices < len(found.profiles):
        yield "it compares with mechanisms alone that change several profiles alike: others may be nearer"


def _of_no_edges(found: Claim, epsilon: Epsilon | None, wanted: Wanted) -> Iterator[str]:
    """Yield that nobody is protected, where an epsilon or delta is asked for."""
    if not found.edges and epsilon != float("inf") and (epsilon, wanted.delta) != (None, None):
        yield "the certificate has no edges: no two profiles are protected from being told apart"


def _of_mechanism(proof: Checked, mechanism: Mechanism, wanted: Wanted) -> Iterator[str]:
    """Yield differences in the matrices; and in the profiles that a mechanism brings, where no graph does.

    A matrix serves any profiles; its inputs count as such where every pair is wanted.
    """
    if wanted.mended_from is not None:
        yield from of_released(proof, mechanism, wanted.graph)
        return
    if by_release(proof, wanted):
        return
    if wanted.graph is None and _is_by_name(proof.claim, mechanism):
        yield from of_released(proof, mechanism, None)
    if wanted.graph is None and (wanted.all_pairs or not mechanism.is_matrix):
        differences = of_profiles(proof.claim, with_profiles(proof.claim, mechanism.graph))
        yield from (words + INPUTS * mechanism.is_matrix for words in differences)
    yield from of_rows(proof, mechanism)
    if isinstance(wanted.objective, Objective) and not wanted.objective.takes_loss:
        yield from of_other_rows(proof, mechanism, wanted.objective)
