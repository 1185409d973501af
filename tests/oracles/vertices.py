"""The vertices of what is known of a profile, and what a mechanism then releases: without the package's sorting."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import Any

F = Fraction
Distribution = tuple[Fraction, ...]


def vertices(attributes: dict[str, Any]) -> list[Distribution]:
    """Distributions of a profile among which each linear function has its largest.

    One alone where nothing else is known; of a box those with at most one mass between its bounds; of a ball what is
    left when categories in some order give to one of them until the radius is moved.
    """
    own: Distribution = tuple(map(F, attributes["distribution"]))
    if not attributes.keys() & {"radius", "lower", "upper"}:
        return [own]
    if "radius" in attributes:
        orders = permutations(range(len(own)))
        return sorted({_moved(own, attributes["radius"], order, to) for order in orders for to in range(len(own))})
    found = set()
    lower, upper = (tuple(map(F, attributes.get(key, own))) for key in ("lower", "upper"))
    ends = list(zip(lower, upper, strict=True))
    for x, (low, high) in enumerate(ends):
        for others in product(*(end for y, end in enumerate(ends) if y != x)):
            mass = 1 - sum(others, F(0))
            if low <= mass <= high:
                found.add((*others[:x], mass, *others[x:]))
    return sorted(found)


def _moved(own: Distribution, radius: Fraction, order: Sequence[int], to: int) -> Distribution:
    masses, left = list(own), radius
    for x in order:
        taken = min(left, masses[x]) if x != to else F(0)
        masses[x] -= taken
        masses[to] += taken
        left -= taken
    return tuple(masses)


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(range(size), count) for count in range(size + 1))


def released(masses: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum((p * row[y] for p, row in zip(masses, rows, strict=True)), F(0)) for y in range(len(rows[0]))]


def extremes(attributes: dict[str, Any], rows: Sequence[Sequence[Fraction]]) -> dict[tuple[int, ...], tuple[Any, Any]]:
    """Return (least, most) of each set of outputs, by all vertices."""
    laws = [released(masses, rows) for masses in vertices(attributes)]
    sums = {s: [sum((law[y] for y in s), F(0)) for law in laws] for s in subsets(len(rows[0]))}
    return {s: (min(masses), max(masses)) for s, masses in sums.items()}
