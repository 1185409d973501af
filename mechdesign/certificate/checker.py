#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE. Standard library only; exact arithmetic only.

It accepts only if these statements follow from the file (certificate.py describes its format, bound.py proves 3), and
says for which profiles, edges, epsilons and deltas: compare them with what you wanted, `mechdesign check` does it too.

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy. Where it has a radius above
   0 this holds for every P_i within its bounds; for delta > 0 the worst of them for each output are added up.
2. The mechanism's objective is the value given, or this is that rounded up to a multiple of 2^-120.
3. No mechanism that is as private, with one matrix for each of the groups given, has an objective below the bound.

A refutation (refutation.py) is confirmed only if 1 is false on its edge and set of outputs.

Exit status: 0 accepted; 1 a refutation confirmed; 2 no certificate (unreadable, not JSON, of the wrong shape, of too
long numbers); 3 either of the first two, but nobody could be told (a full disk); wrong: 10 a distribution, 11 an edge,
12 e^epsilon, 13 a row, 14 a group, 15 NOT PRIVATE (of a refutation: not refuted), 16 value, 17 a multiplier, 18 bound.
"""

import gc
import gzip
import io
import json
import os
import re
import sys
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from operator import mul
from types import SimpleNamespace
from typing import Any

CERTIFICATE, REFUTATION = "mechdesign-certificate/2", "mechdesign-refutation/1"
COMMON = {  # how long the lists within lists are, a letter for each, * any; and what they hold, None any label
    "format": ("", str), "categories": ("d", None), "outputs": ("m", None), "profiles": ("k", None),
    "distributions": ("kd", Fraction), "rows": ("kd*", int), "groups": ("k", int),
    "edges": ("e2", int), "epsilons": ("e", Fraction), "deltas": ("e", Fraction), "above": ("e", Fraction),
}  # fmt: skip
PROOF = {
    "objective": ("", str), "loss": ("lm", int), "loss_unit": ("", int), "weights": ("k", int), "value": ("", Fraction),
    "bound": ("", Fraction), "below": ("e", Fraction), "privacy": ("*4", int), "entries": ("*4", int),
    "masses": ("kd", int), "lower": ("kd", int), "upper": ("kd", int), "radius": ("k", int),
    "places": ("w3", int), "worst": ("wd", int),
}  # fmt: skip
SHAPES: Any = {CERTIFICATE: COMMON | PROOF, REFUTATION: COMMON | {"set": ("*", int)}}
LONGEST = 2**29  # bytes of text
WORK, WORK_PER_BYTE = 2**41, 2**19  # of `spend`, for any file and for its size: 2 s, and for 1 MB half a second more
KEPT = 1 << 2**11  # as a factor in `spend`: that a number is kept in memory
TEXT, PARTS = 2**24, 2**21  # what a small file that is packed may hold: bytes, and parts of JSON
PACKED = "it unpacks to far more than its own size: unpack it first"
WORDS = {int: "an integer", str: "text", Fraction: "text such as 3/10 or 0.3"}


def check(text: str, size: int = 0) -> Any:
    """Verify a certificate, the text of a file (of this size, if packed); return its fields or raise Rejected."""
    c = read(text, size or len(text))
    check_mechanism(c)
    pairs = set()
    for n, ((i, j), epsilon, delta) in enumerate(zip(c.edges, c.epsilons, c.deltas)):
        proper = 0 <= min(i, j) < max(i, j) < len(c.profiles) and 0 <= epsilon <= 700 and 0 <= delta < 1
        require(11, proper, f"edge {n}: not two profiles with 0 <= epsilon <= 700, 0 <= delta < 1")
        pairs.add((min(i, j), max(i, j)))
        require(11, len(pairs) > n, f"edge {n}: given before, and an edge is to count once")
    if c.format == REFUTATION:
        check_refutation(c)
        return c
    check_privacy(c)
    costs, p, q = objective(c), c.value.numerator, c.value.denominator
    for cost, unit in costs:
        spend(c, 9, max(abs(cost), unit), max(abs(cost) // unit, 2**120, abs(p), q))
    rounded = Fraction(max(-(-cost * 2**120 // unit) for cost, unit in costs), 2**120)
    exact = max(cost * q - p * unit for cost, unit in costs) == 0
    require(16, exact or c.value == rounded, "the value given is not the objective")
    require(18, c.bound <= lower_bound(c), "the multipliers prove less than the bound given")
    return c


def check_mechanism(c: Any) -> None:
    """Row x of profile i, counted masses_x times, has weights in proportion to P_i(x) A^i_xy; none at upper 0."""
    c.shared, c.totals, c.most, c.least = {}, [], [], []  # (group, x) -> a row and its total; what is released
    c.used = []  # the rows that are there or should be: of single values one of all
    for i, (rows, masses, distribution, group) in enumerate(zip(c.rows, c.masses, c.distributions, c.groups)):
        require(14, 0 <= group < len(c.rows), f"profile {i}: not a group from 0 to {len(c.rows) - 1}")
        used = [x for x, known in enumerate(zip(rows, c.upper[i], distribution)) if any(known)]
        sums = {x: sum(rows[x]) for x in used}
        c.used.append(used)
        c.totals.append(sum(masses[x] * sums[x] for x in used))
        proper = within(c, i, masses) and c.totals[i] > 0 and (not c.radius[i] or len({*sums.values()} - {0}) == 1)
        require(10, proper, f"profile {i}: not a distribution within its bounds, or rows of no total or unequal ones")
        for x in used:
            row, mass, share, most = rows[x], sums[x], distribution[x], c.upper[i][x]
            proper = len(row) == len(c.outputs) * (most > 0) == len(c.outputs) * (mass > 0) and min(row, default=0) >= 0
            require(13, proper, f"profile {i}, row {x}: not weights >= 0 for all outputs, or for none where P(x) is 0")
            spend(c, 64, 0, 0)
            spend(c, 9, max(share.numerator, share.denominator), c.totals[i])
            proper = masses[x] * mass * share.denominator == share.numerator * c.totals[i]
            require(10, proper, f"profile {i}: its rows do not have its distribution")
            other, scale = c.shared.setdefault((group, x), (row, mass)) if row else (row, mass)
            spend(c, 4 * len(row), mass, scale)
            same = [weight * scale for weight in row] == [weight * mass for weight in other]
            require(14, same, f"profile {i}, row {x}: not by the matrix of its group")
        spend(c, 256 + 16 * len(c.outputs), 0, 0)
        spend(c, 2 * len(used) * len(c.outputs), sum(masses), max(sums.values()))
        spend(c, len(c.outputs), c.totals[i], KEPT)
        c.most.append([largest_mean(c, i, column) for column in zip(*map(rows.__getitem__, used))])
        c.least.append(c.most[i])
        if c.radius[i]:
            spend(c, 32 * len(used) * len(c.outputs), 0, 0)
            negative = ([-weight for weight in column] for column in zip(*map(rows.__getitem__, used)))
            c.least[i] = [-largest_mean(c, i, column) for column in negative]


def within(c: Any, i: int, masses: list[int]) -> bool:
    """Tell whether these integers, over the total of its own, are a distribution within the bounds of profile i."""
    between = all(0 <= low <= mass <= high for low, mass, high in zip(c.lower[i], masses, c.upper[i]))
    moved = sum(abs(mass - own) for mass, own in zip(masses, c.masses[i]))
    return between and sum(masses) == sum(c.masses[i]) and moved <= 2 * c.radius[i]


def largest_mean(c: Any, i: int, values: Any) -> int:
    """Return the largest sum_x P(x) values_x within the bounds: mass moves from the smallest values to the largest."""
    now, left = [c.masses[i][x] for x in c.used[i]], c.radius[i]
    if left:
        low, high = ([side[i][x] for x in c.used[i]] for side in (c.lower, c.upper))
        order = deque(sorted(range(len(values)), key=values.__getitem__))
    while left and len(order) > 1:
        a, b = order[0], order[-1]
        step = min(left, now[a] - low[a], high[b] - now[b])
        now[a], now[b], left = now[a] - step, now[b] + step, left - step
        del order[0 if now[a] == low[a] else -1]
    return sum(map(mul, now, values))


def check_privacy(c: Any) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, most q^i_y - E least q^j_y)."""
    bounds: dict[str, Any] = {}  # as a rule of one epsilon; by its text, since numbers can be made to have one hash
    for n, ((i, j), epsilon, delta, below, above) in enumerate(zip(c.edges, c.epsilons, c.deltas, c.below, c.above)):
        if str(epsilon) not in bounds:
            spend(c, 2**11, max(epsilon.numerator, epsilon.denominator), 2**32)
            bounds[str(epsilon)] = exp_bounds(epsilon)
        low, high = bounds[str(epsilon)]
        require(12, 0 <= below <= low and high <= above, f"edge {n}: not proved to be below and above e^epsilon")
        for a, b in ((i, j), (j, i)):
            left, right = c.totals[b] * below.denominator, c.totals[a] * below.numerator
            spend(c, 32 + 2 * len(c.outputs), max(c.totals[a], c.totals[b]), max(left, right))
            over = sum(gap for p, r in zip(c.most[a], c.least[b]) if (gap := p * left - r * right) > 0)
            who = f"profile {c.profiles[a]:.50} against profile {c.profiles[b]:.50}"
            proper = over * delta.denominator <= delta.numerator * left * c.totals[a]
            require(15, proper, f"NOT PRIVATE: {who} exceeds delta")


def check_refutation(c: Any) -> None:
    """On the set S given, the first profile of the one edge has q^i(S) > e^epsilon q^j(S) + delta."""
    require(11, len(c.edges) == 1, "a refutation is about one edge")
    require(12, exp_bounds(c.epsilons[0])[1] <= c.above[0], "edge 0: not proved to be above e^epsilon")
    proper = all(0 <= y < len(c.outputs) for y in c.set) and len({*c.set}) == len(c.set)
    require(13, proper, "set: not outputs, each once")
    c.found, there = (Fraction(sum(c.most[n][y] for y in c.set), c.totals[n]) for n in c.edges[0])
    c.allowed = c.above[0] * there + c.deltas[0]
    require(15, c.found > c.allowed, "the set given does not refute privacy")


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


def objective(c: Any) -> list[tuple[int, int]]:
    """Return what the objective is the largest of: A^i_xy, x != y; sum_x P_i(x) sum_y A^i_xy l(x,y); or their mean."""
    require(10, min(c.weights) >= 0 < max(c.weights), "weights: not >= 0 with a positive total")
    if c.objective == "max-off-diagonal":
        return [(max([0, *row[:x], *row[x + 1 :]]), total) for (_, x), (row, total) in c.shared.items()]
    costs, most = [], max(abs(cost) for costs in c.loss for cost in costs)
    for rows, masses, total, used in zip(c.rows, c.masses, c.totals, c.used):
        spend(c, len(used) * len(c.outputs), total, most)
        spend(c, 1, total, c.loss_unit)
        costs.append((sum(masses[x] * sum(map(mul, rows[x], c.loss[x])) for x in used), total * c.loss_unit))
    if c.objective == "worst-loss":
        return costs
    sums = deque((weight * cost, unit) for weight, (cost, unit) in zip(c.weights, costs))
    while len(sums) > 1:  # those of the fewest parts first, so that few have long denominators
        (p, q), (r, s) = sums.popleft(), sums.popleft()
        spend(c, 3, max(abs(p), q), max(abs(r), s))
        sums.append((p * s + r * q, q * s))
    return [(sums[0][0], sums[0][1] * sum(c.weights))]  # not reduced: they may have millions of digits


def lower_bound(c: Any) -> Fraction:
    """Return what the multipliers prove: sum_(g,x) min_y sum_(i in g) [c_i(x,y) + P_i(x) g_i(y)] - sum delta max lam.

    With lam(a,b,y) for the edges, both ways, g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y); and c_i(x,y) are prices of
    entries off the diagonal, of total <= 1, or w_i P_i(x) l(x,y) with weights w_i of total 1. Over 2^160, rounded down.
    Each of these two sums may have a distribution within the bounds, from `worst` for its place, instead of P_i.
    """
    gains = {(i, side): Counter[int]() for i in range(len(c.profiles)) for side in (0, 1)}
    dearest = Counter[Any]()
    ordered = all(one[:3] < other[:3] for one, other in zip(c.privacy, c.privacy[1:]))  # so none is given twice
    for n, way, y, lam in c.privacy:
        proper = ordered and 0 <= n < len(c.edges) and 0 <= way <= 1 and 0 <= y < len(c.outputs) and lam >= 0
        require(17, proper, "privacy: a multiplier is negative, out of range, or not in order")
        (a, b), above = c.edges[n][:: 1 - 2 * way], c.above[n]
        spend(c, 32, 0, 0)
        spend(c, 9, lam, max(above.numerator, above.denominator))
        spend(c, 1, lam * above.numerator, KEPT)
        gains[a, 0][y] += lam << 80
        gains[b, 1][y] += -lam * (above.numerator << 80) // above.denominator
        dearest[n, way] = max(dearest[n, way], lam)
    proved = sum(floor(-c.deltas[n] * lam * 2**80) for (n, _), lam in dearest.items())
    table = {place: [0] * len(c.outputs) for place in c.shared}
    spend(c, 9 * len(c.entries), 0, 0)
    for group, x, y, price in c.entries:
        proper = (group, x) in table and 0 <= y < len(c.outputs) and x != y and price >= 0 and not c.loss
        require(17, proper, "entries: a multiplier is negative, out of range, on the diagonal, or goes with a loss")
        table[group, x][y] += price * 2**80
    require(17, sum(price for *_, price in c.entries) <= 2**80, "entries: the total is above 1")
    everyone, losses = sum(c.weights) * c.loss_unit, c.loss or [[0] * len(c.outputs)] * len(c.categories)
    most = max(abs(loss) for costs in losses for loss in costs)
    for (i, y, side), masses in zip(c.places, c.worst):
        proper = y in gains.get((i, side), ()) and within(c, i, masses)
        require(17, proper, "worst: at no multiplier, or not within the bounds")
        part, unit = gains[i, side].pop(y), sum(masses)
        spend(c, 9 * len(masses), part, unit)
        for x in filter(masses.__getitem__, range(len(masses))):
            table[c.groups[i], x][y] += masses[x] * part // unit
    for i, (rows, total, group, weight) in enumerate(zip(c.rows, c.totals, c.groups, c.weights)):
        gain = [0] * len(c.outputs)
        for y, part in [*gains[i, 0].items(), *gains[i, 1].items()]:
            gain[y] += part
        for x in c.used[i]:
            if mass := c.masses[i][x] * sum(rows[x]):
                spend(c, 4 * len(gain), weight * most << 160, everyone)
                prices = [weight * loss * 2**160 // everyone + g for loss, g in zip(losses[x], gain)]
                spend(c, 5 * len(gain), max(map(abs, prices)), mass * total)
                table[group, x] = [old + mass * price // total for old, price in zip(table[group, x], prices)]
    return Fraction(proved + sum(map(min, table.values())), 2**160)


def statement(c: Any) -> str:
    """Return in words what was proved, with numbers rounded so that it stays true."""
    if c.format == REFUTATION:
        first, second = (f"profile {c.profiles[n]:.50}" for n in c.edges[0])
        asked = f"at epsilon {decimal(floor, c.epsilons[0])}, delta {decimal(floor, c.deltas[0])}"
        outputs = ", ".join(c.outputs[y] for y in c.set)
        by = f"probability {decimal(floor, c.found)}, at most {decimal(ceil, c.allowed)} is allowed"
        by = "by less than 1e-11" if c.found - c.allowed < Fraction(1, 10**11) else by
        return f"REFUTED: {asked}, {first} exceeds {second} on the outputs {outputs:.999}\n{by}"
    asked = "NO EDGES: nobody is protected"
    whom = " for every distribution within the profiles' bounds" if any(c.radius) else ""
    such = "no mechanism of which this check shows as much" if whom and any(c.deltas) else "no private mechanism"
    if c.edges:
        least, most = decimal(floor, min(c.epsilons)), decimal(ceil, max(c.epsilons))
        asked = f"private{whom} at epsilon {least} to {most}, delta at most {decimal(ceil, max(c.deltas))}"
        asked += f", on {pairs(c)}"
    sizes = f"profiles {len(c.profiles)}, categories {len(c.categories)}"
    groups = "each profile's own" if len(set(c.groups)) == len(c.groups) else "some shared"
    end = f"{c.objective} at most {decimal(ceil, c.value)}; {such} with these groups is below {decimal(floor, c.bound)}"
    if c.loss and not any(map(any, c.loss)):
        end = "nothing is said of distortion: every loss is 0"
    return f"accepted: {asked}\n{sizes}; matrices {len(set(c.groups))}, {groups}\n{end}"


def pairs(c: Any) -> str:
    """Return on how many pairs of profiles there is an edge, of how many pairs."""
    proved, every = len(c.edges), len(c.profiles) * (len(c.profiles) - 1) // 2
    return f"{proved} of {every} pairs" + "; nothing is proved of the others" * (proved < every)


def decimal(whole: Any, number: Fraction) -> str:
    """Return a number to 12 places, rounded by `whole`, ceil or floor."""
    return f"{Decimal(f'{whole(number * 10**12)}e-12'):f}".rstrip("0").rstrip(".")


def text_in(file: Any) -> tuple[str, int]:
    """Return the text in a file, unpacked if need be, and the size of the file."""
    data: bytes = file.read(LONGEST)  # no more, of a device without an end
    size = len(data)
    require(2, size < LONGEST, "longer than any certificate")
    if data[:2] == b"\x1f\x8b":
        most = min(LONGEST, TEXT + 16 * size)
        data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most)  # no more, of a bomb
        require(2, len(data) < most, "longer than any certificate" if most == LONGEST else PACKED)
    return data.decode(), size


def read(text: str, size: int) -> Any:
    """Return the fields of the shape that the format has."""
    require(2, not re.search("(?<![0-9])[0-9]{1000}", text), "more than 999 digits in a row")
    require(2, sum(map(text.count, '[{:,"')) <= PARTS + size, PACKED)  # as Python's objects they take much more room
    c = SimpleNamespace(work=0, limit=WORK + WORK_PER_BYTE * size, lengths={"2": 2, "3": 3, "4": 4}, rationals={})
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else ())
        require(2, type(found) is dict, "not an object, or one with a key twice")
        shape: dict[str, tuple[str, Any]] = SHAPES.get(str(found.get("format")))
        require(2, shape, "not a mechdesign certificate; of formulas: formula_checker.py")
        for key in shape:
            setattr(c, key, fit(c, found.pop(key, None), key, *shape[key]))
    except (RecursionError, ValueError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None
    if c.format == REFUTATION:  # both profiles are known, and each row counts once
        c.masses = c.lower = c.upper = [[int(bool(mass)) for mass in masses] for masses in c.distributions]
        c.radius = [0] * len(c.profiles)
    for labels in (c.categories, c.outputs, c.profiles):
        require(2, len(set(labels)) == len(labels) > 0, "no categories, outputs or profiles, or one given twice")
    if "objective" in shape:
        losses = {"max-off-diagonal": 0, "expected-loss": len(c.categories), "worst-loss": len(c.categories)}
        proper = len(c.loss) == losses.get(c.objective) and c.loss_unit > 0 and (c.loss or c.categories == c.outputs)
        require(2, proper, "an unknown objective, no loss for it, or off the diagonal a loss or unequal outputs")
    return c


def fit(c: Any, value: Any, place: str, sizes: str, kind: Any) -> Any:
    """Return a JSON value of this shape: text as rationals where these are due, labels as text."""
    if sizes:
        proper = type(value) is list and (sizes[0] == "*" or c.lengths.setdefault(sizes[0], len(value)) == len(value))
        require(2, proper, f"{place}: missing, not a list, or not as long as expected")
        if len(sizes) == 1 and set(map(type, value)) <= {kind}:
            return value
        spend(c, (24 if kind else 64) * len(value), 0, 0)
        return [fit(c, part, place, sizes[1:], kind) for part in value]
    if kind is None:
        return json.dumps(value)
    if kind is Fraction and type(value) is str and value in c.rationals:
        return c.rationals[value]
    rational = type(value) is str and re.fullmatch("-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{,998})?", value)
    require(2, rational if kind is Fraction else type(value) is kind, f"{place}: missing, or not {WORDS[kind]}")
    if kind is Fraction:
        spend(c, 64 + len(value), 0, 0)
        return c.rationals.setdefault(value, Fraction(value))
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


def spend(c: Any, times: int, first: int, second: int) -> None:
    """Count so many multiplications or divisions of integers as long as these; reject what would take too long."""
    c.work += times * (first.bit_length() * second.bit_length() + 2**16)  # 2^16: what the shortest take
    require(2, c.work < c.limit, "checking would take too long for a file of this size: too many long numbers")


def main(arguments: list[str]) -> int:
    """Check the file named; return the exit status."""
    gc.disable()  # nothing here refers to itself, and looking for it takes as long as all else
    try:
        require(2, len(arguments) == 1 and arguments[0] not in ("-h", "--help"), "usage: python checker.py FILE[.gz]")
        with open(arguments[0], "rb") as file:
            c = check(*text_in(file))
        answer, status = statement(c), int(c.format == REFUTATION)
    except Exception as reason:  # whichever: Python itself would end with 1, as if a refutation were confirmed
        answer, status = f"rejected: {str(reason) or 'out of memory'}", getattr(reason, "status", 2)
    for stream in (sys.stdout, sys.stderr)[status > 1 :]:
        try:
            print(answer, file=stream, flush=True)
            break
        except OSError as error:  # a full disk, which is no fault of the certificate
            answer, status = f"{answer} (could not be written to standard output: {error})", status if status > 1 else 3
    return status


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))  # not sys.exit, which would try once more to write what is left, and end with 120
