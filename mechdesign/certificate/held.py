"""A certificate held against what its reader wanted: graph, epsilon and delta, objective, mechanism.

A certificate proves something about the graph that stands in it. Whether that is the reader's graph, at the reader's
epsilon, and the reader's mechanism, is found here; the fields are those that `checker.check` returns.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.checker import REFUTATION
from mechdesign.certificate.formula_checker import FORMULA
from mechdesign.certificate.held_edges import of_edges, of_limits, of_missing_pairs
from mechdesign.certificate.held_rows import of_released, of_rows, only_releases_alike
from mechdesign.certificate.wanted import Wanted
from mechdesign.certificate.written import apart, label, of_labels, shown_label, written_labels
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.uncertainty import is_single, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import OBJECTIVES, Goal, Objective, profile_weights
from mechdesign.words import counted


def first_difference(c: Any, wanted: Wanted) -> str | None:
    """Return in a sentence the first thing in which a certificate differs from what is wanted; None if in nothing.

    Raises
    ------
    InputError
        if what is wanted does not go with such a certificate.
    """
    return next(_differences(c, wanted), None)


def by_release(c: Any, wanted: Wanted) -> bool:
    """Return whether the mechanism wanted is compared by what comes out, as of what was mended."""
    if wanted.mechanism is None:
        return False
    return wanted.mended_from is not None or (wanted.graph is None and only_releases_alike(c, wanted.mechanism))


def _differences(c: Any, wanted: Wanted) -> Iterator[str]:
    """Yield what differs; whatever comes after the first may rest on what is the same up to there."""
    if wanted.mended_from is not None:
        yield from _of_mended(c)
    profiles = wanted.profiles
    if profiles is not None:
        remark = "" if wanted.mended_from is None else "it was made from another matrix than yours: "
        yield from (remark + words for words in of_profiles(c, profiles))
        yield from of_edges(c, profiles, wanted.epsilon, wanted.delta)
    else:
        yield from of_missing_pairs(c) if wanted.all_pairs else ()
        yield from of_limits(c, wanted.epsilon, wanted.delta)
    if profiles is not None and (kind := OBJECTIVES.get(getattr(c, "objective", ""))) is not None and kind.additive:
        yield from of_weights(c, profiles)
    if wanted.objective is not None and c.format == REFUTATION:
        raise InputError("objective: a refutation has none")
    if wanted.objective is not None:
        yield from of_objective(c, wanted.objective)
    if wanted.mechanism is not None and wanted.mended_from is not None:
        yield from of_released(c, wanted.mechanism, wanted.graph)
    elif wanted.mechanism is not None and not by_release(c, wanted):
        yield from _of_mechanism(c, wanted.mechanism, wanted)


def _of_mended(c: Any) -> Iterator[str]:
    """Yield how a certificate does not say of a mechanism that none is nearer to the one that was mended."""
    if c.format == REFUTATION:
        yield "it is a refutation, and not about a mechanism that was mended"
    elif not c.loss:
        yield f"it is about the objective {c.objective}, and not about a mechanism that was mended"
    elif len(set(c.groups)) < len(c.groups):
        yield "it compares with mechanisms alone that change several profiles alike: others may be nearer"


def _of_mechanism(c: Any, mechanism: Mechanism, wanted: Wanted) -> Iterator[str]:
    """Yield differences in the matrices; and in the profiles that a mechanism brings, where no graph does.

    One matrix serves any profiles; its own, its inputs, count where every pair is wanted.
    """
    if wanted.graph is None and (wanted.all_pairs or not mechanism.one_matrix):
        remark = "; your profiles are the matrix' inputs here: if they are others, give your graph"
        differences = of_profiles(c, mechanism.graph)
        yield from (words + remark * mechanism.one_matrix for words in differences)
    yield from of_rows(c, mechanism)


def of_profiles(c: Any, graph: nx.Graph) -> Iterator[str]:
    """Yield differences in categories, profiles and distributions; a refutation has two of the profiles only."""
    categories = written_labels(graph.graph["categories"])
    yield from of_labels("category", c.categories, categories)
    if c.categories != categories:
        yield "the certificate has your categories in another order"
    profiles = dict(zip(written_labels(graph), graph.nodes.values(), strict=True))
    yield from of_labels("profile", c.profiles, [p for p in profiles if c.format != REFUTATION or p in c.profiles])
    for profile, distribution in zip(c.profiles, c.distributions, strict=True):
        if c.format == REFUTATION and uncertainty_of(profiles[profile]).holds(distribution):
            continue  # one of those that it may have
        for category, there, here in zip(categories, distribution, profiles[profile]["distribution"], strict=True):
            if there != here:
                place = f"profile {shown_label(profile)}, category {shown_label(category)}"
                words = f"the certificate has probability {shown(there)}, you have {shown(here)}"
                yield f"{place}: {words}{apart(there, here)}"
    if c.format != REFUTATION:
        yield from _of_bounds(c, categories, profiles)


def _of_bounds(c: Any, categories: Sequence[str], profiles: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield differences in the bounds within which profiles are known; the distributions are the same."""
    for i, profile in enumerate(c.profiles):
        own = c.distributions[i]
        there = _bounds(own, own, own, Fraction(0))
        if c.format != FORMULA:  # formulas are of distributions alone
            lower, upper = ([Fraction(mass, sum(c.masses[i])) for mass in side[i]] for side in (c.lower, c.upper))
            there = _bounds(own, lower, upper, Fraction(c.radius[i], sum(c.masses[i])))
        yours = uncertainty_of(profiles[profile])
        here = _bounds(own, *((own, own, Fraction(0)) if is_single(yours) else yours.limits))
        who = f"profile {shown_label(profile)}"
        if there[1] != here[1]:
            found, wanted = ("no radius" if one == 1 else f"the radius {shown(one)}" for one in (there[1], here[1]))
            yield f"{who}: the certificate has {found}, you have {wanted}"
        for category, known, asked in zip(categories, there[0], here[0], strict=True):
            if known != asked:
                found, wanted = (" to ".join(map(shown, dict.fromkeys(one))) for one in (known, asked))
                yield f"{who}, category {shown_label(category)}: the certificate holds for {found}, you have {wanted}"


def _bounds(
    nominal: Sequence[Fraction], lower: Sequence[Fraction], upper: Sequence[Fraction], radius: Fraction
) -> tuple[list[tuple[Fraction, Fraction]], Fraction]:
    """Return bounds in one form, whatever way a profile is said to be known."""
    if radius == 0 or list(lower) == list(upper):
        lower, upper, radius = nominal, nominal, Fraction(1)
    return list(zip(lower, upper, strict=True)), radius


def of_objective(c: Any, objective: Goal) -> Iterator[str]:
    """Yield differences in the objective and its loss."""
    if not isinstance(objective, Objective) or not objective.certified:
        yield f"no certificate states the objective {objective.name}: of such a design it proves privacy alone"
        return
    if c.objective != objective.name:
        yield f"the certificate is about the objective {c.objective}, you asked for {objective.name}"
    table = objective.table([label(text) for text in c.categories])
    if table and len(table[0]) != len(c.outputs):
        yield f"the certificate has a loss for {counted(len(c.outputs), 'output')}, yours is for {len(table[0])}"
    for x, (costs, losses) in enumerate(zip(c.loss, table, strict=True)):
        for y, (cost, loss) in enumerate(zip(costs, losses, strict=True)):
            if Fraction(cost, c.loss_unit) != loss:
                place = f"{shown_label(c.categories[x])} reported as {shown_label(c.outputs[y])}"
                there = Fraction(cost, c.loss_unit)
                words = f"{shown(there)}, yours is {shown(loss)}{apart(there, loss)}"
                yield f"the certificate has another loss for {place}: {words}"


def of_weights(c: Any, graph: nx.Graph) -> Iterator[str]:
    """Yield differences in the profiles' weights."""
    weights = dict(zip(written_labels(graph), profile_weights(graph), strict=True))
    for profile, weight in zip(c.profiles, c.weights, strict=True):
        there, here = Fraction(weight, sum(c.weights)), weights[profile] / sum(weights.values())
        if there != here:
            place = f"profile {shown_label(profile)}"
            words = f"the certificate has the weight {shown(there)}, yours is {shown(here)} of 1"
            yield f"{place}: {words}{apart(there, here)}"
