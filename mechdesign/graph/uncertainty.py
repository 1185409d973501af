"""Profiles known only within bounds: the uncertainty set of a profile, and its worst distribution, exactly.

A node with `lower` and `upper` stands for every distribution between them, category by category; one with `radius` for
every distribution within that total variation distance of its own: one kind of set, whose other limits do not bind. A
linear function of the distribution is largest at a point that sorting finds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
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
"""What the distributions of a set respect: lower and upper bounds, and a distance from the one that is given."""


@dataclass(frozen=True)
class Uncertainty:
    """Every distribution that a profile may have: P with lower(x) <= P(x) <= upper(x), at most `radius` from `centre`.

    The distance is total variation, which is at most 1: with that radius, the default, the bounds alone count.

    Examples
    --------
    >>> third, ends = Fraction(1, 3), ((Fraction(0), Fraction(1, 4), Fraction(0)), (Fraction(1, 2), 1, 1))
    >>> [str(mass) for mass in Uncertainty((third,) * 3, *ends).largest([3, 1, 2])]
    ['1/2', '1/4', '1/4']
    """

    centre: tuple[Fraction, ...]
    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]
    radius: Fraction = Fraction(1)

    def largest(self, values: Sequence[Any]) -> list[Fraction]:
        """Return a distribution in the set at which the mean of exact values is largest.

        Mass moves from the categories of the smallest values to those of the largest, as far as bounds and radius let
        it.
        """
        lower, upper, result, left, unit = self._integers
        result = result.copy()
        order = sorted(range(len(values)), key=lambda x: values[x], reverse=True)
        first, last = 0, len(order) - 1
        while first < last and left:
            best, worst = order[first], order[last]
            room, spare = upper[best] - result[best], result[worst] - lower[worst]
            moved = min(left, room, spare)
            result[best] += moved
            result[worst] -= moved
            left -= moved
            first, last = first + (moved == room), last - (moved == spare)
        return [Fraction(mass, unit) for mass in result]

    @cached_property
    def _integers(self) -> tuple[list[int], list[int], list[int], int, int]:
        """Bounds, centre and radius over a common denominator, and this: they are added up often."""
        sides = self.lower, self.upper, self.centre
        unit = lcm(self.radius.denominator, *(mass.denominator for side in sides for mass in side))
        lower, upper, centre = ([int(mass * unit) for mass in side] for side in sides)
        return lower, upper, centre, int(self.radius * unit), unit

    def holds(self, masses: Sequence[Fraction]) -> bool:
        """Return whether a distribution is in the set."""
        between = all(low <= mass <= high for low, mass, high in zip(self.lower, masses, self.upper, strict=True))
        away = sum(abs(mass - own) for mass, own in zip(masses, self.centre, strict=True))
        return between and away <= 2 * self.radius

    @property
    def reach(self) -> tuple[Fraction, ...]:
        """The largest mass that each category has in the set."""
        spare = 1 - sum(self.lower, Fraction(0))
        masses = zip(self.lower, self.centre, self.upper, strict=True)
        return tuple(min(high, low + spare, own + self.radius) for low, own, high in masses)

    @property
    def floor(self) -> tuple[Fraction, ...]:
        """The least mass that each category has in the set."""
        excess = sum(self.upper, Fraction(0)) - 1
        masses = zip(self.lower, self.centre, self.upper, strict=True)
        return tuple(max(low, high - excess, own - self.radius) for low, own, high in masses)

    @property
    def limits(self) -> Limits:
        """The bounds and the radius, as a proof has them."""
        return self.lower, self.upper, self.radius


def uncertainty_of(attributes: Mapping[str, Any]) -> Uncertainty:
    """Return the set of a profile, from its node's checked attributes; one that is known is a set of one.

    Examples
    --------
    >>> known = {"distribution": (Fraction(1, 3), Fraction(2, 3))}
    >>> uncertainty_of(known).largest([1, 0]) == list(known["distribution"])
    True
    """
    own, d = tuple(attributes["distribution"]), len(attributes["distribution"])
    if "radius" in attributes:
        return Uncertainty(own, (Fraction(0),) * d, (Fraction(1),) * d, attributes["radius"])
    return Uncertainty(own, attributes.get("lower", own), attributes.get("upper", own))


def is_single(one: Uncertainty) -> bool:
    """Return whether there is only one distribution in a set.

    Examples
    --------
    >>> known = {"distribution": (Fraction(1, 3), Fraction(2, 3))}
    >>> is_single(uncertainty_of(known)), is_single(uncertainty_of(known | {"radius": Fraction(1, 10)}))
    (True, False)
    """
    return one.lower == one.upper or sum(one.reach) == 1


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


def check_known(graph: nx.Graph, what: str) -> None:
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
            " out to ask about the distributions alone"
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
