"""`certify`: what any finite mechanism's privacy is, exactly.

Everything follows, for each edge and direction, from the least E >= 1 with q^i(S) <= E q^j(S) + delta for every set S
of outputs, an exact rational (`mechdesign.least_ratio`): the requirement is met iff E <= e^epsilon, which finer and
finer bounds of e^epsilon decide, and the tight epsilon is ln E.
"""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact import (
    Epsilon,
    Number,
    exp_above,
    exp_below,
    float_above,
    float_below,
    is_at_most_exp,
    log_bounds,
    parse_delta,
    parse_epsilon,
    shown,
)
from mechdesign.graph import Label, PointMass, checked
from mechdesign.least_ratio import WAYS, By, Needed
from mechdesign.mechanism import Mechanism, check_mechanism
from mechdesign.privacy import Released, Requirement, hockey_stick, requirements
from mechdesign.rows import DoubleRows, ReleasedRows
from mechdesign.shortlist import AllPairs, allows_delta, deciding, every, largest_divergence
from mechdesign.sufficient_sets import excess, worst_set

ROUNDING = 1e-9
"""A mechanism whose ratios exceed e^epsilon by less than this, relatively, misses by rounding only; that is said."""

LARGEST_ABOVE = Fraction(100_000)
"""The largest epsilon at which e^epsilon is bounded from above; beyond, infinity is the bound."""

LARGEST_DOUBLE = Fraction(sys.float_info.max)
"""Stands in a curve for a larger epsilon that is finite."""


@dataclass(frozen=True)
class Worst:
    """The edge and direction where most is missing, or least is to spare.

    Attributes
    ----------
    edge
        (i, j): q^i(S) is compared with e^epsilon q^j(S) + delta.
    set
        the outputs in S: {y : q^i(y) > e^epsilon q^j(y)} when refuted, otherwise one that needs the tight epsilon.
    gap
        rationals (lower, upper) around q^i(S) - e^epsilon q^j(S) - delta; positive when refuted.
    """

    edge: tuple[Label, Label]
    set: tuple[Label, ...]
    gap: tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Verdict:
    """What is proved about a mechanism.

    Attributes
    ----------
    private
        whether every requirement is met; exact.
    epsilon
        (lower, upper) around the least epsilon for which the mechanism is private at the delta asked; infinite if none
        is, or if an edge with an epsilon of its own is not met.
    delta
        (lower, upper) around the largest hockey-stick divergence over the edges, at the epsilon asked.
    worst
        the worst place; None if nothing is required.
    by_rounding
        whether it is refuted, but misses by rounding only.
    """

    private: bool
    epsilon: tuple[float, float]
    delta: tuple[float, float]
    worst: Worst | None
    by_rounding: bool

    def sentence(self) -> str:
        """Return the verdict in words."""
        if self.worst is None:
            return "Certified: no edge requires anything."
        if self.private:
            return f"Certified: private. The tight epsilon is {self.epsilon[1]!r} (rounded up)."
        if self.by_rounding:
            return (
                f"Refuted, but by rounding only: it satisfies epsilon = {self.epsilon[1]!r}, "
                f"or the epsilon asked with delta = {self.delta[1]:.3g} in place of the one asked."
            )
        (i, j), gap = self.worst.edge, float(self.worst.gap[0])
        return f"Refuted: on the set below, {i} exceeds what {j} allows by {gap:.6g}."


@dataclass(frozen=True)
class _Place:
    """A directed edge with the ratio it needs."""

    requirement: Requirement
    i: int
    j: int
    needed: Needed

    @property
    def met(self) -> bool:
        if self.needed.ratio is None:
            return False
        low, high = log_bounds(self.needed.ratio)
        if high <= self.requirement.epsilon:
            return True
        return low <= self.requirement.epsilon and is_at_most_exp(self.needed.ratio, self.requirement.epsilon)

    @property
    def excess(self) -> float:
        """How far ln E lies above the edge's epsilon, nearly; only to say which place is the worst."""
        return (
            math.inf
            if self.needed.ratio is None
            else log_bounds(self.needed.ratio)[1] - float(min(self.requirement.epsilon, LARGEST_ABOVE))
        )

    def epsilon(self) -> tuple[float, float]:
        """Return (lower, upper) around the least epsilon to ask for so that this is met."""
        distance = self.requirement.distance
        if self.needed.ratio == 1 or (distance is None and self.met):
            return 0.0, 0.0
        if self.needed.ratio is None or not distance:
            return math.inf, math.inf
        low, high = log_bounds(self.needed.ratio)
        return float_below(Fraction(low) / distance), float_above(Fraction(high) / distance)


def certify(
    mechanism: Mechanism, graph: nx.Graph | None = None, *, epsilon: Number, delta: Number = 0, by: str = "sets"
) -> Verdict:
    """Return whether a mechanism is private, its tight epsilon and delta, and the worst edge with its set of outputs.

    Parameters
    ----------
    mechanism
        any finite mechanism; without a graph every pair of its profiles (of a foreign matrix: its inputs) is an edge.
    graph
        a profile graph over the same categories; a mechanism of one matrix serves all its profiles.
    epsilon, delta
        what is asked, epsilon in nats; an edge's own replace them, an edge's distance multiplies epsilon.
    by
        "sets" (the sufficient set), "lp" (a linear program over fractional sets), "exhaustive" (all sets, up to 20
        outputs).

    Raises
    ------
    InputError
        if the graph does not fit, or an argument cannot be used.

    References
    ----------
    [HLM] (5) and Theorem 2; [GC] (2), with 0/0 satisfied and x/0 violated.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> md.certify(coin, epsilon="1.1").private, md.certify(coin, epsilon="1.09").private       # ln 3 = 1.0986...
    (True, False)
    """
    asked, allowed = parse_epsilon(epsilon), parse_delta(delta)
    if by not in list(By):
        raise InputError(f"by: expected one of {', '.join(By)}, found {shown(by)}")
    graph = None if graph is None else checked(graph)
    names, released = _released_under(mechanism, graph)
    required = _required(names, graph, asked, allowed)
    if not required:
        return Verdict(True, (0.0, 0.0), (0.0, 0.0), None, False)
    chosen = deciding(released, required) if by == By.SETS else every(required)
    places = [_Place(r, i, j, WAYS[by](released[i], released[j], r.delta)) for r, i, j in chosen]
    failed = [place for place in places if not place.met]
    worst = max(failed or places, key=lambda place: place.excess)
    bounds = [place.epsilon() for place in places]
    return Verdict(
        private=not failed,
        epsilon=(max(low for low, _ in bounds), max(high for _, high in bounds)),
        delta=(0.0, 0.0) if not failed and not allows_delta(required) else _largest_delta(released, required),
        worst=_described(worst, bool(failed), names, mechanism.outputs, released),
        by_rounding=bool(failed) and all(place.excess < ROUNDING for place in failed),
    )


def privacy_curve(
    mechanism: Mechanism, graph: nx.Graph | None, epsilons: Sequence[Number]
) -> list[tuple[float, float, float]]:
    """Return (epsilon, delta lower, delta upper) for each epsilon: the tight delta there, rounded outward.

    Raises
    ------
    InputError
        if the graph does not fit, or an epsilon cannot be used.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> [upper for _, _, upper in md.privacy_curve(coin, None, [0, "1.1"])]
    [0.5, 0.0]
    """
    graph = None if graph is None else checked(graph)
    names, released = _released_under(mechanism, graph)
    curve = []
    for epsilon in epsilons:
        asked = parse_epsilon(epsilon)
        point = math.inf if asked == math.inf else float(min(asked, LARGEST_DOUBLE))
        curve.append((point, *_largest_delta(released, _required(names, graph, asked, Fraction(0)))))
    return curve


def _released_under(mechanism: Mechanism, graph: nx.Graph | None) -> tuple[list[Label], Sequence[Released]]:
    """Return the profiles of a checked graph and what each releases through the mechanism, with its distribution there.

    Raises
    ------
    InputError
        if it is no mechanism, the categories differ, or it has no rows for a profile.
    """
    check_mechanism(mechanism)
    if graph is None:
        return list(mechanism.profiles), _released(mechanism, mechanism.graph, range(len(mechanism.profiles)))
    categories = tuple(graph.graph["categories"])
    if categories != mechanism.categories:
        same = set(categories) == set(mechanism.categories)
        remedy = "the order differs" if same else "mechanism_from_matrix(..., inputs=) gives a matrix its labels"
        found = f"found {shown(mechanism.categories)} in the mechanism; {remedy}"
        raise InputError(f"expected the graph's categories {shown(categories)}, {found}")
    one_matrix = len(mechanism.index) > 0 and (mechanism.index == mechanism.index[0]).all()
    position = {profile: number for number, profile in enumerate(mechanism.profiles)}
    unknown = [profile for profile in graph if profile not in position]
    if unknown and not one_matrix:
        raise InputError([f"the mechanism has no rows for the profile {shown(profile)}" for profile in unknown])
    return list(graph), _released(mechanism, graph, [position.get(profile, 0) for profile in graph])


def _released(mechanism: Mechanism, graph: nx.Graph, positions: Sequence[int]) -> Sequence[Released]:
    """Return what the graph's profiles release; through rows of doubles, made exact one by one."""
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    if isinstance(mechanism.rows, DoubleRows) and all(isinstance(one, PointMass) for one in distributions):
        places = zip(positions, distributions, strict=True)
        return ReleasedRows(mechanism.rows, [int(mechanism.index[i, one.position]) for i, one in places])
    return [mechanism.released_weights(one, i) for one, i in zip(distributions, positions, strict=True)]


def _required(
    names: Sequence[Label], graph: nx.Graph | None, epsilon: Epsilon, delta: Fraction
) -> Sequence[Requirement]:
    """Return what the graph's edges require; without a graph, every pair."""
    return AllPairs(len(names), epsilon, delta) if graph is None else requirements(graph, epsilon, delta)


def _largest_delta(released: Sequence[Released], required: Sequence[Requirement]) -> tuple[float, float]:
    """Return (lower, upper) around the largest hockey-stick divergence."""
    if not required:
        return 0.0, 0.0
    low = high = Fraction(0)
    places, at_most = largest_divergence(released, required)
    for requirement, i, j in places:
        high = max(high, hockey_stick(released[i], released[j], requirement.ratio_below))
        if requirement.epsilon <= LARGEST_ABOVE:
            low = max(low, hockey_stick(released[i], released[j], exp_above(requirement.epsilon)))
    return float_below(low), float_above(high) if at_most == math.inf else at_most


def _described(
    place: _Place, refuted: bool, names: Sequence[Label], outputs: Sequence[Label], released: Sequence[Released]
) -> Worst:
    """Return the worst place by its names, with bounds of e^epsilon fine enough to show the sign of a refuted gap."""
    first, second, requirement = released[place.i], released[place.j], place.requirement
    bits = 64
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
            return Worst((names[place.i], names[place.j]), tuple(outputs[y] for y in chosen), gap)
        bits *= 2
