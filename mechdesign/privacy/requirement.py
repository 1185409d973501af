"""What the edges of a graph require of their profiles."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias, TypeVar

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import exp_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.checks import MOST_EDGES

ONE = Fraction(1)


@dataclass(frozen=True)
class Requirement:
    """What one edge asks, both ways, of profiles `first` and `second` (positions in the graph's order)."""

    first: int
    second: int
    epsilon: Fraction
    delta: Fraction
    distance: Fraction | None = Fraction(1)
    """epsilon is the distance times the one asked for; None if the edge has an epsilon of its own. Where a multiple of
    these is asked for, the distance is the edge's own."""

    @cached_property
    def ratio_below(self) -> Fraction:
        """A rational <= e^epsilon: what is private with it is private."""
        return exp_below(self.epsilon)

    def directions(self) -> Iterator[tuple[int, int]]:
        """Yield (first, second) and (second, first)."""
        yield self.first, self.second
        yield self.second, self.first


Result = TypeVar("Result")

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
        yield requirement.first, requirement.second, requirement
        yield requirement.second, requirement.first, requirement


def of_each(values: Sequence[Fraction], function: Callable[[Fraction], Result]) -> list[Result]:
    """Return a function of each value, found once for all that are one object: Fractions are slow to hash.

    Examples
    --------
    >>> of_each([Fraction(1, 2)] * 2, float)
    [0.5, 0.5]
    """
    found = {name: function(value) for name, value in {id(one): one for one in values}.items()}
    return [found[id(one)] for one in values]


def ratios_below(directed: Sequence[Directed]) -> tuple[Exact, Floats]:
    """Return numerator and denominator of a rational <= e^epsilon for each, n x 2, and it in doubles, n."""
    epsilons = [one.epsilon for _, _, one in directed]
    ratios = np.array(of_each(epsilons, lambda epsilon: exp_below(epsilon).as_integer_ratio()), dtype=object)
    ratios = ratios.reshape(-1, 2)
    return ratios, (ratios[:, 0] / ratios[:, 1]).astype(np.float64)


def requirements(graph: nx.Graph, epsilon: Epsilon, delta: Fraction) -> list[Requirement]:
    """Return what the edges require at (epsilon, delta); an infinite epsilon requires nothing.

    An edge's own `epsilon` and `delta` replace those given; its `distance` multiplies the epsilon given.
    """
    position = {profile: index for index, profile in enumerate(graph)}
    result = []
    for a, b, attributes in graph.edges(data=True):
        distance = None if "epsilon" in attributes else attributes.get("distance", ONE)
        own = epsilon_of(attributes, epsilon)
        # Fractions are slow to compare with what is infinite, and to make.
        if isinstance(own, Fraction) or own != math.inf:
            exact = own if isinstance(own, Fraction) else Fraction(own)
            result.append(Requirement(position[a], position[b], exact, attributes.get("delta", delta), distance))
    return result


def as_multiples(required: Iterable[Requirement], graph: nx.Graph) -> list[Requirement]:
    """Return requirements of a scaled graph as multiples of the edges' own epsilons, which `graph` has unscaled.

    Examples
    --------
    >>> graph = nx.Graph([("a", "b", {"epsilon": Fraction(1, 2)})])
    >>> as_multiples([Requirement(0, 1, Fraction(1), Fraction(0), None)], graph)[0].distance
    Fraction(1, 2)
    """
    profiles = list(graph)
    ends = ((one, profiles[one.first], profiles[one.second]) for one in required)
    return [replace(one, distance=graph.edges[a, b]["epsilon"]) for one, a, b in ends]


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
    if "distance" not in attributes:
        return epsilon
    distance = attributes["distance"]
    return Fraction(0) if distance == 0 else epsilon * distance


def connected(profiles: int, required: Iterable[Requirement]) -> list[list[int]]:
    """Return the positions of the profiles that requirements join, directly or by others, in groups.

    Examples
    --------
    >>> connected(4, [Requirement(0, 3, Fraction(1), Fraction(0)), Requirement(3, 2, Fraction(1), Fraction(0))])
    [[0, 2, 3], [1]]
    """
    parent = list(range(profiles))

    def least(i: int) -> int:
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    for edge in required:
        first, second = sorted((least(edge.first), least(edge.second)))
        parent[second] = first
    groups: dict[int, list[int]] = {}
    for i in range(profiles):
        groups.setdefault(least(i), []).append(i)
    return list(groups.values())


def epsilons_between(required: Iterable[Requirement], profiles: int) -> Floats:
    """Return the epsilon of each pair in doubles, infinite where nothing is required, k x k.

    Examples
    --------
    >>> epsilons_between([Requirement(0, 1, Fraction(1, 2), Fraction(0))], 2).tolist()
    [[inf, 0.5], [0.5, inf]]
    """
    result = np.full((profiles, profiles), np.inf)
    for one in required:
        result[one.first, one.second] = result[one.second, one.first] = float(one.epsilon)
    return result


class AllPairs(Sequence[Requirement]):
    """Every pair of so many profiles under one epsilon and delta, without storing them."""

    def __init__(self, profiles: int, epsilon: Epsilon, delta: Fraction) -> None:
        self.profiles = profiles if epsilon != float("inf") else 0
        self.epsilon, self.delta = Fraction(epsilon) if self.profiles else Fraction(0), delta

    def __len__(self) -> int:
        return self.profiles * (self.profiles - 1) // 2

    def __iter__(self) -> Iterator[Requirement]:
        for i, j in combinations(range(self.profiles), 2):
            yield self.pair(i, j)

    def __getitem__(self, index: int | slice) -> "Requirement | list[Requirement]":  # type: ignore[override]
        return list(self)[index]

    def pair(self, i: int, j: int) -> Requirement:
        """Return what is required of one pair."""
        return Requirement(i, j, self.epsilon, self.delta)


def every(required: Sequence[Requirement]) -> list[Directed]:
    """Return all requirements, direction by direction.

    Raises
    ------
    InputError
        if every pair is required and they are too many to be looked at one by one, as a delta > 0 asks for.
    """
    if isinstance(required, AllPairs) and len(required) > MOST_EDGES:
        raise InputError(
            f"every pair of {required.profiles:,} profiles would have to be looked at by itself, and at most "
            f"{MOST_EDGES:,} pairs are; give a graph with the edges that matter, or delta = 0"
        )
    return list(both_ways(required))


def allows_delta(required: Sequence[Requirement]) -> bool:
    """Return whether some requirement has delta > 0."""
    return required.delta > 0 if isinstance(required, AllPairs) else any(one.delta for one in required)


def largest_limits(required: Sequence[Requirement]) -> tuple[Fraction, Fraction] | None:
    """Return the largest epsilon and the largest delta that a pair is allowed; None where nothing is required.

    Examples
    --------
    >>> largest_limits([Requirement(0, 1, Fraction(3), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(1, 2))])
    (Fraction(3, 1), Fraction(1, 2))
    """
    if not len(required):
        return None
    if isinstance(required, AllPairs):
        return required.epsilon, required.delta
    return max(one.epsilon for one in required), max(one.delta for one in required)
