"""A mechanism applied to a graph: which pairs it is judged by, and what the profiles release."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

import networkx as nx

from mechdesign.certifier.other_ways import By
from mechdesign.certifier.ranges import Ranges, Within
from mechdesign.certifier.reachable import Reachable
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust, nominal, uncertainty_of
from mechdesign.mechanism.given import AskedBy, Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.stored_rows import Rows


def to_judge(given: Given, graph: AskedBy, *, at_nominal: bool, all_pairs: bool = False) -> tuple[Mechanism, Asked]:
    """Return a mechanism and the pairs to judge it by; without any profile's bounds if that is asked for.

    Raises
    ------
    InputError
        as `as_mechanism`.
    """
    mechanism, asked = as_mechanism(given, graph, all_pairs=all_pairs)
    if not at_nominal:
        return mechanism, asked
    if is_robust(mechanism.graph):
        mechanism = replace(mechanism, graph=nominal(mechanism.graph))
    return mechanism, asked.at_nominal()


def applied_to(mechanism: Mechanism, graph: nx.Graph) -> Mechanism:
    """Return the mechanism with a graph's profiles in place of its own.

    Raises
    ------
    InputError
        as `released_under`.
    """
    _, positions = served_by(mechanism, Asked(graph))
    return replace(mechanism, graph=graph, index=mechanism.index[list(positions)])


def ranges_under(mechanism: Mechanism, asked: Asked, by: str = By.SETS) -> tuple[list[Label], Ranges]:
    """Return the profiles that are asked about, and what they release through the mechanism.

    Raises
    ------
    InputError
        as `released_under`; also for a profile known only within bounds, if `by` looks at single distributions.
    """
    if not asked.robust:
        names, released = released_under(mechanism, asked)
        return names, Ranges(released, released, by)
    if by != By.SETS:
        raise InputError(
            f"by: {by} is for profiles that are known, and these are known only within bounds; take sets, or ask about "
            "the distributions alone (nominal=True)"
        )
    names, positions = served_by(mechanism, asked)
    rows = [list(mechanism.rows.table(mechanism.index[position])) for position in positions]
    nodes = zip(asked.profiles.nodes.values(), rows, strict=True)
    return names, Within([Reachable(uncertainty_of(one), own) for one, own in nodes])


def released_under(mechanism: Mechanism, asked: Asked) -> tuple[list[Label], Rows]:
    """Return the profiles that are asked about, and what each releases through the mechanism.

    Raises
    ------
    InputError
        if it is no mechanism, the categories differ, or it has no rows for a profile.
    """
    names, positions = served_by(mechanism, asked)
    return names, mechanism.released_as(map(itemgetter("distribution"), asked.profiles.nodes.values()), positions)


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
