"""What it gains to make a graph coarser, and what it loses: the optimum after, and what is left of the guarantee."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, zip_longest
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.errors import InputError
from mechdesign.graph.coarsening import coarsened
from mechdesign.graph.groups import Joined, partition
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_order
from mechdesign.mechanism.mechanism import Mechanism


@dataclass(frozen=True, eq=False)
class Gain:
    """A graph made coarser, with the design for it.

    Attributes
    ----------
    kind
        "profiles" or "categories" that were joined, or "edge" that was dropped; "" for several groups.
    members
        which; empty for several groups.
    result
        the design for the coarser graph.
    kept
        what that design's mechanism, used by the profiles as they were, guarantees on the edges as they were.
    """

    kind: str
    members: tuple[Label, ...]
    result: Design
    kept: Verdict


def gain(fine: nx.Graph, options: dict[str, Any], *, profiles: Joined = (), categories: Joined = ()) -> Gain:
    """Return what it gains to join profiles or categories; `options` are those of `design`.

    Raises
    ------
    InputError
        if they cannot be joined.
    """
    result = design(coarsened(fine, profiles=profiles, categories=categories), **options)
    used = used_by(result.mechanism, fine, profiles, categories)
    return Gain("", (), result, _kept(used, fine, options))


def used_by(mechanism: Mechanism, fine: nx.Graph, profiles: Joined, categories: Joined) -> Mechanism:
    """Return the mechanism for a coarser graph as that of the profiles and categories as they were.

    Examples
    --------
    >>> import mechdesign as md
    >>> fine = md.read_graph("categorical-chain")
    >>> rough = md.design(md.coarsened(fine, categories={"high": ("3", "4")}), epsilon=1).mechanism
    >>> used = used_by(rough, fine, (), {"high": ("3", "4")})
    >>> used.outputs, used.row("P2", "3") == used.row("P2", "4") == rough.row("P2", "high")
    (('1', '2', 'high'), True)
    """
    who = partition(list(fine), profiles, "profile").place
    what = partition(fine.graph["categories"], categories, "category").place
    return Mechanism(fine, mechanism.outputs, mechanism.rows, mechanism.index[np.ix_(who, what)])


def _kept(used: Mechanism, fine: nx.Graph, options: dict[str, Any]) -> Verdict:
    nominal = options.get("nominal", False)
    return certify(used, fine, epsilon=options["epsilon"], delta=options["delta"], nominal=nominal)


def suggested(
    fine: Design, options: dict[str, Any], *, most: int, progress: Callable[[int, int], object]
) -> tuple[list[Gain], int]:
    """Return what gains when it alone is joined or dropped, the most first, and how many were not tried.

    In turn, pairs of categories (neighbours, where these have an order), and pairs of neighbouring profiles with the
    edge between them, the dearest first.
    """
    tried = list(_candidates(fine))
    found = []
    for done, (kind, members) in enumerate(tried[:most]):
        progress(done, min(most, len(tried)))
        try:
            found.append(_tried(fine.graph, kind, members, options))
        except InputError:  # the pair cannot be joined, or no other edge is left
            continue
    gains = [one for one in found if one.result.value < fine.bound]
    return sorted(gains, key=lambda one: one.result.value), max(0, len(tried) - most)


def _candidates(fine: Design) -> Iterator[tuple[str, tuple[Label, Label]]]:
    categories: Sequence[Label] = fine.graph.graph["categories"]
    pairs = pairwise(categories) if has_order(fine.graph) else combinations(categories, 2)
    dearest = sorted(fine.prices(), key=lambda price: -price.epsilon)
    for pair, price in zip_longest(pairs, dearest):
        if pair is not None:
            yield "categories", pair
        if price is not None:
            yield "profiles", price.edge
            yield "edge", price.edge


def _tried(fine: nx.Graph, kind: str, members: tuple[Label, Label], options: dict[str, Any]) -> Gain:
    if kind == "edge":
        without = fine.copy()
        without.remove_edge(*members)
        if not without.number_of_edges():
            raise InputError("no edge would be left")
        result = design(without, **options)
        return Gain(kind, members, result, _kept(result.mechanism, fine, options))
    return replace(gain(fine, options, **{kind: [members]}), kind=kind, members=members)
