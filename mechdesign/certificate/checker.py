#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE. Standard library only; exact arithmetic only.

It reads the file and nothing else, and accepts only if these three statements follow from it:

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy.
2. The mechanism's objective is the value given.
3. No private mechanism with one matrix for each of the groups given has an objective below the bound given.

The format is described in certificate.py, the reasoning behind 3 in bound.py; both beside this file.

Exit status: 0 accepted; 2 not a certificate at all (unreadable, not JSON, of the wrong shape); and for a certificate
that is wrong: 10 distributions, 11 edges, 12 bounds of e^epsilon, 13 rows, 14 groups, 15 NOT PRIVATE, 16 value,
17 multipliers, 18 bound.
"""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from typing import Any, Callable

DIGITS = 4000  # longer numbers are refused
DEPTH = 20  # more deeply nested labels are refused
LARGEST = Fraction(700)  # e^epsilon is bounded up to here; for a larger epsilon, e^700 is below it
ZERO = Fraction(0)


class Rejected(ValueError):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def require(status: int, truth: object, reason: str) -> None:
    """Reject unless `truth`."""
    if not truth:
        raise Rejected(status, reason)


def check(document: Any) -> tuple[Fraction, Fraction]:
    """Verify a certificate given as a JSON value; return (value, bound) or raise Rejected."""
    c = Certificate(document)
    check_distributions(c)
    check_edges(c)
    check_rows(c)
    check_groups(c)
    check_privacy(c)
    value = objective(c)
    require(16, value == c.value, f"the mechanism's objective is {shown(value)}, not the value given")
    proved = lower_bound(c)
    require(18, c.bound <= proved, f"the multipliers prove {shown(proved)}, less than the bound given")
    return c.value, c.bound


# --- 1. privacy -------------------------------------------------------------------------------------------------------


def check_distributions(c: Certificate) -> None:
    """Each P_i is a distribution over the categories; the prior weights are >= 0, not all 0."""
    for i, masses in enumerate(c.distributions):
        proper = len(masses) == c.d and min(masses) >= 0 and sum(masses) == 1
        require(10, proper, f"profile {i}: not a distribution over the categories")
    require(10, min(c.weights) >= 0 and sum(c.weights) > 0, "the prior weights are not >= 0 with a positive total")


def check_edges(c: Certificate) -> None:
    """Each edge has epsilon >= 0, delta in [0, 1) and rationals below <= e^epsilon <= above."""
    for a, b, epsilon, delta in c.edges:
        require(
            11, a != b and epsilon >= 0 and 0 <= delta < 1, f"edge {a}-{b}: no edge with epsilon >= 0, 0 <= delta < 1"
        )
        require(12, epsilon in c.below, f"edge {a}-{b}: no bounds of e^epsilon")
    for epsilon, below in c.below.items():
        low, high = exp_bounds(min(epsilon, LARGEST))
        require(12, 0 <= below <= low, f"not proved to be below e^{epsilon}: {below}")
        above = c.above[epsilon]
        require(
            12, above is None or (epsilon <= LARGEST and high <= above), f"not proved to be above e^{epsilon}: {above}"
        )


def exp_bounds(x: Fraction, bits: int = 256) -> tuple[Fraction, Fraction]:
    """Return rationals below and above e^x for 0 <= x <= 700: the series at h = x / 2^k <= 1/2, squared k times."""
    if x == 0:
        return Fraction(1), Fraction(1)
    k = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 2)
    one = 1 << bits  # everything below is an integer over this, rounded down in `low`, up in `high`
    h_low = one * x.numerator // (x.denominator << k)
    h_high = h_low + 1
    low = high = term_low = term_high = one
    for n in range(1, 60):
        term_low = term_low * h_low // (one * n)
        term_high = term_high * h_high // (one * n) + 1
        low, high = low + term_low, high + term_high
    high += term_high  # the terms left out add up to less than the last one, since h <= 1/2
    for _ in range(k):
        low, high = low * low // one, high * high // one + 1
    return Fraction(low, one), Fraction(high, one)


def check_privacy(c: Certificate) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, q^i_y - E q^j_y)."""
    for a, b, epsilon, delta in c.edges:
        ratio = c.below[epsilon]
        for i, j in ((a, b), (b, a)):
            excess = sum(max(ZERO, p - ratio * q) for p, q in zip(c.released[i], c.released[j]))
            require(
                15, excess <= delta, f"NOT PRIVATE: profile {i} against {j} exceeds delta by {float(excess - delta):g}"
            )


# --- 2. the mechanism and its objective -------------------------------------------------------------------------------


def check_rows(c: Certificate) -> None:
    """Each row has weights >= 0, not all 0; each profile has a row for each category. Then A^i and q^i follow."""
    for r, row in enumerate(c.rows):
        require(
            13, len(row) == c.m and min(row) >= 0 and sum(row) > 0, f"row {r}: not a row of weights for the outputs"
        )
    for i, rows in enumerate(c.index):
        proper = len(rows) == c.d and all(0 <= r < len(c.rows) for r in rows)
        require(13, proper, f"profile {i}: not one existing row for each category")
    require(13, len(c.index) == c.k, "not one list of rows for each profile")
    shares = [[Fraction(weight, sum(row)) for weight in row] for row in c.rows]
    c.matrices = [[shares[r] for r in rows] for rows in c.index]
    c.released = []
    for masses, matrix in zip(c.distributions, c.matrices):
        used = [(mass, row) for mass, row in zip(masses, matrix) if mass]
        c.released.append([sum((mass * row[y] for mass, row in used), ZERO) for y in range(c.m)])


def check_groups(c: Certificate) -> None:
    """Each profile is in one group; the profiles of a group use the same row for each category any of them has."""
    require(
        14, sorted(i for group in c.groups for i in group) == list(range(c.k)), "the groups do not part the profiles"
    )
    for group in c.groups:
        possible = [x for x in range(c.d) if any(c.distributions[i][x] for i in group)]
        same = all(c.index[i][x] == c.index[group[0]][x] for i in group for x in possible)
        require(14, same, f"the profiles of a group use different rows: {group}")


def objective(c: Certificate) -> Fraction:
    """Return the mechanism's objective."""
    if c.kind == "max-off-diagonal":
        return max([ZERO] + [a[x][y] for a in c.matrices for x in range(c.d) for y in range(c.m) if x != y])
    costs = []
    for masses, matrix in zip(c.distributions, c.matrices):
        used = [(mass, row, losses) for mass, row, losses in zip(masses, matrix, c.loss) if mass]
        costs.append(sum((mass * sum(p * loss for p, loss in zip(row, losses)) for mass, row, losses in used), ZERO))
    if c.kind == "worst-loss":
        return max(costs)
    return sum((weight * cost for weight, cost in zip(c.weights, costs)), ZERO) / sum(c.weights)


# --- 3. the bound -----------------------------------------------------------------------------------------------------


def lower_bound(c: Certificate) -> Fraction:
    """Return what the multipliers prove: objective >= sum_i sum_x min_y [c_i(x,y) + P_i(x) g_i(y)] - sum delta lam."""
    in_force = {pair: (epsilon, delta) for a, b, epsilon, delta in c.edges for pair in ((a, b), (b, a))}
    gain = [[ZERO] * c.m for _ in range(c.k)]  # g_i(y)
    privacy: dict[tuple[int, int, int], Fraction] = {}  # lam(a,b,y); what is given twice adds up
    for a, b, y, lam in c.privacy:
        require(
            17, lam >= 0 and 0 <= y < c.m and (a, b) in in_force, "a multiplier of privacy is negative or out of range"
        )
        privacy[a, b, y] = privacy.get((a, b, y), ZERO) + lam
    largest: dict[tuple[int, int], Fraction] = {}  # max_y lam(a,b,y)
    for (a, b, y), lam in privacy.items():
        above = c.above[in_force[a, b][0]]
        if above is None:
            raise Rejected(17, "a multiplier of an edge without a bound above e^epsilon")
        gain[a][y] += lam
        gain[b][y] -= above * lam
        largest[a, b] = max(lam, largest.get((a, b), ZERO))
    prices: dict[tuple[int, int, int], Fraction] = {}  # c_i(x,y) where off-diagonal entries count
    for g, x, y, z in c.entries:
        proper = z >= 0 and 0 <= g < len(c.groups) and 0 <= x < c.d and 0 <= y < c.m and x != y
        require(17, proper, "a multiplier of an entry is negative or out of range")
        prices[g, x, y] = prices.get((g, x, y), ZERO) + z
    everyone = sum(c.weights)
    share = [weight / everyone for weight in c.weights]  # w_i, where a loss counts
    if c.kind == "worst-loss":
        share = c.shares
        require(
            17, len(share) == c.k and min(share) >= 0 and sum(share) == 1, "the profiles' shares do not add up to 1"
        )
    result = -sum((in_force[pair][1] * lam for pair, lam in largest.items()), ZERO)
    for g, group in enumerate(c.groups):
        for x in range(c.d):
            masses = [(i, c.distributions[i][x]) for i in group if c.distributions[i][x]]
            row = [sum((mass * gain[i][y] for i, mass in masses), ZERO) for y in range(c.m)]
            if c.kind == "max-off-diagonal":
                result += min(row[y] + prices.get((g, x, y), ZERO) for y in range(c.m))
            else:
                weight = sum((share[i] * mass for i, mass in masses), ZERO)
                result += min(row[y] + weight * c.loss[x][y] for y in range(c.m))
    if c.kind != "max-off-diagonal":
        return result
    total = sum(prices.values(), ZERO)
    return max(ZERO, result / total) if total else ZERO


# --- reading ----------------------------------------------------------------------------------------------------------


class Certificate:
    """The parts of a certificate, each of the right type; a file that has them not is Rejected with status 2."""

    matrices: list[list[list[Fraction]]]
    released: list[list[Fraction]]

    def __init__(self, document: Any) -> None:
        get = field(document)
        require(2, get("format", str) == "mechdesign-certificate/1", "not a mechdesign certificate")
        categories, outputs = labels(get("categories", list)), labels(get("outputs", list))
        profiles = [field(profile) for profile in get("profiles", list)]
        names = labels([profile("id") for profile in profiles])
        self.d, self.m, self.k = len(categories), len(outputs), len(names)
        require(2, self.d and self.m and self.k, "no categories, no outputs or no profiles")
        self.distributions = [[number(mass) for mass in profile("distribution", list)] for profile in profiles]
        self.weights = [number(profile("weight")) for profile in profiles]
        place = {name: position for position, name in enumerate(names)}
        self.edges: list[tuple[int, int, Fraction, Fraction]] = []
        for edge in map(field, get("edges", list)):
            a, b = label(edge("source")), label(edge("target"))
            require(11, a in place and b in place, f"edge {a!r}-{b!r}: no such profile")
            self.edges.append((place[a], place[b], number(edge("epsilon")), number(edge("delta"))))
        require(11, len({frozenset(edge[:2]) for edge in self.edges}) == len(self.edges), "an edge is given twice")
        ratios = [(number(ratio("epsilon")), ratio) for ratio in map(field, get("ratios", list))]
        self.below = {epsilon: number(ratio("below")) for epsilon, ratio in ratios}
        self.above = {epsilon: None if ratio("above") is None else number(ratio("above")) for epsilon, ratio in ratios}
        require(
            2, len(self.below) == len(ratios) and min(self.below, default=0) >= 0, "ratios: a wrong or repeated epsilon"
        )
        self.kind = get("objective", str)
        require(2, self.kind in ("max-off-diagonal", "expected-loss", "worst-loss"), "an unknown objective")
        self.loss: list[list[Fraction]] = []
        if self.kind == "max-off-diagonal":
            require(
                2, get("loss") is None and categories == outputs, "off-diagonal entries need no loss, but equal outputs"
            )
        else:
            self.loss = [[number(entry) for entry in typed(row, list)] for row in get("loss", list)]
            fits = len(self.loss) == self.d and all(len(row) == self.m for row in self.loss)
            require(2, fits, "the loss has not one row for each category, one column for each output")
        self.rows, self.index, self.groups = (integers(get(key, list)) for key in ("rows", "index", "groups"))
        require(14, all(self.groups), "an empty group")
        self.value, self.bound = number(get("value")), number(get("bound"))
        multipliers = field(get("multipliers", dict))
        require(17, typed(multipliers("fineness"), int) > 0, "the multipliers' fineness is not positive")
        unit = Fraction(1, multipliers("fineness"))
        self.privacy = [(a, b, y, unit * w) for a, b, y, w in integers(multipliers("privacy", list), 4)]
        self.entries = [(g, x, y, unit * w) for g, x, y, w in integers(multipliers("entries", list), 4)]
        require(17, not (self.entries and self.loss), "multipliers of entries go with off-diagonal entries")
        given = multipliers("profiles")
        require(17, (given is None) == (self.kind != "worst-loss"), "profiles' shares go with the worst loss")
        self.shares = [number(share) for share in typed(given or [], list)]


def field(value: Any) -> Callable[..., Any]:
    """Return a function that gives a field of a JSON object, which must be there, of the type named if any."""
    typed(value, dict)

    def get(key: str, kind: type = object) -> Any:
        require(2, key in value, f"the field {key!r} is missing")
        return value[key] if kind is object else typed(value[key], kind)

    return get


def typed(value: Any, kind: type) -> Any:
    """Return a JSON value of the type expected."""
    require(2, type(value) is kind, f"expected {kind.__name__}, found {type(value).__name__}")
    return value


def label(value: Any, depth: int = 0) -> Any:
    """Return a label: text, an integer, or a list of these as a tuple."""
    if type(value) in (list, tuple):
        require(2, depth < DEPTH, "a label is nested too deeply")
        return tuple(label(part, depth + 1) for part in value)
    require(2, type(value) in (str, int), "expected text or an integer as a label")
    return value


def labels(values: list[Any]) -> list[Any]:
    """Return labels, no two the same."""
    found = list(map(label, values))
    require(2, len(set(found)) == len(found), "a label is given twice")
    return found


def number(value: Any) -> Fraction:
    """Return the rational in text such as "3/10" or "0.3"."""
    require(2, len(typed(value, str)) <= DIGITS, "a number has too many digits")
    written = re.fullmatch(r"-?[0-9]+(\.[0-9]+|/0*[1-9][0-9]*)?", value)
    require(2, written, 'expected a number in text such as "3/10"')
    return Fraction(value)


def integers(table: list[Any], width: int = -1) -> list[list[int]]:
    """Return a list of lists of integers, each of the width given if any."""
    for row in table:
        require(2, width in (-1, len(typed(row, list))), f"expected lists of length {width}")
        require(2, all(type(entry) is int for entry in typed(row, list)), "expected integers")
    return table


def shown(value: Fraction) -> str:
    """Return a number for people."""
    try:
        return f"{float(value):.12g}"
    except OverflowError:
        return "beyond what doubles can show"


def load(text: str) -> Any:
    """Return the JSON value in a text; a key given twice or a number beyond reason is Rejected."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(2, len(dict(pairs)) == len(pairs), "a key is given twice in one object")
        return dict(pairs)

    def whole(digits: str) -> int:
        require(2, len(digits) <= DIGITS, "a number has too many digits")
        return int(digits)

    try:
        return json.loads(text, object_pairs_hook=once, parse_int=whole, parse_float=str, parse_constant=str)
    except RecursionError:
        raise Rejected(2, "nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Rejected(2, f"not JSON: {error}") from None


def decimal(units: int) -> str:
    """Return a number of units of 10^-12 as text."""
    return f"{'-' * (units < 0)}{abs(units) // 10**12}.{abs(units) % 10**12:012d}"


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
    above, below = decimal(-(-value * 10**12 // 1)), decimal(bound * 10**12 // 1)  # rounded up, and down
    print(f"accepted: private; value at most {above}; no private mechanism with these groups is below {below}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
