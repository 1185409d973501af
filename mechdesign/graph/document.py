"""A profile graph as a JSON value."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import format_number, shown
from mechdesign.graph.distribution import PointMass

LONGEST_POINT_MASS = 200
"""Point masses over more categories than this are written as `value`, not as a list of zeros."""


def document_of(graph: nx.Graph) -> dict[str, Any]:
    """Return a checked profile graph as the JSON value of its file."""
    nodes = []
    taken = _taken("nodes", graph.nodes, "id", "value", "ordered")
    taken += _taken("edges", graph.edges, "source", "target", "ordered")
    if taken:
        raise InputError(taken)
    for profile, attributes in graph.nodes.items():
        distribution = attributes["distribution"]
        if isinstance(distribution, PointMass) and len(distribution) > LONGEST_POINT_MASS:
            value = graph.graph["categories"][distribution.position]
            attributes = {"value": value, **{key: part for key, part in attributes.items() if key != "distribution"}}
        nodes.append({"id": plain(profile), **{key: plain(part) for key, part in attributes.items()}})
    edges = [
        {"source": plain(a), "target": plain(b), **{key: plain(value) for key, value in attributes.items()}}
        for a, b, attributes in graph.edges(data=True)
    ]
    heading = {key: plain(value) for key, value in graph.graph.items()}
    return {"directed": False, "multigraph": False, "graph": heading, "nodes": nodes, "edges": edges}


def _taken(place: str, items: Mapping[Any, Mapping[str, Any]], *keys: str) -> list[str]:
    """Return a fault for each attribute whose name means something else in a file."""
    return [
        f'{place} ({shown(item)}): the attribute "{key}" means something else in a file; rename it'
        for item, attributes in items.items()
        for key in keys
        if key in attributes
    ]


def plain(value: Any) -> Any:
    """Return `value` as JSON can hold it; Fractions as exact text."""
    if isinstance(value, Fraction):
        return format_number(value)
    if isinstance(value, float):
        return format_number(Fraction(value)) if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | PointMass):
        return [plain(part) for part in value]
    return value
