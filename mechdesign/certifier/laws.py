"""What the profiles of a graph release through a mechanism: one distribution each, or any that their bounds allow."""

import dataclasses
from typing import TypeAlias

from mechdesign.certifier.applied import released_under, served_by
from mechdesign.certifier.known import Known
from mechdesign.certifier.least_ratio import By
from mechdesign.certifier.reachable import Reachable
from mechdesign.certifier.within import Within, blocks_of
from mechdesign.errors import InputError
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust, nominal, uncertainty_of
from mechdesign.mechanism.given import AskedBy, Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked

Laws: TypeAlias = Known | Within


def judged(given: Given, graph: AskedBy, *, at_nominal: bool, all_pairs: bool = False) -> tuple[Mechanism, Asked]:
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
        mechanism = dataclasses.replace(mechanism, graph=nominal(mechanism.graph))
    return mechanism, asked.at_nominal()


def laws_under(mechanism: Mechanism, asked: Asked, by: str = By.SETS) -> tuple[list[Label], Laws]:
    """Return the profiles that are asked about, and what they release through the mechanism.

    Raises
    ------
    InputError
        as `released_under`; also for a profile known only within bounds, if `by` looks at single distributions.
    """
    if not asked.robust:
        names, released = released_under(mechanism, asked)
        return names, Known(released, by)
    if by != By.SETS:
        raise InputError(
            f"by: {by} is for profiles that are known, and these are known only within bounds; take sets, or ask about "
            "the distributions alone (--nominal, nominal=True)"
        )
    names, positions = served_by(mechanism, asked)
    rows = [[mechanism.rows[row] for row in mechanism.index[position]] for position in positions]
    used = {y for one in rows for weights in one for y, weight in enumerate(weights) if weight}
    blocks = blocks_of(tuple(sorted(used)))
    return names, Within(
        [
            Reachable(uncertainty_of(attributes), attributes["distribution"], own, blocks)
            for attributes, own in zip(asked.profiles.nodes.values(), rows, strict=True)
        ]
    )
