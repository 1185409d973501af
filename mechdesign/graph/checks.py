"""`checked`: every profile graph that enters becomes exact, or all its faults are reported at once."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import networkx as nx

from mechdesign.errors import InputError, Remark
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import over_common, parse_delta, parse_entry, parse_epsilon, parse_number
from mechdesign.exact.text import shown
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.edge_table import OWN, nearly_own
from mechdesign.graph.frames import in_order, is_series
from mechdesign.graph.labels import Label, check_hashes, is_label, labels_of
from mechdesign.graph.positions import POSITION, parse_position
from mechdesign.graph.uncertainty import BOUNDS
from mechdesign.size import check_size
from mechdesign.words import counted, listed

OF_A_PROFILE = ("distribution", "weight", *BOUNDS)
"""What a profile may have of its own."""

MOST_EDGES = 2_000_000
"""All pairs of 2,000 profiles: 0.6 GB as a networkx.Graph."""


TOTAL_TOLERANCE = Fraction(1, 10**9)
"""A distribution that misses total 1 by at most this is normalised exactly, and the graph says so."""

ROUNDING = Fraction(1, 100)
"""A total that misses 1 by no more may do so by rounding: two decimals of dozens of categories stay within it."""

MOST_COUNTED = 10**15
"""Nobody has counted more records of a profile."""


def check_number_of_edges(count: int) -> None:
    """Raise an InputError, before the memory is gone, if a graph is to have more edges than `MOST_EDGES`."""
    remedy = (
        "give only the pairs that must not be told apart, or merge profiles (`certify` without a graph takes every "
        "pair without writing it down)"
    )
    check_size(count, MOST_EDGES, "the graph would have {} edges", remedy)


def checked(graph: nx.Graph, *, places: Mapping[int, str] | None = None) -> nx.Graph:
    """Return an exact copy of `graph`, or raise one InputError that lists every fault with its place.

    Numbers become Fractions. A distribution that misses total 1 by at most 1e-9 is normalised exactly, and the
    graph's attribute `normalised` names the profiles for which that was done. Of `lower` and `upper` the one that is
    missing is filled in: 0 or 1 for every category.

    Parameters
    ----------
    places
        where in its file a profile or an edge stands, by the `id` of its dictionary of attributes in `graph`.

    Raises
    ------
    InputError
        with `faults`.
    """
    if not isinstance(graph, nx.Graph):
        raise InputError(f"expected a networkx.Graph, as profile_graph(...) makes it, found {shown(graph)}")
    kind = [word for word, is_so in (("directed", graph.is_directed()), ("multigraph", graph.is_multigraph())) if is_so]
    if kind:
        raise InputError([f"{word}: expected false; privacy holds both ways, once per pair" for word in kind])
    categories = labels_of(graph.graph.get("categories"))  # networkx leaves points of a grid in them as lists
    check_labels(categories, graph)
    check = _Check()
    places = places or {}
    result = nx.Graph()  # attributes are added by `update`, which knows no forbidden names
    result.graph.update(graph.graph)
    result.graph["categories"] = categories = check.categories(categories)
    check.faults += protects_nobody(graph.graph, "graph.")
    if not isinstance(graph.graph.get("ordered", True), bool):
        check.fault("graph.ordered", f"expected true or false, found {shown(graph.graph['ordered'])}")
    if graph.number_of_nodes() == 0:
        check.fault("nodes", "expected at least one profile, found none")
    nodes = result.nodes
    for index, (profile, attributes) in enumerate(graph.nodes.items()):
        place = places.get(id(attributes), f"nodes[{index}]")
        check.label(f"{place}.id", profile)
        result.add_node(profile)
        nodes[profile].update(check.node(f"{place} ({shown(profile)})", profile, attributes, categories))
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
    check.raise_faults()
    return result


def protects_nobody(attributes: Iterable[Any], place: str = "") -> list[str]:
    """Return a fault for each of a whole graph's attributes that is called epsilon or delta."""
    expected = "expected with an edge, or asked for (--epsilon, --delta); here it would protect nobody"
    names = ("eps", "epsilon", "epsilons", "delta", "deltas")
    return [f"{place}{key}: {expected}" for key in attributes if str(key).casefold() in names]


def check_are_labels(values: Iterable[Any], place: str) -> None:
    """Raise an InputError that names each of the values that is no label, by its position."""
    check = _Check()
    for position, value in enumerate(values):
        check.label(f"{place}[{position}]", value)
    check.raise_faults()


def check_labels(categories: object, profiles: Iterable[Any]) -> None:
    """Raise an InputError if many categories or many profiles have one hash value."""
    check_hashes(categories if isinstance(categories, list | tuple) else (), "graph.categories")
    check_hashes(profiles, "nodes")


class _Check:
    """Collects faults; every method returns what it could make of its argument."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.normalised: list[Label] = []
        self.missed: list[Sequence[Fraction]] = []

    def fault(self, place: str, message: str) -> None:
        self.faults.append(f"{place}: {message}")

    def raise_faults(self) -> None:
        if self.faults:
            raise InputError([*map(Remark, _likely_cause(self.missed)), *self.faults])

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

    def node(
        self, place: str, profile: Label, attributes: Mapping[str, Any], categories: Sequence[Label]
    ) -> dict[str, Any]:
        d, result = len(categories), {key: self.listed(place, key, attributes[key], categories) for key in attributes}
        attributes = dict(result)
        missing = tuple(name for name in OF_A_PROFILE if name not in attributes)
        for key in attributes.keys() - OF_A_PROFILE:
            if near := nearly_own(key, missing):  # bounds that are left aside would protect nobody
                expected = f"what a profile has of its own is called {listed(OF_A_PROFILE)}{near}"
                self.fault(place, f"{shown(key)}: {expected} If it is something else, rename it")
        given, before = attributes.get("distribution"), len(self.normalised)
        result["distribution"] = own = self.distribution(f"{place}.distribution", profile, given, d)
        if "weight" in attributes:
            result["weight"] = self.number(f"{place}.weight", attributes["weight"])
        if POSITION in attributes:
            result[POSITION] = parse_position(attributes[POSITION])
        if "radius" in attributes:
            result["radius"] = self.radius(place, attributes)
        if "lower" in attributes or "upper" in attributes:
            written = own if len(self.normalised) == before else tuple(map(parse_entry, attributes["distribution"]))
            for key, beyond in (("lower", Fraction(0)), ("upper", Fraction(1))):
                given = attributes.get(key, (beyond,) * d)
                result[key] = self.bounds(f"{place}.{key}", given, own, written, d, is_lower=key == "lower")
        return result

    def listed(self, place: str, key: str, value: Any, categories: Sequence[Label]) -> Any:
        """Return a Series of pandas as a list, by its labels in the order of the categories; all else as it is."""
        if not is_series(value) or not categories:
            return value
        try:
            return in_order(value, categories, f"{place}.{key}")
        except InputError as error:
            self.faults += error.faults
            return value.tolist()

    def radius(self, place: str, attributes: Mapping[str, Any]) -> Fraction:
        radius = self.number(f"{place}.radius", attributes["radius"])
        given = [key for key in BOUNDS if key in attributes]
        if len(given) > 1:
            self.fault(place, f"expected either lower and upper or a radius, found {' and '.join(given)}")
        if radius > 1:
            self.fault(f"{place}.radius", f"expected a total variation distance from 0 to 1, found {shown(radius)}")
        return radius

    def bounds(
        self, place: str, value: Any, own: Sequence[Fraction], written: Sequence[Fraction], d: int, *, is_lower: bool
    ) -> tuple[Fraction, ...]:
        """Return the bounds on one side of a distribution, widened to what it is normalised to.

        They are held against the probabilities as they are written, so that equal ones are no fault.
        """
        before = len(self.faults)
        numbers = self.numbers(place, value, d, "number")
        if len(self.faults) > before or len(numbers) != len(own):
            return numbers
        self.common(place, numbers, f"these {counted(d, 'number')}")
        for x, (bound, mass, as_written) in enumerate(zip(numbers, own, written, strict=True)):
            if is_lower and bound > max(mass, as_written):
                self.fault(f"{place}[{x}]", f"expected at most the probability {shown(mass)}, found {shown(bound)}")
            elif not is_lower and bound < min(mass, as_written):
                self.fault(f"{place}[{x}]", f"expected at least the probability {shown(mass)}, found {shown(bound)}")
            elif bound > max(Fraction(1), as_written):
                self.fault(f"{place}[{x}]", f"expected at most 1, found {shown(bound)}")
        return tuple(map(min if is_lower else max, numbers, own))

    def numbers(self, place: str, value: Any, d: int, what: str) -> tuple[Fraction, ...]:
        """Return a list of d numbers >= 0; of any length where d is 0, not known."""
        if (
            isinstance(value, str | set | frozenset | Mapping)
            or not hasattr(value, "__len__")
            or not hasattr(value, "__iter__")
        ):
            how_many = counted(d, what) if d else "numbers, one for each category"
            self.fault(place, f"expected a list of {how_many}, found {shown(value)}")
            return ()
        if d and len(value) != d:
            self.fault(place, f"expected {counted(d, what)}, one per category, found {len(value)}")
        return tuple(
            one if type(one) is Fraction and one.numerator >= 0 else self.number(f"{place}[{index}]", one, parse_entry)
            for index, one in enumerate(value)  # soon, as there are millions
        )

    def number(self, place: str, value: object, parse: Callable[[object], Fraction] = parse_number) -> Fraction:
        return self.faults.number(place, value, at_least=0, parse=parse)

    def distribution(self, place: str, profile: Label, value: Any, d: int) -> Sequence[Fraction]:
        if isinstance(value, PointMass) and len(value) == d and 0 <= value.position < d:
            return value
        before = len(self.faults)
        masses = self.numbers(place, value, d, "probability")
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
            self.missed.append(masses)
            return ()
        if total != unit:
            self.normalised.append(profile)
            masses = tuple(Fraction(share, total) for share in shares)
        return masses

    def weights(self, weights: Sequence[Fraction]) -> None:
        if weights and not any(weights):
            self.fault("nodes", "expected a positive weight somewhere, found only zeros")
        self.common("nodes", weights, f"the weights of {counted(len(weights), 'profile')}")

    def common(self, place: str, numbers: Sequence[Fraction], what: str) -> None:
        """Add a fault if numbers that will be added up have a denominator of too many digits."""
        try:
            over_common(numbers, what)
        except InputError as error:
            self.fault(place, error.faults[0])

    def edge(self, place: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        result = dict(attributes)
        for key in attributes.keys() - OWN.keys():
            if near := nearly_own(key):  # its edge would have less protection than is meant
                expected = "what an edge has of its own is called epsilon, delta or distance"
                self.fault(place, f"{shown(key)}: {expected}{near} If it is something else, rename it")
        for key, parse in (("epsilon", parse_epsilon), ("delta", parse_delta)):
            if key in attributes:
                try:
                    result[key] = parse(attributes[key])
                except InputError as error:
                    self.fault(place, error.faults[0])
        if "distance" in attributes:
            result["distance"] = self.number(f"{place}.distance", attributes["distance"])
        return result


@lru_cache(maxsize=1000)  # millions of edges have few different names between them
def _roughly(total: Fraction) -> str:
    return f"{float(total):.12g}" if total < 10**6 else "more than a million"


def _likely_cause(missed: Sequence[Sequence[Fraction]]) -> list[str]:
    """Return why the totals of distributions are not 1, in one sentence with its remedy; or nothing."""
    totals = [sum(masses, Fraction(0)) for masses in missed]
    if not totals or max(totals) > MOST_COUNTED:
        return []
    if all(abs(total - 1) <= ROUNDING for total in totals):
        return ["totals miss 1 as rounding leaves them: divide each number by its total, or give more digits"]
    if all(abs(total - 100) <= 100 * ROUNDING for total in totals):
        return ["totals are 100: these are percentages; divide them by 100"]
    if all(total > 1 for total in totals) and all(mass.denominator == 1 for masses in missed for mass in masses):
        return ["these are counts: divide each by its total"]
    return []
