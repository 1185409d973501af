"""What privacy requires of released distributions, and how far two of them are apart; all exact.

Profile i releases q^i. An edge (i, j) requires, both ways and for every set S of outputs,
q^i(S) <= e^epsilon q^j(S) + delta ([GC] (2), [HLM] (5)). The worst S is {y : q^i(y) > e^epsilon q^j(y)}, so the
requirement is that the hockey-stick divergence sum_y max(0, q^i(y) - e^epsilon q^j(y)) is at most delta.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact
from mechdesign.exact import Epsilon, exp_below

Outputs: TypeAlias = tuple[int, ...]
"""A set of outputs, by their positions."""


@dataclass(frozen=True, eq=False)
class Released:
    """A distribution over the outputs as integer weights over their total; equal to others of the same probabilities.

    Examples
    --------
    >>> Released(np.array([1, 3], dtype=object), 4) == Released(np.array([2, 6], dtype=object), 8)
    True
    """

    weights: Exact
    total: int

    def __eq__(self, other: object) -> bool:
        return self.fractions() == other.fractions() if isinstance(other, Released) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.fractions())

    def fractions(self) -> tuple[Fraction, ...]:
        """Return the probabilities."""
        return tuple(Fraction(weight, self.total) for weight in self.weights)


def released_through(parts: Iterable[tuple[Fraction, Exact]]) -> Released:
    """Return sum_x P(x) row_x for pairs (P(x), integer weights of row_x).

    Examples
    --------
    >>> rows = [np.array(weights, dtype=object) for weights in ([1, 0], [1, 3])]
    >>> released_through(zip([Fraction(1, 2), Fraction(1, 2)], rows)).fractions()
    (Fraction(5, 8), Fraction(3, 8))
    """
    pairs = [(Fraction(mass, int(weights.sum())), weights) for mass, weights in parts]
    total = math.lcm(*(share.denominator for share, _ in pairs))
    factors = np.array([share.numerator * (total // share.denominator) for share, _ in pairs], dtype=object)
    return Released(factors @ np.array([weights for _, weights in pairs], dtype=object), total)


@dataclass(frozen=True)
class Requirement:
    """What one edge asks, both ways, of profiles `first` and `second` (positions in the graph's order)."""

    first: int
    second: int
    epsilon: Fraction
    delta: Fraction
    distance: Fraction | None = Fraction(1)
    """epsilon is the distance times the one asked for; None if the edge has an epsilon of its own."""

    @property
    def ratio_below(self) -> Fraction:
        """A rational <= e^epsilon: what is private with it is private."""
        return exp_below(self.epsilon)

    def directions(self) -> Iterator[tuple[int, int]]:
        """Yield (first, second) and (second, first)."""
        yield self.first, self.second
        yield self.second, self.first


Directed: TypeAlias = tuple[int, int, Requirement]
"""A requirement in one of its directions, (i, j): q^i(S) <= e^epsilon q^j(S) + delta for every set S of outputs."""


def both_ways(required: Iterable[Requirement]) -> Iterator[Directed]:
    """Yield each requirement in its two directions.

    Examples
    --------
    >>> [(i, j) for i, j, _ in both_ways([Requirement(0, 3, Fraction(1), Fraction(0))])]
    [(0, 3), (3, 0)]
    """
    for requirement in required:
        for i, j in requirement.directions():
            yield i, j, requirement


def requirements(graph: nx.Graph, epsilon: Epsilon, delta: Fraction) -> list[Requirement]:
    """Return what the edges require at (epsilon, delta); an infinite epsilon requires nothing.

    An edge's own `epsilon` and `delta` replace those given; its `distance` multiplies the epsilon given.
    """
    position = {profile: index for index, profile in enumerate(graph)}
    result = []
    for a, b, attributes in graph.edges(data=True):
        distance = None if "epsilon" in attributes else attributes.get("distance", Fraction(1))
        own = epsilon_of(attributes, epsilon)
        if own != math.inf:
            allowed = attributes.get("delta", delta)
            result.append(Requirement(position[a], position[b], Fraction(own), allowed, distance))
    return result


def epsilon_of(attributes: Mapping[str, Any], epsilon: Epsilon) -> Epsilon:
    """Return what an edge of a checked graph requires if `epsilon` is asked for: its own, or its distance times that.

    Points at distance 0 are the same point, whatever the epsilon.

    Examples
    --------
    >>> epsilon_of({"distance": Fraction(2)}, Fraction(3, 2)), epsilon_of({"epsilon": math.inf}, Fraction(3, 2))
    (Fraction(3, 1), inf)
    """
    if "epsilon" in attributes:
        own: Epsilon = attributes["epsilon"]
        return own
    distance = attributes.get("distance", Fraction(1))
    return Fraction(0) if distance == 0 else epsilon * distance


def connected(profiles: int, required: Iterable[Requirement]) -> list[list[int]]:
    """Return the positions of the profiles that requirements join, directly or by others, in groups.

    Examples
    --------
    >>> connected(4, [Requirement(0, 3, Fraction(1), Fraction(0)), Requirement(3, 2, Fraction(1), Fraction(0))])
    [[0, 2, 3], [1]]
    """
    joined = nx.empty_graph(profiles)
    joined.add_edges_from((edge.first, edge.second) for edge in required)
    return [sorted(group) for group in nx.connected_components(joined)]


def hockey_stick(first: Released, second: Released, ratio: Fraction) -> Fraction:
    """Return sum_y max(0, first(y) - ratio * second(y)), exactly.

    Examples
    --------
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> hockey_stick(p, q, Fraction(2))
    Fraction(1, 5)
    """
    gaps, unit = _gaps(first, second, ratio)
    return Fraction(int(sum(gap for gap in gaps if gap > 0)), unit)


def _gaps(first: Released, second: Released, ratio: Fraction) -> tuple[Exact, int]:
    """Return first(y) - ratio * second(y) for each output y, as integers over a common positive one."""
    gaps = first.weights * (second.total * ratio.denominator) - second.weights * (first.total * ratio.numerator)
    return gaps, first.total * second.total * ratio.denominator


def worst_set(first: Released, second: Released, ratio: Fraction) -> Outputs:
    """Return A*(E) = {a : P(a) > ratio P'(a)}: the requirement holds on every set iff on this one.

    Parameters
    ----------
    first, second, ratio
        P, P' and e^epsilon.

    References
    ----------
    Sharper than [HLM] Theorem 2: max_A P(A) - E P'(A) is the sum of the positive P(a) - E P'(a).

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [2, 2, 6]))
    >>> worst_set(p, q, Fraction(2))
    (0,)
    """
    gaps, _ = _gaps(first, second, ratio)
    return tuple(position for position, gap in enumerate(gaps) if gap > 0)


def excess(first: Released, second: Released, ratio: Fraction, outputs: Outputs) -> Fraction:
    """Return P(A) - ratio P'(A), which [HLM] (5) bounds by delta.

    Parameters
    ----------
    first, second
        P and P'.
    ratio
        e^epsilon.
    outputs
        A.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> excess(p, q, Fraction(2), (0,))
    Fraction(1, 5)
    """
    return _mass(first, outputs) - ratio * _mass(second, outputs)


def _mass(released: Released, outputs: Outputs) -> Fraction:
    return Fraction(sum(int(released.weights[position]) for position in outputs), released.total)


def unmet(released: Sequence[Released], required: Iterable[Requirement]) -> Directed | None:
    """Return the first requirement not proved met, with its direction; None when all are met.

    e^epsilon is replaced by a rational below it, so None proves privacy.
    """
    for a, b, requirement in both_ways(required):
        if hockey_stick(released[a], released[b], requirement.ratio_below) > requirement.delta:
            return a, b, requirement
    return None
