"""The One Bit Cluster mechanism of [GC] §VI.A: flip the bit with a probability common to a connected component."""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.mechanism import Mechanism, reduced
from mechdesign.privacy import Requirement

FLIP_BITS = 60
"""A flip probability is rounded up to a multiple of 2^-60: up is the private side (for at most 1/2)."""


def flip_probability(p: Fraction, q: Fraction, ratio: Fraction, delta: Fraction = Fraction(0)) -> Fraction:
    """Return the least flip probability that makes bits of means p and q private: the solution of [GC] (4).

    With N = max(0, q - ratio p, (1-p) - ratio (1-q)) for p <= q, it is (N - delta)/(2N + ratio - 1) or 0;
    every probability from there to one half is private too.

    Parameters
    ----------
    p, q
        the probabilities of the second category, in either order.
    ratio
        e^epsilon, or a rational below it.

    References
    ----------
    [GC] Observation 9. The printed bound omits the positive parts of the numerators and then exceeds 1/2: it gives
    1.125 for p = q = 0.9 and epsilon = 1, where nothing need be flipped.

    Examples
    --------
    >>> flip_probability(Fraction(0), Fraction(1), Fraction(3))
    Fraction(1, 4)
    """
    p, q = min(p, q), max(p, q)
    excess = max(q - ratio * p, (1 - p) - ratio * (1 - q))
    return (excess - delta) / (2 * excess + ratio - 1) if excess > delta else Fraction(0)


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
        flip = flip_probability(chance[edge.first], chance[edge.second], edge.ratio_below, edge.delta)
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
