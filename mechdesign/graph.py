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
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, overload

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact import Epsilon, Number, format_number, parse_delta, parse_epsilon, parse_number, shown
from mechdesign.words import counted

Label: TypeAlias = Hashable
"""A profile or a category: text, an integer, or a tuple of these (a point of a grid)."""


def is_label(value: object) -> bool:
    """Return whether `value` can name a profile or a category."""
    if isinstance(value, tuple):
        return bool(value) and all(is_label(part) for part in value)
    return isinstance(value, str | int) and not isinstance(value, bool)


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
    edges: Iterable[tuple[Any, Any]] | str,
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
        pairs of profiles that must not be told apart, or "all".
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
    [GC] Definition 2, arXiv:1903.09084.

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
        pairs = [(a, b) for index, a in enumerate(profiles) for b in profiles[index + 1 :]]
    else:
        pairs = pairs_of(edges)
        ends = [end for pair in pairs for end in pair]
        faults += [f"edges: {shown(end)} is not a profile" for end in _others(ends, profiles)]
    if faults:
        raise InputError(faults)
    graph.add_edges_from(pairs)
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


def pairs_of(edges: Iterable[Any] | str) -> list[tuple[Any, Any]]:
    """Return the edges that were given as a list of pairs.

    Raises
    ------
    InputError
        naming what is not a pair.
    """
    if isinstance(edges, str) or not isinstance(edges, Iterable):
        raise InputError(f'edges: expected "all" or pairs of profiles, found {shown(edges)}')
    pairs = list(edges)
    faults = [
        f"edges[{index}]: expected a pair of profiles, found {shown(pair)}"
        for index, pair in enumerate(pairs)
        if not isinstance(pair, tuple | list) or len(pair) != 2
    ]
    if faults:
        raise InputError(faults)
    return [(a, b) for a, b in pairs]


def _others(labels: Iterable[Any], known: Iterable[Any]) -> list[Any]:
    """Return the labels that are none of the known ones, each once."""
    there = set(known)
    others = [label for label in labels if not is_label(label) or label not in there]
    return [label for index, label in enumerate(others) if label not in others[:index]]


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
    graph = nx.Graph(name=name, categories=categories, source=source)
    for position, value in enumerate(categories):
        graph.add_node(value, distribution=PointMass(position, len(categories)))
    for position, x in enumerate(categories):
        for y in categories[position + 1 :]:
            distance = 1 if metric is None else metric(x, y)
            if distance != math.inf:
                graph.add_edge(x, y, **({} if metric is None else {"distance": distance}))
    return checked(graph)


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


def checked(graph: nx.Graph, *, source: str = "", places: Mapping[Any, str] | None = None) -> nx.Graph:
    """Return an exact copy of `graph`, or raise one InputError that lists every fault with its place.

    Numbers become Fractions. A distribution that misses total 1 by at most 1e-9 is normalised exactly, and the
    graph's attribute `normalised` names the profiles for which that was done.

    Parameters
    ----------
    source
        the file that the graph comes from.
    places
        where in that file a profile, or the edge of a frozenset of two profiles, stands.

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
        place = places.get(profile, f"nodes[{index}]")
        check.label(f"{place}.id", profile)
        result.add_node(profile)
        result.nodes[profile].update(check.node(f"{place} ({shown(profile)})", profile, attributes, len(categories)))
    for index, (a, b, attributes) in enumerate(graph.edges(data=True)):
        place = f"{places.get(frozenset((a, b)), f'edges[{index}]')} ({shown(a)}-{shown(b)})"
        if a == b:
            check.fault(place, "a profile cannot be its own neighbour; leave the self-loop out")
        result.add_edge(a, b)
        result.edges[a, b].update(check.edge(place, attributes))
    weights = [result.nodes[profile].get("weight", Fraction(1)) for profile in result]
    if weights and not any(weights):
        check.fault("nodes", "expected a positive weight somewhere, found only zeros")
    if check.normalised:
        result.graph["normalised"] = check.normalised
    check.raise_faults(source)
    return result


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
        total = sum(masses, Fraction(0))
        if len(self.faults) > before or not masses:
            return ()
        if abs(total - 1) > TOTAL_TOLERANCE:
            self.fault(place, f"expected a total of 1 (within 1e-9), found {_roughly(total)}")
            return ()
        if total != 1:
            self.normalised.append(profile)
            masses = [mass / total for mass in masses]
        return tuple(masses)

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
