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
from math import lcm
from types import SimpleNamespace
from typing import Any

RATIONAL = r"-?[0-9]{1,4000}(\.[0-9]{1,4000}|/[1-9][0-9]{0,3999})?"
SHAPE = {  # how long the lists within lists are, a letter for each, and what they hold: None is any label
    "format": ("", str), "categories": ("d", None), "outputs": ("m", None), "profiles": ("k", None),
    "distributions": ("kd", Fraction), "weights": ("k", int), "groups": ("k", int), "edges": ("e2", int),
    "epsilons": ("e", Fraction), "deltas": ("e", Fraction), "below": ("e", Fraction), "above": ("e", Fraction),
    "objective": ("", str), "loss": ("lm", int), "loss_unit": ("", int), "rows": ("rm", int), "index": ("kd", int),
    "value": ("", Fraction), "bound": ("", Fraction), "privacy": ("e2m", int), "entries": ("z4", int),
}  # fmt: skip
WORK = 10**13  # more arithmetic is refused; 1000 profiles, 50 categories and 64-bit weights need a third


def check(text: str) -> tuple[Fraction, Fraction]:
    """Verify a certificate, the text of its file; return (value, bound) or raise Rejected."""
    c = read(text)
    check_mechanism(c)
    check_privacy(c)
    value = objective(c)
    rounded = Fraction(-(-value * 2**120 // 1), 2**120)
    require(16, c.value in (value, rounded), f"the mechanism's objective is {shown(value)}, not the value given")
    proved = lower_bound(c)
    require(18, c.bound <= proved, f"the multipliers prove {shown(proved)}, less than the bound given")
    return c.value, c.bound


def check_mechanism(c: Any) -> None:
    """Each P_i is a distribution; each A^i_x is the weights rows[index[i][x]] over their total; a group shares rows."""
    for name, masses in zip(c.profiles, c.distributions):
        proper = min(masses) >= 0 and total(c, masses) == 1
        require(10, proper, f"profile {name}: not a distribution over the categories")
    require(10, min(c.weights) >= 0 < max(c.weights), "the profiles' weights are not >= 0 with a positive total")
    require(13, all(min(row) >= 0 < max(row) for row in c.rows), "rows: not weights >= 0 with a positive total")
    require(13, all(0 <= r < len(c.rows) for own in c.index for r in own), "index: a row that is not there")
    c.totals = [sum(row) for row in c.rows]
    c.used = [[(x, mass, r) for x, (mass, r) in enumerate(zip(*own)) if mass] for own in zip(c.distributions, c.index)]
    c.sharing = {}  # (group, x) -> the profiles that use A_x there
    for i, own in enumerate(c.used):
        for x, mass, r in own:
            sharing = c.sharing.setdefault((c.groups[i], x), [])
            sharing.append((i, mass, r))
            require(14, sharing[0][2] == r, f"profile {c.profiles[i]} does not use the rows of its group")


def check_privacy(c: Any) -> None:
    """The worst set S is {y : q^i_y > E q^j_y}; it exceeds E q^j(S) by sum_y max(0, q^i_y - E q^j_y)."""
    released = [mixture(c, [(mass / c.totals[r], c.rows[r]) for _, mass, r in own]) for own in c.used]
    for n, ((i, j), epsilon, delta, below, above) in enumerate(zip(c.edges, c.epsilons, c.deltas, c.below, c.above)):
        proper = 0 <= min(i, j) < max(i, j) < len(released) and epsilon >= 0 and 0 <= delta < 1
        require(11, proper, f"edge {n}: not two profiles with epsilon >= 0, 0 <= delta < 1")
        low, high = exp_bounds(min(epsilon, Fraction(700)))
        require(12, 0 <= below <= low, f"edge {n}: not proved to be below e^epsilon")
        require(12, above == 0 or (high <= above and epsilon <= 700), f"edge {n}: not proved to be above e^epsilon")
        for a, b in ((i, j), (j, i)):
            (p, p_unit), (q, q_unit) = released[a], released[b]
            over, unit = mixture(c, [(Fraction(1, p_unit), p), (-below / q_unit, q)])
            excess = Fraction(sum(gap for gap in over if gap > 0), unit) - delta
            who = f"profile {c.profiles[a]} against {c.profiles[b]}"
            require(15, excess <= 0, f"NOT PRIVATE: {who} exceeds delta by {shown(excess)}")


@lru_cache(maxsize=None)
def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Return rationals below and above e^x, 0 <= x <= 700, as (1 + h/1 (1 + h/2 (1 + ...)))^1024 with h = x / 1024."""
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
    if not c.loss:
        two = [sorted([0, *row])[-2:] for row in c.rows]  # the largest, or the second if that is A_xx
        largest = [0] * len(c.rows)
        for r, x in {(r, x) for own in c.index for x, r in enumerate(own)}:
            largest[r] = max(largest[r], two[r][c.rows[r][x] < two[r][1]])
        return max(map(Fraction, largest, c.totals))
    costs = []
    for own in c.used:
        parts = [(mass / c.totals[r], [w * loss for w, loss in zip(c.rows[r], c.loss[x])]) for x, mass, r in own]
        losses, unit = mixture(c, parts)
        costs.append(Fraction(sum(losses), unit * c.loss_unit))
    if c.objective == "worst-loss":
        return max(costs)
    return total(c, [weight * cost for weight, cost in zip(c.weights, costs)]) / int(sum(c.weights))


def lower_bound(c: Any) -> Fraction:
    """Return what the multipliers prove: objective >= sum_i sum_x min_y [c_i(x,y) + P_i(x) g_i(y)] - sum delta max lam.

    With lam(a,b,y) for the edges, both ways, g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y); and c_i(x,y) are prices of
    entries off the diagonal, of total 1, or w_i P_i(x) l(x,y) with weights w_i of total 1. Here their total is `whole`.
    """
    prices: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for group, x, y, price in c.entries:
        proper = price >= 0 and 0 <= x < c.d and 0 <= y < c.m and x != y and not c.loss
        require(17, proper, "entries: a multiplier is negative, out of range, on the diagonal, or goes with a loss")
        prices.setdefault((group, x), []).append((y, price))
    whole = 2**80 if c.loss else sum(price for *_, price in c.entries)
    terms: list[Any] = [[] for _ in c.used]  # of g_i
    proved = []
    for (i, j), delta, above, both in zip(c.edges, c.deltas, c.above, c.privacy):
        for a, b, lam in ((i, j, both[0]), (j, i, both[1])):
            require(17, min(lam) >= 0 and (above > 0 or not any(lam)), "privacy: a multiplier is negative, or has no E")
            if any(lam):
                terms[a].append((Fraction(1), lam))
                terms[b].append((-above, lam))
                proved.append(-delta * max(lam))
    gains, everyone = [mixture(c, parts) for parts in terms], sum(c.weights) * c.loss_unit
    for (group, x), sharing in c.sharing.items():
        parts = [(mass / gains[i][1], gains[i][0]) for i, mass, _ in sharing]
        if c.loss:
            parts += [(whole * c.weights[i] * mass / everyone, c.loss[x]) for i, mass, _ in sharing]
        row, unit = mixture(c, parts)
        for y, price in prices.get((group, x), ()):
            row[y] += unit * price
        proved.append(Fraction(min(row), unit))
    return total(c, proved) / whole if whole else Fraction(0)  # no entry off the diagonal is negative


# --- arithmetic, and what is refused ----------------------------------------------------------------------------------


def mixture(c: Any, parts: list[tuple[Fraction, list[int]]]) -> tuple[list[int], int]:
    """Return the sum of share * row over the parts (share, row), as integers over a common unit, and the unit."""
    unit, mixed = 1, [0] * c.m
    for share, _ in parts:
        spend(c, 4, unit, share.denominator)
        unit = lcm(unit, share.denominator)
    for share, row in parts:
        spend(c, len(row), unit, share.denominator * max(map(abs, row)))
        factor = share.numerator * (unit // share.denominator)
        mixed = [before + factor * entry for before, entry in zip(mixed, row)]
    return mixed, unit


def total(c: Any, values: list[Fraction]) -> Fraction:
    """Return the sum."""
    (numerator, *_), denominator = mixture(c, [(value, [1]) for value in values])
    return Fraction(numerator, denominator)


def spend(c: Any, steps: int, a: int, b: int) -> None:
    """Count so many products of integers as long as these; beyond WORK the certificate is Rejected."""
    c.spent += steps * (400 + a.bit_length()) * (400 + b.bit_length())
    require(2, c.spent <= WORK, "too many or too long numbers: not checked")


class Rejected(ValueError):
    """The file does not prove what it states; `status` is the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def require(status: int, truth: object, reason: str) -> None:
    """Reject unless `truth`."""
    if not truth:
        raise Rejected(status, reason)


def read(text: str) -> Any:
    """Return the fields of SHAPE. Keys given twice, long integers and other numbers become (), which `fit` refuses."""
    try:
        found = json.loads(
            text,
            object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else (),
            parse_int=lambda digits: int(digits) if len(digits) <= 4000 else (),
            parse_float=lambda _: (),
            parse_constant=lambda _: (),
        )
        proper = isinstance(found, dict) and SHAPE.keys() <= found.keys()
        require(2, proper, f"not an object with each of these keys once: {', '.join(SHAPE)}")
        lengths = {"2": 2, "4": 4}
        c = SimpleNamespace(spent=0, **{key: fit(found[key], key, *SHAPE[key], lengths) for key in SHAPE})
    except (RecursionError, json.JSONDecodeError) as error:
        raise Rejected(2, f"not JSON, or nested too deeply: {error}") from None
    require(2, c.format == "mechdesign-certificate/1", "not a mechdesign certificate")
    for labels in (c.categories, c.outputs, c.profiles):
        require(2, labels and len(set(labels)) == len(labels), "no categories, outputs or profiles, or one given twice")
    c.d, c.m, c.profiles = lengths["d"], lengths["m"], [label[:50] for label in c.profiles]
    expected = {"max-off-diagonal": 0, "expected-loss": c.d, "worst-loss": c.d}.get(c.objective)
    proper = len(c.loss) == expected and c.loss_unit > 0 and (c.loss or c.categories == c.outputs)
    require(2, proper, "an unknown objective, no loss for it, or off the diagonal a loss or unequal outputs")
    return c


def fit(value: Any, place: str, sizes: str, kind: Any, known: dict[str, int]) -> Any:
    """Return a JSON value of this shape: text as rationals where these are due, labels as text."""
    if sizes:
        proper = type(value) is list and known.setdefault(sizes[0], len(value)) == len(value)
        require(2, proper, f"{place}: not a list, or not as long as expected")
        if len(sizes) == 1 and set(map(type, value)) == {kind}:
            return value
        return [fit(part, place, sizes[1:], kind, known) for part in value]
    if kind is None:
        return json.dumps(value)
    written = type(value) is str and re.fullmatch(RATIONAL, value) if kind is Fraction else type(value) is kind
    require(2, written, f"{place}: expected {'text such as 3/10 or 0.3' if kind is Fraction else kind.__name__}")
    return kind(value)


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
            value, bound = check(file.read())
    except (Rejected, OSError, UnicodeDecodeError, MemoryError) as reason:
        print(f"rejected: {str(reason) or 'out of memory'}", file=sys.stderr)
        return getattr(reason, "status", 2)
    above, below = (Decimal(f"{n}e-12") for n in (-(-value * 10**12 // 1), bound * 10**12 // 1))  # rounded up, and down
    print(f"accepted: private; value at most {above:f}; no private mechanism with these groups is below {below:f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
