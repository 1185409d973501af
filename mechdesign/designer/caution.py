"""What a design or a verdict does not protect, or does not mean, though its numbers are right."""

from collections.abc import Iterable, Sized
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.graph.properties import has_order, has_point_masses
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Goal
from mechdesign.privacy.asked import Asked, unprotected
from mechdesign.privacy.requirement import Requirement
from mechdesign.release.channels import MOST_UNKNOWNS, channel_of
from mechdesign.words import NAMED, first_of, listed

APART = Fraction(1, 100)
"""The share of the value from which on value and bound of a command are called far apart. Errors of 1e-4 in values and
multipliers leave half of it on categorical-chain, with epsilon = 0.5."""


def far_apart(value: Fraction, bound: Fraction, *, own: bool) -> str | None:
    """Return that a command's answer or its multipliers are far from optimal, in words; None if they are not.

    Examples
    --------
    >>> far_apart(Fraction(1), Fraction(1, 2), own=True)
    "The bound is 50 % below the value: the command's answer is far from the optimum."
    """
    if value - bound <= APART * abs(value):
        return None
    share = f"The bound is {100 * float((value - bound) / abs(value)):.3g} % below the value:"
    if own:
        return f"{share} the command's answer is far from the optimum."
    return (
        f"{share} the command's answer is far from the optimum, or its multipliers are. Without lines for rows, those"
        " of our own solver prove the bound."
    )


def adds_worst_cases(graph: nx.Graph, required: Iterable[Requirement]) -> bool:
    """Return whether privacy is proved by adding up what each output has at worst: within bounds, for delta > 0.

    That is sufficient, not necessary (`mechdesign.privacy.extremes`), and a bound is then of mechanisms that meet it.

    Examples
    --------
    >>> adds_worst_cases(nx.Graph(), [])
    False
    """
    return is_robust(graph) and any(edge.delta for edge in required)


def rivals(*, shared: bool, adds: bool, keeps: bool = False) -> str:
    """Return in words which mechanisms a bound is about; `adds` says whether privacy is proved by `adds_worst_cases`.

    `keeps` says whether the overall shares are kept.

    Examples
    --------
    >>> rivals(shared=True, adds=False), rivals(shared=False, adds=True)
    ('private mechanism of one matrix', 'mechanism so proved')
    """
    kind = "mechanism of one matrix" if shared else "mechanism"
    such = f"{kind} so proved" if adds else f"private {kind}"
    return f"{such} that keeps the shares" if keeps else such


def unordered(graph: nx.Graph, objective: Goal) -> str | None:
    """Return that a loss by steps means nothing, in words, where nobody said that the categories have an order.

    Examples
    --------
    >>> import mechdesign as md
    >>> unordered(md.read_graph("hobbies"), md.ExpectedLoss("absolute"))
    'The absolute loss counts steps between categories in the order Sports, Cars, Television, ..., which nobody ...
    """
    if not objective.needs_order() or has_order(graph):
        return None
    categories = graph.graph["categories"]
    first = ", ".join(map(str, categories[:3])) + (", ..." if len(categories) > 3 else "")
    return (
        f"The {objective.loss} loss counts steps between categories in the order {first}, which nobody said means"
        ' anything. Give the graph the right order and "ordered": true, or take another loss.'
    )


def undetermined(mechanism: Mechanism) -> str | None:
    """Return whose shares a matrix that several profiles share does not tell, in words; None if it tells all.

    A matrix of one profile alone is not looked at: it may well release one thing only. Single values are the shares
    that are asked for, so that one matrix for all of them is.

    Examples
    --------
    >>> import mechdesign as md
    >>> undetermined(md.design("vote-by-education", epsilon=0.1, objective=md.ExpectedLoss(), shared=True).mechanism)
    'What is released does not determine the shares of Clinton and Dole: `estimate` has but bounds of these.'
    """
    if len(mechanism.categories) > MOST_UNKNOWNS:
        return None
    found: dict[object, None] = {}
    for profile in _sharing(mechanism):
        told = channel_of(mechanism, mechanism.profiles[profile]).determined
        found |= {x: None for x, is_told in zip(mechanism.categories, told, strict=True) if not is_told}
    if not found:
        return None
    names = list(map(str, found))
    if names[NAMED:]:
        names = [*names[:NAMED], f"{len(names) - NAMED} more"]
    return f"What is released does not determine the shares of {listed(names)}: `estimate` has but bounds of these."


def _sharing(mechanism: Mechanism) -> list[int]:
    """Return the first profile of each matrix that tells the shares of several."""
    if has_point_masses(mechanism.graph):
        return [0] if mechanism.one_matrix else []
    _, first, times = np.unique(mechanism.index, axis=0, return_index=True, return_counts=True)
    return [int(profile) for profile in first[times > 1]]


def unlinked(graph: nx.Graph) -> str | None:
    """Return which profiles no edge protects, in words, where there are edges; None if all have one.

    Examples
    --------
    >>> unlinked(nx.Graph([("cook", "clerk"), ("clerk", "guard")])) is None
    True
    >>> loose = nx.Graph([("cook", "clerk")])
    >>> loose.add_nodes_from(["refused"])
    >>> unlinked(loose)
    'No edge is at profile refused: nothing of it is protected. Link it, or leave it out.'
    """
    names = [str(name) for name, degree in graph.degree if not degree]
    if not names or len(names) == len(graph):
        return None
    which, them = ("profile", "it") if len(names) == 1 else ("profiles", "them")
    said = f"No edge is at {which} {first_of(names)}: nothing of {them} is protected."
    return f"{said} Link {them}, or leave {them} out."


def warning_of(graph: nx.Graph, required: Sized, objective: Goal) -> str | None:
    """Return all of this in one text, or None."""
    said = (unprotected(Asked(graph), required), unlinked(graph), unordered(graph, objective))
    return " ".join(filter(None, said)) or None
