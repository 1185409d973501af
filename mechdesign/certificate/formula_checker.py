#!/usr/bin/env python3
"""Check the proof of a formula: python formula_checker.py FILE[.gz]. Standard library only; exact arithmetic only.

It accepts only if this follows from the file: for every z of its range, the least objective of all private mechanisms
with these outputs and one matrix for each group is the function given, numerator(z)/denominator(z) on each piece.
Either z = e^(epsilon/root), an edge has the ratio z^power and a delta; or z = delta, and an edge has a ratio, and
delta + slope z. Private means: for every edge (i, j), both ways, and every set S of outputs, q^i(S) <= ratio q^j(S) +
delta, where profile i releases q^i_y = sum_x P_i(x) A^i_xy. Compare profiles, edges and objective with yours:
`mechdesign check` does it too.

Weak duality is all that it rests on. On each interval of `primal` the matrices there, polynomials over a denominator,
are shown to be private and to cost what the piece says; on each of `dual`, that none cost less. All this is that some
polynomials are >= 0, or > 0, for a < z <= b: once t from 0 to infinity stands for the interval, no coefficient is
negative; or none is for each half of it, and so on. At a itself both follow: the matrices, of bounded entries, have a
limit; and the optimum falls as z grows, so that no limit from the right is larger.

Polynomials are lists of integers, in ascending powers of z. An end of an interval is "p/q", null for infinity, or
{"polynomial", "interval"} for the one root of a polynomial that rises or falls all over an interval. Ends that are the
same have to be written the same. Where a polynomial is 0 without being negative, an interval has to end.

Exit status: 0 accepted; 2 no proof of a formula (unreadable, not JSON, of the wrong shape, too long, too much work);
3 accepted, but nobody could be told (a full disk); wrong: 10 a distribution or weight, 11 an edge, 13 a row of a
matrix, 14 a group, 15 NOT PRIVATE, 16 a cost or value, 17 a multiplier, 18 a level or bound, 20 an end of an interval,
21 what the intervals cover, 22 a denominator.
"""

import gc
import gzip
import io
import json
import os
import re
import sys
from fractions import Fraction
from math import inf, lcm
from types import SimpleNamespace
from typing import Any, NamedTuple

FORMULA = "mechdesign-formula/2"
END, POLYNOMIAL = "an end", "a polynomial"
SPAN = {"from": ("", END), "to": ("", END), "denominator": ("", POLYNOMIAL)}
SHAPE: Any = {  # how long the lists within lists are, a letter for each, * any, o as m or empty for zeros; and of what
    "format": ("", str), "parameter": ("", str),
    "labels": ("", {"categories": ("d", None), "outputs": ("m", None), "profiles": ("k", None)}),
    "profiles": ("k", {"group": ("", int), "masses": ("d", int)}), "edges": ("e4", int), "deltas": ("t", Fraction),
    "objective": ("", str), "loss": ("*m", int), "loss_unit": ("", int), "weights": ("k", int),
    "pieces": ("*", SPAN | {"numerator": ("", POLYNOMIAL)}),
    "primal": ("*", SPAN | {
        "value": ("", POLYNOMIAL), "matrices": ("gdo", POLYNOMIAL), "excess": ("e2o", POLYNOMIAL),
    }),
    "dual": ("*", SPAN | {
        "privacy": ("e2o", POLYNOMIAL), "deltas": ("e2", POLYNOMIAL), "entries": ("gdo", POLYNOMIAL),
        "weights": ("*", POLYNOMIAL), "levels": ("gd", POLYNOMIAL),
    }),
}  # fmt: skip
OWN = {
    "epsilon": {"root": ("", int), "powers": ("s", int)},
    "delta": {"ratios": ("s", Fraction), "slopes": ("t", Fraction)},
}
WORK, WORK_PER_BYTE = 2**39, 2**21  # of `spend`, for any file and for its size: 1 s, and for 1 MB 3 s more, at most
LONGEST = 2**29  # bytes of text
TEXT, PARTS = 2**22, 2**19  # what a small file that is packed may hold: bytes, and parts of JSON
PACKED = "it unpacks to far more than its own size: unpack it first"
WORDS: Any = {int: "an integer", str: "text", Fraction: "text such as 3/10 or 0.3"}


class End(NamedTuple):
    """A number: low and high, which are the same; or the one root of a polynomial between them."""

    low: Any
    high: Any
    polynomial: Any = ()


def check(text: str, size: int = 0) -> Any:
    """Verify a proof, the text of a file (of this size, if packed); return its fields or raise Rejected."""
    c = read(text, size or len(text))
    for name in ("pieces", "primal", "dual"):
        check_ends(c, name)
    check_edges(c)
    check_profiles(c)
    for n, piece in enumerate(c.pieces):
        start = piece.start.polynomial or sign(c, piece.denominator, piece.start.low) > 0
        proper = positive(c, piece, piece.denominator) and start
        require(22, proper, f"pieces, {n}: the denominator is not positive")
    for name, check_part in (("primal", check_primal), ("dual", check_dual)):
        for n, (part, piece) in enumerate(assigned(c, name)):
            part.name, part.known = f"{name}, {n}", set()
            require(22, positive(c, part, part.denominator), f"{part.name}: the denominator is not positive")
            check_part(c, part, piece)
    return c


# --- what is claimed --------------------------------------------------------------------------------------------------


def check_edges(c: Any) -> None:
    """Find the ratio z^power r/R and delta (s + t z)/D of each edge, both ways, with the same R and D for all."""
    if c.parameter == "epsilon":
        c.ratios, c.slopes = [Fraction(1)] * len(c.powers), [Fraction(0)] * len(c.deltas)
        require(2, 0 < c.root < 1000, "root: not from 1 to 999")
    else:
        c.root, c.powers = 1, [0] * len(c.ratios)
    strong = all(0 <= power < 1000 and ratio >= 1 for power, ratio in zip(c.powers, c.ratios))
    proper = strong and all(0 <= delta < 1 and slope >= 0 for delta, slope in zip(c.deltas, c.slopes))
    require(11, proper, "powers, ratios, deltas or slopes: not a ratio >= 1 and 0 <= delta < 1")
    last = [-1, -1]
    for n, (i, j, strength, delta) in enumerate(c.edges):
        there = 0 <= i < j < len(c.profiles) and 0 <= strength < len(c.powers) and 0 <= delta < len(c.deltas)
        require(11, there and last < [i, j], f"edge {n}: not of two profiles, a ratio and a delta, or not in order")
        last = [i, j]
    c.ratio_unit, factors = over_one(c, c.ratios)
    c.delta_unit, both = over_one(c, c.deltas + c.slopes)
    deltas = [stripped(pair) for pair in zip(both, both[len(c.deltas) :])]
    asked = [(i, j, [0] * c.powers[strength] + [factors[strength]], deltas[delta]) for i, j, strength, delta in c.edges]
    c.directed = [one for a, b, ratio, delta in asked for one in ((a, b, ratio, delta), (b, a, ratio, delta))]


def check_profiles(c: Any) -> None:
    """Find the masses of all distributions over one unit, the rows that anybody uses, and what losses are over."""
    c.groups, c.used, c.unit = [one.group for one in c.profiles], set(), 1
    for i, one in enumerate(c.profiles):
        one.total = sum(one.masses)
        require(10, min(one.masses) >= 0 and one.total > 0, f"profile {i}: not a distribution")
        require(14, 0 <= one.group < c.lengths["g"], f"profile {i}: not a group that has a matrix")
        c.used.update((one.group, x) for x, mass in enumerate(one.masses) if mass)
        spend(c, 9, c.unit.bit_length(), one.total.bit_length())
        c.unit = lcm(c.unit, one.total)
    spend(c, 9 * len(c.profiles) * len(c.categories), c.unit.bit_length(), 2**12)
    c.masses = [[mass * (c.unit // one.total) for mass in one.masses] for one in c.profiles]
    require(10, min(c.weights) >= 0 < sum(c.weights), "weights: not >= 0 with a positive total")
    c.weight = sum(c.weights) if c.objective == "expected-loss" else 1
    c.scale = c.unit * c.weight * c.loss_unit


def check_ends(c: Any, name: str) -> None:
    """Each interval ends after it begins, where the next one begins; an algebraic end is one number."""
    parts = getattr(c, name)
    require(21, parts, f"{name}: no intervals")
    for n, part in enumerate(parts):
        require(21, n == 0 or part.start == parts[n - 1].end, f"{name}, {n}: does not begin where the one before ends")
        for end in (part.start, part.end):
            if end.polynomial and str(end) not in c.ends:  # text, since numbers can be made to have one hash
                rises = sign(c, end.polynomial, end.high)
                slope = [rises * a for a in derivative(end.polynomial)]
                proper = end.low < end.high and sign(c, end.polynomial, end.low) * rises < 0
                proper = proper and between(c, slope, end.low, end.high, False, (), 0)
                require(20, proper, f"{name}, {n}: an end is not the root of what rises or falls within its interval")
                c.ends.add(str(end))
        require(20, part.start.high < part.end.low, f"{name}, {n}: it does not end, with room between, after it begins")
    first, last = parts[0].start, parts[-1].end
    least = 1 if c.parameter == "epsilon" else 0
    proper = not first.polynomial and not last.polynomial and first.low >= least
    words = f"{name}: the range does not begin at a rational number from {least} on, or end at one or never"
    require(20, proper, words)


def assigned(c: Any, name: str) -> Any:
    """Yield each interval of `primal` or `dual` with its piece; together they cover each piece, and none has two."""
    rest, words = iter(getattr(c, name)), f"{name}: the intervals do not cover the pieces, or one is in two of them"
    for piece in c.pieces:
        reached = piece.start
        while reached != piece.end:
            part = next(rest, None)
            if part is None or part.start != reached:
                raise Rejected(21, words)
            yield part, piece
            reached = part.end
    require(21, next(rest, None) is None, words)


# --- why it is true ---------------------------------------------------------------------------------------------------


def check_primal(c: Any, part: Any, piece: Any) -> None:
    """The matrices are private and cost at most `value`, which is the piece's function: the optimum is no larger."""
    for group, x in sorted(c.used):
        row = part.matrices[group][x]
        total = combined(c, (-1, part.denominator), *((1, entry) for entry in row))
        proper = not total and all(nonnegative(c, part, entry) for entry in row)
        require(13, proper, f"{part.name}: group {group}, row {x}: not entries >= 0 whose total is the denominator")
    rows = [part.matrices[group] for group in c.groups]
    columns = range(len(c.outputs))
    spend(c, len(c.profiles) * len(c.categories), 0, 0)
    there = [[(mass, row) for mass, row in zip(masses, matrix) if mass] for masses, matrix in zip(c.masses, rows)]
    released = [[combined(c, *((mass, row[y]) for mass, row in used)) for y in columns] for used in there]
    for (a, b, ratio, delta), excess in zip(c.directed, flat(part.excess)):
        who = f"{part.name}: NOT PRIVATE: profile {c.names[a]:.50} against profile {c.names[b]:.50}"
        for p, r, over in zip(released[a], released[b], excess):
            most = combined(c, (c.ratio_unit * c.unit, over), (1, product(c, ratio, r)), (-c.ratio_unit, p))
            proper = nonnegative(c, part, over) and nonnegative(c, part, most)
            require(15, proper, f"{who} exceeds ratio and excess")
        left = combined(c, (1, product(c, delta, part.denominator)), *((-c.delta_unit, over) for over in excess))
        require(15, nonnegative(c, part, left), f"{who} exceeds delta")
    for cost, scale in costs(c, part, rows):
        proper = nonnegative(c, part, combined(c, (scale, part.value), (-1, cost)))
        require(16, proper, f"{part.name}: a cost is not proved to be at most the value")
    same = product(c, piece.numerator, part.denominator) == product(c, part.value, piece.denominator)
    require(16, same, f"{part.name}: the value is not the function of the piece")


def costs(c: Any, part: Any, rows: Any) -> Any:
    """Return polynomials, and integers that they are over: the largest is the objective.

    They are 0 and all A^i_xy with x != y; or the mean, or all, of sum_x P_i(x) sum_y A^i_xy l(x,y).
    """
    if c.objective == "max-off-diagonal":
        entries = [f for group, x in sorted(c.used) for y, f in enumerate(part.matrices[group][x]) if x != y]
        return [(f, 1) for f in [[], *entries]]
    losses = []
    for masses, matrix in zip(c.masses, rows):
        used = [(mass, row, costs) for mass, row, costs in zip(masses, matrix, c.loss) if mass]
        losses.append([(mass * cost, f) for mass, row, costs in used for cost, f in zip(costs, row)])
    if c.objective == "worst-loss":
        return [(combined(c, *terms), c.scale) for terms in losses]
    weighed = [(weight * cost, f) for weight, terms in zip(c.weights, losses) for cost, f in terms if weight]
    return [(combined(c, *weighed), c.scale)]


def check_dual(c: Any, part: Any, piece: Any) -> None:
    """No private matrices cost less than (sum levels - sum delta deltas)/denominator, which is the piece's function.

    With privacy lam(a,b,y), g_i(y) = sum_b lam(i,b,y) - sum_a ratio lam(a,i,y), any matrices that are private cost at
    least sum_(g,x) min_y [entries_gxy + sum_(i in g) P_i(x) (w_i l(x,y) + g_i(y))] - sum delta max_y lam: entries are
    prices off the diagonal, of total <= 1, or w_i the weights of the profiles, of total 1.
    """
    spend(c, len(c.profiles) * len(c.outputs), 0, 0)
    gains: Any = [[[] for _ in c.outputs] for _ in c.profiles]
    bound = [(c.delta_unit, level) for levels in part.levels for level in levels]
    for n, (privacy, price) in enumerate(zip(flat(part.privacy), flat(part.deltas))):
        a, b, ratio, delta = c.directed[n]
        for y, lam in enumerate(privacy):
            proper = nonnegative(c, part, lam)
            proper = proper and (not delta or nonnegative(c, part, combined(c, (1, price), (-1, lam))))
            require(17, proper, f"{part.name}: edge {n // 2}: a multiplier is negative, or above that of its delta")
            gains[a][y].append((c.ratio_unit, lam))
            gains[b][y].append((-1, product(c, ratio, lam)))
        bound.append((-1, product(c, delta, price)))
    weights = weights_of(c, part)
    members: Any = [[] for _ in range(c.lengths["g"])]
    for masses, group, weight, gain in zip(c.masses, c.groups, weights, gains):
        members[group].append((masses, weight, [combined(c, *terms) for terms in gain]))
    for group, x in ((group, x) for group in range(len(members)) for x in range(len(c.categories))):
        present = [(masses[x], weight, gain) for masses, weight, gain in members[group] if masses[x]]
        for y in range(len(c.outputs)):
            terms = [(c.scale * c.ratio_unit, part.entries[group][x][y])]
            for mass, weight, gain in present:
                terms += [(mass * c.weight * c.loss_unit, gain[y])]
                terms += [(mass * c.ratio_unit * c.loss[x][y], weight)] if c.loss else []
            price = combined(c, *terms, (-c.scale * c.ratio_unit, part.levels[group][x]))
            require(18, nonnegative(c, part, price), f"{part.name}: group {group}, row {x}: the level is above a price")
    found = product(c, combined(c, *bound), piece.denominator)
    claimed = product(c, piece.numerator, combined(c, (c.delta_unit, part.denominator)))
    require(18, found == claimed, f"{part.name}: what the multipliers prove is not the function of the piece")


def weights_of(c: Any, part: Any) -> Any:
    """Return the weight of each profile's loss; of prices of entries, require that they are such."""
    words = f"{part.name}: entries or weights: negative, not of total 1, on the diagonal, or not for this objective"
    zeros = c.lengths.get("zeros")
    rows = [(x, row) for table in part.entries for x, row in enumerate(table) if row is not zeros]
    if c.objective == "max-off-diagonal":
        prices = [price for _, row in rows for price in row if price]
        proper = not part.weights and not any(row[x] for x, row in rows)
        proper = proper and nonnegative(c, part, combined(c, (1, part.denominator), *((-1, f) for f in prices)))
        require(17, proper and all(nonnegative(c, part, price) for price in prices), words)
        return [[]] * len(c.profiles)
    require(17, not any(any(row) for _, row in rows), words)
    if c.objective == "expected-loss":
        require(17, not part.weights, words)
        return [combined(c, (weight, part.denominator)) for weight in c.weights]
    left = combined(c, (-1, part.denominator), *((1, weight) for weight in part.weights))
    proper = len(part.weights) == len(c.profiles) and not left
    require(17, proper and all(nonnegative(c, part, weight) for weight in part.weights), words)
    return part.weights


def flat(pairs: Any) -> list[Any]:
    """Return what there is of each edge, one way and the other."""
    return [one for pair in pairs for one in pair]


def over_one(c: Any, numbers: Any) -> tuple[int, list[int]]:
    """Return the least common denominator of rationals, and their numerators over it."""
    unit = 1
    for number in numbers:
        spend(c, 9, unit.bit_length(), number.denominator.bit_length())
        unit = lcm(unit, number.denominator)
    spend(c, 9 * len(numbers), unit.bit_length(), 2**12)
    return unit, [number.numerator * (unit // number.denominator) for number in numbers]


# --- polynomials ------------------------------------------------------------------------------------------------------


def stripped(f: Any) -> list[int]:
    """Return a polynomial without leading zeros; 0 is []."""
    found = [*f]
    while found and not found[-1]:
        found.pop()
    return found


def bits(f: Any) -> int:
    """Return the length of the longest coefficient."""
    return max(map(abs, f), default=0).bit_length()


def combined(c: Any, *terms: Any) -> list[int]:
    """Return the sum of multiples: terms are an integer and a polynomial each."""
    used = [(factor, f) for factor, f in terms if factor and f]
    longest = max((bits(f) for _, f in used), default=0)
    spend(c, len(terms) + sum(len(f) for _, f in used), bits(n for n, _ in used), longest)
    total = [0] * max((len(f) for _, f in used), default=0)
    for factor, f in used:
        for k, a in enumerate(f):
            total[k] += factor * a
    return stripped(total)


def product(c: Any, f: Any, g: Any) -> list[int]:
    """Return f g."""
    spend(c, len(f) * len(g), bits(f), bits(g))
    total = [0] * (len(f) + len(g) - 1 if f and g else 0)
    for k, a in enumerate(f):
        for n, b in enumerate(g if a else ()):
            total[k + n] += a * b
    return total


def derivative(f: Any) -> list[int]:
    """Return f'."""
    return [k * a for k, a in enumerate(f)][1:]


def quotient(c: Any, f: Any, g: Any) -> list[int]:
    """Return f / g times an integer > 0, or [] where g does not divide f."""
    left: Any = [*f]
    found: Any = []
    lead, turn = abs(g[-1]), 1 if g[-1] > 0 else -1
    while len(left) >= len(g):
        spend(c, len(f) + len(g), bits(left), bits(g))
        top = left[-1] * turn
        left = [lead * a for a in left]
        found = [lead * a for a in found] + [top]
        for k, b in enumerate(g, len(left) - len(g)):
            left[k] -= top * b
        left.pop()
    return [] if any(left) else found[::-1]


def sign(c: Any, f: Any, z: Fraction) -> int:
    """Return the sign of f(z)."""
    p, q, power, value = z.numerator, z.denominator, 1, 0
    long = bits((p, q))
    spend(c, 3 * len(f), long, bits(f) + len(f) * long)
    for a in reversed(f):
        value = value * p + a * power
        power *= q
    return (value > 0) - (value < 0)


def mapped(c: Any, f: Any, low: Fraction, high: Any) -> list[int]:
    """Return f((p + r t)/(q + s t)) (q + s t)^n, a polynomial in t, for low = p/q and high = r/s; infinity is 1/0.

    As t runs from 0 to infinity, z does from low to high: where no coefficient is negative, f is not either. The first
    coefficient has the sign of f(low), the last that of f(high), or of f far out.
    """
    p, q = low.numerator, low.denominator
    r, s = (1, 0) if high == inf else (high.numerator, high.denominator)
    long = bits((p, q, r, s))
    spend(c, 2 * len(f) ** 2, long, bits(f) + len(f) * long)
    found: list[int] = []
    power = [1]
    for a in reversed(f):
        found = [p * u + r * v + a * w for u, v, w in zip([*found, 0], [0, *found], power)]
        power = [q * u + s * v for u, v in zip([*power, 0], [0, *power])]
    return found


def nonnegative(c: Any, part: Any, f: Any) -> bool:
    """Tell whether f >= 0 for every number of an interval."""
    spend(c, 1, 0, 0)
    if not f:
        return True
    text = " ".join(map(hex, f))  # since numbers can be made to have one hash
    if text not in part.known:
        found = min(f) >= 0  # no z is negative
        found = found or min(mapped(c, f, part.start.low, part.end.high)) >= 0 or proved(c, part, f, False)
        part.known.update([text] * found)
    return text in part.known


def positive(c: Any, part: Any, f: Any) -> bool:
    """Tell whether f > 0 for every number of an interval but its first."""
    return bool(f) and proved(c, part, f, True)


def proved(c: Any, part: Any, f: Any, strict: bool) -> bool:
    """Tell whether f >= 0 for every number of an interval; if strict, > 0, but for the first.

    Between the ends it is enough to look at rational numbers. Around an end that is a root of p, f = p^n g, and p has
    the sign there that it has at the inner side: what counts is g, which has no root at the end itself.
    """
    if not between(c, f, part.start.high, part.end.low, strict, (), 0):
        return False
    for end, inner in ((part.start, part.start.high), (part.end, part.end.low)):
        if end.polynomial:
            side, left = sign(c, end.polynomial, inner), f
            while rest := quotient(c, left, end.polynomial):
                left = [side * a for a in rest]
            if strict and end is part.end and len(left) < len(f):
                return False
            if not between(c, left, end.low, end.high, strict, end.polynomial, side):
                return False
    return True


def between(c: Any, f: Any, low: Any, high: Any, strict: bool, p: Any, side: int) -> bool:
    """Tell whether f >= 0 (if strict, > 0 but for `low`) wherever p has the sign `side`; without p, everywhere.

    Where coefficients do not tell, each half has its own. This never ends where f is 0 within without being negative:
    then the work runs out.
    """
    todo, least = [(low, high)], 1 if strict else 0
    while todo:
        low, high = todo.pop()
        inside = [not p or sign(c, p, end) == side for end in (low, high)]
        if not any(inside):
            continue
        found = mapped(c, f, low, high)
        if min(found) >= 0 and found[-1] >= least:
            continue
        if (inside[0] and found[0] < 0) or (inside[1] and found[-1] < least):
            return False
        middle = 2 * low + 1 if high == inf else (low + high) / 2
        todo += [(middle, high), (low, middle)]
    return True


# --- what is said -----------------------------------------------------------------------------------------------------


def statement(c: Any) -> str:
    """Return in words what was proved."""
    unknown = {"delta": "delta", "epsilon": "E" if c.root == 1 else "z"}[c.parameter]
    meaning = {"delta": "delta", "E": "E = e^epsilon", "z": f"z = e^(epsilon/{c.root})"}[unknown]
    shared = len(set(c.groups)) < len(c.groups)
    whose = "the optimum of matrices shared alike" if shared else "the optimum"
    lines = [f"accepted: {whose} is exactly this function of {meaning}"]
    for piece in c.pieces[:20]:
        ends = f"{end_words(piece.start)} to {end_words(piece.end)}"
        lines.append(f"{unknown} from {ends}: {fraction_words(piece, unknown)}")
    lines += [f"and so on: {len(c.pieces)} pieces in all"] * (len(c.pieces) > 20)
    groups = "some shared" if shared else "each profile's own"
    lines.append(f"profiles {len(c.profiles)}, categories {len(c.categories)}")
    lines[-1] += f"; matrices {len(set(c.groups))}, {groups}; {c.objective}"
    asked = set()
    for strength, place in {(strength, delta) for _, _, strength, delta in c.edges}:
        multiple, delta, slope = Fraction(c.powers[strength], c.root), c.deltas[place], c.slopes[place]
        words = f"e^epsilon {c.ratios[strength]}" if c.parameter == "delta" else f"{multiple} times epsilon"
        own = "" if (delta, slope) == (0, 1) else f", delta {polynomial_words((delta, slope), 'delta')}"
        asked.add(short(words + own))
    proved, every = len(c.edges), len(c.profiles) * (len(c.profiles) - 1) // 2
    pairs = f"{proved} of {every} pairs" + "; nothing is proved of the others" * (proved < every)
    more = f"; and {len(asked) - 9} more kinds" * (len(asked) > 9)
    kinds = "; or ".join(sorted(asked)[:9]) + more
    return "\n".join([*lines, f"private at {kinds}, on {pairs}" if asked else "NO EDGES: nobody is protected"])


def short(words: str) -> str:
    """Return words, cut where they are very long."""
    return words if len(words) <= 300 else f"{words:.300}..."


def end_words(end: End) -> str:
    """Return a number in words."""
    if end.polynomial:
        return short(f"the root of {polynomial_words(end.polynomial, 'x')} between {end.low} and {end.high}")
    return "infinity" if end.low == inf else short(str(end.low))


def fraction_words(piece: Any, unknown: str) -> str:
    """Return the function of a piece in words."""
    up, down = (polynomial_words(f, unknown) for f in (piece.numerator, piece.denominator))
    if down == "1":
        return short(up)
    return short("/".join(f"({words})" if " " in words else words for words in (up, down)))


def polynomial_words(f: Any, unknown: str) -> str:
    """Return a polynomial in words, such as 4 - E^2."""
    words = ""
    for k, a in enumerate(f):
        factors = [str(abs(a))] * (k == 0 or abs(a) != 1) + [unknown if k == 1 else f"{unknown}^{k}"] * (k > 0)
        words += (f" {'-' if a < 0 else '+'} " + " ".join(factors)) * (a != 0)
    return words[3:] if words[:3] == " + " else "-" + words[3:] if words else "0"


# --- the file ---------------------------------------------------------------------------------------------------------


def text_in(file: Any) -> tuple[str, int]:
    """Return the text in a file, unpacked if need be, and the size of the file."""
    data: bytes = file.read(LONGEST)  # no more, of a device without an end
    size = len(data)
    require(2, size < LONGEST, "longer than any proof")
    if data[:2] == b"\x1f\x8b":
        most = min(LONGEST, TEXT + 16 * size)
        data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most)  # no more, of a bomb
        require(2, len(data) < most, "longer than any proof" if most == LONGEST else PACKED)
    return data.decode(), size


def read(text: str, size: int) -> Any:
    """Return the fields, of the shape that a proof has."""
    lengths: Any = {"2": 2, "4": 4}
    require(2, not re.search("(?<![0-9])[0-9]{1000}", text), "more than 999 digits in a row")
    parts = sum(map(text.count, '[{:,"'))
    require(2, parts <= PARTS + size, PACKED)  # as Python's objects they take much more room
    try:
        found = json.loads(text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else ())
        require(2, type(found) is dict, "not an object, or one with a key twice")
        require(2, found.get("format") == FORMULA, "not the proof of a formula; of other certificates: checker.py")
        own = OWN.get(str(found.get("parameter")))
        require(2, own, "parameter: neither epsilon nor delta")
        c = fit(found, "", "", SHAPE | own, lengths)
    except (RecursionError, ValueError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None
    c.categories, c.outputs, c.names = c.labels.categories, c.labels.outputs, c.labels.profiles
    for labels in (c.categories, c.outputs, c.names):
        require(2, len(set(labels)) == len(labels) > 0, "no categories, outputs or profiles, or one given twice")
    losses = {"max-off-diagonal": 0, "expected-loss": len(c.categories), "worst-loss": len(c.categories)}
    proper = len(c.loss) == losses.get(c.objective) and c.loss_unit > 0 and (c.loss or c.categories == c.outputs)
    require(2, proper, "an unknown objective, no loss for it, or off the diagonal a loss or unequal outputs")
    c.lengths, c.ends, c.work, c.limit = lengths, set(), parts * 2**20, WORK + WORK_PER_BYTE * size
    return c


def fit(value: Any, place: str, sizes: str, kind: Any, known: Any) -> Any:
    """Return a JSON value of this shape: text as rationals where these are due, labels as text."""
    if sizes == "o" and value == []:
        known["zeros"] = known.get("zeros") or [[]] * known["m"]  # once: a short file must not take much memory
        return known["zeros"]
    if sizes:
        size = sizes[0].replace("o", "m")
        proper = type(value) is list and (size == "*" or known.setdefault(size, len(value)) == len(value))
        require(2, proper, f"{place}: missing, not a list, or not as long as expected")
        if type(kind) is dict:
            return [fit(part, f"{place}, {n}", sizes[1:], kind, known) for n, part in enumerate(value)]
        if len(sizes) == 1 and set(map(type, value)) == {kind}:
            return value
        return [fit(part, place, sizes[1:], kind, known) for part in value]
    if kind is None:
        return json.dumps(value)
    if type(kind) is dict:
        require(2, type(value) is dict, f"{place}: not an object, or one with a key twice")
        names: Any = {"from": "start", "to": "end"}
        found = SimpleNamespace()
        for key, (inner, what) in kind.items():
            part = fit(value.get(key, False), f"{place}: {key}".strip(": "), inner, what, known)
            setattr(found, names.get(key, key), part)
        return found
    if kind == POLYNOMIAL:
        require(
            2, type(value) is list and set(map(type, value)) <= {int}, f"{place}: missing, or not a list of integers"
        )
        return stripped(value)
    if kind == END:
        return fit_end(value, place, known)
    rational = type(value) is str and re.fullmatch("-?[0-9]{1,999}([.][0-9]{1,999}|/[1-9][0-9]{,998})?", value)
    require(2, rational if kind is Fraction else type(value) is kind, f"{place}: missing, or not {WORDS[kind]}")
    return kind(value)


def fit_end(value: Any, place: str, known: Any) -> End:
    """Return an end of an interval: "p/q", null for infinity, or a root of a polynomial in an interval."""
    if value is None:
        return End(inf, inf)
    if type(value) is not dict:
        number = fit(value, place, "", Fraction, known)
        return End(number, number)
    polynomial = tuple(fit(value.get("polynomial"), place, "", POLYNOMIAL, known))
    require(2, len(polynomial) > 1, f"{place}: a polynomial without roots")
    low, high = fit(value.get("interval"), place, "2", Fraction, known)
    return End(low, high, polynomial)


class Rejected(Exception):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def require(status: int, truth: object, reason: str) -> None:
    """Reject unless `truth`."""
    if not truth:
        raise Rejected(status, reason)


def spend(c: Any, times: int, long: int, other: int) -> None:
    """Count so many multiplications of integers of these lengths; reject what would take too long."""
    c.work += times * (long * other + 2**17) + 2**21  # 2^17: what the shortest take; 2^21: one call of ours
    words = "checking would take too long for a file of this size: too many, too long or too high polynomials"
    require(2, c.work < c.limit, words)


def main(arguments: list[str]) -> int:
    """Check the file named; return the exit status."""
    gc.disable()  # nothing here refers to itself, and looking for it takes as long as all else
    try:
        wanted = len(arguments) == 1 and arguments[0] not in ("-h", "--help")
        require(2, wanted, "usage: python formula_checker.py FILE[.gz]")
        with open(arguments[0], "rb") as file:
            answer, status = statement(check(*text_in(file))), 0
    except Exception as reason:  # whichever: Python itself would end with 1
        answer, status = f"rejected: {str(reason) or 'out of memory'}", getattr(reason, "status", 2)
    for stream in (sys.stdout, sys.stderr)[status > 0 :]:
        try:
            print(answer, file=stream, flush=True)
            break
        except OSError as error:  # a full disk, which is no fault of the proof
            answer, status = f"{answer} (could not be written to standard output: {error})", status or 3
    return status


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))  # not sys.exit, which would try once more to write what is left, and end with 120
