"""Profiles known only within bounds: the uncertainty set of a profile, and its worst distribution, exactly.

A node with `lower` and `upper` stands for every distribution between them, category by category; one with `radius` for
every distribution within that total variation distance of its own. A linear function of the distribution is largest at
a point that sorting finds, in both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import networkx as nx

BOUNDS = ("lower", "upper", "radius")
"""The attributes of a node that make its profile one of a set."""

Limits: TypeAlias = tuple[tuple[Fraction, ...], tuple[Fraction, ...], Fraction]
"""A set in one form for both kinds: lower, upper and radius, all of which its distributions respect."""


@dataclass(frozen=True)
class Box:
    """The distributions P with lower(x) <= P(x) <= upper(x) for every category x."""

    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]

    def largest(self, values: Sequence[Any]) -> list[Fraction]:
        """Return a distribution in the set at which the mean of exact values is largest.

        A fractional knapsack: what the lower bounds leave of the mass goes to the largest values, as far as each upper
        bound lets it.

        Examples
        --------
        >>> box = Box((Fraction(0), Fraction(1, 4), Fraction(0)), (Fraction(1, 2), Fraction(1), Fraction(1)))
        >>> [str(mass) for mass in box.largest([3, 1, 2])]
        ['1/2', '1/4', '1/4']
        """
        result = list(self.lower)
        left = 1 - sum(self.lower, Fraction(0))
        for x in _descending(values):
            taken = min(left, self.upper[x] - self.lower[x])
            result[x] += taken
            left -= taken
        return result

    def holds(self, masses: Sequence[Fraction]) -> bool:
        """Return whether a distribution is in the set."""
        return all(low <= mass <= high for low, mass, high in zip(self.lower, masses, self.upper, strict=True))

    @property
    def reach(self) -> tuple[Fraction, ...]:
        """The largest mass that each category has in the set."""
        spare = 1 - sum(self.lower, Fraction(0))
        return tuple(min(high, low + spare) for low, high in zip(self.lower, self.upper, strict=True))

    @property
    def limits(self) -> Limits:
        """The bounds of each category, and the total variation distance allowed: any."""
        return tuple(self.lower), tuple(self.upper), Fraction(1)


@dataclass(frozen=True)
class Ball:
    """The distributions within a total variation distance of `centre`."""

    centre: tuple[Fraction, ...]
    radius: Fraction

    def largest(self, values: Sequence[Any]) -> list[Fraction]:
        """Return a distribution in the set at which the mean of exact values is largest.

        Mass up to the radius moves from the smallest values to the largest.

        Examples
        --------
        >>> ball = Ball((Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)), Fraction(1, 2))
        >>> [str(mass) for mass in ball.largest([3, 1, 2])]
        ['3/4', '0', '1/4']
        """
        result, left = list(self.centre), self.radius
        best, *others = _descending(values)
        for x in reversed(others):
            taken = min(left, result[x])
            result[x] -= taken
            result[best] += taken
            left -= taken
        return result

    def holds(self, masses: Sequence[Fraction]) -> bool:
        """Return whether a distribution is in the set."""
        return sum(abs(mass - own) for mass, own in zip(masses, self.centre, strict=True)) <= 2 * self.radius

    @property
    def reach(self) -> tuple[Fraction, ...]:
        """The largest mass that each category has in the set."""
        return tuple(min(Fraction(1), mass + self.radius) for mass in self.centre)

    @property
    def limits(self) -> Limits:
        """The bounds of each category, any, and the total variation distance allowed."""
        d = len(self.centre)
        return (Fraction(0),) * d, (Fraction(1),) * d, self.radius


Uncertainty: TypeAlias = Box | Ball
"""Every distribution that a profile may have."""


def _descending(values: Sequence[Any]) -> list[int]:
    return sorted(range(len(values)), key=lambda x: values[x], reverse=True)


def uncertainty_of(attributes: Mapping[str, Any]) -> Uncertainty:
    """Return the set of a profile, from its node's checked attributes; one that is known is a set of one.

    Examples
    --------
    >>> known = {"distribution": (Fraction(1, 3), Fraction(2, 3))}
    >>> uncertainty_of(known).largest([1, 0]) == list(known["distribution"])
    True
    """
    distribution = tuple(attributes["distribution"])
    if "radius" in attributes:
        return Ball(distribution, attributes["radius"])
    return Box(attributes.get("lower", distribution), attributes.get("upper", distribution))


def is_single(one: Uncertainty) -> bool:
    """Return whether there is only one distribution in a set.

    Examples
    --------
    >>> third = (Fraction(1, 3), Fraction(2, 3))
    >>> is_single(Box(third, third)), is_single(Ball(third, Fraction(1, 10))), is_single(Box(third, (Fraction(1),) * 2))
    (True, False, True)
    """
    return sum(one.reach) == 1


def is_robust(graph: nx.Graph) -> bool:
    """Return whether a checked graph has a profile that is known only within bounds.

    Examples
    --------
    >>> is_robust(nx.Graph())
    False
    """
    return any(key in attributes for attributes in graph.nodes.values() for key in BOUNDS)


def nominal(graph: nx.Graph) -> nx.Graph:
    """Return a copy of a graph in which each profile is what its distribution says, and nothing else.

    Examples
    --------
    >>> graph = nx.Graph()
    >>> graph.add_node("a", distribution=(Fraction(1),), radius=Fraction(0))
    >>> is_robust(nominal(graph))
    False
    """
    result = graph.copy()
    for attributes in result.nodes.values():
        for key in BOUNDS:
            attributes.pop(key, None)
    return result
