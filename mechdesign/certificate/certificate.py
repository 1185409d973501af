"""Certificates: one JSON file that proves a mechanism private and near-optimal, to anybody.

::

    {"format": "mechdesign-certificate/2",
     "categories": [LABEL, ...], "outputs": [LABEL, ...], "profiles": [LABEL, ...],
     "distributions": [["p/q", ...], ...], "rows": [[[WEIGHT, ...], ...], ...], "groups": [GROUP, ...],
     "masses": [[INTEGER, ...], ...], "lower": [[INTEGER, ...], ...], "upper": [[INTEGER, ...], ...],
     "radius": [INTEGER, ...],
     "edges": [[PROFILE, PROFILE], ...], "epsilons": ["p/q", ...], "deltas": ["p/q", ...],
     "below": ["p/q", ...], "above": ["p/q", ...],
     "objective": "max-off-diagonal" | "expected-loss" | "worst-loss",
     "loss": [] | [[INTEGER, ...], ...], "loss_unit": INTEGER, "weights": [WEIGHT, ...],
     "value": "p/q", "bound": "p/q",
     "privacy": [[EDGE, WAY, OUTPUT, INTEGER], ...], "entries": [[GROUP, CATEGORY, OUTPUT, INTEGER], ...],
     "places": [[PROFILE, OUTPUT, SIDE], ...], "worst": [[INTEGER, ...], ...],
     "notes": {anything; no part of the proof}}

It states, and `checker.py` verifies in exact arithmetic from nothing but this file:

1. *privacy*: for every edge, both ways, and every set S of outputs, q^i(S) <= e^epsilon q^j(S) + delta, where profile i
   releases q^i_y = sum_x P_i(x) A^i_xy. `epsilons` and `deltas` are those in force on each edge. `below` and `above`
   are the rationals used for e^epsilon, for privacy and for the bound; the checker proves them by the Taylor series.
   An edge of infinite epsilon requires nothing and is left out; an epsilon above 700 is written as 700.
2. *value*: the mechanism's objective is exactly this; or, where this would take too many digits, rounds up to this
   multiple of 2^-120.
3. *bound*: no private mechanism has a smaller objective, if profiles of the same group (as a rule each has its own)
   have one matrix together. `bound.py` shows how the multipliers prove it. `privacy` has those of the edges that are
   not 0, in order, WAY being 0 from an edge's first profile to its second and 1 back; `entries` the prices of entries
   off the diagonal, for a loss none. Both are over 2^80. The bound is computed over 2^160, rounded down.

WEIGHTs are integers >= 0, to be divided by their total. A profile has a row for each category x, empty where P_i(x) is
0. The weights in its rows, each row counted as often as `masses` says, are in proportion to P_i(x) A^i_xy: so each row
has those of its matrix, and the rows' totals, so counted, those of the distribution. `weights` are the profiles' prior
weights or, for a worst loss, where these play no part, their multipliers. Losses are integers over `loss_unit`. EDGE,
PROFILE, CATEGORY, OUTPUT and GROUP are positions, from 0.

A profile of radius 0 is known: it has its distribution, each row counts once, `lower` and `upper` are as `masses`. One
with a radius is known only within bounds. All of its rows have one total, so that `masses` are in proportion to its
distribution, which is then only nominal. Its set has all distributions from `lower` to `upper` in each category whose
total variation distance from the nominal one is at most `radius`; these are integers over the total of its `masses`.
It has a row for each category that it may have, where `upper` is not 0. Value and bound are at the nominal ones, and

1. *privacy* holds for every distribution within the sets. (For delta > 0 what is verified is more: the worst
   distributions of the outputs, which may be different ones for each, together do not exceed delta.)
3. *bound*: no mechanism that is private in this sense has a smaller objective. At each of `places` there stands in
   `worst` a distribution of the profile that `bound.py` may take for this output, SIDE being 0 in what adds up and 1 in
   what is subtracted; elsewhere it is the nominal one.

Numbers "p/q" are text, "3/10" or "0.3". Nowhere do more than 999 digits stand in a row.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from operator import attrgetter
from typing import Any

import networkx as nx

from mechdesign.certificate.bound import Bound
from mechdesign.certificate.within import unit_of
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above, exp_below
from mechdesign.exact.text import format_number
from mechdesign.graph.distribution import support
from mechdesign.graph.uncertainty import is_single, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective, profile_weights
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.size import check_size

FORMAT = "mechdesign-certificate/2"

DIGITS = 999
"""The checker reads no more in a row: so its work is bounded by the size of the file."""


MOST_MULTIPLIERS = 10_000_000
"""A certificate with so many that are not 0 takes 1.3 GiB in memory."""


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
        one weight for each profile, where the proof chooses them; None where they are given.
    groups
        the number of each profile's group; the profiles of a group share one matrix.
    worst
        (profile, y, side) -> integers, as in `Weights`.
    """

    bound: Fraction
    privacy: Mapping[tuple[int, int, int], int]
    entries: dict[tuple[int, int, int], int]
    profiles: list[Fraction] | None
    groups: list[int]
    worst: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)


def whole_proof(objective: Objective, parts: Sequence[tuple[list[int], Problem]], bounds: Sequence[Bound]) -> Proof:
    """Return the proof for the whole graph from those of its components, (members, problem) each.

    An expected loss adds up over the components. Otherwise the worst component decides, and alone has multipliers.
    """
    worst = max(bounds, key=attrgetter("least"))
    privacy: Any = {}
    entries: dict[tuple[int, int, int], int] = {}
    masses: dict[tuple[int, int, int], list[int]] = {}
    groups = [0] * sum(len(members) for members, _ in parts)
    profiles = [Fraction(0)] * len(groups)
    count = 0
    for (members, problem), part in zip(parts, bounds, strict=True):
        first, count = count, count + (1 if problem.shared else len(members))
        for position, i in enumerate(members):
            groups[i] = first if problem.shared else first + position
        if part.least == objective.least or not (objective.additive or part is worst):
            continue
        own = part.weights
        if len(parts) == 1:
            privacy = own.privacy  # as it is: multipliers of classes may stand for millions
        else:
            privacy |= {(members[a], members[b], y): lam for (a, b, y), lam in own.privacy.items()}
        masses.update({(members[i], y, side): found for (i, y, side), found in own.worst.items()})
        for number in range(len(own.entries or ())):
            for x, y, price in own.prices(number):
                entries[first + number, x, y] = price
        for i, share in zip(members, own.profiles or (), strict=False):
            profiles[i] = share
    bound = sum((part.least for part in bounds), Fraction(0)) if objective.additive else worst.least
    given = objective.additive or worst.weights.profiles is None
    return Proof(bound, privacy, entries, None if given else profiles, groups, masses)


def written_above(value: Fraction) -> Fraction:
    """Return the value itself if it has a thousand digits at most, else the next multiple of 2^-120.

    A mean over hundreds of profiles has a denominator of thousands of digits, which Python refuses to write.
    """
    short = max(abs(value.numerator), value.denominator).bit_length() <= 3000
    return value if short else Fraction(-(-value.numerator * 2**120 // value.denominator), 2**120)


def certificate_of(
    mechanism: Mechanism,
    graph: nx.Graph,
    required: Sequence[Requirement],
    objective: Objective,
    proof: Proof,
    value: Fraction,
    notes: dict[str, Any],
) -> dict[str, Any]:
    """Return the certificate as a JSON value; `value` is as it is to be written, see `written_above`.

    Raises
    ------
    InputError
        if it would have more digits in a row than the checker reads, or would not fit in memory.
    """
    sizes = f"the proof for {len(required):,} edges and {len(mechanism.outputs):,} outputs has {{}} multipliers"
    remedy = "value and bound of the design are proved all the same, by whoever makes it"
    check_size(len(proof.privacy), MOST_MULTIPLIERS, sizes, remedy)
    edges = [(r.first, r.second) for r in required]
    bounded = [min(r.epsilon, MAX_EPSILON) for r in required]
    losses = objective.table(mechanism.categories)
    loss_unit = lcm(*(loss.denominator for row in losses for loss in row))
    ways = {pair: [n, way] for n, edge in enumerate(edges) for way, pair in enumerate((edge, edge[::-1]))}
    places = sorted(proof.worst)
    document = {
        "format": FORMAT,
        "categories": list(mechanism.categories),
        "outputs": list(mechanism.outputs),
        "profiles": list(graph),
        "distributions": [list(map(format_number, attributes["distribution"])) for attributes in graph.nodes.values()],
        **_of_profiles(mechanism, graph),
        "groups": proof.groups,
        "edges": [list(edge) for edge in edges],
        "epsilons": list(map(format_number, bounded)),
        "deltas": [format_number(r.delta) for r in required],
        "below": [str(exp_below(one)) for one in bounded],
        "above": [str(exp_above(one)) for one in bounded],
        "objective": objective.name,
        "loss": [[int(loss * loss_unit) for loss in row] for row in losses],
        "loss_unit": loss_unit,
        "weights": _integers(profile_weights(graph) if proof.profiles is None else proof.profiles),
        "value": str(value),
        "bound": str(proof.bound),
        "privacy": sorted([*ways[a, b], y, lam] for (a, b, y), lam in proof.privacy.items() if lam),
        "entries": [[*place, weight] for place, weight in proof.entries.items()],
        "places": list(map(list, places)),
        "worst": [proof.worst[place] for place in places],
        "notes": notes,
    }
    raise_if_long(document, "certificate")
    return document


def _of_profiles(mechanism: Mechanism, graph: nx.Graph) -> dict[str, Any]:
    """Return the rows of all profiles, how often each counts, and the bounds that these are within."""
    found: dict[str, list[Any]] = {key: [] for key in ("rows", "masses", "lower", "upper", "radius")}
    for i, attributes in enumerate(graph.nodes.values()):
        distribution, one = attributes["distribution"], uncertainty_of(attributes)
        if is_single(one):
            rows = profile_rows(mechanism, i, distribution)
            once = [int(bool(row)) for row in rows]
            own: tuple[Any, ...] = rows, once, once, once, 0
        else:
            unit, (lower, upper, radius) = unit_of(one, distribution), one.limits
            own = (
                _rows_of_one_total(mechanism, i, upper),
                *([int(mass * unit) for mass in masses] for masses in (distribution, lower, upper)),
                int(radius * unit),
            )
        for key, value in zip(found, own, strict=True):
            found[key].append(value)
    return found


def _rows_of_one_total(mechanism: Mechanism, i: int, upper: Sequence[Fraction]) -> list[list[int]]:
    """Return a profile's rows, with integers in the proportions of A^i_xy; none where P_i(x) can only be 0."""
    totals = [int(mechanism.totals[row]) for row in mechanism.index[i]]
    common = lcm(*(total for total, most in zip(totals, upper, strict=True) if most))
    parts = zip(mechanism.index[i], totals, upper, strict=True)
    return [_scaled(mechanism, row, common // total) if most else [] for row, total, most in parts]


def _scaled(mechanism: Mechanism, row: int, factor: int) -> list[int]:
    return [int(weight) * factor for weight in mechanism.weights[row]]


def raise_if_long(document: dict[str, Any], kind: str) -> None:
    """Raise an InputError if the checker would not read a document because of too many digits in a row."""
    if long := [key for key, value in document.items() if _long(value)]:
        raise InputError(
            f"no {kind}: its {', '.join(long)} would need more than {DIGITS} digits in a row; give probabilities, "
            "weights and losses with fewer different denominators, and losses in a larger unit"
        )


def _long(value: Any) -> bool:
    try:
        text = json.dumps(value)
    except ValueError:  # more digits than Python writes
        return True
    return re.search(f"(?<![0-9])[0-9]{{{DIGITS + 1}}}", text) is not None


def _integers(weights: Sequence[Fraction]) -> list[int]:
    """Return integers in the same proportions."""
    unit = lcm(*(weight.denominator for weight in weights))
    return [int(weight * unit) for weight in weights]


def profile_rows(mechanism: Mechanism, i: int, distribution: Sequence[Fraction]) -> list[list[int]]:
    """Return a profile's rows, with integers in the proportions of P_i(x) A^i_xy; none where P_i(x) is 0."""
    used = [(x, int(mechanism.index[i, x]), mass) for x, mass in support(distribution)]
    factors = _integers([mass / int(mechanism.totals[row]) for _, row, mass in used])
    rows: list[list[int]] = [[]] * len(distribution)
    for (x, row, _), factor in zip(used, factors, strict=True):
        rows[x] = [int(weight) for weight in mechanism.weights[row] * factor]
    return rows
