"""The One Bit Cluster mechanism of [GC] §VI.A: flip the bit with a probability common to a connected component."""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact import Number, parse_delta, parse_number, parse_ratio, shown
from mechdesign.mechanism.mechanism import Mechanism, reduced
from mechdesign.privacy import Requirement

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
        what is asked in nats, or exactly as e^epsilon: one of the two.
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
    low, high = sorted((_chance("p", p), _chance("q", q)))
    E, allowed = parse_ratio(epsilon, ratio), parse_delta(delta)
    if not isinstance(E, Fraction):  # infinite
        return Fraction(0)
    excess = max(high - E * low, (1 - low) - E * (1 - high))
    return (excess - allowed) / (2 * excess + E - 1) if excess > allowed else Fraction(0)


def _chance(name: str, value: Number) -> Fraction:
    chance = parse_number(value)
    if not 0 <= chance <= 1:
        raise InputError(f"{name}: expected a probability, found {shown(value)}")
    return chance


def one_bit_cluster(graph: nx.Graph, required: Sequence[Requirement]) -> Mechanism:
    """Return the One Bit Cluster mechanism: per connected component, the largest flip that an edge of it needs.

    Rounded up to a multiple of 2^-60, so exactly private. Isolated profiles are not flipped.

    Raises
    ------
    InputError
        unless the graph has exactly two categories.

    References
    ----------
    [GC] Theorem 6.

    Examples
    --------
    >>> from mechdesign import read_graph
    >>> from mechdesign.privacy import requirements
    >>> graph = read_graph("bernoulli-couplet")
    >>> float(one_bit_cluster(graph, requirements(graph, Fraction(1, 2), Fraction(0))).matrix("a")[0, 1])
    0.29590...
    """
    categories = graph.graph["categories"]
    if len(categories) != 2:
        raise InputError(f"one-bit-cluster: expected two categories, found {len(categories)}; use another method")
    chance = [attributes["distribution"][1] for attributes in graph.nodes.values()]
    clusters = nx.Graph()
    clusters.add_nodes_from(range(len(chance)))
    for edge in required:
        flip = flip_probability(chance[edge.first], chance[edge.second], ratio=edge.ratio_below, delta=edge.delta)
        clusters.add_edge(edge.first, edge.second, flip=flip)
    unit = 2**FLIP_BITS
    rows: list[list[int]] = []
    index = np.zeros((len(chance), 2), dtype=np.int64)
    for cluster in nx.connected_components(clusters):
        flips = (flip for _, _, flip in clusters.subgraph(cluster).edges(data="flip"))
        flipped = math.ceil(max(flips, default=Fraction(0)) * unit)
        index[list(cluster)] = len(rows), len(rows) + 1
        rows += [[unit - flipped, flipped], [flipped, unit - flipped]]
    return Mechanism(graph, tuple(categories), reduced(np.array(rows, dtype=object)), index)
