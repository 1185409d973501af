"""What the file of a proof states has to be true by the definitions: read from the file alone."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from operator import mul
from typing import Any

from oracles.divergence import divergence, exp_at_least, exp_at_most
from oracles.optimum import Edge, optimum
from oracles.vertices import released

F = Fraction
Document = dict[str, Any]
Masses = Sequence[Fraction]


def shares(weights: Sequence[int]) -> list[Fraction]:
    assert min(weights) >= 0
    return [F(weight, sum(weights)) for weight in weights]


class Stated:
    """What a certificate or a refutation says, in Fractions."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.rows = [[shares(row) if row else [] for row in matrix] for matrix in document["matrices"]]
        self.outputs = len(document["labels"]["outputs"])
        self.groups = [one["group"] for one in document["profiles"]]
        self.own, self.bounds = [], []
        for one in document["profiles"]:
            total = sum(one["masses"])
            self.own.append(shares(one["masses"]))
            bounds = one.get("bounds", {"lower": one["masses"], "upper": one["masses"], "radius": 0})
            lower, upper = ([F(mass, total) for mass in bounds[side]] for side in ("lower", "upper"))
            self.bounds.append((lower, upper, F(bounds["radius"], total)))
        limits = [F(epsilon) for epsilon in document["epsilons"]], [F(delta) for delta in document["deltas"]]
        self.edges = [(i, j, limits[0][e], limits[1][d]) for i, j, e, d in document["edges"]]
        self.loss = [[F(entry, document["loss_unit"]) for entry in row] for row in document.get("loss", [])]

    def corners(self, i: int) -> list[tuple[Fraction, ...]]:
        """Return distributions among which each linear function has its largest: for any order of its values one."""
        own, (lower, upper, radius) = self.own[i], self.bounds[i]
        found = {farthest(own, lower, upper, radius, order) for order in permutations(range(len(own)))}
        return sorted(found)

    def released(self, i: int, masses: Masses) -> list[Fraction]:
        used = [(mass, row) for mass, row in zip(masses, self.rows[self.groups[i]], strict=True) if mass]
        return released(*zip(*used, strict=True))

    def assert_well_formed(self) -> None:
        """Require that nothing stands in the file of which it is not said whose it is, and nothing twice."""
        places = list(self.document["labels"]["profiles"])
        assert len(self.own) == len({str(name) for name in places}) == len(self.document["weights"])
        assert all(0 <= i < j and epsilon >= 0 and 0 <= delta < 1 for i, j, epsilon, delta in self.edges)
        assert len({(i, j) for i, j, *_ in self.edges}) == len(self.edges)
        assert min(number for edge in [[0], *self.document["edges"]] for number in edge) >= 0
        ends = [(self.groups[i], corner) for i in range(len(self.own)) for corner in self.corners(i)]
        used = {(group, x) for group, corner in ends for x, mass in enumerate(corner) if mass}
        assert {(g, x) for g, rows in enumerate(self.rows) for x, row in enumerate(rows) if row} == used
        assert {len(row) for rows in self.rows for row in rows if row} == {self.outputs}

    def assert_private(self) -> None:
        for i, j, epsilon, delta in self.edges:
            for a, b in ((i, j), (j, i)):
                for here, there in product(self.corners(a), self.corners(b)):
                    excess = divergence(self.released(a, here), self.released(b, there), exp_at_least(epsilon))
                    assert excess <= delta, "accepted, and not private"

    def assert_shares_are_kept(self) -> None:
        if "shares" in self.document:
            assert self.document["labels"]["categories"] == self.document["labels"]["outputs"]
            weights = shares(self.document["shares"]["weights"])
            after = [self.released(i, own) for i, own in enumerate(self.own)]
            for y in range(self.outputs):
                assert sum(w * (q[y] - p[y]) for w, q, p in zip(weights, after, self.own, strict=True)) == 0

    def value(self) -> Fraction:
        if self.document["objective"] == "max-off-diagonal":
            rows = [(x, row) for matrix in self.rows for x, row in enumerate(matrix) if row]
            return max([F(0), *(entry for x, row in rows for y, entry in enumerate(row) if x != y)])
        costs = []
        for own, group in zip(self.own, self.groups, strict=True):
            of_row = {x: sum(map(mul, self.rows[group][x], self.loss[x]), F(0)) for x, mass in enumerate(own) if mass}
            costs.append(sum((own[x] * cost for x, cost in of_row.items()), F(0)))
        if self.document["objective"] == "worst-loss":
            return max(costs)
        return sum(map(mul, shares(self.document["weights"]), costs), F(0))

    def least(self) -> Fraction:
        """Return the optimum; within bounds at a delta > 0, of the mechanisms of which the check shows as much."""
        edges: list[Edge] = [(i, j, exp_at_most(epsilon), delta) for i, j, epsilon, delta in self.edges]
        return optimum(
            self.own,
            edges,
            together(self.groups),
            outputs=self.outputs,
            loss=self.loss or None,
            weights=self.document["weights"] if self.document["objective"] == "expected-loss" else None,
            sets=[self.corners(i) for i in range(len(self.own))],
            kept=shares(self.document["shares"]["weights"]) if "shares" in self.document else (),
        )


def together(groups: Sequence[int]) -> list[list[int]]:
    return [[i for i, own in enumerate(groups) if own == group] for group in sorted(set(groups))]


def farthest(own: Masses, lower: Masses, upper: Masses, radius: Fraction, order: Sequence[int]) -> tuple[Fraction, ...]:
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


def assert_true(document: Document) -> str:
    """Require what an accepted certificate or refutation says."""
    stated = Stated(document)
    if document["format"].startswith("mechdesign-refutation"):
        i, j, epsilon, delta = stated.edges[0]
        p, q = (sum(stated.released(n, stated.own[n])[y] for y in document["set"]) for n in (i, j))
        assert p > exp_at_most(epsilon) * q + delta, "a refutation of what is private"
        return "refuted, true"
    stated.assert_well_formed()
    stated.assert_private()
    stated.assert_shares_are_kept()
    value, bound = F(document["value"]), F(document["bound"])
    assert 0 <= value - stated.value() < F(1, 2**119), "a value that is not the objective"
    least = stated.least()
    assert bound <= least <= value, f"a bound above the optimum: {float(bound)}, {float(least)}"
    return "accepted, true"


def at(polynomial: Sequence[int], z: Fraction) -> Fraction:
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


def optimum_at(document: Document, z: Fraction) -> Fraction:
    """Return the optimum of what the proof of a formula asks, at z."""
    edges: list[Edge] = []
    for i, j, e, d in document["edges"]:
        delta = F(document["deltas"][d])
        if document["parameter"] == "epsilon":
            edges.append((i, j, z ** document["powers"][e], delta))
        else:
            edges.append((i, j, F(document["ratios"][e]), delta + F(document["slopes"][d]) * z))
    return optimum(
        [shares(one["masses"]) for one in document["profiles"]],
        edges,
        together([one["group"] for one in document["profiles"]]),
        outputs=len(document["labels"]["outputs"]),
        loss=[[F(entry, document["loss_unit"]) for entry in row] for row in document["loss"]] or None,
        weights=document["weights"] if document["objective"] == "expected-loss" else None,
    )


def assert_optimal(document: Document, share: Fraction) -> None:
    """Require that the function given is the optimum so far into each piece, within 9 of its beginning."""
    for piece in document["pieces"]:
        low = around(piece["from"])[1]
        high = low + 9 if piece["to"] is None else min(low + 9, around(piece["to"])[0])
        z = low + share * (high - low)
        value = at(piece["numerator"], z) / at(piece["denominator"], z)
        assert value == optimum_at(document, z), f"not the optimum at {z}"
