"""Graphs whose profiles are single values: local and metric privacy, and counts."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, parse_number, whole
from mechdesign.graph.checks import check_are_labels, check_number_of_edges, checked
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.labels import Label, check_hashes
from mechdesign.size import check_size

MOST_VALUES = 500_000
"""A graph of more values than these takes more than 10 seconds and half a gigabyte."""


def value_graph(
    values: Iterable[Any],
    *,
    metric: Callable[[Any, Any], Number] | None = None,
    name: str = "",
    source: str = "",
) -> nx.Graph:
    """Return the graph of local differential privacy: one point-mass profile per value, every pair an edge.

    With a `metric`, each edge carries `distance = metric(x, y)` and the graph is that of metric privacy: the
    epsilon given to `design` is per unit of distance. An infinite distance is no edge.

    Parameters
    ----------
    values
        the labels, each of which is a profile and a category.
    metric
        the distance of two values, symmetric, at least 0.
    name, source
        what the graph is called, and where its data are from: kept in its file.

    Raises
    ------
    InputError
        on values that are no labels or given twice, or a distance that is negative or not a number.

    Examples
    --------
    >>> value_graph(["a", "b", "c"]).number_of_edges()
    3
    """
    categories = list(values)
    check_are_labels(categories, "values")
    check_hashes(categories, "values")
    if metric is None:
        check_number_of_edges(math.comb(len(categories), 2))
    graph = single_values(categories, name=name, source=source)
    for count, (x, y, attributes) in enumerate(_joined(categories, metric), start=1):
        check_number_of_edges(count)
        graph.add_edge(x, y, **attributes)
    return checked(graph)


def single_values(values: Sequence[Label], *, name: str = "", source: str = "") -> nx.Graph:
    """Return a graph of values, each of which is a profile and a category, without edges; it is not checked.

    Examples
    --------
    >>> single_values(["a", "b"]).nodes["b"]
    {'distribution': PointMass(1, 2)}
    """
    graph = nx.Graph(name=name, categories=list(values), source=source)
    for position, value in enumerate(values):
        graph.add_node(value, distribution=PointMass(position, len(values)))
    return graph


def _joined(values: Sequence[Any], metric: Callable[[Any, Any], Number] | None) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the pairs of values that are edges, with their attributes."""
    for x, y in combinations(values, 2):
        distance = None if metric is None else metric(x, y)
        if distance != math.inf:
            yield x, y, {} if distance is None else {"distance": distance}


def absolute_difference(x: Any, y: Any) -> Fraction:
    """Return the distance of two labels that are numbers, as a metric of a `value_graph`, exactly.

    Raises
    ------
    InputError
        naming what is no number.

    Examples
    --------
    >>> absolute_difference("0.3", 1)
    Fraction(7, 10)
    """
    try:
        return abs(parse_number(x) - parse_number(y))
    except InputError as error:
        raise InputError(f"values: a difference is one of numbers; {error.faults[0]}") from None


def counting_graph(n: int) -> nx.Graph:
    """Return the graph of a counting query over n people: point masses 0..n, neighbours differ by one.

    Parameters
    ----------
    n
        how many people.

    Raises
    ------
    InputError
        unless n is a positive integer, of at most 500,000.

    Examples
    --------
    >>> counting_graph(3).edges
    EdgeView([(0, 1), (1, 2), (2, 3)])
    """
    whole("n", n)
    check_size(n, MOST_VALUES, "a count of {} people has as many edges", "count in steps, of ten people each, say")
    graph = single_values(range(n + 1), name=f"counting-{n}", source="a count of n people")
    nx.add_path(graph, range(n + 1))
    return checked(graph)
