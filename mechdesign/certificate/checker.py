#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE. Standard library only; exact arithmetic only.

It accepts only if these statements follow from the file (certificate.py describes its format, bound.py proves 3):

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy.
2. The mechanism's objective is the value given, or this rounded up to a multiple of 2^-120.
3. No private mechanism with one matrix for each of the groups given has an objective below the bound given.

Exit status: 0 accepted; 2 no certificate (unreadable, not JSON, of the wrong shape, too long to check); wrong: 10 a
distribution, 11 an edge, 12 e^epsilon, 13 a row, 14 a group, 15 NOT PRIVATE, 16 value, 17 a multiplier, 18 bound.
"""

import json
import re
import sys
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, gcd, lcm
from operator import mul
from types import SimpleNamespace
from typing import Any

SHAPE = {  # how long the lists within lists are, a letter for each, and what they hold: None is any label
    "format": ("", str), "categories": ("d", None), "outputs": ("m", None), "profiles": ("k", None),
    "distributions": ("kd", int), "edges": ("e2", int), "epsilons": ("e", Fraction), "deltas": ("e", Fraction),
    "below": ("e", Fraction), "above": ("e", Fraction), "rows": ("rm", int), "index": ("gd", int), "groups": ("k", int),
    "objective": ("", str), "loss": ("lm", int), "loss_unit": ("", int), "value": ("", Fraction),
    "bound": ("", Fraction), "weights": ("k", int), "privacy": ("e2m", int), "entries": ("z4", int),
}  # fmt: skip
WORK = 10**13  # products of digits, at most: minutes


def check(text: str) -> tuple[Fraction, Fraction]:
    """Verify a certificate, the text of its file; return (value, bound) or raise Rejected."""
    c = read(text)
    check_weights(c)
    check_privacy(c)
    value, bound = objective(c), lower_bound(c)
    rounded = Fraction(ceil(value * 2**120), 2**120)
    require(16, c.value in (value, rounded), f"the objective is {shown(value)}, not the value given")
    require(18, c.bound <= bound, f"the multipliers prove {shown(bound)}, less than the bound given")
    return c.value, c.bound


def check_weights(c: Any) -> None:
    """P_i and each row A^i_x = rows[index[group of i][x]] are integers >= 0, to be divided by their total."""
    for status, name, table in ((10, "distributions", [*c.distributions, c.weights]), (13, "rows", c.rows)):
        for n, weights in enumerate(table):
            require(status, min(weights) >= 0 < max(weights), f"{name}, list {n}: not >= 0 with a positive total")
    require(13, all(0 <= r < len(c.rows) for own in c.index for r in own), "index: a row that is not there")
    require(14, all(0 <= group < len(c.index) for group in c.groups), "groups: a group that is not there")
    c.matrices = [[c.rows[r] for r in c.index[group]] for group in c.groups]


def check_privacy(c: Any) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, q^i_y - E q^j_y)."""
    q = list(map(released, c.distributions, c.matrices))
    for n, ((i, j), epsilon, delta, below, above) in enumerate(zip(c.edges, c.epsilons, c.deltas, c.below, c.above)):
        proper = 0 <= min(i, j) < max(i, j) < len(q) and epsilon >= 0 and 0 <= delta < 1
        require(11, proper, f"edge {n}: not two profiles with epsilon >= 0, 0 <= delta < 1")
        low, high = exp_bounds(min(epsilon, 700))
        require(12, 0 <= below <= low, f"edge {n}: not proved to be below e^epsilon")
        require(12, above == 0 or (high <= above and epsilon <= 700), f"edge {n}: not proved to be above e^epsilon")
        for a, b in ((i, j), (j, i)):
            left, right = sum(q[b]) * below.denominator, sum(q[a]) * below.numerator
            over = sum(max(0, p * left - r * right) for p, r in zip(q[a], q[b]))
            excess = Fraction(over, sum(q[a]) * left) - delta
            who = f"profile {c.profiles[a]:.50} against {c.profiles[b]:.50}"
            require(15, excess <= 0, f"NOT PRIVATE: {who} exceeds delta by {shown(excess)}")


def released(masses: list[int], matrix: list[list[int]]) -> list[int]:
    """Return sum_x P(x) A_xy for each y, as integers, to be divided by their total."""
    used = [(mass, row, sum(row)) for mass, row in zip(masses, matrix) if mass]
    unit = lcm(*(total for _, _, total in used))
    shares = [(mass * (unit // total), row) for mass, row, total in used]
    weights = [sum(share * row[y] for share, row in shares) for y in range(len(matrix[0]))]
    return [weight // gcd(*weights) for weight in weights]


@lru_cache(maxsize=None)
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
        used = {(x, r) for group in set(c.groups) for x, r in enumerate(c.index[group])}
        return max(Fraction(max([0, *c.rows[r][:x], *c.rows[r][x + 1 :]]), sum(c.rows[r])) for x, r in used)
    costs: list[Fraction] = []
    for masses, matrix in zip(c.distributions, c.matrices):
        cost = Fraction(0)
        for mass, row, losses in zip(masses, matrix, c.loss):
            cost += Fraction(mass * sum(map(mul, row, losses)), sum(row)) if mass else 0
        costs.append(cost / (sum(masses) * c.loss_unit))
    if c.objective == "worst-loss":
        return max(costs)
    return Fraction(sum(map(mul, c.weights, costs)), sum(c.weights))


def lower_bound(c: Any) -> Fraction:
    """Return what the multipliers prove: sum_(g,x) min_y sum_(i in g) [c_i(x,y) + P_i(x) g_i(y)] - sum delta max lam.

    With lam(a,b,y) for the edges, both ways, g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y); and c_i(x,y) are prices of
    entries off the diagonal, of total <= 1, or w_i P_i(x) l(x,y) with weights w_i of total 1. Over 2^160, rounded down.
    """
    nothing = [0] * len(c.outputs)
    proved, gains = 0, [nothing for _ in c.profiles]
    for (i, j), delta, above, both in zip(c.edges, c.deltas, c.above, c.privacy):
        for a, b, lam in ((i, j, both[0]), (j, i, both[1])):
            require(17, min(lam) >= 0 and (above or not any(lam)), "privacy: a multiplier is negative, or has no E")
            proved += floor(-delta * max(lam) * 2**80)
            gains[a] = [gain + weight * 2**80 for gain, weight in zip(gains[a], lam)]
            gains[b] = [gain - ceil(weight * above * 2**80) for gain, weight in zip(gains[b], lam)]
    table: dict[tuple[int, int], list[int]] = {}
    for group, x, y, price in c.entries:
        proper = price >= 0 <= min(x, y) and max(x, y) < len(c.outputs) and x != y and not c.loss
        require(17, proper, "entries: a multiplier is negative, out of range, on the diagonal, or goes with a loss")
        table.setdefault((group, x), list(nothing))[y] += price * 2**80
    require(17, sum(price for *_, price in c.entries) <= 2**80, "entries: the total is above 1")
    everyone = sum(c.weights) * c.loss_unit
    for masses, group, weight, gain in zip(c.distributions, c.groups, c.weights, gains):
        whole = sum(masses)
        for x, mass in enumerate(masses):
            if mass:
                prices = [weight * loss * 2**160 // everyone for loss in c.loss[x]] if c.loss else nothing
                before = table.get((group, x), nothing)
                table[group, x] = [b + mass * (p + g) // whole for b, p, g in zip(before, prices, gain)]
    return Fraction(proved + sum(map(min, table.values())), 2**160)


def read(text: str) -> Any:
    """Return the fields of SHAPE, unless there is too much to do."""
    lengths = {"2": 2, "4": 4}
    try:
        require(2, not re.search("(?<![0-9])[0-9]{4001}", text), "a number of more than 4000 digits")
        found = json.loads(text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else ())
        require(2, type(found) is dict, "not an object, or one with a key twice")
        c = SimpleNamespace(**{key: fit(found.get(key), key, *SHAPE[key], lengths) for key in SHAPE})
    except (RecursionError, json.JSONDecodeError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None
    require(2, c.format == "mechdesign-certificate/1", "not a mechdesign certificate")
    for labels in (c.categories, c.outputs, c.profiles):
        require(2, len(set(labels)) == len(labels) > 0, "no categories, outputs or profiles, or one given twice")
    k, d, m, e = (lengths[letter] for letter in "kdme")
    expected = {"max-off-diagonal": 0, "expected-loss": d, "worst-loss": d}.get(c.objective)
    proper = len(c.loss) == expected and c.loss_unit > 0 and (c.loss or c.categories == c.outputs)
    require(2, proper, "an unknown objective, no loss for it, or off the diagonal a loss or unequal outputs")
    digits = max(map(len, re.findall('(?<![0-9/."])[0-9]+', text)))
    used = max(d - masses.count(0) for masses in c.distributions)
    require(2, (k * (k + m) + e * m) * (used * digits) ** 2 <= WORK, "too many or too long numbers: not checked")
    return c


def fit(value: Any, place: str, sizes: str, kind: Any, known: dict[str, int]) -> Any:
    """Return a JSON value of this shape: text as rationals where these are due, labels as text."""
    if sizes:
        proper = type(value) is list and known.setdefault(sizes[0], len(value)) == len(value)
        require(2, proper, f"{place}: missing, not a list, or not as long as expected")
        if len(sizes) == 1 and set(map(type, value)) == {kind}:
            return value
        return [fit(part, place, sizes[1:], kind, known) for part in value]
    if kind is None:
        return json.dumps(value)
    rational = type(value) is str and re.fullmatch("-?[0-9]+([.][0-9]+|/[1-9][0-9]*)?", value)
    require(2, rational if kind is Fraction else type(value) is kind, f"{place}: missing, or no {kind.__name__}")
    return kind(value)


class Rejected(ValueError):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def require(status: int, truth: object, reason: str) -> None:
    """Reject unless `truth`."""
    if not truth:
        raise Rejected(status, reason)


def shown(value: Fraction) -> str:
    """Return a number for people."""
    return f"{Decimal(value.numerator) / value.denominator:.12g}"


def main(arguments: list[str]) -> int:
    """Check the file named; return the exit status."""
    try:
        require(2, len(arguments) == 1, "usage: python checker.py CERTIFICATE.json")
        with open(arguments[0], encoding="utf-8") as file:
            value, bound = check(file.read())
    except (Rejected, OSError, UnicodeDecodeError, MemoryError) as reason:
        print(f"rejected: {str(reason) or 'out of memory'}", file=sys.stderr)
        return getattr(reason, "status", 2)
    above, below = (Decimal(f"{n}e-12") for n in (ceil(value * 10**12), floor(bound * 10**12)))
    print(f"accepted: private; value at most {above:f}; no private mechanism with these groups is below {below:f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
