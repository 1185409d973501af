#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE. Standard library only; exact arithmetic only.

It reads the file and nothing else, and accepts only if these three statements follow from it:

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy.
2. The mechanism's objective is the value given.
3. No private mechanism has an objective below the bound given.

The format is described in certificate.py, the reasoning behind 3 in bound.py; both beside this file.

Exit status: 0 accepted; 2 no certificate (unreadable, not JSON, wrong shape); then, for a certificate that is wrong,
10 distributions, 11 edges, 12 bounds of e^epsilon, 13 rows, 14 groups, 15 NOT PRIVATE, 16 value, 17 multipliers, 18 bound.
"""

import json
import re
import sys
from fractions import Fraction

LONGEST = 4000  # digits of a number
MOST = 700  # the largest epsilon for which e^epsilon is bounded; beyond, e^700 is a bound from below


class Rejected(ValueError):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


def check(document):
    """Verify a certificate given as a JSON value; return (value, bound) or raise Rejected."""
    c = Certificate(document)
    for profile, masses in enumerate(c.distributions):
        require(10, sum(masses) == 1, "profile %d: the distribution does not sum to 1" % profile)
        require(10, len(masses) == c.d and min(masses) >= 0, "profile %d: not a distribution over the categories" % profile)
    require(10, min(c.weights) >= 0 and sum(c.weights) > 0, "the prior weights are not >= 0 with a positive sum")
    check_ratios(c)
    check_rows(c)
    check_groups(c)
    check_privacy(c)
    value = objective(c)
    require(16, value == c.value, "the mechanism's objective is %s, not the value given" % value)
    bound = lower_bound(c)
    require(18, c.bound <= bound, "the multipliers prove only %s, not the bound given" % float(bound))
    return c.value, c.bound


# --- 1. privacy ---------------------------------------------------------------------------------------------------


def check_privacy(c):
    """sum_y max(0, q^i_y - E q^j_y) <= delta: the sum is what the worst set S of outputs exceeds E q^j(S) by."""
    for a, b, epsilon, delta in c.edges:
        ratio = c.below[epsilon]
        for i, j in ((a, b), (b, a)):
            excess = sum(max(0, p - ratio * q) for p, q in zip(c.released[i], c.released[j]))
            require(15, excess <= delta, "NOT PRIVATE: profile %d against %d exceeds delta by %g" % (i, j, excess - delta))


def check_ratios(c):
    """below <= e^epsilon <= above, for each epsilon on an edge."""
    for a, b, epsilon, delta in c.edges:
        require(11, a != b and epsilon >= 0 and 0 <= delta < 1, "edge %d-%d: not an edge with epsilon >= 0, delta in [0, 1)" % (a, b))
        require(12, epsilon in c.below, "epsilon %s has no bounds of e^epsilon" % epsilon)
    for epsilon, below in c.below.items():
        low, high = exp_bounds(min(epsilon, Fraction(MOST)))
        require(12, 0 < below <= low, "%s is not proved to be below e^%s" % (float(below), epsilon))
        above = c.above[epsilon]
        require(12, above is None or (epsilon <= MOST and above >= high), "the bound above e^%s is not proved" % epsilon)


def exp_bounds(x, bits=256):
    """Return rationals below and above e^x, 0 <= x <= 700: the series at x / 2^k <= 1/2, squared k times."""
    k = max(0, x.numerator.bit_length() - x.denominator.bit_length() + 2)
    one = 1 << bits
    step = x / 2**k
    down = [one, one * step.numerator // step.denominator]  # h in units of 2^-bits, rounded down
    up = [one, -(-one * step.numerator // step.denominator)]
    low, high, term_low, term_high = one, one, one, one
    for n in range(1, 60):
        term_low = term_low * down[1] // (one * n)
        term_high = -(-term_high * up[1] // (one * n))
        low, high = low + term_low, high + term_high
    high += 2 * term_high + 1  # what follows is less than twice the last term, since h <= 1/2
    for _ in range(k):
        low, high = low * low >> bits, -(-high * high >> bits)
    return Fraction(low, one), Fraction(high, one)


# --- 2. the mechanism and its objective ---------------------------------------------------------------------------


def check_rows(c):
    """Every row has non-negative weights and a positive total; every profile has a row for every category."""
    for number, row in enumerate(c.rows):
        require(13, len(row) == c.m and min(row) >= 0 and sum(row) > 0, "row %d is no row of weights" % number)
    shares = [[Fraction(w, sum(row)) for w in row] for row in c.rows]
    for i, rows in enumerate(c.index):
        require(13, len(rows) == c.d, "profile %d has not one row for each category" % i)
        require(13, all(0 <= r < len(shares) for r in rows), "profile %d uses a row that does not exist" % i)
    c.matrices = [[shares[r] for r in rows] for rows in c.index]
    c.released = []
    for masses, matrix in zip(c.distributions, c.matrices):
        used = [(p, row) for p, row in zip(masses, matrix) if p]
        c.released.append([sum(p * row[y] for p, row in used) for y in range(c.m)])


def check_groups(c):
    """The groups contain each profile once, and the profiles of a group use the same rows."""
    require(14, sorted(i for group in c.groups for i in group) == list(range(c.k)), "the groups are no partition")
    for group in c.groups:
        possible = [x for x in range(c.d) if any(c.distributions[i][x] for i in group)]
        for i in group:
            same = all(c.index[i][x] == c.index[group[0]][x] for x in possible)
            require(14, same, "profiles %d and %d are in one group but use different rows" % (group[0], i))


def objective(c):
    """Return the mechanism's objective."""
    if c.kind == "max-off-diagonal":
        return max([Fraction(0)] + [m[x][y] for m in c.matrices for x in range(c.d) for y in range(c.m) if x != y])
    costs = []
    for masses, matrix in zip(c.distributions, c.matrices):
        used = [(p, row, losses) for p, row, losses in zip(masses, matrix, c.loss) if p]
        costs.append(sum(p * sum(a * l for a, l in zip(row, losses)) for p, row, losses in used))
    if c.kind == "worst-loss":
        return max(costs)
    return sum(w * cost for w, cost in zip(c.weights, costs)) / sum(c.weights)


# --- 3. the bound -------------------------------------------------------------------------------------------------


def lower_bound(c):
    """Return what the multipliers prove, by linear-programming duality."""
    gain = [[Fraction(0)] * c.m for _ in range(c.k)]  # g_i(y)
    required = {}
    for a, b, epsilon, delta in c.edges:
        required[a, b] = required[b, a] = (epsilon, delta)
    largest = {}
    for a, b, y, weight in c.privacy:
        require(17, weight >= 0 and (a, b) in required and 0 <= y < c.m, "a multiplier of privacy is negative or of no edge")
        above = c.above[required[a, b][0]]
        require(17, above is not None, "a multiplier of an edge without a bound above e^epsilon")
        gain[a][y] += weight
        gain[b][y] -= above * weight
        largest[a, b] = max(weight, largest.get((a, b), 0))
    prices, share, total = {}, None, Fraction(1)
    if c.kind == "max-off-diagonal":
        for group, x, y, weight in c.entries:
            require(17, weight >= 0 and 0 <= group < len(c.groups), "a multiplier of an entry is negative or of no group")
            require(17, 0 <= x < c.d and 0 <= y < c.m and x != y, "a multiplier of no off-diagonal entry")
            prices[group, x, y] = prices.get((group, x, y), 0) + weight
        total = sum(prices.values())
    elif c.kind == "worst-loss":
        share = c.profile_weights
        require(17, len(share) == c.k and min(share) >= 0 and sum(share) == 1, "the profiles' weights are not shares of 1")
    else:
        share = [w / sum(c.weights) for w in c.weights]
    result = -sum(required[pair][1] * weight for pair, weight in largest.items())
    for number, group in enumerate(c.groups):
        for x in range(c.d):
            mass = [(i, c.distributions[i][x]) for i in group if c.distributions[i][x]]
            cost = sum(share[i] * p for i, p in mass) if share else 0
            result += min(
                sum(p * gain[i][y] for i, p in mass)
                + (cost * c.loss[x][y] if share else prices.get((number, x, y), 0))
                for y in range(c.m)
            )
    if share:
        return result
    return max(Fraction(0), result / total) if total else Fraction(0)


# --- reading ------------------------------------------------------------------------------------------------------


class Certificate:
    """The parts of a certificate, each of the right type; anything else is Rejected with status 2."""

    def __init__(self, document):
        get = field(document, dict)
        require(2, get("format", str) == "mechdesign-certificate/1", "not a mechdesign certificate")
        self.d, self.m = len(labels(get("categories", list))), len(labels(get("outputs", list)))
        profiles = [field(profile, dict) for profile in get("profiles", list)]
        names = labels([profile("id") for profile in profiles])
        self.k = len(names)
        require(2, self.d > 0 and self.m > 0 and self.k > 0, "no categories, no outputs or no profiles")
        self.distributions = [[number(p) for p in profile("distribution", list)] for profile in profiles]
        self.weights = [number(profile("weight")) for profile in profiles]
        place = {name: position for position, name in enumerate(names)}
        self.edges = []
        for edge in (field(edge, dict) for edge in get("edges", list)):
            ends = [place.get(label(edge(end))) for end in ("source", "target")]
            require(11, None not in ends, "an edge to a profile that does not exist")
            self.edges.append((ends[0], ends[1], number(edge("epsilon")), number(edge("delta"))))
        pairs = [frozenset(edge[:2]) for edge in self.edges]
        require(11, len(set(pairs)) == len(pairs), "an edge is given twice")
        ratios = [field(ratio, dict) for ratio in get("ratios", list)]
        self.below = {number(ratio("epsilon")): number(ratio("below")) for ratio in ratios}
        self.above = {number(r("epsilon")): None if r("above") is None else number(r("above")) for r in ratios}
        require(2, len(self.below) == len(ratios) and all(e >= 0 for e in self.below), "wrong or repeated epsilon in ratios")
        self.kind = get("objective", str)
        require(2, self.kind in ("max-off-diagonal", "expected-loss", "worst-loss"), "unknown objective")
        self.loss = None
        if self.kind == "max-off-diagonal":
            same = labels(get("categories", list)) == labels(get("outputs", list))
            require(2, get("loss") is None and same, "off-diagonal entries need outputs equal to the categories, and no loss")
        else:
            self.loss = [[number(entry) for entry in typed(row, list)] for row in get("loss", list)]
            shaped = len(self.loss) == self.d and all(len(row) == self.m for row in self.loss)
            require(2, shaped, "the loss has not one row per category and one column per output")
        self.rows = integers(get("rows", list))
        self.index = integers(get("index", list))
        require(13, len(self.index) == self.k, "not one list of rows for each profile")
        self.groups = integers(get("groups", list))
        require(14, all(self.groups), "an empty group")
        self.value, self.bound = number(get("value")), number(get("bound"))
        multipliers = field(get("multipliers", dict), dict)
        fineness = typed(multipliers("fineness"), int)
        require(17, fineness > 0, "the multipliers' fineness is not positive")
        unit = Fraction(1, fineness)
        self.privacy = [(*row[:3], row[3] * unit) for row in integers(multipliers("privacy", list), 4)]
        self.entries = [(*row[:3], row[3] * unit) for row in integers(multipliers("entries", list), 4)]
        require(17, not (self.entries and self.loss), "multipliers of entries go with the largest off-diagonal entry only")
        given = multipliers("profiles")
        require(17, (given is not None) == (self.kind == "worst-loss"), "profiles' weights go with the worst loss, only")
        self.profile_weights = [number(share) for share in typed(given, list)] if given is not None else None


def require(status, truth, reason):
    if not truth:
        raise Rejected(status, reason)


def typed(value, kind):
    require(2, isinstance(value, kind) and not isinstance(value, bool), "expected a JSON %s" % kind.__name__)
    return value


def field(value, kind):
    """Return a function that gives the field of a JSON object, which must be there and of a type if one is named."""
    typed(value, kind)

    def get(key, wanted=object):
        require(2, key in value, "the field %r is missing" % key)
        return typed(value[key], wanted) if wanted is not object else value[key]

    return get


def label(value):
    """Return a label: text, an integer, or a tuple of these."""
    if isinstance(value, list) and value:
        return tuple(label(part) for part in value)
    require(2, isinstance(value, (str, int)) and not isinstance(value, bool), "expected text or an integer as a label")
    return value


def labels(values):
    found = [label(value) for value in values]
    require(2, len(set(found)) == len(found), "a label is given twice")
    return found


def number(value):
    """Return the rational in text such as "3/10" or "0.3"."""
    written = isinstance(value, str) and len(value) <= 2 * LONGEST
    require(2, written and re.fullmatch(r"-?\d+(/0*[1-9]\d*|\.\d+)?", value, re.ASCII), "expected a number such as \"3/10\"")
    try:
        return Fraction(value)
    except ValueError:  # more digits than Python converts
        raise Rejected(2, "a number has too many digits") from None


def integers(table, width=None):
    """Return a list of lists of integers."""
    for row in typed(table, list):
        require(2, width in (None, len(typed(row, list))), "a list of the wrong length")
        require(2, all(type(entry) is int for entry in row), "expected integers")
    return table


def load(text):
    """Return the JSON value in `text`; an object with a key given twice, and numbers beyond reason, are Rejected."""

    def once(pairs):
        require(2, len(dict(pairs)) == len(pairs), "a key is given twice in one object")
        return dict(pairs)

    def whole(digits):
        require(2, len(digits) <= LONGEST, "a number has too many digits")
        return int(digits)

    try:
        return json.loads(text, object_pairs_hook=once, parse_int=whole, parse_float=str, parse_constant=str)
    except RecursionError:
        raise Rejected(2, "nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Rejected(2, "not JSON: %s" % error) from None


def main(arguments):
    if len(arguments) != 1:
        print("usage: python checker.py CERTIFICATE.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            value, bound = check(load(file.read()))
    except Rejected as reason:
        print("rejected: %s" % reason, file=sys.stderr)
        return reason.status
    except (OSError, UnicodeDecodeError) as error:
        print("cannot be read: %s" % error, file=sys.stderr)
        return 2
    print("accepted: private; value %.12g, no private mechanism is below %.12g" % (value, bound))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
