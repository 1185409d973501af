"""Certificates: one JSON file that proves a mechanism private and near-optimal, to anybody.

::

    {"format": "mechdesign-certificate/1",
     "categories": [LABEL, ...], "outputs": [LABEL, ...],
     "profiles": [{"id": LABEL, "distribution": ["p/q", ...], "weight": "p/q"}, ...],
     "edges": [{"source": LABEL, "target": LABEL, "epsilon": "p/q", "delta": "p/q"}, ...],
     "ratios": [{"epsilon": "p/q", "below": "p/q", "above": "p/q" or null}, ...],
     "objective": "max-off-diagonal" | "expected-loss" | "worst-loss",
     "loss": null | [["p/q", ...], ...],
     "rows": [[INTEGER, ...], ...], "index": [[ROW, ...], ...],
     "groups": [[PROFILE, ...], ...],
     "value": "p/q", "bound": "p/q",
     "multipliers": {"fineness": INTEGER, "privacy": [[PROFILE, PROFILE, OUTPUT, INTEGER], ...],
                     "entries": [[GROUP, CATEGORY, OUTPUT, INTEGER], ...], "profiles": null | ["p/q", ...]},
     "notes": {anything; no part of the proof}}

It states, and `checker.py` verifies in exact arithmetic from nothing but this file:

1. *privacy*: for every edge, both ways, and every set S of outputs, q^i(S) <= e^epsilon q^j(S) + delta, where profile i
   releases q^i_y = sum_x P_i(x) w_xy / sum_y w_xy, with w_x the row `rows[index[i][x]]`. An edge's epsilon, delta are
   those in force on it; an edge of infinite epsilon requires nothing and is left out. `below` <= e^epsilon <= `above`
   are the rationals used for privacy and for the bound; the checker bounds e^epsilon itself, by its Taylor series.
2. *value*: the mechanism's objective is exactly this; or, where this would take too many digits, rounds up to this
   multiple of 2^-120.
3. *bound*: no private mechanism with one matrix for each of the `groups` (every profile its own, as a rule) has a
   smaller objective. How the multipliers prove it stands in `mechdesign.certificate.bound`; those of privacy and of
   entries are integers over `fineness`.

PROFILE, CATEGORY, OUTPUT, ROW and GROUP are positions, from 0. Numbers "p/q" are text, "3/10" or "0.3".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.bound import FINENESS, Weights, bound_below
from mechdesign.exact import Epsilon, exp_above, exp_below, format_number
from mechdesign.mechanism import Mechanism
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, Objective, profile_weights
from mechdesign.privacy import requirements
from mechdesign.problem import Problem

FORMAT = "mechdesign-certificate/1"


@dataclass(frozen=True, eq=False)
class Proof:
    """A lower bound of the optimum with the multipliers that prove it, by positions in the whole graph.

    Attributes
    ----------
    bound
        no private mechanism does better.
    privacy, entries
        (a, b, y) and (group, x, y) -> integers over FINENESS.
    profiles
        one weight for each profile, for a worst loss.
    groups
        the profiles that share one matrix.
    """

    bound: Fraction
    privacy: dict[tuple[int, int, int], int]
    entries: dict[tuple[int, int, int], int]
    profiles: list[Fraction] | None
    groups: list[list[int]]


def whole_proof(objective: Objective, parts: Sequence[tuple[list[int], Problem]], weights: Sequence[Weights]) -> Proof:
    """Return the proof for the whole graph from those of its components, (members, problem) each.

    An expected loss adds up over the components. Otherwise the worst component decides, and alone has multipliers.
    """
    bounds = [bound_below(problem, own) for (_, problem), own in zip(parts, weights, strict=True)]
    additive = isinstance(objective, ExpectedLoss)
    best = bounds.index(max(bounds))
    chosen = range(len(parts)) if additive else [best]
    privacy: dict[tuple[int, int, int], int] = {}
    entries: dict[tuple[int, int, int], int] = {}
    groups: list[list[int]] = []
    profiles = [Fraction(0)] * sum(len(members) for members, _ in parts)
    for number, ((members, problem), own) in enumerate(zip(parts, weights, strict=True)):
        first_group = len(groups)
        groups += [members] if problem.shared else [[i] for i in members]
        if number not in chosen:
            continue
        privacy.update({(members[a], members[b], y): lam for (a, b, y), lam in own.privacy.items()})
        for group, table in enumerate(own.entries or ()):
            for (x, y), weight in _nonzero(table):
                entries[first_group + group, x, y] = weight
        for i, share in zip(members, own.profiles or (), strict=False):
            profiles[i] = share
    weighted = isinstance(objective, MaxOffDiagonal | ExpectedLoss)
    bound = sum(bounds, Fraction(0)) if additive else bounds[best]
    return Proof(_shortened_below(bound), privacy, entries, None if weighted else profiles, groups)


def _nonzero(table: Any) -> list[tuple[tuple[int, int], int]]:
    return [((x, y), int(weight)) for x, row in enumerate(table) for y, weight in enumerate(row) if weight]


def _shortened_below(bound: Fraction) -> Fraction:
    """Return a multiple of 2^-120 that is at most `bound`: the sums behind it have very long denominators."""
    return Fraction(bound.numerator * 2**120 // bound.denominator, 2**120)


def written_above(value: Fraction) -> Fraction:
    """Return the value itself if it has a thousand digits at most, else the next multiple of 2^-120.

    A mean over hundreds of profiles has a denominator of thousands of digits, which Python refuses to write.
    """
    short = value.denominator.bit_length() <= 3000
    return value if short else Fraction(-(-value.numerator * 2**120 // value.denominator), 2**120)


def certificate_of(
    mechanism: Mechanism,
    graph: nx.Graph,
    epsilon: Epsilon,
    delta: Fraction,
    objective: Objective,
    proof: Proof,
    value: Fraction,
    notes: dict[str, Any],
) -> dict[str, Any]:
    """Return the certificate as a JSON value."""
    profiles = list(graph)
    required = requirements(graph, epsilon, delta)
    multiplied = {(a, b) for a, b, _ in proof.privacy}
    above = {r.epsilon for r in required if (r.first, r.second) in multiplied or (r.second, r.first) in multiplied}
    loss = None if isinstance(objective, MaxOffDiagonal) else objective.table(len(mechanism.categories))
    return {
        "format": FORMAT,
        "categories": list(mechanism.categories),
        "outputs": list(mechanism.outputs),
        "profiles": [
            {
                "id": profile,
                "distribution": [format_number(mass) for mass in attributes["distribution"]],
                "weight": str(weight),
            }
            for (profile, attributes), weight in zip(graph.nodes.items(), profile_weights(graph), strict=True)
        ],
        "edges": [
            {
                "source": profiles[r.first],
                "target": profiles[r.second],
                "epsilon": format_number(r.epsilon),
                "delta": format_number(r.delta),
            }
            for r in required
        ],
        "ratios": [
            {
                "epsilon": format_number(own),
                "below": str(exp_below(own)),
                "above": str(exp_above(own)) if own in above else None,
            }
            for own in sorted({r.epsilon for r in required})
        ],
        "objective": objective.name,
        "loss": None if loss is None else [[format_number(entry) for entry in row] for row in loss],
        "rows": [[int(weight) for weight in row] for row in mechanism.weights],
        "index": [[int(row) for row in rows] for rows in mechanism.index],
        "groups": proof.groups,
        "value": str(written_above(value)),
        "bound": str(proof.bound),
        "multipliers": {
            "fineness": FINENESS,
            "privacy": [[*place, weight] for place, weight in proof.privacy.items()],
            "entries": [[*place, weight] for place, weight in proof.entries.items()],
            "profiles": None if proof.profiles is None else [str(share) for share in proof.profiles],
        },
        "notes": notes,
    }
