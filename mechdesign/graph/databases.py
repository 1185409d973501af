"""Databases as categories, tuples of rows: in how many rows they differ, and which graphs are those of [HLM]."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import log2
from typing import Any, TypeAlias

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact, Integers
from mechdesign.errors import InputError
from mechdesign.exact.numbers import whole
from mechdesign.exact.text import shown
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import support
from mechdesign.graph.edge_table import OWN
from mechdesign.graph.labels import Label, check_in_order
from mechdesign.graph.properties import has_point_masses, is_local
from mechdesign.graph.values import single_values
from mechdesign.words import counted


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
        if changed != 1 or attributes.keys() & OWN.keys():
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


Database: TypeAlias = tuple[Label, ...]
"""n rows, each a value."""


MAX_DATABASES = 10_000
"""More databases than this are not listed: a product sanitisation needs no list."""


MAX_ROWS = 2_000
"""More databases than this get no matrix written out, which has their square."""


def database_graph(values: Sequence[Label], n: int) -> nx.Graph:
    """Return the graph of all databases of n rows: point masses on D^n, neighbours differ in one row.

    Parameters
    ----------
    values
        D, at least two values.
    n
        how many rows; it is public.

    Raises
    ------
    InputError
        if a value is given twice, n is not positive, or there are more than 10,000 databases.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: §2.1, (1).

    Examples
    --------
    >>> graph = database_graph(["no", "yes"], 2)
    >>> list(graph.edges)[:2]
    [(('no', 'no'), ('yes', 'no')), (('no', 'no'), ('no', 'yes'))]
    """
    check_in_order(values, "values")
    check_database_count(values, n, MAX_DATABASES)
    databases = list(product(values, repeat=n))
    source = "Holohan, Leith and Mason, arXiv:1505.07254, §2.1"
    graph = single_values(databases, name=f"databases-{len(values)}-{n}", source=source)
    later = {value: values[position + 1 :] for position, value in enumerate(values)}
    for database in databases:
        for row, value in enumerate(database):
            for other in later[value]:
                graph.add_edge(database, (*database[:row], other, *database[row + 1 :]))
    return checked(graph)


def check_database_count(values: Sequence[Label], n: int, most: int) -> None:
    """Raise unless `values` and `n` make a D^n of at most `most` databases.

    Parameters
    ----------
    values, n
        D and the number of rows.
    most
        how many databases are not too many.

    Raises
    ------
    InputError
        saying what to do instead.

    Examples
    --------
    >>> check_database_count(["a", "b", "c"], 2, 9)
    """
    whole("n", n)
    m = len(values)
    if m < 2 or len(set(values)) < m:
        raise InputError(f"values: expected at least two different ones, found {shown(list(values))}")
    # The first test spares the power: two values already make too many databases.
    if n > log2(most) or m**n > most:
        raise InputError(
            f"{m} values and {counted(n, 'row')} make {m}^{n} databases, and at most {most} can be written out; "
            "sanitise each row by itself: ProductSanitisation(parent, n), or `mechdesign mechanism product`, has the "
            "privacy of its parent for any n"
        )
