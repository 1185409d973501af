"""Places as they are given: by columns of a table, by the points of a GeoDataFrame, or as the nodes of roads."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.numbers import number, over_common
from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import Reading
from mechdesign.graph.from_table.columns import Table
from mechdesign.graph.from_table.distinct import distinct_rows
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import Unit
from mechdesign.size import check_size
from mechdesign.words import first_of

MOST_PLACES = 5_000
"""More places than these have more distances than fit in memory comfortably."""

PARTS = 10**6
"""Distances are whole numbers over this, rounded down: short in a file, and to the private side."""

SLACK = 1e-12
"""As a share of a distance and of the largest that there could be from the first place, or on the Earth: more than
doubles round it by. It is taken off before a distance is rounded down, unless that is done exactly."""

EXACT = 2**53
"""Up to this whole numbers are exact in doubles, sums too: so ways are, of roads that are rounded down."""

FURTHEST = 10**200
"""From a place to the first one in the plane, in the unit of the coordinates: doubles hold all distances then."""

RADIUS = {Unit.KILOMETRES: 6371.0088, Unit.METRES: 6_371_008.8, Unit.MILES: 3958.7613}
"""Of the Earth, the mean one, by unit."""

IN_DEGREES, IN_PLANE = ("latitude", "longitude"), ("y", "x")
"""What the coordinates of a GeoDataFrame are called."""


@dataclass(frozen=True, eq=False)
class Located:
    """Places, with their distances.

    Attributes
    ----------
    labels
        what the places are called.
    parts
        the distances as whole numbers of millionths, rounded down, n x n.
    points
        x and y of each, or longitude and latitude, n x 2, if known.
    weights
        how often each is visited, if known.
    """

    labels: list[Label]
    parts: Floats
    points: Floats | None
    weights: list[Fraction] | None


def columns_of(frame: Any, at: Sequence[str] | None, unit: Unit | None) -> tuple[Any, Sequence[str]]:
    """Return a table, and which of its columns are coordinates; those of the points of a GeoDataFrame are added.

    Raises
    ------
    InputError
        where there are not two columns, or coordinates are not what the unit needs.
    """
    if at is None and hasattr(frame, "geometry"):
        return _with_points(frame, unit)
    if at is None or len(at) != 2:
        raise InputError(
            f"at: expected two columns, such as lat,lon, found {'none' if at is None else shown(tuple(at))}"
        )
    if at[0] == at[1]:
        raise InputError(f"at: expected two columns, found {shown(at[0])} twice")
    return frame, at


def _with_points(frame: Any, unit: Unit | None) -> tuple[Mapping[str, Any], Sequence[str]]:
    try:
        x, y = frame.geometry.x, frame.geometry.y
    except (AttributeError, ValueError) as error:
        remedy = "geometry.representative_point() or .centroid is a point of each"
        raise InputError(f"geometry: expected points, found others ({error}); {remedy}") from None
    system = frame.crs
    degrees = unit is not None if system is None else system.is_geographic
    if unit is not None and not degrees:
        remedy = "leave unit out, or give frame.to_crs(4326)"
        raise InputError(f"unit: expected coordinates in degrees, found those of {system.name}; {remedy}")
    names = IN_DEGREES if degrees else IN_PLANE
    table = {name: frame[name] for name in frame.columns} | dict(zip(names, (y, x), strict=True))
    return table, names if degrees else names[::-1]


def by_coordinates(table: Any, at: Sequence[str], unit: Unit | None, label: str | None, prior: str | None) -> Located:
    """Return the places of a table: in the plane, or on the Earth if there is a unit, the latitude first."""
    ends = (math.inf, math.inf) if unit is None else (90, 180)
    labels, found, weights = read_places(table, at, ends, label, prior)
    first, second = np.array(found, dtype=float)
    if unit is None:
        return Located(labels, _in_plane(found), np.stack((first, second), axis=1), weights)
    parts, _ = _rounded(_on_earth(first, second, RADIUS[unit]), math.pi * RADIUS[unit])
    return Located(labels, parts, np.stack((second, first), axis=1), weights)


def read_places(
    frame: Any, at: Sequence[str], ends: Sequence[float], label: str | None, prior: str | None
) -> tuple[list[Label], list[list[Fraction]], list[Fraction] | None]:
    """Return what the places of a table are called, their coordinates, each of which has an end, and their weights.

    Raises
    ------
    InputError
        listing all that is wrong with the table.
    """
    rows = distinct_rows(frame, [*at, *(one for one in (label, prior) if one is not None)])
    check_size(sum(rows.times), MOST_PLACES, "a graph of {} places", "join those that are near, with their visits")
    table = Table(rows, Reading())
    found = [_coordinate(table, column, end) for column, end in zip(at, ends, strict=True)]
    weights = None if prior is None else table.numbers(prior, "a number >= 0", lambda one: one >= 0)
    return _labels(table, label), found, weights


def _coordinate(table: Table, column: str, end: float) -> list[Fraction]:
    """Return a column of coordinates, in degrees if it has an end."""
    expected = "a number" if end == math.inf else f"degrees from -{end} to {end}"
    return table.numbers(column, expected, lambda one: abs(one) <= end)


def _labels(table: Table, label: str | None) -> list[Label]:
    """Return what the places are called.

    Raises
    ------
    InputError
        listing all that is wrong with the table.
    """
    found = list(range(1, len(table.times) + 1)) if label is None else table.labels(label)
    table.check_complete()
    for place, times, where in zip(found, table.times, table.first, strict=True):
        if times > 1:
            table.faults.append(f"place {shown(place)}: more than once, in rows {first_of(where, 5, times)}")
    rows: dict[Label | None, list[int]] = {}
    for place, (row, *_) in zip(found, table.first, strict=True):
        rows.setdefault(place, []).append(row)
    table.faults += [
        f"column {shown(label)}: {shown(place)} names several places, in rows {first_of(where, 5)}"
        for place, where in rows.items()
        if place is not None and len(where) > 1
    ]
    table.faults.check()
    return [place for place in found if place is not None]


def _in_plane(coordinates: list[list[Fraction]]) -> Floats:
    """Return the distances in the plane, n x n, in parts: rounded down exactly where doubles may be off, up to `EXACT`.

    Raises
    ------
    InputError
        if the coordinates have no common denominator that is short enough, or are further apart than doubles can tell.
    """
    integers, unit = over_common([one for column in coordinates for one in column], "the coordinates")
    whole = np.array(integers, dtype=object).reshape(2, -1)
    whole -= whole[:, :1]
    if max(map(abs, whole.ravel())) > FURTHEST * unit:
        raise InputError("the coordinates: some are more than 1e200 apart; give them in a larger unit")
    x, y = (whole / unit).astype(float)
    parts, most = _rounded(np.hypot(x[:, None] - x, y[:, None] - y), float(np.hypot(x, y).max()))
    root = np.frompyfunc(math.isqrt, 1, 1)
    for i, unsure in enumerate(np.triu((parts < most) & (most <= EXACT), 1)):
        squares = ((whole[:, unsure] - whole[:, [i]]) ** 2).sum(axis=0)
        parts[i, unsure] = parts[unsure, i] = root(squares * PARTS**2 // unit**2)
    return parts


def _rounded(far: Floats, reach: float) -> tuple[Floats, Floats]:
    """Return the least and the most that distances in doubles may be, in whole parts rounded down."""
    slack = SLACK * (far + reach)
    return np.floor(np.maximum(0.0, far - slack) * PARTS), np.floor((far + slack) * PARTS)


def _on_earth(latitude: Floats, longitude: Floats, radius: float) -> Floats:
    """Return the distances along great circles, n x n, by the form of Vincenty's that is good for all angles."""
    north, turn = np.radians(latitude), np.radians(longitude[:, None] - longitude)
    sine, cosine = np.sin(north), np.cos(north)
    across = np.hypot(cosine * np.sin(turn), cosine[:, None] * sine - sine[:, None] * cosine * np.cos(turn))
    along = sine[:, None] * sine + cosine[:, None] * cosine * np.cos(turn)
    return np.array(radius * np.arctan2(across, along))


LENGTH, NODE = "length", "node"
"""The attribute of roads, which osmnx calls so too; and what the nodes themselves are called as a column."""

POINTS = (("x", "y"), ("lon", "lat"), ("longitude", "latitude"))
"""What the coordinates of nodes are called. They have some or none: a map of them is all that these are for."""


def along_roads(roads: nx.Graph, label: str | None, prior: str | None) -> Located:
    """Return the nodes of a graph as places, with the shortest ways between them, all roads both ways.

    Raises
    ------
    InputError
        naming a road without a length, or two places that no way joins.
    """
    from scipy.sparse.csgraph import dijkstra  # loads slowly

    nodes = list(roads.nodes.values())
    at = next((pair for pair in POINTS if nodes and all(name in own for own in nodes for name in pair)), ())
    columns = {name: [own.get(name) for own in nodes] for name in (*at, label, prior) if name is not None}
    labels, points, weights = read_places(
        {NODE: list(roads)} | columns, at, [math.inf] * len(at), NODE if label is None else label, prior
    )
    parts = dijkstra(_lengths(roads), directed=False)
    if not np.isfinite(parts).all():
        i, j = np.argwhere(~np.isfinite(parts))[0].tolist()
        words = f"roads: no way leads from {shown(labels[i])} to {shown(labels[j])}"
        raise InputError(f"{words}; give each part of the roads by itself")
    if parts.max(initial=0) > EXACT:
        raise InputError(f"roads: some are {parts.max() / PARTS:.3g} apart; give lengths in a larger unit")
    return Located(labels, parts, np.array(points, dtype=float).T if points else None, weights)


def _lengths(roads: nx.Graph) -> Any:
    """Return the length of the shortest road of each pair that has one, in whole parts, as a sparse table."""
    from scipy.sparse import csr_array  # loads slowly

    place = {node: number for number, node in enumerate(roads)}
    expected, least = "a number of at least a millionth", Fraction(1, PARTS)
    shortest: dict[tuple[int, int], float] = {}
    for a, b, own in roads.edges(data=True):
        ends = min(place[a], place[b]), max(place[a], place[b])
        length = number(f"road {shown(a)}-{shown(b)}: {LENGTH}", own.get(LENGTH), expected, at_least=least)
        shortest[ends] = min(math.floor(length * PARTS), shortest.get(ends, math.inf))
    i, j = zip(*shortest, strict=True) if shortest else ((), ())
    return csr_array((np.array(list(shortest.values()), dtype=float), (i, j)), shape=(len(place), len(place)))
