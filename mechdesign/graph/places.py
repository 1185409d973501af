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
from mechdesign.graph.labels import Label
from mechdesign.graph.located import PARTS, Located, along_roads, by_coordinates, columns_of
from mechdesign.graph.positions import POSITION, Unit
from mechdesign.graph.values import single_values
from mechdesign.words import counted, word_of

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
    at: Sequence[str] | None = None,
    label: str | None = None,
    prior: str | None = None,
    unit: str | None = None,
    within: Number | None = None,
    name: str = "",
    source: str = "",
) -> nx.Graph:
    """Return the graph of places, for metric privacy: every pair is an edge, and epsilon is per unit of distance.

    Distances are rounded down to a millionth of the unit, to the private side. Each place has a position, `pos`, at
    which it is drawn, if its coordinates are known.

    Parameters
    ----------
    frame
        a DataFrame of pandas, polars or so, an Arrow Table, or a mapping from column to list; a row for each place. Or
        a GeoDataFrame of points. Or roads, a graph of networkx or osmnx whose edges have a `length`: its nodes are the
        places, as far apart as the shortest way, all roads both ways; their attributes are the columns.
    at
        the two columns of coordinates: latitude and longitude in degrees if there is a `unit`, otherwise x and y. Left
        out for the points of a GeoDataFrame, and for roads, whose nodes may have x and y, or lon and lat.
    label
        the column that names the places; otherwise they are 1, 2, 3 and so on, and nodes have their own names.
    prior
        the column that says how often each is visited: its weight.
    unit
        "km", "m" or "mi": distances are along great circles on the Earth. Otherwise they are those in the plane, in the
        unit of the coordinates; a `UserWarning` says so of degrees. Left out for roads: theirs is the lengths'.
    within
        places further apart are not joined, and are protected by the paths between them alone: a `UserWarning` says at
        how many times their distance. `design(detours=)` leaves out edges too, but protects all pairs at their own.
    name, source
        what the graph is called, and where its data are from: kept in its file.

    Raises
    ------
    InputError
        listing what is wrong with the table; or naming two places less than a millionth of the unit apart, a road
        without a length, or two places that no way joins.

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
    >>> roads = nx.Graph()
    >>> roads.add_weighted_edges_from([("A", "B", 0.5), ("B", "C", 2)], weight="length")
    >>> float(point_graph(roads).edges["A", "C"]["distance"])
    2.5
    """
    most = math.inf if within is None else float(number("within", within, "a number > 0", above=0) * PARTS)
    if isinstance(frame, nx.Graph):
        if at is not None or unit is not None:
            raise InputError("at, unit: ways along roads are in the unit of their lengths; leave both out")
        places = along_roads(frame, label, prior)
    else:
        earth = None if unit is None else word_of(Unit, "unit", unit)
        table, at = columns_of(frame, at, earth)
        _check_names(at, in_plane=earth is None)
        places = by_coordinates(table, at, earth, label, prior)
    _check_apart(places.parts, places.labels)
    near = places.parts <= most
    said = unjoined(places.parts, near, places.labels)
    if said is not None:
        remedy = "without within all are, each at its own; detours in a design leave out edges and keep that"
        warnings.warn(f"within: {said}; {remedy}", UserWarning, stacklevel=2)
    graph = _of_places(places, unit, name, source)
    _join(graph, places.parts, near)
    return checked(graph)


def _of_places(places: Located, unit: str | None, name: str, source: str) -> nx.Graph:
    """Return the places as values, with where they are and how often they are visited, without edges."""
    graph = single_values(places.labels, name=name, source=source)
    if places.points is not None:
        where = zip(places.labels, map(_shortened, places.points.tolist()), strict=True)
        nx.set_node_attributes(graph, dict(where), POSITION)
    if unit is not None:
        graph.graph["unit"] = str(unit)
    if places.weights is not None:
        nx.set_node_attributes(graph, dict(zip(places.labels, places.weights, strict=True)), "weight")
    return graph


def _join(graph: nx.Graph, parts: Floats, near: npt.NDArray[np.bool_]) -> None:
    """Add an edge for each two places that are near, with their distance."""
    pairs, labels = np.argwhere(np.triu(near, 1)).tolist(), list(graph)
    check_number_of_edges(len(pairs))
    for i, j in pairs:
        graph.add_edge(labels[i], labels[j], distance=Fraction(int(parts[i, j]), PARTS))


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


def _shortened(point: tuple[float, float]) -> tuple[Fraction, ...]:
    """Return a position, to draw it: in a billionth of its unit, short in a file."""
    return tuple(Fraction(round(part * 10**9), 10**9) for part in point)


def _check_apart(parts: Floats, labels: Sequence[Label]) -> None:
    """Raise an InputError if two places have no distance."""
    i, j = divmod(int(np.argmin(parts + np.diag(np.full(len(parts), math.inf)))), len(parts))
    if i != j and parts[i, j] == 0:
        words = f"{shown(labels[i])} and {shown(labels[j])} are less than a millionth of the unit apart"
        raise InputError(f"places: {words}; make them one, with the visits of both")
