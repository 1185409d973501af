"""Several mechanisms with the same profiles, and for each two neighbours what all of them release."""

import math
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from mechdesign.certifier.applied import released_under
from mechdesign.certifier.ranges import Bounds, epsilon_bounds
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.numbers import whole
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_point_masses
from mechdesign.graph.uncertainty import check_known
from mechdesign.mechanism.given import AskedBy, Given, as_mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.needed import needed
from mechdesign.privacy.released import Released

MOST_RELEASES = 1_000_000

WHICH = "graph= says by which edges to judge all, all_pairs=True judges every pair"
"""What to do about mechanisms that were made for different edges."""


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
    return epsilon_bounds(needed(first, second, delta).ratio)


def summed(alone: Sequence[Bounds], releases: Sequence[int]) -> Bounds:
    """Return bounds of the sum of the releases' epsilons."""
    return _sum([low for low, _ in alone], releases, float_below), _sum([up for _, up in alone], releases, float_above)


def _sum(epsilons: Sequence[float], releases: Sequence[int], rounded: Callable[[Fraction], float]) -> float:
    if math.inf in epsilons:
        return math.inf
    if len(epsilons) == releases[0] == 1:  # rounded already
        return epsilons[0]
    return rounded(sum((Fraction(one) * times for one, times in zip(epsilons, releases, strict=True)), Fraction(0)))


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
        graph: AskedBy,
        releases: int | Sequence[int],
        *,
        all_pairs: bool = False,
    ) -> None:
        if not mechanisms:
            raise InputError("expected at least one mechanism, found none")
        self.given = [as_mechanism(mechanism, graph, all_pairs=all_pairs) for mechanism in mechanisms]
        self.releases = _numbers(releases, len(mechanisms))
        self.total = sum(self.releases)
        self._released: list[Mapping[Label, Released]] = []
        for mechanism, asked in self.given:
            check_known(asked.profiles, "compose")
            names, released = released_under(mechanism, asked)
            self._released.append(dict(zip(names, released, strict=True)))
        check_same_profiles(self._released, mechanisms)
        self._check_same_edges()

    def _check_same_edges(self) -> None:
        edges = [_edges(asked) for _, asked in self.given]
        if any(own != edges[0] for own in edges):
            raise InputError(f"the mechanisms are for different edges; {WHICH}")

    @property
    def asked(self) -> Asked:
        """Which pairs must not be told apart, by the first mechanism: by the others too, at limits of their own."""
        return self.given[0][1]

    @property
    def single(self) -> bool:
        """Whether all profiles are single values: of one value again, epsilons add up as of independent data."""
        return all(has_point_masses(asked.profiles) for _, asked in self.given)

    @cached_property
    def distances(self) -> list[tuple[int, int, Fraction]]:
        """The pairs of which some mechanism requires something, and what multiplies an epsilon asked for there.

        Raises
        ------
        InputError
            if that is not the same for all mechanisms: then no epsilon is one of all together.
        """
        names = list(self._released[0])
        position = {name: place for place, name in enumerate(names)}
        found: dict[tuple[int, int], Fraction] = {}
        for _, asked in self.given:
            own = asked.names
            for one in asked.requirements(Fraction(0), Fraction(0)):
                i, j = sorted((position[own[one.first]], position[own[one.second]]))
                distance = Fraction(1) if one.distance is None else one.distance
                if found.setdefault((i, j), distance) != distance:
                    differ = f"{shown(found[i, j])} and {shown(distance)}"
                    edge = f"the edge {shown(names[i])}-{shown(names[j])} has different distances: {differ}"
                    raise InputError(f"{edge}; no epsilon per distance is one of all together; {WHICH}")
        return [(i, j, distance) for (i, j), distance in found.items()]

    def pairs(self) -> Iterator[Pair]:
        """Yield every edge in both directions; of those with the same laws and distance only the first."""
        names = list(self._released[0])
        seen = set()
        for first, second, distance in self.distances:
            for i, j in ((first, second), (second, first)):
                laws = tuple((released[names[i]], released[names[j]]) for released in self._released)
                key = distance, tuple(_multiset(*law) for law in laws)
                if key not in seen:
                    seen.add(key)
                    yield Pair((names[i], names[j]), laws, distance)


def check_same_profiles(profiles: Sequence[Collection[Label]], given: Sequence[object]) -> None:
    """Raise an InputError that names the first mechanism, by its path or number, whose profiles are not the first's."""
    first = profiles[0]
    for number, (other, one) in enumerate(zip(profiles, given, strict=True), start=1):
        if set(other) != set(first):
            expected = f"expected the profiles of the first, {shown(tuple(first))}, found {shown(tuple(other))}"
            whose = os.fspath(one) if isinstance(one, str | os.PathLike) else f"mechanism {number}"
            raise InputError(f"{expected}; of others add the epsilons and the deltas", source=whose)


def _edges(asked: Asked) -> set[frozenset[Label]] | None:
    """Return the pairs that are asked for; None for every pair."""
    everyone = asked.edges == math.comb(len(asked.profiles), 2)
    return None if everyone else {frozenset(edge) for edge in asked.profiles.edges}


def _multiset(first: Released, second: Released) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return what does not depend on the order of the outputs."""
    return tuple(sorted(zip(first.fractions(), second.fractions(), strict=True)))


def _numbers(releases: int | Sequence[int], count: int) -> list[int]:
    numbers = list(releases) if isinstance(releases, Sequence) else [releases] * count
    if len(numbers) != count:
        raise InputError(f"releases: expected one number, or one for each of {count} mechanisms, found {len(numbers)}")
    for number in numbers:
        whole("releases", number, at_most=MOST_RELEASES)
    return numbers
