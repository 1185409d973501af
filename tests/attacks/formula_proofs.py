"""Proofs of formulas with a few changes: what the checker accepts has to be the exact optimum in each piece."""

import copy
import json
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from formulas import MADE
from oracles.optimum import Edge, optimum

import mechdesign as md
from attacks.certificates import LOSS, PROFILES, plain
from attacks.changes import change
from mechdesign.certificate import formula_checker

F = Fraction
Document = dict[str, Any]


def attack(rng: Random) -> str:
    document = copy.deepcopy(MADE[rng.choice(list(MADE))] if rng.random() < 0.6 else found(rng.choice(list(PROFILES))))
    if rng.random() < 0.3:
        _scale(document, rng)
    for _ in range(rng.choice([0, 1, 1, 2])):
        change(document, rng)
    try:
        formula_checker.statement(formula_checker.check(json.dumps(document)))
    except formula_checker.Rejected:
        return "rejected"
    document = plain(document)
    for piece in document["pieces"]:
        low, high = around(piece["from"])[1], None if piece["to"] is None else around(piece["to"])[0]
        z = low + (F(rng.randrange(11), 10) * (high - low) if high is not None else F(rng.randrange(20), 10))
        value = at(piece["numerator"], z) / at(piece["denominator"], z)
        assert value == least(document, z), f"not the optimum at {z}"
    return "accepted, true"


@cache
def found(categories: str) -> Document:
    graph = md.profile_graph(PROFILES[categories], edges=[("a", "b"), ("b", "c")], categories=list(categories))
    return plain(md.formula(graph, objective=md.WorstLoss(LOSS[categories])).certificate)


def _scale(document: Document, rng: Random) -> None:
    """Multiply all polynomials of an interval, which changes nothing."""
    factor = rng.choice([2, 3, 10**20])

    def scaled(value: Any) -> Any:
        return [scaled(part) for part in value] if isinstance(value, list) else value * factor

    one = rng.choice(document[rng.choice(["pieces", "primal", "dual"])])
    one.update({key: scaled(value) for key, value in one.items() if key not in ("from", "to")})


def at(polynomial: list[int], z: Fraction) -> Fraction:
    return sum((a * z**k for k, a in enumerate(polynomial)), F(0))


def around(end: Any) -> tuple[Fraction, Fraction]:
    """Return numbers below and above an end that is the root of a polynomial, or twice the number that it is."""
    if isinstance(end, str):
        return F(end), F(end)
    low, high = map(F, end["interval"])
    above = at(end["polynomial"], low) > 0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if (at(end["polynomial"], middle) > 0) == above else (low, middle)
    return low, high


def least(document: Document, z: Fraction) -> Fraction:
    """Return the optimum at z, by the definition."""
    profiles = [[F(mass, sum(one["masses"])) for mass in one["masses"]] for one in document["profiles"]]
    groups = [one["group"] for one in document["profiles"]]
    edges: list[Edge] = []
    for i, j, e, d in document["edges"]:
        delta = F(document["deltas"][d])
        if document["parameter"] == "epsilon":
            edges.append((i, j, z ** document["powers"][e], delta))
        else:
            edges.append((i, j, F(document["ratios"][e]), delta + F(document["slopes"][d]) * z))
    objective = document["objective"]
    return optimum(
        profiles,
        edges,
        [[i for i, own in enumerate(groups) if own == group] for group in sorted(set(groups))],
        outputs=len(document["labels"]["outputs"]),
        loss=[[F(entry, document["loss_unit"]) for entry in row] for row in document["loss"]] or None,
        weights=document["weights"] if objective == "expected-loss" else None,
    )
