"""Graphs whose profiles are single values: local and metric privacy, and counts."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from math import inf, isqrt
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.errors import InputError, telling
from mechdesign.exact.numbers import Number, number, parse_number, whole
from mechdesign.exact.text import format_number, shown
from mechdesign.graph.checks import check_are_labels, check_number_of_edges, checked
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.frames import Matrix, in_order, is_series, matrix_in, uneven_rows
from mechdesign.graph.labels import Label, check_hashes, check_in_order
from mechdesign.size import check_size
from mechdesign.words import word_of

MOST_VALUES = 500_000
"""A graph of more values than these takes more than 10 seconds and half a gigabyte."""

ROUNDED = 1e-9
"""Of a distance: by this the two ways may differ, as sums of doubles along a road do; the shorter counts."""

DIGITS = 15
"""Decimal places of a square root. With these a number in a graph's file is short, and its double is as near."""


def value_graph(
    values: Iterable[Any],
    *,
    metric: Any = None,
    weights: Any = None,
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
        the distance of two values, symmetric, at least 0: a function of both, or a table with a row and a column for
        each, of which the labels count if it has any.
    weights
        how likely each value is: in their order, or by value, as a mapping or a Series; default equal.
    name, source
        what the graph is called, and where its data are from: kept in its file.

    Raises
    ------
    InputError
        on values that are no labels or given twice, on a table or weights that do not fit them, or on a distance or
        weight that is negative or not a number.

    Examples
    --------
    >>> value_graph(["a", "b", "c"]).number_of_edges()
    3
    >>> graph = value_graph(["a", "b"], metric=[[0, "1/2"], ["1/2", 0]], weights={"a": 3, "b": 1})
    >>> graph.edges["a", "b"]["distance"], graph.nodes["a"]["weight"]
    (Fraction(1, 2), Fraction(3, 1))
    """
    check_in_order(values, "values")
    categories = list(values)
    check_are_labels(categories, "values")
    check_hashes(categories, "values")
    if metric is None:
        check_number_of_edges(math.comb(len(categories), 2))
    graph = single_values(categories, name=name, source=source)
    if weights is not None:
        nx.set_node_attributes(graph, dict(zip(graph, weights_in_order(weights, categories), strict=True)), "weight")
    far = metric if metric is None or callable(metric) else _in_table(metric, categories)
    for count, (x, y, attributes) in enumerate(_joined(categories, far), start=1):
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


def weights_in_order(weights: Any, values: Sequence[Label]) -> list[Any]:
    """Return the weight of each value."""
    check_in_order(weights, "weights")
    labelled = isinstance(weights, Mapping) or is_series(weights)
    found = in_order(weights, values, "weights") if labelled else list(weights)
    if len(found) != len(values):
        raise InputError(f"weights: expected one for each value, {len(values)}, found {len(found)}")
    return found


def _in_table(metric: Any, values: Sequence[Label]) -> Callable[[Any, Any], Any]:
    """Return the distances in a table as a function."""
    with telling("metric: "):
        found = (matrix_in(metric, values) or Matrix(metric)).in_order(values)
    if uneven := uneven_rows(found.rows):
        raise InputError([f"metric: {fault}" for fault in uneven])
    rows = np.array(found.rows, dtype=object)
    if rows.shape != (len(values), len(values)) or found.outputs not in (None, tuple(values)):
        expected = "expected a row and a column for each value, in their order or with these as labels"
        raise InputError(f"metric: {expected}, found shape {rows.shape}")
    for x, y in np.argwhere(rows != rows.T).tolist():
        ways = (rows[x, y], rows[y, x])
        one, back = (far if far == math.inf else float(parse_number(far)) for far in ways)
        if max(one, back) == math.inf or abs(one - back) > ROUNDED * max(one, back):
            found_both = f"{shown(rows[x, y])} from {shown(values[x])} to {shown(values[y])}, {shown(rows[y, x])} back"
            raise InputError(f"metric: expected the same distance both ways, found {found_both}")
        rows[x, y] = rows[y, x] = min(ways, key=parse_number)
    place = {value: position for position, value in enumerate(values)}
    return lambda x, y: rows[place[x], place[y]]


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
        naming what is no number, or two values that are the same one.

    Examples
    --------
    >>> absolute_difference("0.3", 1)
    Fraction(7, 10)
    """
    with telling("values: a difference is one of numbers; "):
        difference = abs(parse_number(x) - parse_number(y))
    if not difference:
        raise InputError(f"values: {shown(x)} and {shown(y)} are the same number; give it once")
    return difference


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


class Metric(StrEnum):
    """How far apart two points of a grid are."""

    EUCLIDEAN = "euclidean"  # as the crow flies
    MANHATTAN = "manhattan"  # along rows and columns
    CHEBYSHEV = "chebyshev"  # the larger of the two


def grid_graph(
    rows: int,
    columns: int,
    *,
    metric: str = "euclidean",
    spacing: Number = 1,
    within: Number | None = None,
) -> nx.Graph:
    """Return the graph of the points (row, column) of a grid, for metric privacy: epsilon is per unit of distance.

    A square root that is irrational is rounded down, to the private side.

    Parameters
    ----------
    rows, columns
        how many points there are each way.
    metric
        "euclidean", "manhattan" (along rows and columns) or "chebyshev" (the larger of the two).
    spacing
        the distance of two neighbouring points, such as 0.5 for half a kilometre.
    within
        points further apart are not joined, and are protected by the path between them alone. Within the spacing
        itself, for the Manhattan distance and no delta, that is as much.

    Raises
    ------
    InputError
        if a number is not positive, there is no such metric, or there would be too many points or edges.

    Examples
    --------
    >>> graph = grid_graph(2, 2)
    >>> graph.edges[(0, 0), (0, 1)]["distance"], float(graph.edges[(0, 0), (1, 1)]["distance"])
    (Fraction(1, 1), 1.414213562373095)
    >>> grid_graph(3, 3, metric="manhattan", spacing="1/2", within="1/2").number_of_edges()
    12
    """
    whole("rows", rows)
    whole("columns", columns)
    far = _DISTANCES[word_of(Metric, "metric", metric)]
    unit, most = (
        number("spacing", spacing, "a number > 0", above=0),
        inf if within is None else number("within", within, "a number > 0", above=0),
    )
    check_size(rows * columns, MOST_VALUES, "the grid would have {} points", "make it coarser")
    steps = [
        (down, across) for down in range(rows) for across in range(1 - columns, columns) if (down, across) > (0, 0)
    ]
    distances = {(down, across): unit * far(down, abs(across)) for down, across in steps}
    joining = {step: distance for step, distance in distances.items() if distance <= most}
    check_number_of_edges(sum((rows - down) * (columns - abs(across)) for down, across in joining))
    points = [(row, column) for row in range(rows) for column in range(columns)]
    source = f"points of a grid, {metric} distance, {format_number(unit)} from one to the next"
    graph = single_values(points, name=f"grid-{rows}-{columns}", source=source)
    for row, column in points:
        for (down, across), distance in joining.items():
            if row + down < rows and 0 <= column + across < columns:
                graph.add_edge((row, column), (row + down, column + across), distance=distance)
    return checked(graph)


def _root_below(square: int) -> Fraction:
    """Return the square root of an integer, or its first `DIGITS` decimal places."""
    return Fraction(isqrt(square * 10 ** (2 * DIGITS)), 10**DIGITS)


_DISTANCES: dict[Metric, Callable[[int, int], Fraction | int]] = {
    Metric.EUCLIDEAN: lambda down, across: _root_below(down * down + across * across),
    Metric.MANHATTAN: lambda down, across: down + across,
    Metric.CHEBYSHEV: max,
}
