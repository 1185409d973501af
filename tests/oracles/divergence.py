"""An independent check of privacy, from the definition, in Fractions; it uses no arithmetic of the package.

A test that trusted `mechdesign.exact` or `mechdesign.privacy` could not find a mistake in them.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, TypeAlias

import networkx as nx

from mechdesign import Mechanism
from oracles.vertices import vertices

BITS = 256
Number: TypeAlias = Fraction | float


@cache
def exp_at_most(epsilon: Fraction) -> Fraction:
    """Return a rational <= e^epsilon, within 2^-190 relatively for epsilon <= 700: a cut Taylor series, squared up."""
    halvings, x = _small(epsilon)
    result = _series(x)
    for _ in range(halvings):
        result = Fraction(math.floor(result * result * 2**BITS), 2**BITS)
    return result


@cache
def exp_at_least(epsilon: Fraction) -> Fraction:
    """Return a rational >= e^epsilon: the same series and a bound of its remainder."""
    halvings, x = _small(epsilon)
    result = _series(x) + Fraction(4, 2**BITS)
    for _ in range(halvings):
        result = Fraction(math.ceil(result * result * 2**BITS), 2**BITS)
    return result


def exp_64_above(epsilon: Fraction | float) -> Fraction | float:
    """Return the least rational >= e^epsilon with 64 significant bits; infinity beyond 700, where nothing is asked."""
    if epsilon == 0 or epsilon > 700:
        return math.inf if epsilon else Fraction(1)
    low = exp_at_most(Fraction(epsilon))
    unit = Fraction(2) ** (math.floor(low).bit_length() - 64)
    least = (low // unit + 1) * unit
    assert least >= exp_at_least(Fraction(epsilon))
    return least


def _small(epsilon: Fraction) -> tuple[int, Fraction]:
    """Return n and epsilon / 2^n <= 1."""
    halvings = max(0, math.ceil(epsilon)).bit_length()
    return halvings, epsilon / 2**halvings


def _series(x: Fraction) -> Fraction:
    """Return the sum of x^n/n! while the terms exceed 2^-256; what is left out is at most two such terms."""
    total, term, n = Fraction(0), Fraction(1), 0
    while term * 2**BITS > 1:
        total += term
        n += 1
        term = term * x / n
    return total


def divergence(p: Sequence[Fraction], q: Sequence[Fraction], ratio: Fraction) -> Fraction:
    """Return by how much P exceeds E Q, on the set where it does most."""
    return sum((max(Fraction(0), a - ratio * b) for a, b in zip(p, q, strict=True)), Fraction(0))


def required(graph: nx.Graph, epsilon: Number, delta: Number) -> Iterator[tuple[Any, Any, Number, Fraction]]:
    """Yield each edge with its own epsilon and delta, where anything is asked of it."""
    for a, b, own in graph.edges(data=True):
        distance = own.get("distance", 1)
        used = own.get("epsilon", epsilon if distance == 1 else _times(epsilon, distance))
        if used != math.inf:
            yield a, b, used, Fraction(own.get("delta", delta))


def released(mechanism: Mechanism, profile: object, masses: Sequence[Fraction] | None = None) -> list[Fraction]:
    """Return P_i A^i, summed from single rows."""
    result = [Fraction(0)] * len(mechanism.outputs)
    distribution = masses or mechanism.graph.nodes[profile]["distribution"]
    for mass, category in zip(distribution, mechanism.categories, strict=True):
        if mass:
            for y, entry in enumerate(mechanism.row(profile, category)):
                result[y] += mass * entry
    return result


def assert_private(mechanism: Mechanism, graph: nx.Graph, epsilon: Number, delta: Number = 0) -> None:
    """Require sum_y max(0, q^a_y - e^epsilon q^b_y) <= delta on each edge, both ways, of all that profiles may be."""
    assert list(mechanism.profiles) == list(graph)
    for profile in graph:
        assert list(mechanism.graph.nodes[profile]["distribution"]) == list(graph.nodes[profile]["distribution"])
        for category in mechanism.categories:
            row = mechanism.row(profile, category)
            assert all(isinstance(entry, Fraction) and entry >= 0 for entry in row)
            assert sum(row) == 1
    q = {i: [released(mechanism, i, end) for end in vertices(graph.nodes[i])] for i in graph}
    for a, b, own, allowed in required(graph, epsilon, delta):
        ratio = exp_at_most(Fraction(own))
        for first, second in (*product(q[a], q[b]), *product(q[b], q[a])):
            excess = divergence(first, second, ratio)
            assert excess <= allowed, f"{a}-{b}: {float(excess - allowed):.3g} too much"


def _times(epsilon: Number, distance: Fraction) -> Number:
    if distance == 0:
        return Fraction(0)
    return math.inf if epsilon == math.inf else Fraction(epsilon) * Fraction(distance)


def cost(mechanism: Mechanism, profile: object, table: list[list[Fraction]] | None) -> Fraction:
    """Return a profile's cost from single rows: the largest off-diagonal entry, or the expected loss by a table."""
    rows = [mechanism.row(profile, category) for category in mechanism.categories]
    if table is None:
        return max((entry for x, row in enumerate(rows) for y, entry in enumerate(row) if x != y), default=Fraction(0))
    distribution = mechanism.graph.nodes[profile]["distribution"]
    return sum(
        (mass * entry * table[x][y] for x, mass in enumerate(distribution) for y, entry in enumerate(rows[x])),
        Fraction(0),
    )
