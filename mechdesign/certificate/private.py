"""Whether a mechanism is private, exactly: this decides, whatever led to it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from mechdesign.errors import SolverError
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.cover import Cover, met
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
    known = [part for part in parts if part[1].uncertain is None]
    met_by_others = (
        met_within([extremes_of(mechanism, mechanism.profiles[i], i) for i in members], problem.required)
        for members, problem in parts
        if problem.uncertain is not None
    )
    if not whole or not _are_private(mechanism, required, known) or not all(met_by_others):
        raise SolverError("the mechanism made is not exactly private; please report this graph")


def check_kept(mechanism: Mechanism, kept: Kept) -> None:
    """Raise a SolverError unless the mechanism keeps the overall shares, exactly."""
    released = [[Fraction(weight, one.total) for weight in one.weights] for one in mechanism.all_released()]
    if Kept.of(kept.shares, released).totals != kept.totals:
        raise SolverError("the mechanism made does not keep the shares exactly; please report this graph")


def _are_private(
    mechanism: Mechanism, required: Sequence[Requirement], parts: Sequence[tuple[list[int], Problem]]
) -> bool:
    """Return whether what is asked of the profiles of these components is met, of all of them together."""
    if not parts:
        return True
    cliques = [
        replace(clique, members=tuple(members[i] for i in clique.members))
        for members, problem in parts
        for clique in problem.cover.cliques
    ]
    pairs = {(members[e.first], members[e.second]) for members, problem in parts for e in problem.cover.pairs}
    asked = Cover(cliques, [edge for edge in required if (edge.first, edge.second) in pairs])
    return met(list(mechanism.all_released()), asked)


def extremes_of(mechanism: Mechanism, profile: Label, position: int) -> Extremes:
    """Return what a profile may release, at most and at least, by the bounds in the mechanism's graph."""
    used = mechanism.index[position]
    common = math.lcm(*map(int, mechanism.totals[used]))
    rows = [mechanism.weights[row] * (common // int(mechanism.totals[row])) for row in used]
    found = extremes(uncertainty_of(mechanism.graph.nodes[profile]), rows)
    return Extremes(*(tuple(one / common for one in side) for side in (found.largest, found.least)))
