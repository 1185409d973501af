"""Whether a mechanism is private, exactly: this decides, whatever led to it."""

import math
from collections.abc import Sequence
from fractions import Fraction

from mechdesign.errors import SolverError
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.cover import met
from mechdesign.privacy.extremes import Extremes, extremes, met_within
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Kept, Problem


def check_private(
    mechanism: Mechanism, required: Sequence[Requirement], parts: Sequence[tuple[list[int], Problem]]
) -> None:
    """Raise a SolverError unless the mechanism meets every requirement of its graph, exactly.

    The components, (members, problem) each, are used only for the cliques in them; their requirements must be those of
    the graph. Profiles known only within bounds are held to all of them.
    """
    there = {
        (members[edge.first], members[edge.second]): (edge.epsilon, edge.delta)
        for members, problem in parts
        for edge in problem.required
    }
    whole = all(there.get((edge.first, edge.second)) == (edge.epsilon, edge.delta) for edge in required)
    if not whole or not all(_is_private(mechanism, members, problem) for members, problem in parts):
        raise SolverError("the mechanism made is not exactly private; please report this graph")


def check_kept(mechanism: Mechanism, kept: Kept) -> None:
    """Raise a SolverError unless the mechanism keeps the overall shares, exactly."""
    released = [[Fraction(weight, one.total) for weight in one.weights] for one in mechanism.all_released()]
    if Kept.of(kept.shares, released).totals != kept.totals:
        raise SolverError("the mechanism made does not keep the shares exactly; please report this graph")


def _is_private(mechanism: Mechanism, members: Sequence[int], problem: Problem) -> bool:
    profiles = [mechanism.profiles[i] for i in members]
    if problem.uncertain is None:
        nodes = mechanism.graph.nodes
        released = [
            mechanism.released_weights(nodes[profile]["distribution"], i)
            for profile, i in zip(profiles, members, strict=True)
        ]
        return met(released, problem.cover)
    found = [extremes_of(mechanism, profile, i) for profile, i in zip(profiles, members, strict=True)]
    return met_within(found, problem.required)


def extremes_of(mechanism: Mechanism, profile: Label, position: int) -> Extremes:
    """Return what a profile may release, at most and at least, by the bounds in the mechanism's graph."""
    used = mechanism.index[position]
    common = math.lcm(*map(int, mechanism.totals[used]))
    rows = [mechanism.weights[row] * (common // int(mechanism.totals[row])) for row in used]
    found = extremes(uncertainty_of(mechanism.graph.nodes[profile]), rows)
    return Extremes(*(tuple(one / common for one in side) for side in (found.largest, found.least)))
