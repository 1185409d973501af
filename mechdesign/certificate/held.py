"""A certificate held against what its reader wanted: graph, epsilon and delta, objective, mechanism.

A certificate proves something about the graph that stands in it. Whether that is the reader's graph, at the reader's
epsilon, and the reader's mechanism, is found here; the fields are those that `checker.check` returns.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.checker import REFUTATION
from mechdesign.certificate.formula_checker import FORMULA
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.exact.text import shown
from mechdesign.graph.checks import checked
from mechdesign.graph.document import plain
from mechdesign.graph.labels import Label, is_label
from mechdesign.graph.uncertainty import is_single, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.objective import OBJECTIVES, Goal, Objective, checked_objective, profile_weights
from mechdesign.privacy.requirement import requirements
from mechdesign.words import counted

Limits = tuple[Fraction, Fraction, bool]
"""The epsilon and delta in force on an edge of a certificate, and whether what it proves rests on that edge."""


def first_difference(
    c: Any,
    *,
    graph: nx.Graph | None = None,
    epsilon: Number | None = None,
    delta: Number | None = None,
    mechanism: Mechanism | None = None,
    objective: Goal | None = None,
) -> str | None:
    """Return in a sentence the first thing in which a certificate differs from what is given; None if in nothing.

    Raises
    ------
    InputError
        if an argument cannot be used.
    """
    asked = None if epsilon is None else parse_epsilon(epsilon)
    allowed = parse_delta(delta) if delta is not None else None if epsilon is None else Fraction(0)
    if graph is not None:
        graph = checked(graph)
    if mechanism is not None:
        check_mechanism(mechanism)
    if objective is not None:
        objective = checked_objective(objective)
    return next(_differences(c, graph, asked, allowed, objective, mechanism), None)


def graph_in(c: Any) -> nx.Graph:
    """Return the profiles of a certificate as a graph without edges."""
    graph = nx.Graph(categories=[label(text) for text in c.categories])
    for profile, distribution in zip(c.profiles, c.distributions, strict=True):
        graph.add_node(label(profile), distribution=distribution)
    return checked(graph)


def label(text: str) -> Label:
    """Return the label that stands as JSON text in the fields of a certificate.

    Raises
    ------
    InputError
        if no graph can have it.
    """

    def hashable(value: Any) -> Any:
        return tuple(map(hashable, value)) if isinstance(value, list) else value

    found: Label = hashable(json.loads(text))
    if not is_label(found):
        raise InputError(
            f"the certificate has the label {_shown(text)}: expected text or an integer (or a list of these)"
        )
    return found


def written_labels(labels: Sequence[Label]) -> list[str]:
    """Return labels as the checker writes them."""
    try:
        texts = [json.dumps(plain(one)) for one in labels]
    except ValueError:  # an integer of more digits than Python writes
        raise InputError("a label has too many digits for any certificate") from None
    if len(set(texts)) < len(texts):
        raise InputError(
            "two labels are written alike in a certificate: text with halves of surrogate pairs; rename one"
        )
    return texts


def _shown(text: str) -> str:
    """Return a label that stands as JSON text in the way that people read it, cut short."""
    try:
        written = json.dumps(json.loads(text), ensure_ascii=False)
        written.encode()
    except ValueError:  # half of a surrogate pair cannot be printed
        written = text
    return f"{written:.50}"


def _differences(
    c: Any,
    graph: nx.Graph | None,
    epsilon: Epsilon | None,
    delta: Fraction | None,
    objective: Goal | None,
    mechanism: Mechanism | None,
) -> Iterator[str]:
    """Yield what differs; whatever comes after the first may rest on what is the same up to there."""
    if graph is not None:
        yield from of_profiles(c, graph)
        yield from _of_edges(c, graph, epsilon, delta)
        if (kind := OBJECTIVES.get(getattr(c, "objective", ""))) is not None and kind.additive:
            yield from of_weights(c, graph)
    else:
        yield from _of_limits(c, epsilon, delta)
    if objective is not None and c.format == REFUTATION:
        raise InputError("objective: a refutation has none")
    if objective is not None:
        yield from of_objective(c, objective)
    if mechanism is not None and not (graph is None and only_releases_alike(c, mechanism)):
        yield from _of_mechanism(c, mechanism, graph)


def only_releases_alike(c: Any, mechanism: Mechanism) -> bool:
    """Return whether a mechanism, of other matrices, has profiles that release just what those of a certificate do.

    So it is with what `mend` wrote: a row that was given is a profile of its certificate, and the mended row what this
    profile releases. Within bounds, matrices count, not what they do to one distribution.
    """
    named = dict(zip(written_labels(mechanism.profiles), mechanism.profiles, strict=True))
    if c.format in (REFUTATION, FORMULA) or any(c.radius):
        return False
    if c.outputs != written_labels(mechanism.outputs) or not named.keys() >= set(c.profiles):
        return False
    if next(_of_mechanism(c, mechanism, None), None) is None:
        return False
    return all(
        weight == probability * total
        for profile, weights, total in zip(c.profiles, c.least, c.totals, strict=True)
        for weight, probability in zip(weights, mechanism.released(named[profile]), strict=True)
    )


def _of_mechanism(c: Any, mechanism: Mechanism, graph: nx.Graph | None) -> Iterator[str]:
    """Yield differences in the matrices; and in the profiles that a mechanism brings, where no graph does."""
    if graph is None and not mechanism.one_matrix:
        yield from of_profiles(c, mechanism.graph)
    yield from _of_rows(c, mechanism)


def _of_labels(kind: str, there: Sequence[str], here: Sequence[str]) -> Iterator[str]:
    """Yield how the labels of a kind differ, in number, name or order."""
    for one in sorted(set(here) - set(there)):
        yield f"the certificate does not have your {kind} {_shown(one)}"
    for one in sorted(set(there) - set(here)):
        yield f"the certificate has the {kind} {_shown(one)}, which you have not"


def of_profiles(c: Any, graph: nx.Graph) -> Iterator[str]:
    """Yield differences in categories, profiles and distributions; a refutation has two of the profiles only."""
    categories = written_labels(graph.graph["categories"])
    yield from _of_labels("category", c.categories, categories)
    if c.categories != categories:
        yield "the certificate has your categories in another order"
    profiles = dict(zip(written_labels(graph), graph.nodes.values(), strict=True))
    yield from _of_labels("profile", c.profiles, [p for p in profiles if c.format != REFUTATION or p in c.profiles])
    for profile, distribution in zip(c.profiles, c.distributions, strict=True):
        if c.format == REFUTATION and uncertainty_of(profiles[profile]).holds(distribution):
            continue  # one of those that it may have
        for category, there, here in zip(categories, distribution, profiles[profile]["distribution"], strict=True):
            if there != here:
                place = f"profile {_shown(profile)}, category {_shown(category)}"
                yield f"{place}: the certificate has probability {shown(there)}, you have {shown(here)}"
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
        who = f"profile {_shown(profile)}"
        if there[1] != here[1]:
            found, wanted = ("no radius" if one == 1 else f"the radius {shown(one)}" for one in (there[1], here[1]))
            yield f"{who}: the certificate has {found}, you have {wanted}"
        for category, known, asked in zip(categories, there[0], here[0], strict=True):
            if known != asked:
                found, wanted = (" to ".join(map(shown, dict.fromkeys(one))) for one in (known, asked))
                yield f"{who}, category {_shown(category)}: the certificate holds for {found}, you have {wanted}"


def _bounds(
    nominal: Sequence[Fraction], lower: Sequence[Fraction], upper: Sequence[Fraction], radius: Fraction
) -> tuple[list[tuple[Fraction, Fraction]], Fraction]:
    """Return bounds in one form, whatever way a profile is said to be known."""
    if radius == 0 or list(lower) == list(upper):
        lower, upper, radius = nominal, nominal, Fraction(1)
    return list(zip(lower, upper, strict=True)), radius


def _of_edges(c: Any, graph: nx.Graph, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
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
            for its in there[pair]:
                yield from _of_limit(pair, its, limits)
        elif c.format != REFUTATION:
            yield f"the certificate does not have your edge {edge_words(pair)}: it protects nobody there"
    for pair in there:
        if pair not in here:
            yield f"the certificate has the edge {edge_words(pair)}, where you require nothing"


def _limits(c: Any) -> dict[frozenset[str], list[Limits]]:
    """Return what is in force on each edge of a certificate, which may give one several times."""
    found: dict[frozenset[str], list[Limits]] = {}
    used = set(range(len(c.edges))) if c.format == REFUTATION else {edge for edge, *_, lam in c.privacy if lam}
    for n, ((i, j), *limits) in enumerate(zip(c.edges, c.epsilons, c.deltas, strict=True)):
        found.setdefault(frozenset((c.profiles[i], c.profiles[j])), []).append((limits[0], limits[1], n in used))
    return found


def _asked(graph: nx.Graph, there: dict[frozenset[str], list[Limits]]) -> tuple[Epsilon, Fraction]:
    """Return the epsilon and delta that a certificate was made for, by the first edges that have none of their own."""
    written = dict(zip(graph, written_labels(graph), strict=True))
    epsilons, deltas, largest = [], [], MAX_EPSILON
    for a, b, attributes in graph.edges(data=True):
        for epsilon, delta, _ in there.get(frozenset((written[a], written[b])), ()):
            distance = attributes.get("distance", Fraction(1))
            if "epsilon" not in attributes and distance:
                largest = max(largest, epsilon / distance)  # where all are 700, which may stand for more
                epsilons += [epsilon / distance] * (epsilon < MAX_EPSILON)
            if "delta" not in attributes:
                deltas.append(delta)
    return next(iter(epsilons), largest), next(iter(deltas), Fraction(0))


def _of_limits(c: Any, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
    """Yield differences in what is in force on the edges, for a reader who gives no graph."""
    if not c.edges and epsilon != math.inf and (epsilon, delta) != (None, None):
        yield "the certificate has no edges: no two profiles are protected from being told apart"
    for pair, several in _limits(c).items():
        for its in several:
            here = its[0] if epsilon is None else epsilon, its[1] if delta is None else delta
            yield from _of_limit(pair, its, here, "; if your edges have limits of their own, give your graph too")


def _of_limit(pair: frozenset[str], there: Limits, here: tuple[Epsilon, Fraction], remark: str = "") -> Iterator[str]:
    """Yield a difference; 700 stands for any larger epsilon, unless a bound or a refutation rests on it."""
    epsilon, delta, used = there
    if epsilon != here[0] and (used or epsilon != min(here[0], MAX_EPSILON)):
        asked = "inf" if here[0] == math.inf else shown(here[0])
        yield f"edge {edge_words(pair)}: the certificate has epsilon {shown(epsilon)}, you asked for {asked}{remark}"
    if delta != here[1]:
        words = f"the certificate has delta {shown(delta)}, you asked for {shown(here[1])}"
        yield f"edge {edge_words(pair)}: {words}{remark}"


def edge_words(pair: frozenset[str]) -> str:
    """Return two labels, as they stand in a certificate, as people read them."""
    return "-".join(f"{_shown(end)}" for end in sorted(pair))


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
                place = f"{_shown(c.categories[x])} reported as {_shown(c.outputs[y])}"
                there = shown(Fraction(cost, c.loss_unit))
                yield f"the certificate has another loss for {place}: {there}, yours is {shown(loss)}"


def of_weights(c: Any, graph: nx.Graph) -> Iterator[str]:
    """Yield differences in the profiles' weights."""
    weights = dict(zip(written_labels(graph), profile_weights(graph), strict=True))
    for profile, weight in zip(c.profiles, c.weights, strict=True):
        there, here = Fraction(weight, sum(c.weights)), weights[profile] / sum(weights.values())
        if there != here:
            place = f"profile {_shown(profile)}"
            yield f"{place}: the certificate has the weight {shown(there)}, yours is {shown(here)} of 1"


def _of_rows(c: Any, mechanism: Mechanism) -> Iterator[str]:
    """Yield where a row of the mechanism has not the proportions of the certificate's."""
    yield from _of_labels("category", c.categories, written_labels(mechanism.categories))
    yield from _of_labels("output", c.outputs, written_labels(mechanism.outputs))
    if (c.categories, c.outputs) != (written_labels(mechanism.categories), written_labels(mechanism.outputs)):
        yield "the certificate has the categories or outputs of your mechanism in another order"
    position = {name: number for number, name in enumerate(written_labels(mechanism.profiles))}
    if not mechanism.one_matrix:
        yield from (
            f"your mechanism has no rows for the profile {_shown(one)}" for one in c.profiles if one not in position
        )
    for profile, rows in zip(c.profiles, c.rows, strict=True):
        for x, row in enumerate(rows):
            own = mechanism.rows[mechanism.index[position.get(profile, 0), x]]
            if row and [weight * int(own.sum()) for weight in row] != [int(weight) * sum(row) for weight in own]:
                place = f"profile {_shown(profile)}, category {_shown(c.categories[x])}"
                yield f"{place}: your mechanism has other probabilities than the certificate"
