"""The edges of joined profiles: of several that become one, what is strictest."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.edge_table import OWN
from mechdesign.graph.groups import Partition
from mechdesign.graph.labels import Label


def joined_edges(graph: nx.Graph, who: Partition) -> dict[tuple[Label, Label], dict[str, Any]]:
    """Return the edges between groups of profiles, each once; edges within a group are gone.

    Raises
    ------
    InputError
        naming each pair for which the stricter of two edges depends on what is asked for.
    """
    group = dict(zip(graph, who.place, strict=True))
    found: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for a, b, attributes in graph.edges(data=True):
        ends = group[a], group[b]
        if ends[0] != ends[1]:
            found.setdefault(ends if ends[::-1] not in found else ends[::-1], []).append(attributes)
    result, faults = {}, []
    for (a, b), edges in found.items():
        pair = who.names[a], who.names[b]
        try:
            result[pair] = strictest(edges)
        except InputError as error:
            faults += error.told(f"{shown(pair[0])}-{shown(pair[1])}: ")
    if faults:
        raise InputError(faults)
    return result


def lost_edges(graph: nx.Graph, who: Partition) -> list[tuple[Label, Label]]:
    """Return the edges within groups, whose profiles are neighbours no more."""
    group = dict(zip(graph, who.place, strict=True))
    return [(a, b) for a, b in graph.edges if group[a] == group[b]]


def strictest(edges: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what an edge has that asks at least what each of several asks, and no more than needed.

    Raises
    ------
    InputError
        if that depends on the epsilon, or the delta, asked for.

    Examples
    --------
    >>> strictest([{"epsilon": Fraction(1), "delta": Fraction(0)}, {"epsilon": Fraction(1, 2)}])
    {'epsilon': Fraction(1, 2), 'delta': Fraction(0, 1)}
    """
    asking = [edge for edge in edges if edge.get("epsilon") != math.inf] or list(edges[:1])
    result = {
        key: value
        for key, value in asking[0].items()
        if key not in OWN and all(edge.get(key) == value for edge in asking)
    }
    own = [edge["epsilon"] for edge in asking if "epsilon" in edge]
    distances = [edge.get("distance", Fraction(1)) for edge in asking if "epsilon" not in edge]
    if not distances or (own and min(own) == 0):
        result["epsilon"] = min(own)
    elif not own or min(distances) == 0:
        if any("distance" in edge for edge in asking):
            result["distance"] = min(distances)
    else:
        raise InputError(_untold("epsilon", min(own)))
    deltas = [edge["delta"] for edge in asking if "delta" in edge]
    if deltas and (len(deltas) == len(asking) or min(deltas) == 0):
        result["delta"] = min(deltas)
    elif deltas:
        raise InputError(_untold("delta", min(deltas)))
    return result


def _untold(key: str, own: Any) -> str:
    return (
        f"one of the edges that would become one has {key} {shown(own)} of its own, another has none: which is the "
        f"stricter depends on the {key} asked for; give each an own {key}, or none"
    )
