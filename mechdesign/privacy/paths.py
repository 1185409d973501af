"""What follows along paths of edges for profiles that no edge joins.

Where q^i <= e^a q^k + c and q^k <= e^b q^j + d on every set of outputs, there q^i <= e^(a + b) q^j + c + e^a d: so
epsilons add up along a path, and deltas to more than their sum. It holds of profiles within bounds too, whatever their
distributions are.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import TypeAlias

from mechdesign.exact.bounds import float_above
from mechdesign.privacy.requirement import Requirement

BEYOND = 750
"""e to this, times any double above 0, is more than 1."""

MOST_STEPS = 300_000
"""Edges are followed from each profile, so many in all: about half a second. Of larger graphs less is said."""

LONGEST = 300
"""Bits of the common denominator of the epsilons, up to which they are added up exactly."""

ROOM = Fraction(1, 10**9)
"""Deltas are added up in doubles, in fewer than `MOST_STEPS` roundings: relatively less than this."""

LEAST = 1e-290
"""Smaller deltas count as this one: the least doubles have so few digits that they err by more."""

Neighbours: TypeAlias = Mapping[int, Sequence[tuple[int, int, float]]]
"""For each profile (neighbour, epsilon as a multiple of a common unit, delta)."""


def along_paths(profiles: int, required: Mapping[tuple[int, int], Requirement]) -> tuple[Fraction, Fraction] | None:
    """Return the largest least epsilon, and a delta, that follow along paths for two profiles joined by no edge alone.

    The edges are given once each, by their ends in ascending order. None if that would take long, or if a delta of
    1 is all that follows for some.

    Examples
    --------
    >>> edges = [Requirement(0, 1, Fraction(1, 2), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
    >>> along_paths(3, {(one.first, one.second): one for one in edges})
    (Fraction(3, 2), Fraction(0, 1))
    """
    if 2 * profiles * len(required) > MOST_STEPS:
        return None
    unit = math.lcm(*(one.epsilon.denominator for one in required.values()))
    if unit.bit_length() > LONGEST:
        return None
    neighbours: dict[int, list[tuple[int, int, float]]] = {}
    for one in required.values():
        delta = max(float_above(one.delta), LEAST) if one.delta else 0.0
        for i, j in one.directions():
            neighbours.setdefault(i, []).append((j, int(one.epsilon * unit), delta))
    largest, most = 0, 0.0
    for start in neighbours:
        for end, (epsilon, delta) in _from(start, neighbours, unit).items():
            if end != start and (min(start, end), max(start, end)) not in required:
                largest, most = max(largest, epsilon), max(most, delta)
    if most >= 1 - ROOM:
        return None
    return Fraction(largest, unit), Fraction(most) * (1 + ROOM)


def _from(start: int, neighbours: Neighbours, unit: int) -> dict[int, tuple[int, float]]:
    """Return the least epsilon from one profile to each that paths join it to, and the delta along such a path."""
    found: dict[int, tuple[int, float]] = {}
    waiting = [(0, 0.0, start)]
    while waiting:
        epsilon, delta, here = heappop(waiting)
        if here in found:
            continue
        found[here] = epsilon, delta
        for there, further, own in neighbours[here]:
            if there not in found:
                heappush(waiting, (epsilon + further, delta + _times(epsilon, unit, own), there))
    return found


def _times(epsilon: int, unit: int, delta: float) -> float:
    """Return e^(epsilon / unit) delta, 1 if it is more."""
    if not delta:
        return 0.0
    if epsilon >= BEYOND * unit:
        return 1.0
    exponent = epsilon / unit + math.log(delta)
    return 1.0 if exponent >= 0 else math.exp(exponent)
