"""Profile graphs: plain `networkx.Graph` objects whose attributes are exact and have been checked.

A node is a profile. Its attribute `distribution` gives the probability of each category (a sequence of
Fractions that sum to 1), `weight` its prior (default: equal). An edge joins two profiles that must not be told
apart; its optional `distance` multiplies the epsilon asked for (metric privacy), its optional `epsilon` and
`delta` replace what is asked for. The graph has `categories`, and usually a `name` and a `source`; `ordered` says
whether the order of the categories means something.

Everything that enters goes through `checked`, which reports every fault at once.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, overload

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact import (
    Epsilon,
    Number,
    format_number,
    over_common,
    parse_delta,
    parse_epsilon,
    parse_number,
    shown,
)
from mechdesign.graph.labels import Label as Label
from mechdesign.graph.labels import check_hashes
from mechdesign.graph.labels import is_label as is_label
from mechdesign.size import check_size
from mechdesign.words import counted

MOST_EDGES = 2_000_000
"""All pairs of 2,000 profiles: 0.6 GB as a networkx.Graph."""

TOTAL_TOLERANCE = Fraction(1, 10**9)
"""A distribution that misses total 1 by at most this is normalised exactly, and the graph says so."""


class PointMass(Sequence[Fraction]):
    """The distribution of a profile that always has the same category; of length d, without storing it.

    Examples
    --------
    >>> list(PointMass(1, 3))
    [Fraction(0, 1), Fraction(1, 1), Fraction(0, 1)]
    """

    def __init__(self, position: int, length: int) -> None:
        self.position = position
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Fraction]: ...
    def __getitem__(self, index: int | slice) -> Fraction | list[Fraction]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        return Fraction(range(self._length)[index] == self.position)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PointMass):
            return (self.position, self._length) == (other.position, other._length)
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((self.position, self._length))

    def __repr__(self) -> str:
        return f"PointMass({self.position}, {self._length})"


def support(distribution: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """Return the possible categories as (position, probability > 0), in order.

    Examples
    --------
    >>> support([Fraction(1, 4), Fraction(0), Fraction(3, 4)])
    [(0, Fraction(1, 4)), (2, Fraction(3, 4))]
    """
    if isinstance(distribution, PointMass):
        return [(distribution.position, Fraction(1))]
    return [(position, mass) for position, mass in enumerate(distribution) if mass > 0]


def has_point_masses(graph: nx.Graph) -> bool:
    """Return whether the profiles are distinct single values, so that one matrix serves them all."""
    positions = [support(attributes["distribution"]) for attributes in graph.nodes.values()]
    values = {pairs[0][0] for pairs in positions if len(pairs) == 1}
    return len(values) == len(positions)


def is_local(graph: nx.Graph) -> bool:
    """Return whether the graph is that of local differential privacy: values, all pairs alike."""
    plain = not any({"distance", "epsilon", "delta"} & set(edge) for _, _, edge in graph.edges(data=True))
    return has_point_masses(graph) and len(graph) > 1 and nx.density(graph) == 1 and plain


def has_order(graph: nx.Graph) -> bool:
    """Return whether steps between categories in their order mean something.

    They do if the graph's attribute `ordered` says so; without one, if the categories are numbers that rise or fall
    throughout. Between two categories there is but one step, so any order will do.

    Examples
    --------
    >>> has_order(counting_graph(3)), has_order(value_graph(["agree", "disagree", "neutral"]))
    (True, False)
    """
    categories = graph.graph["categories"]
    if len(categories) <= 2:
        return True
    if "ordered" in graph.graph:
        return bool(graph.graph["ordered"])
    try:
        numbers = [parse_number(label) for label in categories]
    except InputError:
        return False
    return numbers in (sorted(set(numbers)), sorted(set(numbers), reverse=True))


def profile_graph(
    distributions: Mapping[Any, Sequence[Number]],
    *,
    edges: Iterable[Sequence[Any]] | str,
    categories: Sequence[Label],
    name: str = "",
    source: str = "",
    weights: Mapping[Any, Number] | None = None,
    ordered: bool | None = None,
) -> nx.Graph:
    """Return the profile graph of the given distributions.

    Parameters
    ----------
    distributions
        profile -> probabilities, in the order of `categories`.
    edges
        pairs of profiles that must not be told apart, or "all"; a pair may carry its own attributes as networkx has
        them, ("a", "b", {"epsilon": 0.5}): `epsilon`, `delta` or `distance`.
    weights
        profile -> prior weight; default equal.
    ordered
        whether the order of the categories means something; default: where they are numbers that rise or fall.

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
    """
    labels = list(categories) if isinstance(categories, Iterable) and not isinstance(categories, str) else categories
    graph = nx.Graph(name=name, categories=labels, source=source, **({} if ordered is None else {"ordered": ordered}))
    for profile, distribution in distributions.items():
        graph.add_node(profile, distribution=distribution)
        if weights is not None and profile in weights:
            graph.nodes[profile]["weight"] = weights[profile]
    profiles = list(distributions)
    faults = [f"weights: {shown(profile)} is not a profile" for profile in _others(weights or (), profiles)]
    if edges == "all":
        check_number_of_edges(math.comb(len(profiles), 2))
        graph.add_edges_from(combinations(profiles, 2))
    else:
        joined = edges_of(edges)
        ends = [end for a, b, _ in joined for end in (a, b)]
        faults += [f"edges: {shown(end)} is not a profile" for end in _others(ends, profiles)]
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


def own_epsilons(graph: nx.Graph) -> list[Epsilon]:
    """Return the epsilons of those edges that have one of their own; an epsilon asked for does not apply to them."""
    return [attributes["epsilon"] for _, _, attributes in graph.edges(data=True) if "epsilon" in attributes]


def check_all_own(graph: nx.Graph | None, *, source: str = "") -> None:
    """Raise an InputError unless every edge has an epsilon of its own, so that all can be scaled."""
    without = 1 if graph is None else graph.number_of_edges() - len(own_epsilons(graph))
    if without:
        found = (
            "every pair of profiles" if graph is None else f"{without} of {counted(graph.number_of_edges(), 'edge')}"
        )
        raise InputError(f"only epsilons of the edges' own can be scaled: {found} have none", source=source)


def scaled(graph: nx.Graph, factor: Number) -> nx.Graph:
    """Return the graph with each edge's own epsilon multiplied by `factor`, exactly; other edges stay as they are.

    An epsilon of 0 and an infinite one, which requires nothing, stay what they are, whatever the factor.

    Raises
    ------
    InputError
        if the factor is no number >= 0 (or inf), or the graph cannot be used.

    Examples
    --------
    >>> graph = value_graph(["a", "b"])
    >>> graph.edges["a", "b"]["epsilon"] = "0.3"
    >>> scaled(graph, 2).edges["a", "b"]["epsilon"]
    Fraction(3, 5)
    """
    try:
        times = parse_epsilon(factor)
    except InputError:
        raise InputError(f"factor: expected a number >= 0 or inf, found {shown(factor)}") from None
    result = checked(graph)
    for _, _, attributes in result.edges(data=True):
        if attributes.get("epsilon") not in (None, 0, math.inf):
            attributes["epsilon"] *= times
    return result


def edges_of(edges: Iterable[Any] | str) -> list[tuple[Any, Any, Mapping[Any, Any]]]:
    """Return the edges that were given as a list of pairs, or of pairs with their attributes, as the latter.

    Raises
    ------
    InputError
        naming what is neither.

    Examples
    --------
    >>> edges_of([("a", "b"), ("b", "c", {"epsilon": 1})])
    [('a', 'b', {}), ('b', 'c', {'epsilon': 1})]
    """
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


def value_graph(
    values: Iterable[Any],
    *,
    metric: Callable[[Any, Any], float] | None = None,
    name: str = "",
    source: str = "",
) -> nx.Graph:
    """Return the graph of local differential privacy: one point-mass profile per value, every pair an edge.

    With a `metric`, each edge carries `distance = metric(x, y)` and the graph is that of metric privacy: the
    epsilon given to `design` is per unit of distance. An infinite distance is no edge.

    Raises
    ------
    InputError
        on values that are no labels or given twice, or a distance that is negative or not a number.

    Examples
    --------
    >>> value_graph(["a", "b", "c"]).number_of_edges()
    3
    """
    categories = list(values)
    check = _Check()
    for position, value in enumerate(categories):
        check.label(f"values[{position}]", value)
    check.raise_faults("")
    check_hashes(categories, "values")
    if metric is None:
        check_number_of_edges(math.comb(len(categories), 2))
    graph = nx.Graph(name=name, categories=categories, source=source)
    for position, value in enumerate(categories):
        graph.add_node(value, distribution=PointMass(position, len(categories)))
    for count, (x, y, attributes) in enumerate(_joined(categories, metric), start=1):
        check_number_of_edges(count)
        graph.add_edge(x, y, **attributes)
    return checked(graph)


def _joined(values: Sequence[Any], metric: Callable[[Any, Any], float] | None) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the pairs of values that are edges, with their attributes."""
    for x, y in combinations(values, 2):
        distance = None if metric is None else metric(x, y)
        if distance != math.inf:
            yield x, y, {} if distance is None else {"distance": distance}


def check_number_of_edges(count: int) -> None:
    """Raise an InputError, before the memory is gone, if a graph is to have more edges than `MOST_EDGES`."""
    remedy = (
        "give only the pairs that must not be told apart, or merge profiles (`certify` without a graph takes every "
        "pair without writing it down)"
    )
    check_size(count, MOST_EDGES, "the graph would have {} edges", remedy)


def counting_graph(n: int) -> nx.Graph:
    """Return the graph of a counting query over n people: point masses 0..n, neighbours differ by one.

    Raises
    ------
    InputError
        unless n is a positive integer.

    Examples
    --------
    >>> counting_graph(3).edges
    EdgeView([(0, 1), (1, 2), (2, 3)])
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"n: expected a positive integer, found {shown(n)}")
    graph = nx.path_graph(n + 1)
    graph.graph.update(name=f"counting-{n}", categories=list(range(n + 1)), source="a count of n people")
    for value in graph:
        graph.nodes[value]["distribution"] = PointMass(value, n + 1)
    return checked(graph)


def checked(graph: nx.Graph, *, source: str = "", places: Mapping[int, str] | None = None) -> nx.Graph:
    """Return an exact copy of `graph`, or raise one InputError that lists every fault with its place.

    Numbers become Fractions. A distribution that misses total 1 by at most 1e-9 is normalised exactly, and the
    graph's attribute `normalised` names the profiles for which that was done.

    Parameters
    ----------
    source
        the file that the graph comes from.
    places
        where in that file a profile or an edge stands, by the `id` of its dictionary of attributes in `graph`.

    Raises
    ------
    InputError
        with `faults`.
    """
    if not isinstance(graph, nx.Graph):
        raise InputError(f"expected a networkx.Graph, found {shown(graph)}", source=source)
    kind = [word for word, is_so in (("directed", graph.is_directed()), ("multigraph", graph.is_multigraph())) if is_so]
    if kind:
        raise InputError(
            [f"{word}: expected false; privacy holds both ways, once per pair" for word in kind], source=source
        )
    check_labels(graph.graph.get("categories"), graph, source=source)
    check = _Check()
    places = places or {}
    result = nx.Graph()  # attributes are added by `update`, which knows no forbidden names
    result.graph.update(graph.graph)
    result.graph["categories"] = categories = check.categories(graph.graph.get("categories"))
    if not isinstance(graph.graph.get("ordered", True), bool):
        check.fault("graph.ordered", f"expected true or false, found {shown(graph.graph['ordered'])}")
    if graph.number_of_nodes() == 0:
        check.fault("nodes", "expected at least one profile, found none")
    for index, (profile, attributes) in enumerate(graph.nodes.items()):
        place = places.get(id(attributes), f"nodes[{index}]")
        check.label(f"{place}.id", profile)
        result.add_node(profile)
        result.nodes[profile].update(check.node(f"{place} ({shown(profile)})", profile, attributes, len(categories)))
    result.add_edges_from(graph.edges)
    for index, (a, b, attributes) in enumerate(graph.edges(data=True)):
        if attributes or a == b:
            place = f"{places.get(id(attributes), f'edges[{index}]')} ({shown(a)}-{shown(b)})"
            if a == b:
                check.fault(place, "a profile cannot be its own neighbour; leave the self-loop out")
            result.edges[a, b].update(check.edge(place, attributes))
    check.weights([result.nodes[profile].get("weight", Fraction(1)) for profile in result])
    if check.normalised:
        result.graph["normalised"] = check.normalised
    check.raise_faults(source)
    return result


def check_labels(categories: object, profiles: Iterable[Any], *, source: str) -> None:
    """Raise an InputError if many categories or many profiles have one hash value."""
    check_hashes(categories if isinstance(categories, list | tuple) else (), "graph.categories", source=source)
    check_hashes(profiles, "nodes", source=source)


class _Check:
    """Collects faults; every method returns what it could make of its argument."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.normalised: list[Label] = []

    def fault(self, place: str, message: str) -> None:
        self.faults.append(f"{place}: {message}")

    def raise_faults(self, source: str) -> None:
        if self.faults:
            raise InputError(self.faults, source=source)

    def label(self, place: str, label: object) -> None:
        if not is_label(label):
            self.fault(place, f"expected text or an integer (or a tuple of these) as a label, found {shown(label)}")

    def categories(self, value: object) -> tuple[Label, ...]:
        if not isinstance(value, list | tuple) or not value:
            self.fault("graph.categories", f"expected a list of at least one category, found {shown(value)}")
            return ()
        for index, category in enumerate(value):
            self.label(f"graph.categories[{index}]", category)
        counts = Counter(category for category in value if is_label(category))
        for category, count in counts.items():
            if count > 1:
                self.fault("graph.categories", f"{shown(category)} is given {counted(count, 'time')}")
        return tuple(value)

    def node(self, place: str, profile: Label, attributes: Mapping[str, Any], d: int) -> dict[str, Any]:
        result = dict(attributes)
        result["distribution"] = self.distribution(f"{place}.distribution", profile, attributes.get("distribution"), d)
        if "weight" in attributes:
            result["weight"] = self.number(f"{place}.weight", attributes["weight"])
        return result

    def number(self, place: str, value: object) -> Fraction:
        try:
            number = parse_number(value)
        except InputError as error:
            self.fault(place, error.faults[0])
            return Fraction(0)
        if number < 0:
            self.fault(place, f"expected a number >= 0, found {shown(number)}")
        return number

    def distribution(self, place: str, profile: Label, value: Any, d: int) -> Sequence[Fraction]:
        if isinstance(value, PointMass) and len(value) == d and 0 <= value.position < d:
            return value
        if isinstance(value, str | Mapping) or not hasattr(value, "__len__") or not hasattr(value, "__iter__"):
            self.fault(place, f"expected a list of {counted(d, 'probability')}, found {shown(value)}")
            return ()
        before = len(self.faults)
        if d and len(value) != d:
            self.fault(place, f"expected {counted(d, 'probability')}, one per category, found {len(value)}")
        masses = [self.number(f"{place}[{index}]", mass) for index, mass in enumerate(value)]
        if len(self.faults) > before or not masses:
            return ()
        try:
            shares, unit = over_common(masses, f"these {counted(len(masses), 'probability')}")
        except InputError as error:
            self.fault(place, error.faults[0])
            return ()
        total = sum(shares)
        if abs(total - unit) > TOTAL_TOLERANCE * unit:
            self.fault(place, f"expected a total of 1 (within 1e-9), found {_roughly(Fraction(total, unit))}")
            return ()
        if total != unit:
            self.normalised.append(profile)
            masses = [Fraction(share, total) for share in shares]
        return tuple(masses)

    def weights(self, weights: Sequence[Fraction]) -> None:
        if weights and not any(weights):
            self.fault("nodes", "expected a positive weight somewhere, found only zeros")
        try:
            over_common(weights, f"the weights of {counted(len(weights), 'profile')}")
        except InputError as error:
            self.fault("nodes", error.faults[0])

    def edge(self, place: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        result = dict(attributes)
        for key, parse in (("epsilon", parse_epsilon), ("delta", parse_delta)):
            if key in attributes:
                try:
                    result[key] = parse(attributes[key])
                except InputError as error:
                    self.fault(place, error.faults[0])
        if "distance" in attributes:
            result["distance"] = self.number(f"{place}.distance", attributes["distance"])
        return result


def _roughly(total: Fraction) -> str:
    return f"{float(total):.12g}" if total < 10**6 else "more than a million"


def describe(distribution: Sequence[Fraction], categories: Sequence[Label]) -> str:
    """Return a distribution in words for people: "no 0.1, yes 0.9"; exact where short."""
    masses = [(categories[position], mass) for position, mass in support(distribution)]
    return ", ".join(
        f"{label} {text if len(text := format_number(mass)) <= 8 else f'{float(mass):.4g}'}" for label, mass in masses
    )
