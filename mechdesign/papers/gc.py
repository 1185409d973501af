"""What the results of [GC] share: the source, the profile graphs, and exact ratios between releases."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.graph.file import read_graph
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.objective import MaxOffDiagonal
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem

PAPER = "[GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084"


def categorical_chain() -> nx.Graph:
    """Return the profiles of Table I, P1 - P2 - P3.

    Examples
    --------
    >>> list(categorical_chain().edges)
    [('P1', 'P2'), ('P2', 'P3')]
    """
    return read_graph("categorical-chain")


def bernoulli_couplet(p: Fraction, q: Fraction) -> nx.Graph:
    """Return two neighbouring bits of means p and q.

    Parameters
    ----------
    p, q
        the probabilities of the bit 1.

    Examples
    --------
    >>> bernoulli_couplet(Fraction(1, 5), Fraction(1)).nodes["a"]["distribution"]
    (Fraction(4, 5), Fraction(1, 5))
    """
    return profile_graph({"a": [1 - p, p], "b": [1 - q, q]}, edges="all", categories=["0", "1"])


def smooth_categorical(graph: nx.Graph, epsilon: Fraction) -> Problem:
    """Return (5) on a connected graph, as the programs take it.

    Parameters
    ----------
    graph
        the profiles.
    epsilon
        in nats.

    Examples
    --------
    >>> smooth_categorical(categorical_chain(), Fraction(1, 2)).profiles.shape
    (3, 4)
    """
    exact = [attributes["distribution"] for attributes in graph.nodes.values()]
    required = tuple(requirements(graph, epsilon, Fraction(0)))
    return Problem(exact, required, MaxOffDiagonal(), np.full(len(exact), 1 / len(exact)), shared=False)


def largest_ratio(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction | float:
    """Return max_y first(y) / second(y), exactly: the privacy loss is its logarithm.

    In (2), 0/0 is read as no violation and x/0 as infinite.

    Parameters
    ----------
    first, second
        distributions over the same outputs.

    Examples
    --------
    >>> largest_ratio([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)])
    Fraction(3, 2)
    >>> largest_ratio([Fraction(1), Fraction(0), Fraction(0)], [Fraction(1, 3), Fraction(2, 3), Fraction(0)])
    Fraction(3, 1)
    """
    if any(p > 0 and q == 0 for p, q in zip(first, second, strict=True)):
        return math.inf
    return max(p / q for p, q in zip(first, second, strict=True) if q > 0)


def worst_ratio(pairs: Iterable[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> Fraction | float:
    """Return the largest ratio over pairs of releases, both ways.

    Parameters
    ----------
    pairs
        what neighbours release.

    Examples
    --------
    >>> worst_ratio([([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)])])
    Fraction(2, 1)
    """
    return max(largest_ratio(*both) for pair in pairs for both in (pair, pair[::-1]))
