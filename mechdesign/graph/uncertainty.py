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

from mechdesign.errors import InputError
from mechdesign.exact.bounds import decimal_above
from mechdesign.exact.text import brief
from mechdesign.graph.distribution import describe
from mechdesign.graph.labels import Label
from mechdesign.words import counted

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
    def floor(self) -> tuple[Fraction, ...]:
        """The least mass that each category has in the set."""
        excess = sum(self.upper, Fraction(0)) - 1
        return tuple(max(low, high - excess) for low, high in zip(self.lower, self.upper, strict=True))

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
    def floor(self) -> tuple[Fraction, ...]:
        """The least mass that each category has in the set."""
        if len(self.centre) == 1:
            return self.centre
        return tuple(max(Fraction(0), mass - self.radius) for mass in self.centre)

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
    return (isinstance(one, Box) and one.lower == one.upper) or sum(one.reach) == 1


def is_robust(graph: nx.Graph) -> bool:
    """Return whether a checked graph has a profile that is known only within bounds.

    Examples
    --------
    >>> is_robust(nx.Graph())
    False
    """
    return any(key in attributes for attributes in graph.nodes.values() for key in BOUNDS)


def bounded(graph: nx.Graph) -> list[Label]:
    """Return the profiles of a checked graph that are known only within bounds.

    Examples
    --------
    >>> graph = nx.Graph()
    >>> graph.add_nodes_from([("a", {"radius": Fraction(0)}), "b"])
    >>> bounded(graph)
    ['a']
    """
    return [profile for profile, attributes in graph.nodes.items() if any(key in attributes for key in BOUNDS)]


def check_known(graph: nx.Graph, what: str, *, source: str = "") -> None:
    """Raise an InputError if a checked graph has bounds, for what would take no notice of them.

    Examples
    --------
    >>> graph = nx.Graph()
    >>> graph.add_node("a", radius=Fraction(0))
    >>> check_known(graph, "compose")
    Traceback (most recent call last):
    mechdesign.errors.InputError: compose takes profiles as known, and 1 of 1 is known only within bounds: ...
    """
    if is_robust(graph):
        found = len(bounded(graph))
        raise InputError(
            f"{what} takes profiles as known, and {found} of {len(graph)} {'is' if found == 1 else 'are'} known only"
            " within bounds: what it says would not hold for every profile within them; leave lower, upper and radius"
            " out to ask about the distributions alone",
            source=source,
        )


def bounds_in_words(graph: nx.Graph) -> str | None:
    """Return how many profiles of a checked graph are known only within bounds, and how wide; None if none is.

    Examples
    --------
    >>> graph = nx.Graph()
    >>> graph.add_node("a", distribution=(Fraction(1, 3), Fraction(2, 3)), radius=Fraction(1, 20))
    >>> bounds_in_words(graph)
    '1 of 1 profile known only within bounds: probabilities up to 0.05 from those given'
    """
    profiles = bounded(graph)
    if not profiles:
        return None
    widest = max(width(graph.nodes[profile]) for profile in profiles)
    digits = decimal_above(widest, 4).rstrip("0").rstrip(".")
    within = f"{len(profiles)} of {counted(len(graph), 'profile')} known only within bounds"
    return f"{within}: probabilities up to {digits} from those given"


def width(attributes: Mapping[str, Any]) -> Fraction:
    """Return by how much the probability of a category may differ from the one given."""
    within = uncertainty_of(attributes)
    own: Sequence[Fraction] = attributes["distribution"]
    return max(max(high - p, p - low) for low, p, high in zip(within.floor, own, within.reach, strict=True))


def describe_within(attributes: Mapping[str, Any], categories: Sequence[Label]) -> str:
    """Return the distribution of a checked profile in words for people, with its bounds if it has any.

    Examples
    --------
    >>> half = {"distribution": (Fraction(1, 2), Fraction(1, 2))}
    >>> describe_within(half | {"radius": Fraction(1, 20)}, ["no", "yes"])
    'no 0.5, yes 0.5; total variation up to 0.05'
    >>> describe_within(half | {"lower": (Fraction(0), Fraction(0)), "upper": (Fraction(1), Fraction(3, 5))}, [0, 1])
    '0 0.5 [0.4, 1], 1 0.5 [0, 0.6]'
    """
    distribution = attributes["distribution"]
    if "lower" not in attributes:
        within = f"; total variation up to {brief(attributes['radius'], 8, 4)}" if "radius" in attributes else ""
        return describe(distribution, categories) + within
    box = uncertainty_of(attributes)
    return ", ".join(
        f"{label} {brief(mass, 8, 4)} [{brief(low, 8, 4)}, {brief(high, 8, 4)}]"
        for label, mass, low, high in zip(categories, distribution, box.floor, box.reach, strict=True)
        if high
    )


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
