"""Certificates and refutations with a few changes: what the checker accepts has to be true by the definitions.

After a change the value and the bound are mostly set to the best that the checker would take, so that all that its
multipliers prove is held against the exact optimum.
"""

import copy
import json
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from oracles.stated import assert_true

import mechdesign as md
from attacks.changes import change
from mechdesign.certificate import checker
from mechdesign.certificate.refutation import refutation_of

F = Fraction
Document = dict[str, Any]
PROFILES = {
    "xyz": {"a": ["1/5", "4/5", 0], "b": ["2/5", "2/5", "1/5"], "c": ["1/2", "1/4", "1/4"]},
    "xy": {"a": ["1/5", "4/5"], "b": ["7/10", "3/10"], "c": ["1/2", "1/2"]},
}
LOSS = {"xyz": [[0, 1, 2], [1, 0, 1], [2, 1, 0]], "xy": [[0, 3], [1, 0]]}


def attack(rng: Random) -> str:
    categories = rng.choice(list(PROFILES))
    if rng.random() < 0.15:
        document = copy.deepcopy(refutation(categories, rng.choice(["0.01", "0.1"])))
    else:
        options = rng.choice(["known", "radius", "box"]), rng.choice(["none", "expected-loss", "worst-loss"])
        document = copy.deepcopy(certificate(categories, *options, rng.choice(["0", "0.05"]), rng.random() < 0.5))
    for _ in range(rng.choice([1, 1, 2, 3])):
        (aim if rng.random() < 0.6 else change)(document, rng)
    if rng.random() < 0.8:
        best(document)
    text = json.dumps(document)
    try:
        checker.statement(checker.check(text))
    except checker.Rejected:
        return "rejected"
    return assert_true(json.loads(text))


@cache
def certificate(categories: str, bounds: str, objective: str, delta: str, shared: bool) -> Document:
    graph = md.profile_graph(
        PROFILES[categories], edges="all", categories=list(categories), weights={"a": 1, "b": 2, "c": 5}
    )
    if bounds == "radius":
        graph.nodes["a"]["radius"] = F(1, 10)
    if bounds == "box":
        own = graph.nodes["b"]["distribution"]
        graph.nodes["b"].update(lower=[p * F(3, 4) for p in own], upper=[min(1, p * F(5, 4)) for p in own])
    loss = LOSS[categories]
    goal = {"none": None, "expected-loss": md.ExpectedLoss(loss), "worst-loss": md.WorstLoss(loss)}[objective]
    made = md.design(graph, epsilon="1/2", delta=delta, objective=goal, shared=shared)
    return plain(made.certificate)


@cache
def refutation(categories: str, epsilon: str) -> Document:
    graph = md.profile_graph(PROFILES[categories], edges="all", categories=list(categories))
    n = len(categories)
    matrix = [[0.75 if x == y else 0.25 / (n - 1) for y in range(n)] for x in range(n)]
    mechanism = md.mechanism_from_matrix(matrix, inputs=list(categories))
    worst = md.certify(mechanism, graph, epsilon=epsilon).worst
    assert worst is not None
    return plain(refutation_of(mechanism, graph, worst.edge, worst.set, epsilon=F(epsilon), delta=F(0)))


def plain(document: Any) -> Document:
    """Return a document as it is read from its file."""
    found: Document = json.loads(json.dumps(document))
    found.pop("notes", None)
    return found


def aim(document: Document, rng: Random) -> None:
    """Change what a proof rests on, in a way that keeps its shape; what is no longer of a kind stays as it is."""
    try:
        rng.choice(AIMS)(document, rng)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError):
        change(document, rng)


def _multipliers(document: Document, rng: Random) -> None:
    for one in document["privacy"]:
        one[3] = max(0, one[3] * rng.choice([1, 2, 3, 10]) // rng.choice([1, 2]) + rng.randint(-1, 1))


def _entries(document: Document, rng: Random) -> None:
    for one in document["entries"]:
        one[3] = one[3] * rng.randrange(5) // 3


def _group(document: Document, rng: Random) -> None:
    rng.choice(document["profiles"])["group"] = rng.randrange(len(document["matrices"]))


def _move(weights: list[int], rng: Random) -> None:
    y, z = rng.sample(range(len(weights)), 2)
    moved = weights[z] // rng.choice([1, 2, 10, 1000])
    weights[z] -= moved
    weights[y] += moved


def _row(document: Document, rng: Random) -> None:
    _move(rng.choice(rng.choice(document["matrices"])), rng)


def _masses(document: Document, rng: Random) -> None:
    one = rng.choice(document["profiles"])
    _move(rng.choice([one["masses"], *(worst["masses"] for worst in one.get("bounds", {}).get("worst", ()))]), rng)


def _limit(document: Document, rng: Random) -> None:
    numbers = document[rng.choice(["epsilons", "deltas"])]
    numbers[rng.randrange(len(numbers))] = str(F(rng.randrange(100), rng.choice([10, 100, 1000])))


def _loss(document: Document, rng: Random) -> None:
    row = rng.choice([document["weights"], *document["loss"]])
    row[rng.randrange(len(row))] += rng.choice([-5, -1, 1, 3])


def _bounds(document: Document, rng: Random) -> None:
    one = rng.choice(document["profiles"])
    total, masses, n = sum(one["masses"]), one["masses"], len(one["masses"])
    one["bounds"] = one.get("bounds") or {
        "lower": [mass * rng.randrange(3) // 2 for mass in masses],
        "upper": [min(total, mass + rng.choice([0, total // 10]) * bool(mass)) for mass in masses],
        "thresholds": [[rng.randrange(n) for _ in range(4)] for _ in document["labels"]["outputs"]],
        "worst": [],
    }
    one["bounds"]["radius"] = total * rng.choice([0, 1, 10, 200]) // 100


def _thresholds(document: Document, rng: Random) -> None:
    for one in document["profiles"]:
        if "bounds" in one:
            one["bounds"]["thresholds"] = [[rng.randrange(len(one["masses"])) for _ in range(4)] for _ in range(3)]


def _set(document: Document, rng: Random) -> None:
    document["set"] = sorted(rng.sample(range(len(document["labels"]["outputs"])), 2))


AIMS = (_multipliers, _entries, _group, _row, _row, _masses, _limit, _loss, _bounds, _thresholds, _set)


def best(document: Document) -> None:
    """Set value and bound to the best that the checker itself would take."""
    try:
        text = json.dumps(document)
        c = checker.read(text, len(text))
        checker.check_profiles(c)
        checker.check_matrices(c)
        checker.check_edges(c)
        c.released = [checker.released(c, one) for one in c.profiles]
        if c.format == checker.CERTIFICATE:
            checker.check_privacy(c)
            document["value"] = str(max(F(cost, unit) for cost, unit in checker.costs(c)))
            document["bound"] = str(checker.lower_bound(c))
    except checker.Rejected:
        pass
