"""A mechanism applied to a graph: what the profiles release, what the edges require, how large a delta they need."""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.certifier.shortlist import largest_divergence
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.exact.text import shown
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.labels import Label
from mechdesign.mechanism.doubles import DoubleRows, ReleasedRows
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement


def released_under(mechanism: Mechanism, asked: Asked) -> tuple[list[Label], Sequence[Released]]:
    """Return the profiles that are asked about, and what each releases through the mechanism.

    Raises
    ------
    InputError
        if it is no mechanism, the categories differ, or it has no rows for a profile.
    """
    names, positions = served_by(mechanism, asked)
    return names, _released(mechanism, asked.profiles, positions)


def served_by(mechanism: Mechanism, asked: Asked) -> tuple[list[Label], Sequence[int]]:
    """Return the profiles that are asked about, and the position in the mechanism whose rows serve each.

    Raises
    ------
    InputError
        as `released_under`.
    """
    check_mechanism(mechanism)
    graph = asked.profiles
    if graph is mechanism.graph:
        return asked.names, range(len(graph))
    categories = tuple(graph.graph["categories"])
    if categories != mechanism.categories:
        same = set(categories) == set(mechanism.categories)
        order = "the order differs; `graph from-table --categories` gives a graph the mechanism's"
        remedy = order if same else "mechanism_from_matrix(..., inputs=) gives a matrix its labels"
        found = f"found {shown(mechanism.categories)} in the mechanism; {remedy}"
        raise InputError(f"expected the graph's categories {shown(categories)}, {found}")
    known = set(mechanism.profiles)
    unknown = [profile for profile in graph if profile not in known]
    if unknown and not mechanism.one_matrix:
        raise InputError([f"the mechanism has no rows for the profile {shown(profile)}" for profile in unknown])
    return asked.names, list(map(mechanism.serving, graph))


def _released(mechanism: Mechanism, graph: nx.Graph, positions: Sequence[int]) -> Sequence[Released]:
    """Return what the graph's profiles release; through rows of doubles, made exact one by one."""
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    if isinstance(mechanism.rows, DoubleRows) and all(isinstance(one, PointMass) for one in distributions):
        places = zip(positions, distributions, strict=True)
        return ReleasedRows(mechanism.rows, [int(mechanism.index[i, one.position]) for i, one in places])
    return [mechanism.released_weights(one, i) for one, i in zip(distributions, positions, strict=True)]


def released_pairs(mechanism: Mechanism, graph: nx.Graph) -> list[tuple[Released, Released]]:
    """Return what the two profiles of each edge release, both ways round; the mechanism has rows for each profile."""
    released = dict(zip(mechanism.profiles, mechanism.all_released(), strict=True))
    return [pair for a, b in graph.edges for pair in ((released[a], released[b]), (released[b], released[a]))]


def largest_delta(released: Sequence[Released], required: Sequence[Requirement]) -> tuple[float, float]:
    """Return (lower, upper) around the largest hockey-stick divergence."""
    if not required:
        return 0.0, 0.0
    low = high = Fraction(0)
    places, at_most = largest_divergence(released, required)
    for i, j, requirement in places:
        high = max(high, hockey_stick(released[i], released[j], requirement.ratio_below))
        if requirement.epsilon <= LARGEST_ABOVE:
            low = max(low, hockey_stick(released[i], released[j], exp_above(requirement.epsilon)))
    return float_below(low), float_above(high) if at_most == math.inf else at_most
