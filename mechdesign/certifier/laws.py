"""What the profiles of a graph release through a mechanism: one distribution each, or any that their bounds allow."""

import dataclasses
import os
from typing import TypeAlias

import networkx as nx

from mechdesign.certifier.applied import released_under, served_by
from mechdesign.certifier.known import Known
from mechdesign.certifier.least_ratio import By
from mechdesign.certifier.reachable import Reachable
from mechdesign.certifier.within import Within, blocks_of
from mechdesign.errors import InputError
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust, nominal, uncertainty_of
from mechdesign.mechanism.given import Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism

Laws: TypeAlias = Known | Within


def judged(
    given: Given, graph: nx.Graph | str | os.PathLike[str] | None, *, at_nominal: bool
) -> tuple[Mechanism, nx.Graph | None]:
    """Return a mechanism and the checked graph to judge it by; without any profile's bounds if that is asked for.

    Raises
    ------
    InputError
        as `as_mechanism`.
    """
    mechanism, known = as_mechanism(given, graph)
    if not at_nominal:
        return mechanism, known
    if is_robust(mechanism.graph):
        mechanism = dataclasses.replace(mechanism, graph=nominal(mechanism.graph))
    return mechanism, nominal(known) if known is not None and is_robust(known) else known


def is_within(mechanism: Mechanism, graph: nx.Graph | None) -> bool:
    """Return whether the profiles judged are known only within bounds."""
    return is_robust(mechanism.graph if graph is None else graph)


def laws_under(mechanism: Mechanism, graph: nx.Graph | None, by: str = By.SETS) -> tuple[list[Label], Laws]:
    """Return the profiles of a checked graph, and what they release through the mechanism.

    Raises
    ------
    InputError
        as `released_under`; also for a profile known only within bounds, if `by` looks at single distributions.
    """
    if not is_within(mechanism, graph):
        names, released = released_under(mechanism, graph)
        return names, Known(released, by)
    if by != By.SETS:
        raise InputError(
            f"by: {by} is for profiles that are known, and these are known only within bounds; take sets, or ask about "
            "the distributions alone (--nominal, nominal=True)"
        )
    names, positions = served_by(mechanism, graph)
    profiles = mechanism.graph if graph is None else graph
    rows = [[mechanism.rows[row] for row in mechanism.index[position]] for position in positions]
    used = {y for one in rows for weights in one for y, weight in enumerate(weights) if weight}
    blocks = blocks_of(tuple(sorted(used)))
    return names, Within(
        [
            Reachable(uncertainty_of(attributes), attributes["distribution"], own, blocks)
            for attributes, own in zip(profiles.nodes.values(), rows, strict=True)
        ]
    )
