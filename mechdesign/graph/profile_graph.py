"""Profile graphs: plain `networkx.Graph` objects whose attributes are exact and have been checked.

A node is a profile. Its attribute `distribution` gives the probability of each category (a sequence of
Fractions that sum to 1), `weight` its prior (default: equal). An edge joins two profiles that must not be told
apart; its optional `distance` multiplies the epsilon asked for (metric privacy), its optional `epsilon` and
`delta` replace what is asked for. A profile that is known only within bounds has `lower` and `upper`, or `radius`. The
graph has `categories`, and usually a `name` and a `source`; `ordered` says whether the order of the categories means
something.

Everything that enters goes through `checked`, which reports every fault at once.
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import (
    Number,
)
from mechdesign.exact.text import shown
from mechdesign.graph.checks import check_number_of_edges, checked
from mechdesign.graph.edge_table import Edge, edges_in_table, is_edge_table
from mechdesign.graph.frames import by_profile, matrix_in
from mechdesign.graph.labels import Label, check_in_order, is_label


@with_flags
def profile_graph(
    distributions: Any,
    *,
    edges: Any,
    categories: Sequence[Label] | None = None,
    name: str = "",
    source: str = "",
    weights: Mapping[Any, Number] | None = None,
    ordered: bool | None = None,
    lower: Mapping[Any, Sequence[Number]] | None = None,
    upper: Mapping[Any, Sequence[Number]] | None = None,
    radius: Mapping[Any, Number] | Number | None = None,
) -> nx.Graph:
    """Return the profile graph of the given distributions.

    Parameters
    ----------
    distributions
        profile -> probabilities, in the order of `categories`, or by their labels: a mapping or a Series for each; or a
        DataFrame with a row for each profile and a column for each category; one of polars, Arrow or so has the names
        of the profiles as its first column. Doubles are the rationals they are, so
        that 0.1 is 3602879701896397/36028797018963968; text is what it says: `table.astype(str)`.
    edges
        pairs of profiles that must not be told apart, or "all"; a pair may carry its own attributes as networkx has
        them, ("a", "b", {"epsilon": 0.5}): `epsilon`, `delta` or `distance`, where 0.7 is 7/10. Or a
        DataFrame, an Arrow table or a mapping of columns: the first two are the profiles, those called epsilon, delta
        and distance the attributes.
    categories
        the d labels of what is observed; of a DataFrame, those of its columns are the default.
    name, source
        what the graph is called, and where its data are from: kept in its file.
    weights
        profile -> prior weight; default equal.
    ordered
        whether the order of the categories means something; default: where they are numbers that rise or fall.
    lower, upper
        profile -> the least and the largest probability of each category, for profiles that are known only within
        bounds; of a profile for which one is given, the other is 0 or 1 by default. Tables as for `distributions`.
    radius
        profile -> how far in total variation it may be from its distribution; or one number for all.

    Raises
    ------
    InputError
        listing every fault.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Definition 2.

    Examples
    --------
    >>> graph = profile_graph({"a": ["0.1", "0.9"], "b": [0.25, 0.75]}, edges=[("a", "b")], categories=["no", "yes"])
    >>> graph.nodes["a"]["distribution"]
    (Fraction(1, 10), Fraction(9, 10))
    >>> import pandas as pd
    >>> table = pd.DataFrame({"no": [0.1, 0.25], "yes": [0.9, 0.75]}, index=["a", "b"])
    >>> profile_graph(table.astype(str), edges="all").nodes["a"]["distribution"]
    (Fraction(1, 10), Fraction(9, 10))
    """
    if categories is None:
        found = matrix_in(distributions)
        if found is None:
            expected = "the labels of what is observed, in the order of the probabilities"
            raise InputError(f'categories: expected {expected}, such as ["no", "yes"]')
        distributions, categories = found, list(found.outputs or ())
    check_in_order(categories, "categories")
    labels = list(categories) if isinstance(categories, Iterable) and not isinstance(categories, str) else categories
    distributions, weights, lower, upper, radius = (
        by_profile(given, labels, place) if isinstance(labels, list) else given
        for place, given in {
            "distributions": distributions,
            "weights": weights,
            "lower": lower,
            "upper": upper,
            "radius": radius,
        }.items()
    )
    if not isinstance(distributions, Mapping):
        expected = "a mapping from profiles to probabilities, or a DataFrame with a row for each"
        raise InputError(f"distributions: expected {expected}, found {shown(distributions)}")
    graph = nx.Graph(name=name, categories=labels, source=source, **({} if ordered is None else {"ordered": ordered}))
    for profile, distribution in distributions.items():
        graph.add_node(profile, distribution=distribution)
    profiles = list(distributions)
    radii = radius if radius is None or isinstance(radius, Mapping) else dict.fromkeys(profiles, radius)
    faults = _give(graph, "weight", weights, "weights")
    for key, own in (("lower", lower), ("upper", upper), ("radius", radii)):
        faults += _give(graph, key, own, key)
    if isinstance(edges, str) and edges == "all":
        check_number_of_edges(math.comb(len(profiles), 2))
        graph.add_edges_from(combinations(profiles, 2))
    else:
        joined = edges_of(edges)
        ends = [end for a, b, _ in joined for end in (a, b)]
        unknown = _others(ends, profiles)
        faults += [f"edges: {shown(end)} is not a profile" for end in unknown]
        if unknown and len(unknown) == len(_others(ends, [])):
            faults.append(f"edges: the profiles are {shown(tuple(profiles))}")
        if faults:
            raise InputError(faults)
        for a, b, attributes in joined:
            if graph.has_edge(a, b) and graph.edges[a, b] != attributes:
                faults.append(f"edges: {shown(a)}-{shown(b)} is given twice, not with the same attributes")
            graph.add_edge(a, b)
            graph.edges[a, b].update(attributes)
    if faults:
        raise InputError(faults)
    return checked(graph)


def _give(graph: nx.Graph, key: str, own: Mapping[Any, Any] | None, place: str) -> list[str]:
    """Give profiles an attribute of their own; return a fault for each that is none."""
    if own is None:
        return []
    if not isinstance(own, Mapping):
        return [f"{place}: expected a mapping from profiles, found {shown(own)}"]
    for profile in graph:
        if profile in own:
            graph.nodes[profile][key] = own[profile]
    return [f"{place}: {shown(profile)} is not a profile" for profile in _others(own, graph)]


def edges_of(edges: Any) -> list[Edge]:
    """Return the edges that were given as pairs, as pairs with their attributes or as a table, with their attributes.

    Raises
    ------
    InputError
        naming what is neither.

    Examples
    --------
    >>> edges_of([("a", "b"), ("b", "c", {"epsilon": 1})])
    [('a', 'b', {}), ('b', 'c', {'epsilon': 1})]
    """
    if is_edge_table(edges):
        return edges_in_table(edges)
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise InputError(f'edges: expected "all" or pairs of profiles, found {shown(edges)}')
    found = list(edges)
    expected = 'expected a pair of profiles, or one with its attributes such as ("a", "b", {"epsilon": 0.5})'
    faults = [
        f"edges[{index}]: {expected}, found {shown(edge)}" for index, edge in enumerate(found) if not _is_edge(edge)
    ]
    if faults:
        raise InputError(faults)
    return [(a, b, own[0] if own else {}) for a, b, *own in found]


def _is_edge(edge: object) -> bool:
    if not isinstance(edge, tuple | list):
        return False
    return len(edge) == 2 or (len(edge) == 3 and isinstance(edge[2], Mapping))


def _others(labels: Iterable[Any], known: Iterable[Any]) -> list[Any]:
    """Return the labels that are none of the known ones, each once."""
    there = set(known)
    others: dict[Hashable, Any] = {}  # by the text of what has no hash
    for label in labels:
        if not is_label(label):
            others.setdefault(("", repr(label)), label)
        elif label not in there:
            others.setdefault(label, label)
    return list(others.values())
