"""`certify`: what any finite mechanism's privacy is, exactly.

Everything follows, for each edge and direction, from the least E >= 1 with q^i(S) <= E q^j(S) + delta for every set S
of outputs, an exact rational (`mechdesign.certifier.least_ratio`): the requirement is met iff E <= e^epsilon, which
finer and finer bounds of e^epsilon decide, and the tight epsilon is ln E.
"""

import math
import os
from collections.abc import Iterable, Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.certifier.all_pairs import allows_delta, every
from mechdesign.certifier.applied import largest_delta, released_under, required_by
from mechdesign.certifier.least_ratio import WAYS, By
from mechdesign.certifier.place import Place
from mechdesign.certifier.shortlist import deciding
from mechdesign.certifier.verdict import Own, Verdict, Worst
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above, exp_below
from mechdesign.exact.numbers import Number, parse_delta, parse_epsilon
from mechdesign.graph.labels import Label
from mechdesign.graph.own_epsilons import own_epsilons
from mechdesign.mechanism.given import Given, as_mechanism
from mechdesign.privacy.gaps import excess, worst_set
from mechdesign.privacy.released import Released
from mechdesign.words import expected_one_of

ROUNDING = 1e-9
"""A mechanism whose ratios exceed e^epsilon by less than this, relatively, misses by rounding only; that is said."""


def certify(
    mechanism: Given,
    graph: nx.Graph | str | os.PathLike[str] | None = None,
    *,
    epsilon: Number = math.inf,
    delta: Number = 0,
    by: str = "sets",
) -> Verdict:
    """Return whether a mechanism is private, its tight epsilon and delta, and the worst edge with its set of outputs.

    Parameters
    ----------
    mechanism
        any finite mechanism, a matrix (its rows are the inputs) or the path of a file; without a graph every pair of
        its profiles (of a matrix: its inputs) is an edge. Or a `Design`, which without a graph is judged on its own.
    graph
        a profile graph over the same categories, its name or its path; a mechanism of one matrix serves all profiles.
    epsilon, delta
        what is asked, epsilon in nats; an edge's own replace them, an edge's distance multiplies epsilon. An infinite
        one asks nothing; the verdict's `epsilon` then says what the mechanism satisfies.
    by
        "sets" (the sufficient set), "lp" (a linear program over fractional sets), "exhaustive" (all sets, up to 20
        outputs).

    Raises
    ------
    InputError
        if the graph does not fit, or an argument cannot be used.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: (5) and Theorem 2.
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (2), with 0/0 satisfied and x/0 violated.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> md.certify(coin, epsilon="1.1").private, md.certify(coin, epsilon="1.09").private       # ln 3 = 1.0986...
    (True, False)
    >>> md.certify(coin).sentence()
    'It satisfies epsilon = 1.0986122886681098 (rounded up), and none below 1.0986122886681096, at the delta asked.'
    """
    asked, allowed = parse_epsilon(epsilon), parse_delta(delta)
    if by not in list(By):
        raise InputError(f"by: {expected_one_of(By, by)}")
    mechanism, graph = as_mechanism(mechanism, graph)
    names, released = released_under(mechanism, graph)
    own = [] if graph is None else own_epsilons(graph)
    free = asked == math.inf
    required = required_by(names, graph, Fraction(0) if free else asked, allowed)
    chosen = deciding(released, required) if by == By.SETS else every(required)
    places = [
        Place(r, i, j, WAYS[by](released[i], released[j], r.delta), free and bool(r.distance)) for i, j, r in chosen
    ]
    failed = [place for place in places if not place.met]
    spread = 0.0, 0.0
    if failed or allows_delta(required):
        spread = largest_delta(released, required_by(names, graph, asked, allowed))
    return Verdict(
        private=not failed,
        epsilon=_largest(place.epsilon() for place in places),
        delta=spread,
        worst=_described(_worst(places), names, mechanism.outputs, released) if places else None,
        by_rounding=bool(failed) and all(place.excess < ROUNDING for place in failed),
        asked=not free,
        edges=math.comb(len(names), 2) if graph is None else graph.number_of_edges(),
        own=Own(len(own), min(own), max(own), _largest(place.scale() for place in places)) if own else None,
    )


def _largest(bounds: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return (lower, upper) around the largest of numbers >= 0 within such bounds."""
    low, high = 0.0, 0.0
    for lower, upper in bounds:
        low, high = max(low, lower), max(high, upper)
    return low, high


def _worst(places: Sequence[Place]) -> Place:
    """Return the place furthest beyond what is required of it; where nothing is, the one with the largest epsilon."""
    binding = [place for place in places if not place.free]
    failed = [place for place in binding if not place.met]
    if failed or len(binding) == len(places):
        return max(failed or places, key=lambda place: place.excess)
    return max((place for place in places if place.free), key=lambda place: place.epsilon()[1])


def _described(place: Place, names: Sequence[Label], outputs: Sequence[Label], released: Sequence[Released]) -> Worst:
    """Return the worst place by its names, with bounds of e^epsilon fine enough to show the sign of a refuted gap."""
    first, second, requirement = released[place.i], released[place.j], place.requirement
    edge, refuted, bits = (names[place.i], names[place.j]), not place.met, 64
    if place.free:
        left = excess(first, second, place.needed.ratio or Fraction(1), place.needed.outputs) - requirement.delta
        return Worst(edge, tuple(outputs[y] for y in place.needed.outputs), (left, left))
    while True:
        below, above = (
            exp_below(requirement.epsilon, bits=bits),
            exp_above(min(requirement.epsilon, LARGEST_ABOVE), bits=bits),
        )
        chosen = worst_set(first, second, above) if refuted else place.needed.outputs
        gap = (
            excess(first, second, above, chosen) - requirement.delta,
            excess(first, second, below, chosen) - requirement.delta,
        )
        if not refuted or gap[0] > 0:
            return Worst(edge, tuple(outputs[y] for y in chosen), gap)
        bits *= 2
