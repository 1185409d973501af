"""Certificates and refutations with a few changes: what the checker accepts has to be true by the definitions.

After a change the value and the bound are mostly set to the best that the checker would take, so that all that its
multipliers prove is held against the exact optimum.
"""

import copy
import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from operator import mul
from random import Random
from typing import Any

from oracles.divergence import divergence, exp_at_least, exp_at_most
from oracles.optimum import Edge, optimum
from oracles.vertices import released

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
    return holds(json.loads(text))


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


class Read:
    """What a file says, in Fractions."""

    def __init__(self, document: Document) -> None:
        self.rows = [[[F(w, sum(row)) for w in row] if row else [] for row in m] for m in document["matrices"]]
        self.outputs = len(document["labels"]["outputs"])
        self.groups = [one["group"] for one in document["profiles"]]
        self.own, self.bounds = [], []
        for one in document["profiles"]:
            total = sum(one["masses"])
            self.own.append([F(mass, total) for mass in one["masses"]])
            bounds = one.get("bounds", {"lower": one["masses"], "upper": one["masses"], "radius": 0})
            lower, upper = ([F(mass, total) for mass in bounds[side]] for side in ("lower", "upper"))
            self.bounds.append((lower, upper, F(bounds["radius"], total)))
        limits = [F(epsilon) for epsilon in document["epsilons"]], [F(delta) for delta in document["deltas"]]
        self.edges = [(i, j, limits[0][e], limits[1][d]) for i, j, e, d in document["edges"]]

    def corners(self, i: int) -> list[tuple[Fraction, ...]]:
        """Return distributions among which each linear function has its largest: for any order of its values one."""
        own, (lower, upper, radius) = self.own[i], self.bounds[i]
        found = {farthest(own, lower, upper, radius, order) for order in permutations(range(len(own)))}
        return sorted(found)

    def released(self, i: int, masses: Sequence[Fraction]) -> list[Fraction]:
        used = [(mass, row) for mass, row in zip(masses, self.rows[self.groups[i]], strict=True) if mass]
        return released(*zip(*used, strict=True))


def farthest(
    own: Sequence[Fraction],
    lower: Sequence[Fraction],
    upper: Sequence[Fraction],
    radius: Fraction,
    order: Sequence[int],
) -> tuple[Fraction, ...]:
    """Move mass from the first categories of an order to its last ones, as far as the bounds allow."""
    masses, left, first, last = list(own), radius, 0, len(order) - 1
    while first < last and left:
        a, b = order[first], order[last]
        moved = min(left, masses[a] - lower[a], upper[b] - masses[b])
        masses[a] -= moved
        masses[b] += moved
        left -= moved
        first, last = first + (masses[a] == lower[a]), last - (masses[b] == upper[b])
    return tuple(masses)


def holds(document: Document) -> str:
    """Require what an accepted file says, by the definitions."""
    read = Read(document)
    assert all(min(row) >= 0 for rows in read.rows for row in rows if row)
    if document["format"] == checker.REFUTATION:
        i, j, epsilon, delta = read.edges[0]
        p, q = (sum(read.released(n, read.own[n])[y] for y in document["set"]) for n in (i, j))
        assert p > exp_at_most(epsilon) * q + delta, "a refutation of what is private"
        return "refuted, true"
    _assert_private(read)
    value, bound = F(document["value"]), F(document["bound"])
    assert 0 <= value - _value(read, document) < F(1, 2**119), "a value that is not the objective"
    least = _least(read, document)
    assert bound <= least, f"a bound above the optimum: {float(bound)}, {float(least)}"
    return "accepted, true"


def _assert_private(read: Read) -> None:
    for i, j, epsilon, delta in read.edges:
        for a, b in ((i, j), (j, i)):
            for here, there in product(read.corners(a), read.corners(b)):
                excess = divergence(read.released(a, here), read.released(b, there), exp_at_least(epsilon))
                assert excess <= delta, "accepted, and not private"


def _value(read: Read, document: Document) -> Fraction:
    if document["objective"] == "max-off-diagonal":
        rows = [(x, row) for m in read.rows for x, row in enumerate(m) if row]
        return max([F(0), *(entry for x, row in rows for y, entry in enumerate(row) if x != y)])
    loss = [[F(entry, document["loss_unit"]) for entry in row] for row in document["loss"]]
    costs = []
    for own, group in zip(read.own, read.groups, strict=True):
        of_row = {x: sum(map(mul, read.rows[group][x], loss[x]), F(0)) for x, mass in enumerate(own) if mass}
        costs.append(sum((own[x] * cost for x, cost in of_row.items()), F(0)))
    if document["objective"] == "worst-loss":
        return max(costs)
    weights = document["weights"]
    return sum((w * cost for w, cost in zip(weights, costs, strict=True)), F(0)) / sum(weights)


def _least(read: Read, document: Document) -> Fraction:
    """Return the optimum; within bounds at a delta > 0, of the mechanisms of which the check shows as much."""
    edges: list[Edge] = [(i, j, exp_at_most(epsilon), delta) for i, j, epsilon, delta in read.edges]
    return optimum(
        read.own,
        edges,
        [[i for i, own in enumerate(read.groups) if own == group] for group in sorted(set(read.groups))],
        outputs=read.outputs,
        loss=[[F(entry, document["loss_unit"]) for entry in row] for row in document["loss"]] or None,
        weights=document["weights"] if document["objective"] == "expected-loss" else None,
        sets=[read.corners(i) for i in range(len(read.own))],
    )
