#!/usr/bin/env python3
"""Check a mechdesign certificate: python checker.py FILE[.gz]. Standard library only; exact arithmetic only.

It accepts only if these statements follow from the file (certificate.py describes its format, bound.py proves 3), and
says for which profiles, edges, epsilons and deltas: compare them with what you wanted, `mechdesign check` does it too.

1. The mechanism is private: for every edge (i, j), both ways, and every set S of outputs,
   q^i(S) <= e^epsilon q^j(S) + delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy. Where it has bounds this
   holds for every P_i within; for delta > 0 the worst of them for each output are added up.
2. The mechanism's objective is at most the value given, and by less than 2^-120 below it.
3. No mechanism that is as private, with these outputs and one matrix for each of the groups given, has an objective
   below the bound. The objective is always at P_i itself, also where profile i has bounds.
4. Where it has `shares`, the mechanism keeps the overall ones: sum_i w_i q^i = sum_i w_i P_i, exactly, with weights w_i
   of the profiles; the bound is then of mechanisms that keep them too.

A refutation (refutation.py) is confirmed only if 1 is false on its edge and set of outputs.

Exit status: 0 accepted; 1 a refutation confirmed; 2 no certificate (unreadable, not JSON, of the wrong shape, of too
long numbers); 3 either of the first two, but nobody could be told (a full disk); wrong: 10 a distribution, 11 an edge,
12 the overall shares, 13 a row, 14 a group, 15 NOT PRIVATE (of a refutation: not refuted), 16 value, 17 a multiplier,
18 bound.
"""

import gc
import gzip
import io
import json
import os
import re
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from operator import add, mul
from types import SimpleNamespace
from typing import Any

CERTIFICATE, REFUTATION = "mechdesign-certificate/3", "mechdesign-refutation/2"
LABEL = "any JSON value, read as text"
BOUNDS = {  # of a list the length and the parts: the same letter for the same length, * any
    "lower": ["d", int], "upper": ["d", int], "radius": int, "thresholds": ["m", ["4", int]],
    "worst": ["*", {"output": int, "side": int, "masses": ["d", int]}],
}  # fmt: skip
HEAD = {
    "format": str,
    "labels": {"categories": ["d", LABEL], "outputs": ["m", LABEL], "profiles": ["k", LABEL]},
    "profiles": ["k", {"group": int, "masses": ["d", int], "bounds": BOUNDS}],
    "matrices": ["*", ["d", ["*", int]]], "edges": ["*", ["4", int]], "bits": int,
    "epsilons": ["*", Fraction], "deltas": ["*", Fraction],
}  # fmt: skip
PROOF = {
    "objective": str, "loss": ["*", ["m", int]], "loss_unit": int, "weights": ["k", int], "value": Fraction,
    "bound": Fraction, "privacy": ["*", ["4", int]], "entries": ["*", ["4", int]],
    "shares": {"weights": ["k", int], "multipliers": ["m", int]},
}  # fmt: skip
SHAPES: Any = {CERTIFICATE: {**HEAD, **PROOF}, REFUTATION: {**HEAD, "set": ["*", int]}}
LONGEST = 2**29  # bytes of text
WORK, WORK_PER_BYTE = 2**41, 2**19  # of `spend`, for any file and for its size: 2 s, and for 1 MB half a second more
KEPT = 1 << 2**11  # as a factor in `spend`: that a number is kept in memory
TEXT, PARTS = 2**24, 2**21  # what a small file that is packed may hold: bytes, and parts of JSON
PACKED = "it unpacks to far more than its own size: unpack it first"


class Fields(SimpleNamespace):
    """The fields of an object."""

    bounds = None  # where there are none


def check(text: str, size: int = 0) -> Any:
    """Verify a certificate, the text of a file (of this size, if packed); return its fields or raise Rejected."""
    c = read(text, size or len(text))
    check_profiles(c)
    check_matrices(c)
    check_edges(c)
    c.released = [released(c, one) for one in c.profiles]
    if c.format == REFUTATION:
        check_refutation(c)
        return c
    check_privacy(c)
    check_value(c)
    check_shares(c)
    require(18, c.bound <= lower_bound(c), "the multipliers prove less than the bound given")
    return c


def check_profiles(c: Any) -> None:
    """Profile i has the distribution P_i(x) = masses_x / total, and the matrix of its group."""
    for i, one in enumerate(c.profiles):
        one.most, one.total = one.bounds.upper if one.bounds else one.masses, sum(one.masses)
        require(14, 0 <= one.group < len(c.matrices), f"profile {i}: not a group from 0 to {len(c.matrices) - 1}")
        proper = min(one.masses) >= 0 and one.total > 0 and (not one.bounds or is_within(one, one.masses))
        require(10, proper, f"profile {i}: not a distribution, or not within its bounds")


def is_within(one: Any, masses: list[int]) -> bool:
    """Tell whether masses / total is within a profile's bounds, and not further from P_i than its radius."""
    between = all(0 <= low <= mass <= high for low, mass, high in zip(one.bounds.lower, masses, one.bounds.upper))
    moved = sum(abs(mass - own) for mass, own in zip(masses, one.masses))
    return between and sum(masses) == one.total and moved <= 2 * one.bounds.radius


def check_matrices(c: Any) -> None:
    """A^i_xy = row_y / total, for every category x that a profile of the group may have; of others there is no row."""
    needed: Any = [set() for _ in c.matrices]
    for one in c.profiles:
        needed[one.group].update(x for x, most in enumerate(one.most) if most)
    c.units = [1] * len(c.matrices)  # what all rows of a matrix will be over
    for group, matrix in enumerate(c.matrices):
        totals = list(map(sum, matrix))
        for x, (row, total) in enumerate(zip(matrix, totals)):
            proper = not row
            if x in needed[group]:
                proper = len(row) == len(c.outputs) and min(row) >= 0 and total > 0
            require(13, proper, f"group {group}, row {x}: not weights >= 0 for all outputs, or not needed")
            spend(c, 16, c.units[group], total)
            c.units[group] = lcm(c.units[group], total or 1)
        spend(c, sum(map(len, matrix)), c.units[group], KEPT)
        scales = [c.units[group] // (total or 1) for total in totals]
        c.matrices[group] = [[weight * scale for weight in row] for row, scale in zip(matrix, scales)]


def released(c: Any, one: Any) -> tuple[list[int], list[int], int]:
    """Return q^i_y = sum_x P_i(x) A^i_xy for each y: at most, at least, and what both are over.

    The least of v is minus the most of -v: then the negated thresholds are in reverse order.
    """
    unit, over = c.units[one.group], c.units[one.group] * one.total
    used = [x for x, most in enumerate(one.most) if most]
    columns = list(zip(*(c.matrices[one.group][x] for x in used)))
    spend(c, 256 + 16 * len(columns) + (50 if one.bounds else 2) * len(used) * len(columns), one.total, unit)
    spend(c, len(columns), over, KEPT)
    if not one.bounds:
        found = nominal(c, one)
        return found, found, over
    most, least = [], []
    for column, thresholds in zip(columns, one.bounds.thresholds):
        values = dict(zip(used, column))
        require(10, all(x in values for x in thresholds), "thresholds: not categories that the profile may have")
        high, low, least_high, least_low = map(values.__getitem__, thresholds)
        most.append(largest_mean(one, values, high, low))
        least.append(-largest_mean(one, {x: -value for x, value in values.items()}, -least_low, -least_high))
    return most, least, over


def nominal(c: Any, one: Any) -> list[int]:
    """Return what a profile releases at P_i itself, over its total and the unit of its matrix."""
    used = [x for x, mass in enumerate(one.masses) if mass]
    masses, columns = [one.masses[x] for x in used], zip(*(c.matrices[one.group][x] for x in used))
    return [sum(map(mul, masses, column)) for column in columns]


def largest_mean(one: Any, values: dict[int, int], high: int, low: int) -> int:
    """Return a number that sum_x P(x) v_x exceeds for no P within a profile's bounds; all is over its total.

    P takes some mass from P_i in some categories and adds as much in others. A mass d added in x gains d v, which is at
    most d high + (upper - P_i) max(0, v - high), since d <= upper - P_i. A mass d taken in x loses d v, which is at
    least d low - (P_i - lower) max(0, low - v). What is added in all is what is taken in all, radius at most: so the
    parts with high and low gain radius (high - low) at most. Values are those of all x that P may have.
    """
    require(10, high >= low, "thresholds: not the higher one first")
    found: int = one.bounds.radius * (high - low)
    for x, v in values.items():
        own, lower, upper = one.masses[x], one.bounds.lower[x], one.bounds.upper[x]
        found += own * v + (upper - own) * max(0, v - high) + (own - lower) * max(0, low - v)
    return found


def check_edges(c: Any) -> None:
    """Each pair of profiles has one edge at most; for each epsilon below <= e^epsilon 2^bits <= above."""
    proper = all(0 <= epsilon <= 700 for epsilon in c.epsilons) and all(0 <= delta < 1 for delta in c.deltas)
    require(11, proper, "epsilons, deltas: not from 0 to 700, not from 0 to below 1")
    n, c.below, c.above, last = c.bits + 64, [], [], [-1, -1]
    for epsilon in c.epsilons:
        spend(c, 5 * n, 4**n, max(4**n, epsilon.numerator, epsilon.denominator))
        low, high = exp_bounds(epsilon, n)
        c.below.append(low * 2**c.bits // 4**n)
        c.above.append(-(-high * 2**c.bits // 4**n))
    for number, (i, j, epsilon, delta) in enumerate(c.edges):
        there = 0 <= i < j < len(c.profiles) and 0 <= epsilon < len(c.epsilons) and 0 <= delta < len(c.deltas)
        require(
            11, there and last < [i, j], f"edge {number}: not of two profiles, an epsilon and a delta, or not in order"
        )
        last = [i, j]


def exp_bounds(x: Fraction, n: int) -> tuple[int, int]:
    """Return integers over 4^n around e^x = (e^t)^(2^n) with t = x / 2^n < 1, by 1 + t <= e^t <= 1 / (1 - t).

    Each is rounded outwards: -(-a // b) is a / b rounded up, and >> 2 n divides by 4^n.
    """
    one = 4**n
    low = one + floor(x * 2**n)
    high: int = -(-one * one // (one - ceil(x * 2**n)))
    for _ in range(n):
        low, high = low * low >> 2 * n, -(-high * high >> 2 * n)
    return low, high


def check_privacy(c: Any) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, q^i_y - E q^j_y).

    E is at most e^epsilon, q^i_y at most `most`, q^j_y at least `least`: so the true excess is no larger than this one.
    With q^i = p / over, q^j = q / under and E = below / 2^bits all is multiplied by over * under * 2^bits.
    """
    for i, j, epsilon, delta in c.edges:
        for a, b in ((i, j), (j, i)):
            (most, _, over), (_, least, under) = c.released[a], c.released[b]
            left, right = under << c.bits, over * c.below[epsilon]
            spend(c, 32 + 2 * len(c.outputs), max(over, under), max(left, right))
            gaps = (p * left - q * right for p, q in zip(most, least))
            excess = sum(gap for gap in gaps if gap > 0)  # over left * over
            who = f"profile {c.names[a]:.50} against profile {c.names[b]:.50}"
            require(15, excess <= c.deltas[delta] * left * over, f"NOT PRIVATE: {who} exceeds delta")


def check_refutation(c: Any) -> None:
    """On the set S given, the first profile of the one edge has q^i(S) > e^epsilon q^j(S) + delta."""
    require(11, len(c.edges) == 1, "a refutation is about one edge")
    known = not any(one.bounds for one in c.profiles)  # within bounds, what is released is only bounded
    require(10, known, "a refutation is about distributions, without bounds")
    proper = all(0 <= y < len(c.outputs) for y in c.set) and c.set == sorted(set(c.set))
    require(13, proper, "set: not outputs in order, each once")
    i, j, epsilon, delta = c.edges[0]
    c.found, there = (Fraction(sum(c.released[n][0][y] for y in c.set), c.released[n][2]) for n in (i, j))
    c.allowed = Fraction(c.above[epsilon], 2**c.bits) * there + c.deltas[delta]
    require(15, c.found > c.allowed, "the set given does not refute privacy")


def check_value(c: Any) -> None:
    """No cost is above the value, and one is less than 2^-120 below it."""
    found, p, q = costs(c), c.value.numerator, c.value.denominator
    for cost, unit in found:
        spend(c, 9, max(abs(cost), unit), max(abs(cost) // unit, 2**120, abs(p), q))
    gaps = [(p * unit - cost * q, q * unit) for cost, unit in found]  # a gap is p / q - cost / unit, over q * unit
    proper = all(gap >= 0 for gap, _ in gaps) and any(gap * 2**120 < over for gap, over in gaps)
    require(16, proper, "the value given is not the objective")


def check_shares(c: Any) -> None:
    """The sum over i of w_i (q^i_y - P_i(y)) is 0 for every output y, each of which is a category."""
    if not c.shares:
        return
    proper = min(c.shares.weights) >= 0 < max(c.shares.weights) and c.outputs == c.categories
    require(12, proper, "shares: weights not >= 0 with a positive total, or outputs other than the categories")
    moved, unit = [0] * len(c.outputs), 1
    for weight, one in zip(c.shares.weights, c.profiles):
        over = c.units[one.group] * one.total
        spend(c, 50 * len(c.outputs), over, max(over, weight))
        gaps = [weight * (q - mass * c.units[one.group]) for q, mass in zip(nominal(c, one), one.masses)]
        common = gcd(over, *gaps)
        over //= common
        spend(c, 16 + 2 * len(c.outputs), unit, over)
        joint = lcm(unit, over)
        moved = [sum_ * (joint // unit) + gap // common * (joint // over) for sum_, gap in zip(moved, gaps)]
        unit = joint
    require(12, not any(moved), "the overall shares are not kept")


def costs(c: Any) -> list[tuple[int, int]]:
    """Return what the objective is the largest of: A^i_xy, x != y; sum_x P_i(x) sum_y A^i_xy l(x,y); or their mean."""
    require(10, min(c.weights) >= 0 < max(c.weights), "weights: not >= 0 with a positive total")
    if not c.loss:
        rows = [(x, row, unit) for matrix, unit in zip(c.matrices, c.units) for x, row in enumerate(matrix) if row]
        return [(max([0, *row[:x], *row[x + 1 :]]), unit) for x, row, unit in rows]
    largest, unit, found = max(abs(loss) for losses in c.loss for loss in losses), 1, []
    spend(c, sum(len(row) for matrix in c.matrices for row in matrix), max(c.units), largest)
    lost = [[sum(map(mul, *both)) for both in zip(matrix, c.loss)] for matrix in c.matrices]
    for one in c.profiles:
        over = one.total * c.units[one.group] * c.loss_unit
        spend(c, 2 * len(one.masses), over, largest)
        found.append((sum(map(mul, one.masses, lost[one.group])), over))
    if c.objective == "worst-loss":
        return found
    for _, over in found:
        spend(c, 16, unit, over)
        unit = lcm(unit, over)
    return [(sum(w * cost * (unit // over) for w, (cost, over) in zip(c.weights, found)), unit * sum(c.weights))]


def lower_bound(c: Any) -> Fraction:
    """Return what the multipliers prove: sum_(g,x) min_y sum_(i in g) [c_i(x,y) + P_i(x) g_i(y)] - sum delta max lam.

    With lam(a,b,y) for the edges, both ways, g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y); and c_i(x,y) are prices of
    entries off the diagonal, of total <= 1, or w_i P_i(x) l(x,y) with weights w_i of total 1. Over 2^160, rounded down.

    Why: the objective of any matrices is at least sum c A, since the largest is no less than a mean, and entries are
    not negative. They are private only if sum_y max(0, q^a_y - E q^b_y) <= delta, so that sum_y lam (q^a_y - E q^b_y)
    is at most delta max lam; added up over edges and ways, sum_i sum_y g_i(y) q^i_y <= sum delta max lam. Hence the
    objective is at least sum c A + sum g q - sum delta max lam; and each row of A adds up to 1, so that it costs no
    less than its lowest price. E is above e^epsilon here, which only makes this less. Bounds: privacy is asked of every
    distribution within, so each of the two sums in g_i(y) may have one from `worst` for its place, instead of P_i.
    Shares: sum_i w_i (q^i_y - P_i(y)) is 0 for each y, so that any multiple of it may be added, w_i being of total 1.
    """
    prices, (proved, gains) = prices_of_entries(c), weighted_privacy(c)
    proved += weighted_shares(c, gains)
    everyone, losses = sum(c.weights) * c.loss_unit, c.loss or [[0] * len(c.outputs)] * len(c.categories)
    largest = max(abs(loss) for row in losses for loss in row)
    for one, weight, sides in zip(c.profiles, c.weights, gains):
        table = prices[one.group]
        for worst in one.bounds.worst if one.bounds else ():
            proper = 0 <= worst.output < len(c.outputs) and 0 <= worst.side <= 1 and is_within(one, worst.masses)
            require(17, proper, "worst: at no output or side, or not within the bounds")
            part = sides[worst.side][worst.output]
            sides[worst.side][worst.output] = 0  # it counts here, at `worst`, and no more at P_i
            spend(c, 9 * len(worst.masses), part, one.total)
            for x, mass in enumerate(worst.masses):
                if mass:
                    table[x][worst.output] += mass * part // one.total
        gain = list(map(add, one.kept, map(add, *sides)))
        for x, mass in enumerate(one.masses):
            if mass:
                spend(c, 4 * len(gain), weight * largest << 160, everyone)
                costs = [weight * loss * 2**160 // everyone + g for loss, g in zip(losses[x], gain)]
                spend(c, 5 * len(gain), max(map(abs, costs)), one.total)
                table[x] = [old + mass * cost // one.total for old, cost in zip(table[x], costs)]
    return Fraction(proved + sum(min(row) for table in prices for row in table if row), 2**160)


def weighted_shares(c: Any, gains: Any) -> int:
    """Give each profile what multipliers nu of any sign, over 2^80, add to g_i(y): w_i nu_y; return - sum w_i nu_y P_i.

    Both over 2^160, rounded down.
    """
    constant = 0
    for one, weight in zip(c.profiles, c.shares.weights if c.shares else [0] * len(gains)):
        one.kept = [0] * len(c.outputs)
        if weight:
            whole, largest = sum(c.shares.weights), max(map(abs, c.shares.multipliers))
            spend(c, 9 * len(c.outputs), whole * one.total, weight * largest * one.total << 80)
            one.kept = [weight * nu * 2**80 // whole for nu in c.shares.multipliers]
            parts = zip(c.shares.multipliers, one.masses)
            constant += sum(-weight * nu * mass * 2**80 // (whole * one.total) for nu, mass in parts)
    return constant


def weighted_privacy(c: Any) -> tuple[int, list[Any]]:
    """Return - sum delta max lam, and for each profile the two sums in its g_i(y), all over 2^160, rounded down.

    The multipliers lam are given over 2^80.
    """
    gains = [([0] * len(c.outputs), [0] * len(c.outputs)) for _ in c.profiles]
    dearest, last = Counter[Any](), [-1]  # max lam of each edge and way
    for n, way, y, lam in c.privacy:
        there = 0 <= n < len(c.edges) and 0 <= way <= 1 and 0 <= y < len(c.outputs) and last < [n, way, y]
        require(17, there and lam >= 0, "privacy: a multiplier is negative, out of range, or not in order")
        last = [n, way, y]
        i, j, epsilon, _ = c.edges[n]
        a, b = (j, i) if way else (i, j)
        spend(c, 32, lam, c.above[epsilon])
        spend(c, 1, lam * c.above[epsilon], KEPT)
        gains[a][0][y] += lam * 2**80
        gains[b][1][y] += -lam * c.above[epsilon] * 2**80 // 2**c.bits
        dearest[n, way] = max(dearest[n, way], lam)
    return sum(floor(-c.deltas[c.edges[n][3]] * lam * 2**80) for (n, _), lam in dearest.items()), gains


def prices_of_entries(c: Any) -> Any:
    """Return the prices of entries by group, category and output, over 2^160."""
    prices = [[[0] * len(row) for row in matrix] for matrix in c.matrices]
    spend(c, 9 * len(c.entries), 0, 0)
    for group, x, y, price in c.entries:
        there = 0 <= group < len(prices) and 0 <= x < len(c.categories) and 0 <= y < len(prices[group][x]) and x != y
        proper = there and price >= 0 and not c.loss
        require(17, proper, "entries: a multiplier is negative, out of range, on the diagonal, or goes with a loss")
        prices[group][x][y] += price * 2**80
    require(17, sum(price for *_, price in c.entries) <= 2**80, "entries: the total is above 1")
    return prices


def statement(c: Any) -> str:
    """Return in words what was proved, with numbers rounded so that it stays true."""
    epsilons, deltas = [c.epsilons[edge[2]] for edge in c.edges], [c.deltas[edge[3]] for edge in c.edges]
    if c.format == REFUTATION:
        first, second = (f"profile {c.names[n]:.50}" for n in c.edges[0][:2])
        asked = f"at epsilon {decimal(floor, epsilons[0])}, delta {decimal(floor, deltas[0])}"
        outputs = ", ".join(c.outputs[y] for y in c.set)
        by = f"probability {decimal(floor, c.found)}, at most {decimal(ceil, c.allowed)} is allowed"
        by = "by less than 1e-11" if c.found - c.allowed < Fraction(1, 10**11) else by
        asked += ", at the distributions in this file" * any(sum(map(bool, one.masses)) > 1 for one in c.profiles)
        return f"REFUTED: {asked}, {first} exceeds {second} on the outputs {outputs:.999}\n{by}"
    asked, every = "NO EDGES: nobody is protected", len(c.profiles) * (len(c.profiles) - 1) // 2
    whom = " for every distribution within the profiles' bounds" if any(one.bounds for one in c.profiles) else ""
    such = "no mechanism of which this check shows as much" if whom and any(deltas) else "no private mechanism"
    if c.edges:
        least, most = decimal(floor, min(epsilons)), decimal(ceil, max(epsilons))
        asked = f"private{whom} at epsilon {least} to {most}, delta at most {decimal(ceil, max(deltas))}"
        asked += f", on {len(c.edges)} of {every} pairs" + "; nothing is proved of the others" * (len(c.edges) < every)
    matrices = len({one.group for one in c.profiles})
    sizes = f"profiles {len(c.profiles)}, categories {len(c.categories)}; matrices {matrices}"
    groups = "each profile's own" if matrices == len(c.profiles) else "some shared"
    asked += "; overall shares kept exactly, by the profiles' weights" * bool(c.shares)
    such += " that keeps the overall shares" * bool(c.shares)
    such += " with these outputs" + " and matrices shared alike" * (matrices < len(c.profiles))
    end = f"{c.objective} at most {decimal(ceil, c.value)}; {such} is below {decimal(floor, c.bound)}"
    end += "; with a matrix for each profile one may be" * (matrices < len(c.profiles))
    if c.loss and not any(map(any, c.loss)):
        end = "a proof of privacy alone: nothing is proved of its distortion"
    return f"accepted: {asked}\n{sizes}, {groups}\n{end}"


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
    c = SimpleNamespace(shares=None, work=0, limit=WORK + WORK_PER_BYTE * size, lengths={"4": 4})
    try:
        found = json.loads(text, object_pairs_hook=once)
        require(2, type(found) is dict, "not an object, or one with a key twice")
        shape = SHAPES.get(str(found.get("format")))
        require(2, shape, "not a mechdesign certificate of format 3; of formulas: formula_checker.py")
        vars(c).update(vars(fit(c, found, shape, "file")))
    except (RecursionError, ValueError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None
    c.categories, c.outputs, c.names = c.labels.categories, c.labels.outputs, c.labels.profiles
    for labels in (c.categories, c.outputs, c.names):
        require(2, len(set(labels)) == len(labels) > 0, "no categories, outputs or profiles, or one given twice")
    require(2, 0 <= c.bits <= 320, "bits: not from 0 to 320")
    if c.format == CERTIFICATE:
        losses = {"max-off-diagonal": 0, "expected-loss": len(c.categories), "worst-loss": len(c.categories)}
        proper = len(c.loss) == losses.get(c.objective) and c.loss_unit > 0 and (c.loss or c.categories == c.outputs)
        require(2, proper, "an unknown objective, no loss for it, or off the diagonal a loss or unequal outputs")
    return c


def once(pairs: list[Any]) -> Any:
    """Return a JSON object; one with a key twice as something else, which fits no shape."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else ()


def fit(c: Any, value: Any, shape: Any, place: str) -> Any:
    """Return a JSON value of this shape: fields of an object, text as rationals where these are due, labels as text."""
    if type(shape) is dict:
        require(2, type(value) is dict, f"{place}: missing, not an object, or one with a key twice")
        spend(c, 64 * len(shape), 0, 0)
        keys = [key for key in shape if key in value or key not in ("bounds", "shares")]
        return Fields(**{key: fit(c, value.get(key), shape[key], key) for key in keys})
    if type(shape) is list:
        size, inner = shape
        proper = type(value) is list and (size == "*" or c.lengths.setdefault(size, len(value)) == len(value))
        require(2, proper, f"{place}: missing, not a list, or not as long as expected")
        if inner is int and set(map(type, value)) <= {int}:
            return value
        spend(c, (64 if inner is LABEL else 24) * len(value), 0, 0)
        return [fit(c, part, inner, place) for part in value]
    if shape is LABEL:
        return json.dumps(value)
    if shape is Fraction:
        rational = type(value) is str and re.fullmatch("-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{0,998})?", value)
        require(2, rational, f"{place}: missing, or not text such as 3/10 or 0.3")
        spend(c, 64 + len(value), 0, 0)
        return Fraction(value)
    require(2, type(value) is shape, f"{place}: missing, or not {'an integer' if shape is int else 'text'}")
    return value


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
