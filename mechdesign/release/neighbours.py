"""Several mechanisms with the same profiles, and for each two neighbours what all of them release."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import networkx as nx

from mechdesign.certifier.applied import released_under, required_by
from mechdesign.certifier.least_ratio import by_sets
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.exponentials import log_bounds
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import check_known
from mechdesign.mechanism.given import Given, as_mechanism
from mechdesign.privacy.released import Released

MOST_RELEASES = 1_000_000

Bounds: TypeAlias = tuple[float, float]
"""(lower, upper) around a number."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two neighbours, in one direction: what each mechanism releases of them, and their distance."""

    edge: tuple[Label, Label]
    laws: tuple[tuple[Released, Released], ...]
    distance: Fraction

    def alone(self, mechanism: int, delta: Fraction) -> Bounds:
        """Return bounds of the least epsilon of one release of a mechanism, equal but for rounding."""
        return epsilon_of(*self.laws[mechanism], delta)

    def per_distance(self, epsilon: Bounds) -> Bounds:
        """Return bounds of an epsilon per unit of distance."""
        if self.distance == 1 or epsilon == (0.0, 0.0):
            return epsilon
        low, high = epsilon
        if not self.distance:
            return (math.inf if low > 0 else 0.0), math.inf
        return (
            math.inf if low == math.inf else float_below(Fraction(low) / self.distance),
            math.inf if high == math.inf else float_above(Fraction(high) / self.distance),
        )


def epsilon_of(first: Released, second: Released, delta: Fraction) -> Bounds:
    """Return bounds of the least epsilon at a delta, in one direction; equal but for rounding.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 4) for weights in ([3, 1], [1, 3]))
    >>> epsilon_of(p, q, Fraction(0)), epsilon_of(p, q, Fraction(1, 4))
    ((1.0986122886681096, 1.0986122886681098), (0.6931471805599453, 0.6931471805599454))
    """
    needed = by_sets(first, second, delta)
    return (math.inf, math.inf) if needed.ratio is None else log_bounds(needed.ratio)


def largest(bounds: Iterable[Bounds]) -> Bounds:
    """Return bounds of the largest of numbers >= 0 within such bounds."""
    listed = list(bounds)
    return max((low for low, _ in listed), default=0.0), max((high for _, high in listed), default=0.0)


class Together:
    """Mechanisms with the same profiles, and how often each is used.

    Raises
    ------
    InputError
        if there is none, profiles or edges differ, the graph does not fit, or a number of releases cannot be used.
    """

    def __init__(
        self,
        mechanisms: Sequence[Given],
        graph: nx.Graph | str | os.PathLike[str] | None,
        releases: int | Sequence[int],
    ) -> None:
        if not mechanisms:
            raise InputError("expected at least one mechanism, found none")
        self.given = [as_mechanism(mechanism, graph) for mechanism in mechanisms]
        self.releases = _numbers(releases, len(mechanisms))
        self.total = sum(self.releases)
        self._released: list[Mapping[Label, Released]] = []
        for mechanism, own in self.given:
            check_known(mechanism.graph if own is None else own, "compose")
            names, released = released_under(mechanism, own)
            self._released.append(dict(zip(names, released, strict=True)))
        self._check_same()

    def _check_same(self) -> None:
        first, *others = self._released
        for number, other in enumerate(others, start=2):
            if other.keys() != first.keys():
                expected = f"expected the profiles of the first, {shown(tuple(first))}, found {shown(tuple(other))}"
                raise InputError(f"mechanism {number}: {expected}; only releases about the same profiles add up")
        edges = [None if own is None else {frozenset(edge) for edge in own.edges} for _, own in self.given]
        if any(own != edges[0] for own in edges):
            raise InputError("the designs' own graphs have different edges; --graph (graph=) says which to judge by")

    def pairs(self) -> Iterator[Pair]:
        """Yield every edge in both directions; of those with the same laws and distance only the first."""
        names, graph = list(self._released[0]), self.given[0][1]
        seen = set()
        for requirement in required_by(names, graph, Fraction(0), Fraction(0)):
            distance = Fraction(1) if requirement.distance is None else requirement.distance
            for i, j in requirement.directions():
                laws = tuple((released[names[i]], released[names[j]]) for released in self._released)
                key = distance, tuple(_multiset(*law) for law in laws)
                if key not in seen:
                    seen.add(key)
                    yield Pair((names[i], names[j]), laws, distance)


def _multiset(first: Released, second: Released) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return what does not depend on the order of the outputs."""
    return tuple(sorted(zip(first.fractions(), second.fractions(), strict=True)))


def _numbers(releases: int | Sequence[int], count: int) -> list[int]:
    numbers = list(releases) if isinstance(releases, Sequence) else [releases] * count
    if len(numbers) != count:
        raise InputError(f"releases: expected one number, or one for each of {count} mechanisms, found {len(numbers)}")
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_RELEASES:
            raise InputError(f"releases: expected a whole number from 1 to {MOST_RELEASES:,}, found {shown(number)}")
    return numbers
