"""Proofs of formulas with a few changes: what the checker accepts has to be the exact optimum in each piece."""

import copy
import json
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from formulas import MADE
from oracles.stated import assert_optimal

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
    assert_optimal(document, F(rng.randrange(11), 10))
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
