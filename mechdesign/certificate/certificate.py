"""Certificates: one JSON file that proves a mechanism private and near-optimal, to anybody.

::

    {"format": "mechdesign-certificate/3",
     "labels": {"categories": [LABEL, ...], "outputs": [LABEL, ...], "profiles": [LABEL, ...]},
     "profiles": [{"group": GROUP, "masses": [INTEGER, ...]}, ...],
     "matrices": [[[WEIGHT, ...], ...], ...],
     "bits": INTEGER, "epsilons": ["p/q", ...], "deltas": ["p/q", ...],
     "edges": [[PROFILE, PROFILE, EPSILON, DELTA], ...],
     "objective": "max-off-diagonal" | "expected-loss" | "worst-loss",
     "loss": [] | [[INTEGER, ...], ...], "loss_unit": INTEGER, "weights": [WEIGHT, ...],
     "value": "p/q", "bound": "p/q",
     "privacy": [[EDGE, WAY, OUTPUT, INTEGER], ...], "entries": [[GROUP, CATEGORY, OUTPUT, INTEGER], ...],
     "notes": {anything; no part of the proof}}

It states, and `checker.py` verifies in exact arithmetic from nothing but this file:

1. *privacy*: for every edge, both ways, and every set S of outputs, q^i(S) <= e^epsilon q^j(S) + delta, where profile i
   releases q^i_y = sum_x P_i(x) A^i_xy. An edge has the positions of two profiles, in order, and those of the epsilon
   and delta in force on it, in `epsilons` (in nats) and `deltas`; edges are in order, each pair of profiles once. No
   power of e is in the file: the checker computes one below e^epsilon for privacy and one above for the bound, over
   2^`bits` (320 at most). An edge of infinite epsilon requires nothing and is left out; one above 700 is written as
   700.
2. *value*: the mechanism's objective is at most this, and by less than 2^-120 below it: it is exactly this or, where
   that would take too many digits, the next multiple of 2^-120.
3. *bound*: no private mechanism has a smaller objective, if profiles of the same group (as a rule each has its own)
   have one matrix together. `bound.py` shows how the multipliers prove it. `privacy` has those of the edges that are
   not 0, in order, WAY being 0 from an edge's first profile to its second and 1 back; `entries` the prices of entries
   off the diagonal, for a loss none. Both are over 2^80. The bound is computed over 2^160, rounded down.

P_i(x) is the profile's masses_x, divided by their total. A^i_xy is WEIGHT y in row x of the matrix of its group, over
the row's total; a row is empty where no profile of the group may have x. `weights` are the profiles' prior weights or,
for a worst loss, where these play no part, their multipliers. Losses are integers over `loss_unit`. GROUP, PROFILE,
EPSILON, DELTA, EDGE, CATEGORY and OUTPUT are positions, from 0. Labels are there to be read; the proof needs no more
than that no two are the same.

A profile that is known only within bounds also has

    "bounds": {"lower": [INTEGER, ...], "upper": [INTEGER, ...], "radius": INTEGER,
               "thresholds": [[CATEGORY, CATEGORY, CATEGORY, CATEGORY], ...],
               "worst": [{"output": OUTPUT, "side": 0 | 1, "masses": [INTEGER, ...]}, ...]}

It may have any distribution from `lower` to `upper` whose total variation distance from its masses, then only nominal,
is at most `radius`; all are integers over the total of its masses. Value and bound are at the nominal ones, and

1. *privacy* holds for every distribution within the bounds. (For delta > 0 what is verified is more: the worst
   distributions of the outputs, which may be different ones for each, together do not exceed delta.) Each output has
   four `thresholds`, categories whose A^i_xy show how much of it the profile releases at most (above the first, and
   from below the second), and at least (above the third, from below the fourth): `largest_mean` in checker.py.
3. *bound*: no mechanism that is private in this sense has a smaller objective. `worst` has distributions that
   `bound.py` may take for an output, side 0 being what adds up and 1 what is subtracted; elsewhere the nominal one.

A certificate of a mechanism that keeps the overall shares also has

    "shares": {"weights": [WEIGHT, ...], "multipliers": [INTEGER, ...]}

4. *shares*: sum_i w_i q^i = sum_i w_i P_i, exactly, with these weights of the profiles over their total, at the masses;
   outputs are the categories. The bound is then of mechanisms that keep them too; the multipliers, one for each output,
   of any sign and over 2^80, prove it. Without this key nothing is said of overall shares.

Numbers "p/q" are text, "3/10" or "0.3". Nowhere do more than 999 digits stand in a row.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Any

import networkx as nx

from mechdesign.certificate.bound import Bound
from mechdesign.certificate.claim import Claim, Delta, Edge, Kind, claim_of
from mechdesign.certificate.claim_fields import aim_of, epsilons_of, head_of, raise_if_long
from mechdesign.certificate.within import thresholds
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import over_common
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective, WorstLoss
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Kept, Problem
from mechdesign.size import check_size

FORMAT = "mechdesign-certificate/3"

MOST_MULTIPLIERS = 10_000_000
"""A certificate with so many that are not 0 takes 1.3 GiB in memory."""


def privacy_alone(
    mechanism: Mechanism,
    graph: nx.Graph,
    required: Sequence[Requirement],
    notes: dict[str, Any],
    kept: Kept | None = None,
) -> dict[str, Any]:
    """Return a certificate that a mechanism meets what the edges of its graph require, as a JSON value.

    And that it keeps the overall shares, where it does.

    Raises
    ------
    InputError
        if it would have more digits in a row than the checker reads.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design(md.read_graph("bernoulli-couplet"), epsilon=1)
    >>> privacy_alone(result.mechanism, result.graph, result.required, {})["value"]
    '0'
    """
    nothing = WorstLoss([[0] * len(mechanism.outputs)] * len(mechanism.categories))
    k = len(graph)
    of_kept = None if kept is None else (kept, [0] * len(mechanism.outputs))
    proof = Proof(Fraction(0), {}, {}, [Fraction(1)] * k, list(range(k)), kept=of_kept)
    return certificate_of(mechanism, graph, required, nothing, proof, Fraction(0), notes)


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
    kept
        the overall shares that are kept, if any, and for each output an integer over FINENESS.
    """

    bound: Fraction
    privacy: Mapping[tuple[int, int, int], int]
    entries: dict[tuple[int, int, int], int]
    profiles: list[Fraction] | None
    groups: list[int]
    worst: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    kept: tuple[Kept, Sequence[int]] | None = None


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
        by_edge = part.weights.by_edge(problem.outputs)
        if len(parts) == 1:
            privacy = by_edge  # as it is: multipliers of classes may stand for millions
        else:
            privacy |= {(members[a], members[b], y): lam for (a, b, y), lam in by_edge.items()}
        masses.update({(members[i], y, side): found for (i, y, side), found in part.weights.worst.items()})
        entries.update({(first + number, x, y): price for number, x, y, price in part.weights.prices()})
        for i, share in zip(members, part.weights.by_profile(), strict=False):
            profiles[i] = share
    bound = sum((part.least for part in bounds), Fraction(0)) if objective.additive else worst.least
    given = objective.additive or worst.weights.profiles is None
    kept = parts[0][1].kept  # which couples all: then there is one part
    proves = None if worst.least == objective.least else worst.weights.kept
    of_kept = None if kept is None else (kept, proves or [0] * parts[0][1].outputs)
    return Proof(bound, privacy, entries, None if given else profiles, groups, masses, of_kept)


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
    parts = (graph, mechanism.outputs, edges_of(required), objective, proof.groups)
    shares = () if proof.kept is None else proof.kept[0].shares
    claim = claim_of(Kind.CERTIFICATE, *parts, value=value, bound=proof.bound, shares=shares)
    ways = {pair[::turn]: [n, turn < 0] for n, pair in enumerate(e.pair for e in claim.in_order()) for turn in (1, -1)}
    document = {
        **head_of(claim, FORMAT),
        "matrices": matrices_of(mechanism, claim, range(len(claim.profiles))),
        **epsilons_of(claim),
        **aim_of(claim, None if objective.additive else proof.profiles or [Fraction(1)] * len(graph)),
        "value": str(value),
        "bound": str(proof.bound),
        "privacy": sorted([*map(int, ways[a, b]), y, lam] for (a, b, y), lam in proof.privacy.items() if lam),
        "entries": [[*place, weight] for place, weight in proof.entries.items()],
        **({} if proof.kept is None else {"shares": _kept(*proof.kept)}),
        "notes": notes,
    }
    _complete_bounds(document, proof.worst)
    raise_if_long(document, "certificate")
    return document


def _kept(kept: Kept, multipliers: Sequence[int]) -> dict[str, Any]:
    return {"weights": over_common(kept.shares)[0], "multipliers": list(multipliers)}


def edges_of(required: Iterable[Requirement]) -> list[Edge]:
    """Return what edges require as a claim has it, at an epsilon of 700 at most."""
    return [Edge(r.first, r.second, min(r.epsilon, MAX_EPSILON), Delta(r.delta)) for r in required]


def matrices_of(mechanism: Mechanism, claim: Claim, positions: Iterable[int]) -> list[list[list[int]]]:
    """Return each group's rows, for the categories that its profiles may have; they have these positions in it."""
    groups = 1 + max(profile.group for profile in claim.profiles)
    matrices: list[list[list[int]]] = [[[] for _ in claim.categories] for _ in range(groups)]
    for profile, position in zip(claim.profiles, positions, strict=True):
        own = matrices[profile.group]
        for x, most in enumerate(profile.most):
            if most and not own[x]:
                own[x] = [int(weight) for weight in mechanism.weights[mechanism.index[position, x]]]
    return matrices


def _complete_bounds(document: dict[str, Any], worst: Mapping[tuple[int, int, int], list[int]]) -> None:
    """Give profiles within bounds the thresholds of each output, and what the bound takes in place of them."""
    for one in document["profiles"]:
        if "bounds" in one:
            rows = {x: row for x, row in enumerate(document["matrices"][one["group"]]) if one["bounds"]["upper"][x]}
            columns = zip(*([Fraction(weight, sum(row)) for weight in row] for row in rows.values()), strict=True)
            found = [_thresholds(one, dict(zip(rows, column, strict=True))) for column in columns]
            one["bounds"] |= {"thresholds": found, "worst": []}
    for (i, y, side), masses in sorted(worst.items()):
        document["profiles"][i]["bounds"]["worst"].append({"output": y, "side": side, "masses": masses})


def _thresholds(one: dict[str, Any], values: dict[int, Fraction]) -> list[int]:
    """Return those where an output is released most, and least, of both the higher one first."""
    most = thresholds(one["bounds"], one["masses"], values)
    least = thresholds(one["bounds"], one["masses"], {x: -value for x, value in values.items()})
    return [*most, *least[::-1]]
