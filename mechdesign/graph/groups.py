"""Which profiles, or which categories, become one: groups with their names, checked."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, TypeAlias

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.edge_table import OWN
from mechdesign.graph.labels import Label, is_label
from mechdesign.words import did_you_mean

Joined: TypeAlias = Mapping[Any, Sequence[Any]] | Iterable[Sequence[Any]]
"""Name -> what is joined under it; or only what is joined, ("a", "b"), whose name is then "a+b"."""


@dataclass(frozen=True)
class Partition:
    """Labels in groups: `names` of the groups in the order of their first members, `members` as positions."""

    names: tuple[Label, ...]
    members: tuple[tuple[int, ...], ...]

    @property
    def place(self) -> list[int]:
        """The group of each position."""
        found = {position: number for number, group in enumerate(self.members) for position in group}
        return [found[position] for position in range(len(found))]

    @property
    def joined(self) -> dict[Label, tuple[int, ...]]:
        """The groups of several, by name."""
        return {name: group for name, group in zip(self.names, self.members, strict=True) if len(group) > 1}


def partition(labels: Sequence[Label], joined: Joined, what: str) -> Partition:
    """Return labels in groups: those that are joined, and all others by themselves; `what` names a label in errors.

    Raises
    ------
    InputError
        with every fault: what is no group of two or more of these labels, stands in two, or has a name that is taken.

    Examples
    --------
    >>> partition(["a", "b", "c"], [("a", "c")], "profile")
    Partition(names=('a+c', 'b'), members=((0, 2), (1,)))
    """
    groups = _named(joined, what)
    position = {label: index for index, label in enumerate(labels)}
    faults = []
    for name, group in groups:
        faults += [
            f"{shown(label)}: no such {what}{did_you_mean(map(str, labels), label)}"
            for label in group
            if not is_label(label) or label not in position
        ]
        if len(group) < 2:
            faults.append(f"{shown(name)}: expected two or more to join, found {shown(tuple(group))}")
    if faults:
        raise InputError(faults)
    everyone = list(chain.from_iterable(group for _, group in groups))
    twice = dict.fromkeys(label for label in everyone if everyone.count(label) > 1)
    faults += [f"{shown(label)}: this {what} is to be joined twice" for label in twice]
    left, names = set(position) - set(everyone), [name for name, _ in groups]
    faults += [f"{shown(name)}: is no label; give text or an integer" for name in names if not is_label(name)]
    taken = [name for name in names if is_label(name) and (name in left or names.count(name) > 1)]
    faults += [f"{shown(name)}: another {what} has this name; give one" for name in dict.fromkeys(taken)]
    if faults:
        raise InputError(faults)
    found = [(name, tuple(sorted(position[label] for label in group))) for name, group in groups]
    found += [(label, (position[label],)) for label in labels if label in left]
    found.sort(key=lambda group: group[1])
    return Partition(tuple(name for name, _ in found), tuple(group for _, group in found))


def _named(joined: Joined, what: str) -> list[tuple[Any, list[Any]]]:
    """Return the groups with their names."""
    expected = f'expected groups such as [("a", "b")], or with their names {{"c": ("a", "b")}}, of each {what} to join'
    if isinstance(joined, str) or not isinstance(joined, Iterable):
        raise InputError(f"{expected}; found {shown(joined)}")
    pairs = list(joined.items()) if isinstance(joined, Mapping) else [(None, group) for group in joined]
    if wrong := [group for _, group in pairs if isinstance(group, str) or not isinstance(group, Iterable)]:
        raise InputError(f"{expected}; found {shown(wrong[0])}")
    return [("+".join(map(str, group)) if name is None else name, list(group)) for name, group in pairs]


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
