#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE. Standard library only; exact arithmetic only.

It accepts only if these statements follow from the file (certificate.py describes its format, bound.py proves 3):

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy.
2. The mechanism's objective is the value given, or this is that rounded up to a multiple of 2^-120.
3. No private mechanism with one matrix for each of the groups given has an objective below the bound given.

Exit status: 0 accepted; 2 no certificate (unreadable, not JSON, of the wrong shape, of too long numbers); wrong: 10 a
distribution, 11 an edge, 12 e^epsilon, 13 a row, 14 a group, 15 NOT PRIVATE, 16 value, 17 a multiplier, 18 bound.
"""

import json
import re
import sys
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, lcm
from types import SimpleNamespace
from typing import Any

SHAPE = {  # how long the lists within lists are, a letter for each, * any; and what they hold, None any label
    "format": ("", str), "categories": ("d", None), "outputs": ("m", None), "profiles": ("k", None),
    "distributions": ("kd", Fraction), "rows": ("kd*", int), "groups": ("k", int), "weights": ("k", int),
    "edges": ("e2", int), "epsilons": ("e", Fraction), "deltas": ("e", Fraction), "below": ("e", Fraction),
    "above": ("e", Fraction), "objective": ("", str), "loss": ("lm", int), "loss_unit": ("", int),
    "value": ("", Fraction), "bound": ("", Fraction), "privacy": ("e2m", int), "entries": ("*4", int),
}  # fmt: skip
WORDS = {int: "an integer", str: "text", Fraction: "text such as 3/10 or 0.3"}


def check(text: str) -> tuple[Fraction, Fraction]:
    """Verify a certificate, the text of its file; return (value, bound) or raise Rejected."""
    c = read(text)
    check_mechanism(c)
    check_privacy(c)
    value = objective(c)
    rounded = Fraction(ceil(value * 2**120), 2**120)
    require(16, c.value in (value, rounded), "the value given is not the objective")
    require(18, c.bound <= lower_bound(c), "the multipliers prove less than the bound given")
    return c.value, c.bound


def check_mechanism(c: Any) -> None:
    """Row x of profile i has weights in proportion to P_i(x) A^i_xy; it is empty where P_i(x) is 0."""
    require(10, min(c.weights) >= 0 < max(c.weights), "weights: not >= 0 with a positive total")
    c.totals, c.shared = [sum(map(sum, rows)) for rows in c.rows], {}  # (group, x) -> any of its rows
    for i, (rows, total, distribution, group) in enumerate(zip(c.rows, c.totals, c.distributions, c.groups)):
        for x, (row, share) in enumerate(zip(rows, distribution)):
            proper = len(row) == (len(c.outputs) if share else 0) and min(row, default=0) >= 0
            require(13, proper, f"profile {i}, row {x}: not weights >= 0 for all outputs, or for none where P(x) is 0")
            mass = sum(row)
            require(10, total > 0 and mass == share * total, f"profile {i}: its rows do not have its distribution")
            other = c.shared.setdefault((group, x), row) if row else row
            scale = sum(other)
            same = [weight * scale for weight in row] == [weight * mass for weight in other]
            require(14, same, f"profile {i}, row {x}: not by the matrix of its group")


def check_privacy(c: Any) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, q^i_y - E q^j_y)."""
    q = [list(map(sum, zip(*filter(None, rows)))) for rows in c.rows]
    for n, ((i, j), epsilon, delta, below, above) in enumerate(zip(c.edges, c.epsilons, c.deltas, c.below, c.above)):
        proper = 0 <= min(i, j) < max(i, j) < len(q) and 0 <= epsilon <= 700 and 0 <= delta < 1
        require(11, proper, f"edge {n}: not two profiles with 0 <= epsilon <= 700, 0 <= delta < 1")
        low, high = exp_bounds(epsilon)
        require(12, 0 <= below <= low and high <= above, f"edge {n}: not proved to be below and above e^epsilon")
        for a, b in ((i, j), (j, i)):
            left, right = c.totals[b] * below.denominator, c.totals[a] * below.numerator
            over = sum(max(0, p * left - r * right) for p, r in zip(q[a], q[b]))
            who = f"profile {c.profiles[a]:.50} against profile {c.profiles[b]:.50}"
            require(15, over <= delta * left * c.totals[a], f"NOT PRIVATE: {who} exceeds delta")


@lru_cache(maxsize=1)  # as a rule all edges have one epsilon
def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return rationals around e^x, 0 <= x <= 700, by e^x = (1 + h/1 (1 + h/2 (1 + ...)))^1024 with h = x / 1024."""
    one = 2**300  # integers over this, rounded down in `low`, up in `high`
    low, high = one, 2 * one  # for 1 + h/61 (1 + ...), since h < 1
    for n in range(60, 0, -1):
        low = one + low * x.numerator // (x.denominator * n * 1024)
        high = one - (-high * x.numerator // (x.denominator * n * 1024))
    for _ in range(10):
        low, high = low * low // one, -(-high * high // one)
    return Fraction(low, one), Fraction(high, one)


def objective(c: Any) -> Fraction:
    """Return the largest A^i_xy with x != y; or the mean, or the largest, of sum_x P_i(x) sum_y A^i_xy l(x,y)."""
    if c.objective == "max-off-diagonal":
        return max(Fraction(max([0, *row[:x], *row[x + 1 :]]), sum(row)) for (_, x), row in c.shared.items())
    losses = [sum(w * cost for row, costs in zip(rows, c.loss) for w, cost in zip(row, costs)) for rows in c.rows]
    costs = [Fraction(loss, total * c.loss_unit) for loss, total in zip(losses, c.totals)]
    if c.objective == "worst-loss":
        return max(costs)
    bits = sum(cost.denominator.bit_length() for cost in costs)  # of `unit`, at most
    require(2, bits * (bits + 256 * len(costs)) < 2**41, "the mean would take minutes: denominators of too many digits")
    unit = lcm(*(cost.denominator for cost in costs))
    return Fraction(sum(weight * int(cost * unit) for weight, cost in zip(c.weights, costs)), unit * sum(c.weights))


def lower_bound(c: Any) -> Fraction:
    """Return what the multipliers prove: sum_(g,x) min_y sum_(i in g) [c_i(x,y) + P_i(x) g_i(y)] - sum delta max lam.

    With lam(a,b,y) for the edges, both ways, g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y); and c_i(x,y) are prices of
    entries off the diagonal, of total <= 1, or w_i P_i(x) l(x,y) with weights w_i of total 1. Over 2^160, rounded down.
    """
    proved, gains = 0, [[0] * len(c.outputs) for _ in c.profiles]
    for (i, j), delta, above, both in zip(c.edges, c.deltas, c.above, c.privacy):
        for a, b, lam in ((i, j, both[0]), (j, i, both[1])):
            require(17, min(lam) >= 0, "privacy: a negative multiplier")
            proved += floor(-delta * max(lam) * 2**80)
            gains[a] = [gain + weight * 2**80 for gain, weight in zip(gains[a], lam)]
            gains[b] = [gain - ceil(weight * above * 2**80) for gain, weight in zip(gains[b], lam)]
    table = {place: [0] * len(c.outputs) for place in c.shared}
    for group, x, y, price in c.entries:
        proper = (group, x) in table and 0 <= y < len(c.outputs) and x != y and price >= 0 and not c.loss
        require(17, proper, "entries: a multiplier is negative, out of range, on the diagonal, or goes with a loss")
        table[group, x][y] += price * 2**80
    require(17, sum(price for *_, price in c.entries) <= 2**80, "entries: the total is above 1")
    everyone, losses = sum(c.weights) * c.loss_unit, c.loss or [[0] * len(c.outputs)] * len(c.categories)
    for rows, total, group, weight, gain in zip(c.rows, c.totals, c.groups, c.weights, gains):
        for x, row in enumerate(rows):
            if mass := sum(row):
                prices = [weight * loss * 2**160 // everyone + g for loss, g in zip(losses[x], gain)]
                table[group, x] = [old + mass * price // total for old, price in zip(table[group, x], prices)]
    return Fraction(proved + sum(map(min, table.values())), 2**160)


def read(text: str) -> Any:
    """Return the fields of SHAPE, if they have it."""
    lengths = {"2": 2, "4": 4}
    require(2, not re.search("(?<![0-9])[0-9]{1000}", text), "more than 999 digits in a row")
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else ())
        require(2, type(found) is dict, "not an object, or one with a key twice")
        c = SimpleNamespace(**{key: fit(found.get(key), key, *SHAPE[key], lengths) for key in SHAPE})
    except (RecursionError, ValueError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None
    require(2, c.format == "mechdesign-certificate/1", "not a mechdesign certificate")
    for labels in (c.categories, c.outputs, c.profiles):
        require(2, len(set(labels)) == len(labels) > 0, "no categories, outputs or profiles, or one given twice")
    losses = {"max-off-diagonal": 0, "expected-loss": len(c.categories), "worst-loss": len(c.categories)}
    proper = len(c.loss) == losses.get(c.objective) and c.loss_unit > 0 and (c.loss or c.categories == c.outputs)
    require(2, proper, "an unknown objective, no loss for it, or off the diagonal a loss or unequal outputs")
    return c


def fit(value: Any, place: str, sizes: str, kind: Any, known: dict[str, int]) -> Any:
    """Return a JSON value of this shape: text as rationals where these are due, labels as text."""
    if sizes:
        proper = type(value) is list and (sizes[0] == "*" or known.setdefault(sizes[0], len(value)) == len(value))
        require(2, proper, f"{place}: missing, not a list, or not as long as expected")
        if len(sizes) == 1 and set(map(type, value)) == {kind}:
            return value
        return [fit(part, place, sizes[1:], kind, known) for part in value]
    if kind is None:
        return json.dumps(value)
    rational = type(value) is str and re.fullmatch("-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{,998})?", value)
    require(2, rational if kind is Fraction else type(value) is kind, f"{place}: missing, or not {WORDS[kind]}")
    return kind(value)


class Rejected(Exception):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def require(status: int, truth: object, reason: str) -> None:
    """Reject unless `truth`."""
    if not truth:
        raise Rejected(status, reason)


def main(arguments: list[str]) -> int:
    """Check the file named; return the exit status."""
    try:
        require(2, len(arguments) == 1, "usage: python checker.py CERTIFICATE.json")
        with open(arguments[0], encoding="utf-8") as file:
            value, bound = check(file.read())
        above, below = (Decimal(f"{n}e-12") for n in (ceil(value * 10**12), floor(bound * 10**12)))
        claims = f"private; value at most {above:f}; no private mechanism with these groups is below {below:f}"
        print(f"accepted: {claims}", flush=True)
        return 0
    except (Rejected, OSError, ValueError, MemoryError) as reason:
        print(f"rejected: {str(reason) or 'out of memory'}", file=sys.stderr)
        return getattr(reason, "status", 2)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
