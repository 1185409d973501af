"""The One Bit Cluster mechanism of [GC] §VI.A: flip the bit with a probability common to a connected component."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import attrgetter

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import Number, number, parse_delta
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.requirement import Requirement, connected

FLIP_BITS = 60
"""A flip probability is rounded up to a multiple of 2^-60: up is the private side (for at most 1/2)."""


def flip_probability(
    p: Number, q: Number, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0
) -> Fraction:
    """Return the least flip probability that makes bits of means p and q private: the solution of [GC] (4).

    With E = e^epsilon and N = max(0, q - E p, (1-p) - E (1-q)) for p <= q, it is (N - delta)/(2N + E - 1) or 0;
    every probability from there to one half is private too.

    Parameters
    ----------
    p, q
        the probabilities of the second category, in either order.
    epsilon, ratio
        what is asked in nats, where more than 700 counts as 700, or exactly as e^epsilon: one of the two.
    delta
        in [0, 1).

    Raises
    ------
    InputError
        unless p and q are in [0, 1], one of epsilon >= 0 and ratio >= 1 is given, and delta is in [0, 1).

    References
    ----------
    [GC] Observation 9. The printed bound omits the positive parts of the numerators and then exceeds 1/2: it gives
    1.125 for p = q = 0.9 and epsilon = 1, where nothing need be flipped.

    Examples
    --------
    >>> flip_probability(0, 1, ratio=3)
    Fraction(1, 4)
    """
    low, high = sorted(
        (number(name, value, "a probability", at_least=0, at_most=1) for name, value in (("p", p), ("q", q)))
    )
    E, allowed = parse_ratio(epsilon, ratio), parse_delta(delta)
    if not isinstance(E, Fraction):  # infinite
        return Fraction(0)
    excess = max(high - E * low, (1 - low) - E * (1 - high))
    return (excess - allowed) / (2 * excess + E - 1) if excess > allowed else Fraction(0)


def cluster_flips(
    graph: nx.Graph, required: Sequence[Requirement], ratio: Callable[[Requirement], Number] = attrgetter("ratio_below")
) -> list[Fraction]:
    """Return each profile's flip: the largest that an edge of its connected component needs, 0 without edges.

    `ratio` is what is taken for e^epsilon; with a rational above it the flips are at most those needed.

    Raises
    ------
    InputError
        unless the graph has exactly two categories.

    References
    ----------
    [GC] Theorem 6.
    """
    check_bits(graph.graph["categories"])
    chance = [attributes["distribution"][1] for attributes in graph.nodes.values()]
    groups = connected(len(chance), required)
    place = {i: number for number, members in enumerate(groups) for i in members}
    largest = [Fraction(0)] * len(groups)
    for edge in required:
        flip = flip_probability(chance[edge.first], chance[edge.second], ratio=ratio(edge), delta=edge.delta)
        largest[place[edge.first]] = max(largest[place[edge.first]], flip)
    return [largest[place[i]] for i in range(len(chance))]


def flipped_by(graph: nx.Graph, flips: Sequence[Fraction]) -> Mechanism:
    """Return the mechanism that flips each profile's bit with its own probability."""
    numbers = {flip: number for number, flip in enumerate(dict.fromkeys(flips))}
    rows = [row for flip in numbers for row in flipping(flip)]
    first = np.array([2 * numbers[flip] for flip in flips])
    categories = tuple(graph.graph["categories"])
    return Mechanism(graph, categories, shortest(np.array(rows, dtype=object)), first[:, None] + np.arange(2))


def flipping(flip: Fraction) -> list[npt.NDArray[np.object_]]:
    """Return the two rows of integers by which a bit is flipped.

    Examples
    --------
    >>> [row.tolist() for row in flipping(Fraction(1, 4))]
    [[3, 1], [1, 3]]
    """
    kept, flipped = flip.denominator - flip.numerator, flip.numerator
    return [np.array(row, dtype=object) for row in ((kept, flipped), (flipped, kept))]


def rounded_up(flip: Fraction) -> Fraction:
    """Return the next multiple of 2^-60, on the private side."""
    return Fraction(math.ceil(flip * 2**FLIP_BITS), 2**FLIP_BITS)


def check_bits(categories: Sequence[Label]) -> None:
    """Raise an InputError unless there are exactly two categories."""
    if (d := len(categories)) != 2:
        remedy = "join some (graph coarsen --join-categories, coarsened), or, for" if d > 2 else "for"
        remedy += " one matrix for each cluster, use method auto with shared=True"
        raise InputError(f"one-bit-cluster: expected two categories, found {d}; {remedy}")
