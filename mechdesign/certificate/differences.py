"""How the claim of a file differs from the one that its reader wants: one sentence for each number or label."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from mechdesign.certificate.claim import Claim, Delta, Kind, Multiple, Profile, Ratio
from mechdesign.certificate.written import apart, edge_words, of_labels, shown_label
from mechdesign.exact.text import shown
from mechdesign.words import counted

Fact: TypeAlias = tuple[str, Any, Any]
"""A kind, the labels of what it is said of, and what is said."""
ASKED_FOR = ("epsilon", "delta")
"""Kinds of which a reader asks for some; of the others they have some."""


def of_profiles(found: Claim, asked: Claim) -> Iterator[str]:
    """Yield differences in categories, profiles and what is known of these."""
    yield from of_labels("category", found.categories, asked.categories)
    if found.categories != asked.categories:
        yield "the certificate has your categories in another order"
    yield from of_labels("profile", found.names, asked.names)
    yield from _compared(_known(found), _known(asked))
    yield from _compared(_kept(found), _kept(asked))


def of_edges(found: Claim, asked: Claim) -> Iterator[str]:
    """Yield differences in edges, and in the epsilon and delta in force on them."""
    there, here = ({claim.ends(edge) for edge in claim.edges} for claim in (found, asked))
    for pair in sorted(here - there, key=sorted):
        yield f"the certificate does not have your edge {edge_words(pair)}: it protects nobody there"
    yield from _compared(_required(found), _required(asked))
    for pair in sorted(there - here, key=sorted):
        yield f"the certificate has the edge {edge_words(pair)}, where you require nothing"


def of_objective(found: Claim, asked: Claim) -> Iterator[str]:
    """Yield differences in the profiles' weights, the objective and its losses."""
    if found.is_of_privacy_alone and not asked.is_of_privacy_alone:
        yield f"the certificate proves privacy alone, and nothing of distortion; you asked for {asked.objective}"
    yield from _compared(_weights(found), _weights(asked))
    if found.objective != asked.objective:
        yield f"the certificate is about the objective {found.objective}, you asked for {asked.objective}"
    there, here = (len(claim.losses[0]) if claim.losses else 0 for claim in (found, asked))
    if there != here:
        yield f"the certificate has a loss for {counted(there, 'output')}, yours is for {here}"
    yield from of_labels("output", found.outputs, asked.outputs)
    if found.outputs != asked.outputs:
        yield "the certificate has the outputs of your objective in another order"
    yield from _compared(_losses(found), _losses(asked))


def of_missing_pairs(found: Claim) -> Iterator[str]:
    """Yield the first pair of a claim's profiles that has no edge; a refutation is about one pair only."""
    there = set(map(found.ends, found.edges))
    names = found.names
    missing = (frozenset((a, b)) for i, a in enumerate(names) for b in names[i + 1 :])
    first = next((pair for pair in missing if pair not in there), None)
    if found.kind is not Kind.REFUTATION and first is not None:
        words = found.protects().words()
        yield f"the certificate does not have the pair {edge_words(first)}: it is proved for {words}"


def _known(claim: Claim) -> Iterator[Fact]:
    for profile in claim.profiles:
        for category, mass in zip(claim.categories, profile.distribution, strict=True):
            yield "probability", (profile.name, category), mass
    for profile in claim.profiles:
        between, radius = _bounds(profile)
        yield "radius", (profile.name,), radius
        for category, limits in zip(claim.categories, between, strict=True):
            yield "bounds", (profile.name, category), limits


def _bounds(profile: Profile) -> tuple[Sequence[tuple[Fraction, Fraction]], Fraction]:
    """Return the bounds of each category, and the radius, 1 where there is none, whatever way a profile is known."""
    if profile.limits is None:
        return list(zip(profile.distribution, profile.distribution, strict=True)), Fraction(1)
    lower, upper, radius = profile.limits
    return list(zip(lower, upper, strict=True)), radius


def _required(claim: Claim) -> Iterator[Fact]:
    for edge in claim.edges:
        ends = claim.ends(edge)
        yield "epsilon", ends, edge.epsilon
        yield "delta", ends, edge.delta


def _kept(claim: Claim) -> Iterator[Fact]:
    for name, share in zip(claim.names, claim.shares, strict=False):
        yield "share of the total", (name,), share


def _weights(claim: Claim) -> Iterator[Fact]:
    for profile in claim.profiles:
        yield "weight", (profile.name,), profile.weight


def _losses(claim: Claim) -> Iterator[Fact]:
    for category, row in zip(claim.categories, claim.losses, strict=False):
        for output, loss in zip(claim.outputs, row, strict=True):
            yield "loss", (category, output), loss


def _compared(found: Iterator[Fact], asked: Iterator[Fact]) -> Iterator[str]:
    """Yield what is said otherwise of the same."""
    wanted = {(kind, place): value for kind, place, value in asked}
    for kind, place, there in found:
        here = wanted.get((kind, place), there)
        if there != here:
            verb = "asked for" if kind in ASKED_FOR else "have"
            words = f"the certificate has {_said(kind, there)}, you {verb} {_said(kind, here)}"
            yield f"{_place(kind, place)}: {words}{_apart(there, here)}"


def _place(kind: str, place: Any) -> str:
    if kind in ASKED_FOR:
        return f"edge {edge_words(place)}"
    if kind == "loss":
        return f"{shown_label(place[0])} reported as {shown_label(place[1])}"
    return ", ".join(f"{what} {shown_label(name)}" for what, name in zip(("profile", "category"), place, strict=False))


def _said(kind: str, value: Any) -> str:
    """Return a number of this kind with its noun."""
    if kind == "radius":
        return "no radius" if value == 1 else f"the radius {shown(value)}"
    if kind == "bounds":
        return "probability " + " to ".join(map(shown, dict.fromkeys(value)))
    if isinstance(value, Multiple):
        return f"{shown(value.times)} times epsilon"
    if isinstance(value, Ratio):
        return "e^epsilon " + ("by its distance" if value.ratio is None else shown(value.ratio))
    if isinstance(value, Delta):
        return f"delta {shown(value.least)}" + (f" + {shown(value.slope)} times delta" if value.slope else "")
    return f"{kind} {'inf' if value == math.inf else shown(value)}"


def _apart(there: Any, here: Any) -> str:
    """Return how far numbers are from each other, where they are not compared at a glance."""
    if isinstance(there, Delta) and isinstance(here, Delta) and there.slope == here.slope:
        there, here = there.least, here.least
    return apart(there, here) if isinstance(there, Fraction) and isinstance(here, Fraction) else ""
