"""Where profiles lie: their attribute `pos`, as networkx has it, or the points of a grid that they are named by."""

from enum import StrEnum
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number

POSITION = "pos"
"""The attribute of a profile: x and y; longitude and latitude in degrees where the graph has a `unit` of the Earth."""


class Unit(StrEnum):
    """In what distances on the Earth are measured."""

    KILOMETRES = "km"
    METRES = "m"
    MILES = "mi"


def parse_position(value: Any) -> Any:
    """Return two numbers as such; whatever else somebody calls `pos`, as it is.

    Examples
    --------
    >>> parse_position(["0.5", 2]), parse_position("12")
    ((Fraction(1, 2), Fraction(2, 1)), '12')
    """
    if not isinstance(value, list | tuple | np.ndarray):
        return value
    try:
        x, y = value
        return parse_number(x), parse_number(y)
    except (TypeError, ValueError, InputError):
        return value


def points_of(graph: nx.Graph) -> Floats | None:
    """Return x and y of each profile of a checked graph, n x 2; None where not all have a position.

    Examples
    --------
    >>> from mechdesign import grid_graph, value_graph
    >>> points_of(grid_graph(1, 2)).tolist(), points_of(value_graph("ab"))
    ([[0.0, 0.0], [0.0, 1.0]], None)
    """
    found = [own.get(POSITION, profile) for profile, own in graph.nodes.items()]
    if not all(isinstance(one, tuple) and len(one) == 2 and all(map(_is_number, one)) for one in found):
        return None
    return np.array([[float(part) for part in one] for one in found])


def on_map(graph: nx.Graph) -> bool:
    """Return whether all profiles have coordinates, which are not their names alone."""
    return points_of(graph) is not None and all(POSITION in own for own in graph.nodes.values())


def on_earth(graph: nx.Graph) -> bool:
    """Return whether positions are longitude and latitude in degrees."""
    return graph.graph.get("unit") in list(Unit) and on_map(graph)


def in_plane(graph: nx.Graph) -> Floats | None:
    """Return positions in a plane, in some unit: from the Earth as seen from far above the middle of them."""
    places = points_of(graph)
    if places is None or not on_earth(graph):
        return places
    longitude, latitude = np.radians(places.T)
    level = np.cos(latitude)
    up = np.stack([level * np.cos(longitude), level * np.sin(longitude), np.sin(latitude)], axis=1)
    _, _, axes = np.linalg.svd(up.mean(axis=0, keepdims=True))  # the first is the middle, the others across
    return np.array(up @ axes[1:].T)


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
