"""Points of a grid, as on a map: metric privacy with a choice of distances."""

from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from math import inf, isqrt

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number, whole
from mechdesign.exact.text import format_number
from mechdesign.graph.checks import check_number_of_edges, checked
from mechdesign.graph.values import MOST_VALUES, single_values
from mechdesign.size import check_size
from mechdesign.words import expected_one_of

DIGITS = 15
"""Decimal places of a square root. With these a number in a graph's file is short, and its double is as near."""


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
    if metric not in list(Metric):
        raise InputError(f"metric: {expected_one_of(Metric, metric)}")
    unit, most = (
        number("spacing", spacing, "a number > 0", above=0),
        inf if within is None else number("within", within, "a number > 0", above=0),
    )
    check_size(rows * columns, MOST_VALUES, "the grid would have {} points", "make it coarser")
    far = _DISTANCES[Metric(metric)]
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
