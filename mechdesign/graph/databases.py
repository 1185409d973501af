"""Databases as categories, tuples of rows: in how many rows they differ, and which graphs are those of [HLM]."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact, Integers
from mechdesign.graph.profile_graph import Label, has_point_masses, is_local, support


def row_distances(databases: Sequence[tuple[Label, ...]]) -> Integers:
    """Return in how many rows each two databases of n rows differ: their Hamming distances.

    References
    ----------
    [HLM] §2.1, arXiv:1505.07254.

    Examples
    --------
    >>> row_distances([("a", "b"), ("a", "a"), ("b", "a")])
    array([[0, 1, 2],
           [1, 0, 1],
           [2, 1, 0]])
    """
    codes: dict[Label, int] = {}
    table = np.array([[codes.setdefault(value, len(codes)) for value in database] for database in databases])
    result = np.zeros((len(table), len(table)), dtype=np.int64)
    for column in table.T:
        result += column[:, None] != column
    return result


def database_shape(graph: nx.Graph) -> tuple[int, int] | None:
    """Return (m, n) if a checked graph is that of all databases of n rows out of m values, and None if it is not.

    Each profile is sure of one category, each category has its profile, and no edge has an epsilon, delta or distance
    of its own. If every pair of profiles is an edge, the categories are the values of a single row: n is 1. Otherwise
    they are all tuples of n of the m values, and edges join those that differ in one row: these pairs, and no others.
    Order and names of the profiles do not matter.

    References
    ----------
    [HLM] §2.1, (1), arXiv:1505.07254.

    Examples
    --------
    >>> from mechdesign import database_graph, read_graph, value_graph
    >>> graphs = database_graph("ab", 3), value_graph("ab"), read_graph("categorical-chain")
    >>> [database_shape(graph) for graph in graphs]
    [(2, 3), (2, 1), None]
    """
    categories: Sequence[Any] = graph.graph["categories"]
    if len(graph) != len(categories) or not has_point_masses(graph):
        return None
    if is_local(graph):
        return len(categories), 1
    if not all(isinstance(label, tuple) and len(label) == len(categories[0]) for label in categories):
        return None
    m, n = len({value for label in categories for value in label}), len(categories[0])
    # Categories are distinct, so m^n of them are all there are; the first test spares the power.
    if m < 2 or n > len(categories).bit_length() or m**n != len(categories):
        return None
    if 2 * graph.number_of_edges() != m**n * n * (m - 1):
        return None
    database = {profile: categories[support(at["distribution"])[0][0]] for profile, at in graph.nodes.items()}
    for a, b, attributes in graph.edges(data=True):
        changed = sum(x != y for x, y in zip(database[a], database[b], strict=True))
        if changed != 1 or not attributes.keys().isdisjoint(("epsilon", "delta", "distance")):
            return None
    return m, n


def product_weights(distances: Integers, n: int, z: Fraction) -> Exact:
    """Return z^distance as integers over the common denominator: rows of the Hamming mechanism of n rows, [HLM] (12).

    Examples
    --------
    >>> product_weights(np.array([[0, 1], [1, 0]]), 1, Fraction(1, 3)).tolist()
    [[3, 1], [1, 3]]
    """
    powers = [z.numerator**h * z.denominator ** (n - h) for h in range(n + 1)]
    return np.array(np.array(powers, dtype=object)[distances])
