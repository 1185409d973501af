"""`coarsened`: a graph of fewer profiles or fewer categories, exactly.

A joined category has the sum of its parts' probabilities. A joined profile is the mean of its parts by their weights:
a person of whom one knows no more than that it is one of these. Bounds hold on: what holds for each part between its
bounds holds for a sum between the sums, and for a mean between the means.
"""

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import PointMass, support
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.groups import Joined, Partition, joined_edges, partition
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_order
from mechdesign.graph.uncertainty import BOUNDS, uncertainty_of

SUMS = ("count", "counts")
"""A node's numbers of records, which add up."""
EACH = ("distribution", "lower", "upper", "counts")
"""What a node has for each category."""


def coarsened(graph: nx.Graph | str | os.PathLike[str], *, profiles: Joined = (), categories: Joined = ()) -> nx.Graph:
    """Return the graph with some profiles, or some categories, joined.

    A joined profile is the mean of its parts by weight, and has the sum of their weights. It is the neighbour of all
    neighbours that any part has; of several edges that become one the stricter epsilon, the shorter distance and the
    smaller delta are kept. Edges between parts are gone: the parts have one matrix then, but nothing says that what
    they release is alike. A joined category is reported as one. `coarsened` in the graph's attributes says what was
    joined.

    Parameters
    ----------
    graph
        a profile graph; or the name of a shipped one, or the path of its file.
    profiles, categories
        groups to join, [("a", "b"), ...], or with their names, {"c": ("a", "b")}; without one the name is "a+b".

    Raises
    ------
    InputError
        if there is nothing to join; a group is none; the categories' order would be broken; the stricter of two edges
        cannot be told; or nothing would be left to report or to protect.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084, section IV: granularity.

    Examples
    --------
    >>> import mechdesign as md
    >>> rough = md.coarsened("categorical-chain", profiles=[("P1", "P2")], categories={"high": ("3", "4")})
    >>> rough.nodes["P1+P2"]["distribution"], list(rough.edges)
    ((Fraction(1, 4), Fraction(3, 10), Fraction(9, 20)), [('P1+P2', 'P3')])
    """
    fine = as_graph(graph)
    who = partition(list(fine), profiles, "profile")
    what = partition(fine.graph["categories"], categories, "category")
    if not who.joined and not what.joined:
        raise InputError("expected profiles or categories to join, found none")
    _check_categories(fine, what)
    nodes = [_of_categories(attributes, what) for attributes in fine.nodes.values()]
    result = nx.Graph()
    result.graph.update(fine.graph, categories=what.names)
    result.graph.pop("normalised", None)
    if what.joined:
        result.graph["ordered"] = has_order(fine)
    step = {"profiles": _said(list(fine), who), "categories": _said(fine.graph["categories"], what)}
    result.graph["coarsened"] = [*fine.graph.get("coarsened", []), step]
    for name, members in zip(who.names, who.members, strict=True):
        result.add_node(name)
        result.nodes[name].update(_mean(name, [nodes[i] for i in members]))
    for (a, b), attributes in joined_edges(fine, who).items():
        result.add_edge(a, b)
        result.edges[a, b].update(attributes)
    if fine.number_of_edges() and not result.number_of_edges():
        raise InputError("profiles: all neighbours would be joined, no edge would be left and nothing be protected")
    return checked(result)


def _said(labels: Sequence[Label], groups: Partition) -> list[dict[str, Any]]:
    return [{"name": name, "members": [labels[i] for i in group]} for name, group in groups.joined.items()]


def _check_categories(graph: nx.Graph, what: Partition) -> None:
    """Raise an InputError unless something is left to report and the categories' order, if they have one, is kept."""
    labels = graph.graph["categories"]
    if what.joined and len(what.names) == 1:
        raise InputError("categories: all would be one category, and nothing be left to report")
    if not has_order(graph):
        return
    faults = []
    for name, group in what.joined.items():
        between = [labels[i] for i in range(group[0], group[-1]) if i not in group]
        if between:
            faults.append(
                f"{shown(name)}: between these categories, whose order means something, there is "
                f"{', '.join(map(shown, between))}; join it as well, or say in the graph that they are not `ordered`"
            )
    if faults:
        raise InputError(faults)


def _of_categories(attributes: Mapping[str, Any], what: Partition) -> dict[str, Any]:
    """Return a node over the joined categories; `upper` at most 1, and a radius as it is, which no sum makes larger."""
    result = dict(attributes)
    if not what.joined:
        return result
    place = what.place
    for key in EACH:
        values = attributes.get(key)
        if isinstance(values, PointMass):
            result[key] = PointMass(place[values.position], len(what.names))
        elif values is not None and len(values) == len(place):
            result[key] = tuple(sum((values[x] for x in group), Fraction(0)) for group in what.members)
    if "upper" in result:
        result["upper"] = tuple(min(bound, Fraction(1)) for bound in result["upper"])
    return result


def _mean(name: Label, nodes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a joined profile; one alone is what it was."""
    if len(nodes) == 1:
        return dict(nodes[0])
    weights = [node.get("weight", Fraction(1)) for node in nodes]
    if not all(weights):
        raise InputError(f"{shown(name)}: a profile of weight 0 would vanish in a mean by weight; give it a weight")
    total = sum(weights, Fraction(0))
    shares = [weight / total for weight in weights]
    same = {key: value for key, value in nodes[0].items() if all(node.get(key) == value for node in nodes)}
    result = {key: value for key, value in same.items() if key not in (*EACH, *BOUNDS, *SUMS)}
    result |= {"weight": total, "distribution": _mixed([node["distribution"] for node in nodes], shares)}
    if all("count" in node for node in nodes):
        result["count"] = sum(node["count"] for node in nodes)
    if all("counts" in node for node in nodes):
        result["counts"] = [sum(column) for column in zip(*(node["counts"] for node in nodes), strict=True)]
    return result | _bounds(nodes, shares)


def _bounds(nodes: Sequence[Mapping[str, Any]], shares: Sequence[Fraction]) -> dict[str, Any]:
    """Return the bounds of a mean: the means of the bounds; of the radii, if no part has other bounds."""
    bounded = [node for node in nodes if any(key in node for key in BOUNDS)]
    if not bounded:
        return {}
    if all("radius" in node for node in bounded):
        radii = [node.get("radius", Fraction(0)) for node in nodes]
        return {"radius": sum((share * radius for share, radius in zip(shares, radii, strict=True)), Fraction(0))}
    lower, upper = zip(*(_box(node) for node in nodes), strict=True)
    return {"lower": _mixed(lower, shares), "upper": _mixed(upper, shares)}


def _box(node: Mapping[str, Any]) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return bounds from below and above that hold a profile's set."""
    one = uncertainty_of(node)
    lower = tuple(max(low, own - one.radius) for low, own in zip(one.lower, one.centre, strict=True))
    return lower, tuple(min(high, own + one.radius) for high, own in zip(one.upper, one.centre, strict=True))


def _mixed(parts: Sequence[Sequence[Fraction]], shares: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the mean of distributions, or of other numbers for each category."""
    result = [Fraction(0)] * len(parts[0])
    for part, share in zip(parts, shares, strict=True):
        for x, mass in support(part):
            result[x] += share * mass
    return tuple(result)
