"""What each edge costs: the rate at which the optimum falls as the edge's own epsilon, or its own delta, grows.

With the weights lam of `mechdesign.certificate.bound`, an edge (a, b) adds to the bound's Lagrangian

    sum_y lam(a,b,y) (q^a_y - e^epsilon q^b_y) - delta max_y lam(a,b,y),  and the same with a and b exchanged,

so at an optimum q the value falls with its epsilon at the rate e^epsilon sum_y (lam(a,b,y) q^b_y + lam(b,a,y) q^a_y),
and with its delta at the rate max_y lam(a,b,y) + max_y lam(b,a,y). If q, or lam, is the only optimal one, that is the
derivative where there is one, and where the optimum has a kink it is between those of both sides. Several lam prove the
same bound where edges ask the same, directly and through others, and where they are alike: then one may have the whole
price, or each a share. Edges that are alike have the same price where the problem of their classes was solved, that of
`mechdesign.symmetry`.

The value is a convex function of the deltas. So with the deltas it falls by no more than their prices say, however much
they grow; where delta is 0, and the weights are not the only ones, at first perhaps by less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.certificate.private import extremes_of
from mechdesign.designer.method import Method
from mechdesign.errors import InputError
from mechdesign.exact.numbers import over_common
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.multipliers import FINENESS
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement

SHARED_OTHERWISE = "that are alike, or ask the same, may share their prices otherwise: several proofs are as good."
"""What is true of edges, or links, wherever their prices are shown."""


@dataclass(frozen=True)
class Price:
    """What an edge costs: exactly, for the weights that prove the bound, with a rational below e^epsilon.

    Attributes
    ----------
    edge
        the two profiles.
    epsilon, delta
        the rates, at least 0, at which the optimum falls as the edge's own epsilon, or delta, grows.
    asked_epsilon, asked_delta
        what the edge adds to the rates in the epsilon and the delta asked for: its distance times the rate in its own
        epsilon; 0 where the edge has an epsilon, or delta, of its own, to which what is asked for does not apply. Where
        multiples of own epsilons are asked for, each counts as many times as it is large before that.

    Examples
    --------
    >>> Price(("a", "b"), Fraction(1, 3), Fraction(1), Fraction(1, 3), Fraction(1))
    Price(('a', 'b'), epsilon 0.333333, delta 1)
    """

    edge: tuple[Label, Label]
    epsilon: Fraction
    delta: Fraction
    asked_epsilon: Fraction
    asked_delta: Fraction

    def __repr__(self) -> str:
        return f"Price({self.edge}, epsilon {float(self.epsilon):.6g}, delta {float(self.delta):.6g})"


def check_has_prices(method: str) -> None:
    """Raise an InputError if a method's mechanism is not the optimum that the proof is about.

    Examples
    --------
    >>> check_has_prices("one-bit-cluster")
    Traceback (most recent call last):
    mechdesign.errors.InputError: prices: the proof is about all mechanisms, one-bit-cluster finds the best of its own \
class; use another method
    """
    if method == Method.ONE_BIT_CLUSTER:
        raise InputError(
            f"prices: the proof is about all mechanisms, {method} finds the best of its own class; use another method"
        )


def edge_prices(
    mechanism: Mechanism,
    graph: nx.Graph,
    required: Sequence[Requirement],
    weights: Mapping[tuple[int, int, int], int],
) -> list[Price]:
    """Return the price of each edge of a graph, in its order; one that requires nothing costs nothing.

    Parameters
    ----------
    mechanism
        an optimal one, for its released distributions.
    weights
        the proof's, of the constraints of privacy: (a, b, y) -> an integer over FINENESS.
    """
    profiles, released = list(graph), _least(mechanism) if is_robust(graph) else mechanism.all_released()
    directed: dict[tuple[int, int], dict[int, int]] = {}
    for (a, b, y), weight in weights.items():
        directed.setdefault((a, b), {})[y] = weight
    nothing = Fraction(0)
    rates = {}
    for edge in required:
        one, other = (dict(directed.get(pair, {})) for pair in edge.directions())
        if edge.epsilon == 0:
            _cancel(one, other)
        spent = _mass(one, released[edge.second]) + _mass(other, released[edge.first])
        largest = Fraction(max(one.values(), default=0) + max(other.values(), default=0), FINENESS)
        pair = frozenset((profiles[edge.first], profiles[edge.second]))
        rates[pair] = edge.ratio_below * spent, largest, edge.distance or nothing
    found = []
    for pair, attributes in graph.edges.items():
        epsilon, delta, distance = rates.get(frozenset(pair), (nothing, nothing, nothing))
        found.append(Price(pair, epsilon, delta, distance * epsilon, nothing if "delta" in attributes else delta))
    return found


def _least(mechanism: Mechanism) -> list[Released]:
    """Return the least that each profile may release of each output: it is in the place of q^b within bounds."""
    found = []
    for position, profile in enumerate(mechanism.profiles):
        least, unit = over_common(extremes_of(mechanism, profile, position).least, "released probabilities")
        found.append(Released(np.array(least, dtype=object), unit))
    return found


def _cancel(one: dict[int, int], other: dict[int, int]) -> None:
    """Take out what two directions have in common: with epsilon 0, q^a_y <= q^b_y <= q^a_y proves nothing."""
    for y in one.keys() & other.keys():
        common = min(one[y], other[y])
        one[y] -= common
        other[y] -= common


def _mass(weights: Mapping[int, int], released: Released) -> Fraction:
    """Return the sum of the weights times what is released."""
    return Fraction(sum(weight * int(released.weights[y]) for y, weight in weights.items()), released.total * FINENESS)
