"""Places with coordinates, as a graph of metric privacy; and the losses that its distances are."""

import math
import warnings
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number
from mechdesign.exact.text import shown
from mechdesign.graph.checks import check_number_of_edges, checked
from mechdesign.graph.from_table.columns import Table
from mechdesign.graph.from_table.distinct import distinct_rows
from mechdesign.graph.from_table.reading import Reading, word_of
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import POSITION, Unit
from mechdesign.graph.values import single_values
from mechdesign.size import check_size
from mechdesign.words import counted, first_of

MOST_PLACES = 5_000
"""More places than these have more distances than fit in memory comfortably."""

PARTS = 10**6
"""Distances are whole numbers over this, rounded down: short in a file, and to the private side."""

SLACK = 1e-12
"""What is taken off a distance before it is rounded down, as a share of it and of the largest distance that there could
be from the origin, or on the Earth: more than doubles round it up by, of places that are far out too."""

LATITUDES, LONGITUDES = {"lat", "latitude"}, {"lon", "lng", "long", "longitude"}
"""What columns of coordinates in degrees are called, in small letters."""

EVERY_TWO = (
    "the loss is the distance of every two categories, each of which is a profile; without distances there are "
    "hamming, absolute (in the order of the categories), circular, or a table"
)

NEAR_ONLY = (
    "this graph joins near places only: give a table, --loss FILE, or in Python a loss, from md.distances of the graph "
    "without --within"
)
"""Why no pair has a distance, or what to do about far places that have none."""

RADIUS = {Unit.KILOMETRES: 6371.0088, Unit.METRES: 6_371_008.8, Unit.MILES: 3958.7613}
"""Of the Earth, the mean one, by unit."""


def unjoined(far: Floats, joined: npt.NDArray[np.bool_], labels: list[Label]) -> str | None:
    """Return in words how the pairs are protected that are not joined, by their distances; None if all are joined.

    Examples
    --------
    >>> corner = np.array([[0, 1, 1.5], [1, 0, 1], [1.5, 1, 0]])
    >>> unjoined(corner, corner == 1, ["a", "b", "c"])
    "1 of 3 pairs is joined by no edge: along paths it is protected at up to 1.33 times its distance ('a' and 'c')"
    """
    i, j = np.nonzero(np.triu(~joined, 1))
    if not len(i):
        return None
    from scipy.sparse import csr_array  # here, because it loads slowly and few need it
    from scipy.sparse.csgraph import dijkstra

    paths = dijkstra(csr_array(np.where(joined, far, 0.0)), directed=False)[i, j]
    reached = np.isfinite(paths)
    count, pairs = len(i), len(labels) * (len(labels) - 1) // 2
    its, are = ("it is", "is") if count == 1 else ("they are", "are")
    words = f"{count:,} of {counted(pairs, 'pair')} {are} joined by no edge:"
    if not reached.any():
        return f"{words} no path joins {'it, and it is' if count == 1 else 'them, and they are'} not protected"
    times = np.where(reached, paths, 0.0) / far[i, j]
    worst = int(times.argmax())
    most = f"up to {times[worst]:.3g} times {'its' if count == 1 else 'their'} distance"
    ends = f"{shown(labels[i[worst]])} and {shown(labels[j[worst]])}"
    apart = "" if reached.all() else f"; {int((~reached).sum()):,} of them are joined by no path, and not protected"
    return f"{words} along paths {its} protected at {most} ({ends}){apart}"


def point_graph(
    frame: Any,
    *,
    at: Sequence[str],
    label: str | None = None,
    prior: str | None = None,
    unit: str | None = None,
    within: Number | None = None,
    name: str = "",
    source: str = "",
) -> nx.Graph:
    """Return the graph of places, for metric privacy: every pair is an edge, and epsilon is per unit of distance.

    Distances are rounded down to a millionth of the unit, to the private side. Each place has a position, `pos`, at
    which it is drawn.

    Parameters
    ----------
    frame
        a DataFrame of pandas, polars or so, an Arrow Table, or a mapping from column to list; a row for each place.
    at
        the two columns of coordinates: latitude and longitude in degrees if there is a `unit`, otherwise x and y.
    label
        the column that names the places; otherwise they are 1, 2, 3 and so on.
    prior
        the column that says how often each is visited: its weight.
    unit
        "km", "m" or "mi": distances are along great circles on the Earth. Otherwise they are those in the plane, in the
        unit of the coordinates; a `UserWarning` says so of columns that are called latitude and longitude.
    within
        places further apart are not joined, and are protected by the paths between them alone: a `UserWarning` says at
        how many times their distance. `design(detours=)` leaves out edges too, but protects all pairs at their own.
    name, source
        what the graph is called, and where its data are from: kept in its file.

    Raises
    ------
    InputError
        listing what is wrong with the table; or naming two places less than a millionth of the unit apart.

    References
    ----------
    Geo-indistinguishability: Andrés et al. 2013, arXiv:1212.1984; of any metric: Chatzikokolakis et al. 2013; the
    mechanism of least expected loss: Bordenabe et al. 2014, arXiv:1402.5029; its rivals' remap: Chatzikokolakis et al.
    2017.

    Examples
    --------
    >>> stations = {"station": ["Ulm", "Jena"], "lat": [48.3996, 50.9249], "lon": [9.9828, 11.5817]}
    >>> graph = point_graph(stations, at=["lat", "lon"], label="station", unit="km")
    >>> float(graph.edges["Ulm", "Jena"]["distance"])
    303.449265
    """
    if len(at) != 2:
        raise InputError(f"at: expected two columns, such as lat,lon, found {shown(tuple(at))}")
    radius = None if unit is None else RADIUS[word_of(Unit, "unit", unit)]
    _check_names(at, in_plane=radius is None)
    most = math.inf if within is None else number("within", within, "a number > 0", above=0)
    rows = distinct_rows(frame, [*at, *(one for one in (label, prior) if one is not None)])
    check_size(sum(rows.times), MOST_PLACES, "a graph of {} places", "join those that are near, with their visits")
    table = Table(rows, Reading())
    ends = (math.inf, math.inf) if radius is None else (90, 180)
    first, second = (_coordinate(table, column, end) for column, end in zip(at, ends, strict=True))
    weights = None if prior is None else table.numbers(prior, "a number >= 0", lambda one: one >= 0)
    labels = _labels(table, label)
    far = _in_plane(first, second) if radius is None else _on_earth(first, second, radius)
    reach = math.pi * radius if radius is not None else float(np.hypot(first, second).max())
    parts = np.floor(np.maximum(0.0, far - SLACK * (far + reach)) * PARTS)
    _check_apart(parts, labels)
    graph = single_values(labels, name=name, source=source)
    points = zip(first, second, strict=True) if radius is None else zip(second, first, strict=True)
    nx.set_node_attributes(
        graph, {place: _shortened(point) for place, point in zip(labels, points, strict=True)}, POSITION
    )
    if unit is not None:
        graph.graph["unit"] = str(unit)
    if weights is not None:
        nx.set_node_attributes(graph, dict(zip(labels, weights, strict=True)), "weight")
    near = np.argwhere(np.triu(parts <= most * PARTS, 1)).tolist()
    check_number_of_edges(len(near))
    said = unjoined(parts, parts <= most * PARTS, labels)
    if said is not None:
        remedy = "without within all are, each at its own; detours in a design leave out edges and keep that"
        warnings.warn(f"within: {said}; {remedy}", UserWarning, stacklevel=2)
    for i, j in near:
        graph.add_edge(labels[i], labels[j], distance=Fraction(int(parts[i, j]), PARTS))
    return checked(graph)


def distances(graph: nx.Graph) -> list[list[Fraction]]:
    """Return the distance of each category from each: a table for `ExpectedLoss` and `WorstLoss`.

    Parameters
    ----------
    graph
        one of single values, with a `distance` on the edge of every pair (`point_graph`, `grid_graph`, `value_graph`
        with a metric).

    Raises
    ------
    InputError
        naming a pair without one.

    Examples
    --------
    >>> import mechdesign as md
    >>> md.distances(md.value_graph([0, 1, 3], metric=lambda x, y: abs(x - y)))[0]
    [Fraction(0, 1), Fraction(1, 1), Fraction(3, 1)]
    """
    categories = graph.graph["categories"]
    there = {(x, y): far for x, y, far in graph.edges(data="distance") if far is not None}
    there |= {(y, x): far for (x, y), far in there.items()}
    there |= {(x, x): Fraction(0) for x in categories}
    for x in categories:
        for y in categories:
            if (x, y) not in there:
                what = NEAR_ONLY if len(there) > len(categories) else EVERY_TWO
                raise InputError(f'loss "distance": no edge of {shown(x)} and {shown(y)} has one; {what}')
    return [[there[x, y] for y in categories] for x in categories]


def _check_names(at: Sequence[str], *, in_plane: bool) -> None:
    """Raise an InputError if the columns are called longitude and latitude; warn of such that are of the plane."""
    first, second = (str(column).lower() for column in at)
    if in_plane and {first, second} & LATITUDES and {first, second} & LONGITUDES:
        words = f"{at[0]} and {at[1]}: distances are those of the plane, in degrees"
        warnings.warn(f'{words}; unit="km" makes them kilometres', UserWarning, stacklevel=3)
    if not in_plane and (first in LONGITUDES or second in LATITUDES):
        raise InputError(f"at: expected the latitude first, found {at[0]},{at[1]}; give {at[1]},{at[0]}")


def _coordinate(table: Table, column: str, end: float) -> Floats:
    """Return a column of coordinates, in degrees if it has an end."""
    expected = "a number" if end == math.inf else f"degrees from -{end} to {end}"
    return np.array(table.numbers(column, expected, lambda one: abs(one) <= end), dtype=float)


def _shortened(point: tuple[float, float]) -> tuple[Fraction, ...]:
    """Return a position, to draw it: in a billionth of its unit, short in a file."""
    return tuple(Fraction(round(part * 10**9), 10**9) for part in point)


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


def _check_apart(parts: Floats, labels: Sequence[Label]) -> None:
    """Raise an InputError if two places have no distance."""
    i, j = divmod(int(np.argmin(parts + np.diag(np.full(len(parts), math.inf)))), len(parts))
    if i != j and parts[i, j] == 0:
        words = f"{shown(labels[i])} and {shown(labels[j])} are less than a millionth of the unit apart"
        raise InputError(f"places: {words}; make them one, with the visits of both")


def _in_plane(x: Floats, y: Floats) -> Floats:
    """Return the distances in the plane, n x n."""
    return np.hypot(x[:, None] - x, y[:, None] - y)


def _on_earth(latitude: Floats, longitude: Floats, radius: float) -> Floats:
    """Return the distances along great circles, n x n, by the form of Vincenty's that is good for all angles."""
    north, turn = np.radians(latitude), np.radians(longitude[:, None] - longitude)
    sine, cosine = np.sin(north), np.cos(north)
    across = np.hypot(cosine * np.sin(turn), cosine[:, None] * sine - sine[:, None] * cosine * np.cos(turn))
    along = sine[:, None] * sine + cosine[:, None] * cosine * np.cos(turn)
    return np.array(radius * np.arctan2(across, along))
