#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE. Standard library only; exact arithmetic only.

It reads the file and nothing else, and accepts only if these three statements follow from it:

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy.
2. The mechanism's objective is the value given, or this rounded up to a multiple of 2^-120.
3. No private mechanism with one matrix for each of the groups given has an objective below the bound given.

The format is described in certificate.py, the reasoning behind 3 in bound.py; both beside this file.

Exit status: 0 accepted; 2 not a certificate at all (unreadable, not JSON, of the wrong shape, too long to check); and
for a certificate that is wrong: 10 distributions, 11 edges, 12 bounds of e^epsilon, 13 rows, 14 groups,
15 NOT PRIVATE, 16 value, 17 multipliers, 18 bound.
"""

from __future__ import annotations

import json
import re
import sys
from decimal import Decimal
from fractions import Fraction
from math import lcm
from types import SimpleNamespace
from typing import Any, Iterable

LARGEST = Fraction(700)  # e^epsilon is bounded up to here; for a larger epsilon, e^700 is below it
DIGITS = 4000  # longer numbers are refused
DEPTH = 20  # more deeply nested labels are refused
WORK = 2 * 10**13  # more arithmetic is refused; 1000 profiles, 50 categories and 64-bit weights need a tenth


def check(document: Any) -> tuple[Fraction, Fraction]:
    """Verify a certificate given as a JSON value; return (value, bound) or raise Rejected."""
    c = read(document)
    check_graph(c)
    check_mechanism(c)
    check_privacy(c)
    value = objective(c)
    rounded = Fraction(-(-value * 2**120 // 1), 2**120)
    require(16, c.value in (value, rounded), f"the mechanism's objective is {shown(value)}, not the value given")
    proved = lower_bound(c)
    require(18, c.bound <= proved, f"the multipliers prove {shown(proved)}, less than the bound given")
    return c.value, c.bound


# --- 1. privacy -------------------------------------------------------------------------------------------------------


def check_graph(c: Any) -> None:
    """Each P_i is a distribution; each edge has epsilon >= 0, delta in [0, 1) and numbers below and above e^epsilon."""
    for i, masses in enumerate(c.P):
        proper = len(masses) == c.d and min(masses) >= 0 and total(c, masses) == 1
        require(10, proper, f"profile {i}: not a distribution over the categories")
    require(10, min(c.weights) >= 0 and max(c.weights) > 0, "the prior weights are not >= 0 with a positive total")
    for n, (a, b, epsilon, delta) in enumerate(c.edges):
        proper = a != b and None not in (a, b) and epsilon >= 0 and 0 <= delta < 1
        require(11, proper, f"edge {n}: not two profiles with epsilon >= 0, 0 <= delta < 1")
        require(12, epsilon in c.ratios, f"edge {n}: no bounds of e^epsilon")
    require(11, len({frozenset(edge[:2]) for edge in c.edges}) == len(c.edges), "an edge is given twice")
    for epsilon, ratio in c.ratios.items():
        x, above = min(epsilon, LARGEST), ratio.above
        spend(c, 600, x.denominator, x.numerator)
        low, high = exp_bounds(x)
        require(12, 0 <= ratio.below <= low, f"not proved to be below e^{epsilon}: {ratio.below}")
        proper = above is None or (high <= above and epsilon <= LARGEST)
        require(12, proper, f"not proved to be above e^{epsilon}: {above}")


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return rationals below and above e^x for 0 <= x <= 700: sum_n h^n / n! with h = x / 2^10, squared 10 times."""
    low = high = term_low = term_high = one = 1 << 300  # integers over this, rounded down in `low`, up in `high`
    for n in range(1, 60):
        term_low = term_low * x.numerator // (x.denominator * n << 10)
        term_high = -(-term_high * x.numerator // (x.denominator * n << 10))
        low, high = low + term_low, high + term_high
    high += term_high  # the terms left out add up to less than the last one, since h < 1
    for _ in range(10):
        low, high = low * low // one, -(-high * high // one)
    return Fraction(low, one), Fraction(high, one)


def check_mechanism(c: Any) -> None:
    """Each profile has a row of weights for each category, A^i_x times their sum; those in a group have the same."""
    for r, row in enumerate(c.rows):
        proper = len(row) == c.m and min(row) >= 0 and max(row) > 0
        require(13, proper, f"row {r}: not a row of weights for the outputs")
    require(13, len(c.index) == c.k, "not one list of rows for each profile")
    for i, rows in enumerate(c.index):
        proper = len(rows) == c.d and all(0 <= r < len(c.rows) for r in rows)
        require(13, proper, f"profile {i}: not one existing row for each category")
    parted = all(c.groups) and sorted(i for group in c.groups for i in group) == list(range(c.k))
    require(14, parted, "the groups do not part the profiles")
    for group in c.groups:
        possible = [x for x in range(c.d) if any(c.P[i][x] for i in group)]
        same = all(c.index[i][x] == c.index[group[0]][x] for i in group for x in possible)
        require(14, same, f"the profiles of a group use different rows: {group}")


def used(c: Any, i: int) -> Iterable[tuple[int, Fraction, list[int]]]:
    """Return x, P_i(x) / sum_y w_y and the row w for each category x that profile i has."""
    places = enumerate(zip(c.P[i], c.index[i]))
    return ((x, mass / c.totals[r], c.rows[r]) for x, (mass, r) in places if mass)


def check_privacy(c: Any) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, q^i_y - E q^j_y)."""
    released = [mixture(c, ((share, row) for _, share, row in used(c, i))) for i in range(c.k)]
    for a, b, epsilon, delta in c.edges:
        for i, j in ((a, b), (b, a)):
            (p, p_unit), (q, q_unit) = released[i], released[j]
            left, right = c.ratios[epsilon].below.denominator * q_unit, c.ratios[epsilon].below.numerator * p_unit
            spend(c, c.m, left, right)
            over = [left * s - right * t for s, t in zip(p, q)]
            excess = Fraction(sum(e for e in over if e > 0), left * p_unit) - delta
            require(15, excess <= 0, f"NOT PRIVATE: profile {i} against {j} exceeds delta by {shown(excess)}")


# --- 2. the objective -------------------------------------------------------------------------------------------------


def objective(c: Any) -> Fraction:
    """Return the largest A^i_xy with x != y; or the mean, or the largest, of sum_x P_i(x) sum_y A^i_xy l(x,y)."""
    if not c.loss:
        places = {(r, x) for rows in c.index for x, r in enumerate(rows)}
        spend(c, c.m * len(places))
        return max(Fraction(max([0, *c.rows[r][:x], *c.rows[r][x + 1 :]]), c.totals[r]) for r, x in places)
    costs = []
    for i in range(c.k):
        parts = ((share, [w * loss for w, loss in zip(row, c.loss[x])]) for x, share, row in used(c, i))
        losses, unit = mixture(c, parts)
        costs.append(Fraction(sum(losses), unit * c.loss_unit))
    if c.objective == "worst-loss":
        return max(costs)
    return total(c, (weight * cost for weight, cost in zip(c.weights, costs))) / total(c, c.weights)


# --- 3. the bound -----------------------------------------------------------------------------------------------------


def lower_bound(c: Any) -> Fraction:
    """Return what the multipliers prove: objective >= sum_i sum_x min_y [c_i(x,y) + P_i(x) g_i(y)] - sum delta max lam.

    With lam(a,b,y) for the edges, both ways, g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y); and c_i(x,y) are prices of
    entries off the diagonal, of total 1, or w_i P_i(x) l(x,y) with w_i of total 1. Weights have the unit 1 / fineness.
    """
    given, fineness = c.multipliers.profiles, int(c.multipliers.fineness)
    require(17, fineness > 0, "the multipliers' fineness is not positive")
    require(17, (given is None) == (c.objective != "worst-loss"), "profiles' shares go with the worst loss")
    w = c.weights if given is None else given  # over `everyone`
    everyone = total(c, w)
    proper = given is None or (len(w) == c.k and min(w) >= 0 and everyone == 1)
    require(17, proper, "the profiles' shares do not add up to 1")
    in_force = {pair: (c.ratios[epsilon].above, delta) for a, b, epsilon, delta in c.edges for pair in ((a, b), (b, a))}
    lam = {pair: [0] * c.m for pair in in_force}  # what is given twice adds up
    for a, b, y, weight in c.multipliers.privacy:
        proper = weight >= 0 and 0 <= y < c.m and (a, b) in in_force and in_force[a, b][0] is not None
        require(17, proper, "a multiplier of privacy is negative, out of range, or without a bound above e^epsilon")
        lam[a, b][y] += weight
    prices: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for g, x, y, weight in c.multipliers.entries:
        proper = weight >= 0 and 0 <= g < len(c.groups) and 0 <= x < c.d and 0 <= y < c.m and x != y and not c.loss
        require(17, proper, "a multiplier of an entry is negative, out of range, or of no use for a loss")
        prices.setdefault((g, x), []).append((y, weight))
    terms: list[list[tuple[Fraction, list[int]]]] = [[] for _ in range(c.k)]  # what adds up to g_i
    for (a, b), weights in lam.items():
        if any(weights):
            terms[a].append((Fraction(1), weights))
            terms[b].append((-in_force[a, b][0], weights))
    gains = [mixture(c, own) for own in terms]
    proved = [-total(c, (in_force[pair][1] * max(weights) for pair, weights in lam.items()))]
    for g, group in enumerate(c.groups):
        least = []
        for x in range(c.d):
            members = [i for i in group if c.P[i][x]]
            parts = [(c.P[i][x] / gains[i][1], gains[i][0]) for i in members]
            if c.loss:
                share = total(c, (w[i] * c.P[i][x] for i in members)) / everyone
                parts.append((share * fineness / c.loss_unit, c.loss[x]))
            row, unit = mixture(c, parts)
            for y, weight in prices.get((g, x), ()):
                row[y] += weight * unit
            least.append(Fraction(min(row), unit))
        proved.append(total(c, least))
    if c.loss:
        return total(c, proved) / fineness
    priced = sum(weight for _, _, _, weight in c.multipliers.entries)
    return max(Fraction(0), total(c, proved) / priced) if priced else Fraction(0)


# --- arithmetic, bounded ----------------------------------------------------------------------------------------------


def mixture(c: Any, parts: Iterable[tuple[Fraction, list[int]]]) -> tuple[list[int], int]:
    """Return the sum of share times row, over the parts (share, row), as integers over a common unit, and the unit."""
    kept, unit = [], 1
    for share, row in parts:
        unit = lcm(unit, share.denominator)
        spend(c, 4 + len(row), unit, share.denominator * max(map(abs, row)))
        kept.append((share, row))
    mixed = [0] * c.m
    for share, row in kept:
        factor = share.numerator * (unit // share.denominator)
        mixed = [before + factor * entry for before, entry in zip(mixed, row)]
    return mixed, unit


def total(c: Any, values: Iterable[Fraction]) -> Fraction:
    """Return the sum."""
    (numerator, *_), denominator = mixture(c, ((value, [1]) for value in values))
    return Fraction(numerator, denominator)


def spend(c: Any, steps: int, a: int = 1, b: int = 1) -> None:
    """Count so many products of integers as long as these; beyond WORK the certificate is Rejected."""
    c.spent += steps * (400 + a.bit_length()) * (400 + b.bit_length())
    require(2, c.spent <= WORK, "too many or too long numbers: not checked")


# --- reading ----------------------------------------------------------------------------------------------------------

LABEL, INTEGER = "text, an integer or a list of these", f"an integer of at most {DIGITS} digits"
NUMBER = f'text such as "3/10" or "0.3", of at most {DIGITS} characters'
RATIONAL = r"-?[0-9]+(\.[0-9]+|/0*[1-9][0-9]*)?"
SHAPE = {
    "format": str, "categories": [LABEL], "outputs": [LABEL],
    "profiles": [{"id": LABEL, "distribution": [NUMBER], "weight": NUMBER}],
    "edges": [{"source": LABEL, "target": LABEL, "epsilon": NUMBER, "delta": NUMBER}],
    "ratios": [{"epsilon": NUMBER, "below": NUMBER, "above": (NUMBER, None)}],
    "objective": str, "loss": ([[NUMBER]], None), "rows": [[int]], "index": [[int]], "groups": [[int]],
    "value": NUMBER, "bound": NUMBER,
    "multipliers": {"fineness": int, "privacy": [[int]], "entries": [[int]], "profiles": ([NUMBER], None)},
}  # fmt: skip


class Rejected(ValueError):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def require(status: int, truth: object, reason: str) -> None:
    """Reject unless `truth`."""
    if not truth:
        raise Rejected(status, reason)


def read(document: Any) -> Any:
    """Return the fields of SHAPE, and what is derived from them."""
    c = fit(document, SHAPE, "certificate")
    require(2, c.format == "mechdesign-certificate/1", "not a mechdesign certificate")
    names = [profile.id for profile in c.profiles]
    for labels in (c.categories, c.outputs, names):
        require(2, labels and len(set(labels)) == len(labels), "no categories, outputs or profiles, or one given twice")
    c.d, c.m, c.k = len(c.categories), len(c.outputs), len(names)
    c.P, c.weights = [profile.distribution for profile in c.profiles], [profile.weight for profile in c.profiles]
    place = {name: position for position, name in enumerate(names)}
    c.edges = [(place.get(edge.source), place.get(edge.target), edge.epsilon, edge.delta) for edge in c.edges]
    ratios, c.ratios = c.ratios, {ratio.epsilon: ratio for ratio in c.ratios}
    require(2, len(c.ratios) == len(ratios) and min(c.ratios, default=0) >= 0, "ratios: a wrong or repeated epsilon")
    require(2, c.objective in ("max-off-diagonal", "expected-loss", "worst-loss"), "an unknown objective")
    proper = c.loss and len(c.loss) == c.d and all(len(row) == c.m for row in c.loss)
    if c.objective == "max-off-diagonal":
        proper = c.loss is None and c.categories == c.outputs
    require(2, proper, "not a loss for each category and output; or, off the diagonal, a loss or unequal outputs")
    proper = all(len(entry) == 4 for entry in c.multipliers.privacy + c.multipliers.entries)
    require(2, proper, "a multiplier is not three positions and a weight")
    c.spent, c.totals = 0, [sum(row) for row in c.rows]
    _, c.loss_unit = mixture(c, ((loss, [1]) for row in c.loss or [] for loss in row))
    c.loss = [[int(loss * c.loss_unit) for loss in row] for row in c.loss or []]  # integers over loss_unit
    return c


def fit(value: Any, shape: Any, place: str, depth: int = 0) -> Any:
    """Return a JSON value that has this shape, its numbers as rationals, lists in labels as tuples."""
    if isinstance(shape, tuple):
        return None if value is None else fit(value, shape[0], place)
    if isinstance(shape, dict):
        proper = type(value) is dict and shape.keys() <= value.keys()
        require(2, proper, f"{place}: expected an object with {', '.join(shape)}, each key once")
        return SimpleNamespace(**{key: fit(value[key], part, key) for key, part in shape.items()})
    if isinstance(shape, list):
        require(2, type(value) is list, f"{place}: expected a list")
        integers = shape == [int] and set(map(type, value)) <= {int}
        return value if integers else [fit(part, shape[0], place) for part in value]
    if shape is LABEL and type(value) in (list, tuple):
        require(2, depth < DEPTH, f"{place}: a label is nested too deeply")
        return tuple(fit(part, LABEL, place, depth + 1) for part in value)
    if shape is NUMBER:
        written = type(value) is str and len(value) <= DIGITS and re.fullmatch(RATIONAL, value)
        require(2, written, f"{place}: expected {NUMBER}")
        return Fraction(value)
    kinds, words = {str: ((str,), "text"), int: ((int,), INTEGER), LABEL: ((str, int), LABEL)}[shape]
    require(2, type(value) in kinds, f"{place}: expected {words}")
    return value


def load(text: str) -> Any:
    """Return the JSON value in a text. What is not in order becomes what `fit` takes for no integer and no object."""

    def once(pairs: list[tuple[str, Any]]) -> object:
        return dict(pairs) if len(dict(pairs)) == len(pairs) else pairs

    def whole(digits: str) -> object:
        return int(digits) if len(digits) <= DIGITS else digits

    try:
        return json.loads(text, object_pairs_hook=once, parse_int=whole, parse_float=str, parse_constant=str)
    except (RecursionError, json.JSONDecodeError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None


def shown(value: Fraction) -> str:
    """Return a number for people."""
    return f"{float(value):.12g}" if abs(value) < 10**300 else "more than 10^300"


def main(arguments: list[str]) -> int:
    """Check the file named; return the exit status."""
    if len(arguments) != 1:
        print("usage: python checker.py CERTIFICATE.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            value, bound = check(load(file.read()))
    except Rejected as reason:
        print(f"rejected: {reason}", file=sys.stderr)
        return reason.status
    except (OSError, UnicodeDecodeError) as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        return 2
    above, below = (Decimal(f"{n}e-12") for n in (-(-value * 10**12 // 1), bound * 10**12 // 1))  # rounded up, and down
    print(f"accepted: private; value at most {above:f}; no private mechanism with these groups is below {below:f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
