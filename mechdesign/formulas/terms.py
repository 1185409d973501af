"""What a formula is about: a graph, what is minimised, and what each edge asks as a function of one variable."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import networkx as nx

from mechdesign.certificate.claim import Delta, Edge, Multiple, Ratio
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number, shown
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import check_all_own
from mechdesign.graph.uncertainty import is_robust
from mechdesign.objective import CERTIFIED, Goal, Objective
from mechdesign.privacy.requirement import Requirement, connected, requirements

MOST_POWER = 60
"""Of z in an edge's ratio: degrees of formulas are as large, and times of finding them grow with them."""

MOST_BITS = 3_300
"""Of an edge's ratio where that is a number: 993 digits, of the 999 that a proof's numbers may have."""


@dataclass(frozen=True, eq=False)
class Terms:
    """What a formula is about.

    Attributes
    ----------
    graph, objective
        checked, and settled for the graph's categories.
    parameter
        "epsilon": z^root = e^epsilon; "delta": z = delta.
    root
        1 unless edges ask for fractions of epsilon.
    edges, groups
        what each edge asks, a multiple of epsilon or a ratio, and which matrix each profile uses.
    ratio
        e^epsilon where the parameter is delta.
    delta
        of edges without their own; None where it is the parameter.
    shared, scale_own
        as they are for `design`.
    unbounded
        whether bounds around profiles were left out.
    """

    graph: nx.Graph
    objective: Objective
    parameter: str
    root: int
    edges: tuple[Edge, ...]
    groups: tuple[int, ...]
    ratio: Fraction | None
    delta: Fraction | None
    shared: bool
    scale_own: bool
    unbounded: bool = False

    @property
    def distributions(self) -> list[Sequence[Fraction]]:
        """Those of the profiles."""
        return [attributes["distribution"] for attributes in self.graph.nodes.values()]

    @property
    def outputs(self) -> tuple[Label, ...]:
        """The labels of what can be reported."""
        return self.objective.output_labels(self.graph.graph["categories"])

    @property
    def letter(self) -> str:
        """What the formulas' variable is called."""
        return "delta" if self.parameter == "delta" else "E" if self.root == 1 else "z"

    @property
    def about(self) -> str:
        """What the variable is, and what is fixed, in words."""
        if self.ratio is not None:
            return f"in delta; e^epsilon = {format_number(self.ratio)}"
        delta = "0" if self.delta is None else format_number(self.delta)
        variable = "E = e^epsilon" if self.root == 1 else f"z = e^(epsilon / {self.root})"
        own = "; epsilon multiplies each edge's own" if self.scale_own else ""
        return f"{variable}; delta {delta}{own}"


def formulated(objective: Goal) -> Objective:
    """Return an objective if there are formulas for it.

    Raises
    ------
    InputError
        if there are none.
    """
    if isinstance(objective, Objective) and objective.name in CERTIFIED:
        return objective
    raise InputError(
        f"objective {objective.name}: formulas are for {', '.join(CERTIFIED)}; `design` computes it for one epsilon "
        "after another"
    )


def terms_of(
    graph: nx.Graph,
    objective: Objective,
    *,
    ratio: Fraction | None,
    delta: Fraction | None,
    shared: bool,
    scale_own: bool,
) -> Terms:
    """Return the terms of a checked graph: a function of epsilon, or of delta where that is None.

    Raises
    ------
    InputError
        where the optimum is no rational function of one variable.
    """
    if is_robust(graph):
        raise InputError("no formula for profiles known only within bounds; take their distributions alone (nominal)")
    if scale_own:
        check_all_own(graph)
    required = requirements(graph, Fraction(1), Fraction(-1))
    _check_no_own(graph, required, scale_own=scale_own)
    root = _root(required) if ratio is None else 1
    return Terms(
        graph,
        objective,
        "epsilon" if ratio is None else "delta",
        root,
        tuple(Edge(one.first, one.second, _strength(one, ratio), _delta(one, delta)) for one in required),
        groups_of(len(graph), required, shared=shared),
        ratio,
        delta,
        shared,
        scale_own,
    )


def groups_of(profiles: int, required: Sequence[Requirement], *, shared: bool) -> tuple[int, ...]:
    """Return the number of each profile's matrix: its own, or that of its component."""
    if not shared:
        return tuple(range(profiles))
    numbers = {i: number for number, group in enumerate(connected(profiles, required)) for i in group}
    return tuple(numbers[i] for i in range(profiles))


def _check_no_own(graph: nx.Graph, required: Sequence[Requirement], *, scale_own: bool) -> None:
    """Raise an InputError if an edge has an epsilon of its own that is neither 0 nor a multiple of the parameter."""
    names = list(graph)
    for one in required:
        if one.distance is None and one.epsilon and not scale_own:
            pair = f"{shown(names[one.first])}-{shown(names[one.second])}"
            raise InputError(
                f"edge {pair}: it has an epsilon of its own, {format_number(one.epsilon)}, which no rational function "
                "of e^epsilon goes with; where all edges have their own, they can be scaled (scale_own=True)"
            )


def _root(required: Sequence[Requirement]) -> int:
    """Return by what epsilon has to be divided so that each edge asks for a whole power of e to it."""
    root = lcm(*(one.epsilon.denominator for one in required)) if required else 1
    most = max((int(one.epsilon * root) for one in required), default=0)
    if most > MOST_POWER:
        raise InputError(
            f"the edges' epsilons need powers of z = e^(epsilon / {root}) up to {most}, expected at most {MOST_POWER}; "
            "give distances, or epsilons to be scaled, that are small multiples of one number"
        )
    return root


def _strength(one: Requirement, ratio: Fraction | None) -> Multiple | Ratio:
    """Return which multiple of epsilon an edge asks for, or the given e^epsilon to the power of its distance."""
    if ratio is None:
        return Multiple(one.epsilon)
    if ratio == 1:
        return Ratio(ratio)
    if one.epsilon.denominator > 1:
        raise InputError(
            f"as a function of delta: expected whole distances, found {format_number(one.epsilon)}, to which "
            f"power e^epsilon = {format_number(ratio)} may be irrational"
        )
    if one.epsilon * max(ratio.numerator, ratio.denominator).bit_length() > MOST_BITS:
        raise InputError(
            f"as a function of delta: e^epsilon = {shown(ratio)} to the power of the distance "
            f"{format_number(one.epsilon)} has too many digits; give a ratio or a distance with fewer"
        )
    return Ratio(ratio ** int(one.epsilon))


def _delta(one: Requirement, delta: Fraction | None) -> Delta:
    """Return an edge's delta: its own, the one of all, or where that is None the variable."""
    if one.delta < 0 and delta is None:
        return Delta(Fraction(0), Fraction(1))
    return Delta(delta if delta is not None and one.delta < 0 else one.delta)
