"""The polynomial arithmetic of formula_checker.py: against sympy, and against values at points between all roots."""

import math
from fractions import Fraction
from itertools import pairwise, permutations
from types import SimpleNamespace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Poly, Symbol

from mechdesign.certificate import formula_checker as fc
from mechdesign.certificate.formula_checker import End, Rejected

F = Fraction
Z = Symbol("z")
SMALL = st.integers(-9, 9)
POLYNOMIALS = st.lists(SMALL, max_size=7).map(fc.stripped)
NONZERO = POLYNOMIALS.filter(bool)


def c() -> Any:
    return SimpleNamespace(work=0, limit=math.inf)


def poly(f: Any) -> Any:
    return Poly(f[::-1] or [0], Z)


def ascending(f: Any) -> list[Fraction]:
    found = [F(int(a.p), int(a.q)) for a in f.all_coeffs()[::-1]]
    return found if any(found) else []


def alike(f: Any, g: Any, *, sign: bool = False) -> bool:
    """Tell whether two polynomials are the same but for a factor; with `sign`, a positive one."""
    if not f or not g:
        return not f and not g
    factor = F(f[-1]) / F(g[-1])
    return (factor > 0 or not sign) and [F(a) for a in f] == [factor * F(b) for b in g]


@given(POLYNOMIALS, POLYNOMIALS, SMALL, SMALL)
def test_sums_and_products(f: list[int], g: list[int], a: int, b: int) -> None:
    assert fc.combined(c(), (a, f), (b, g)) == ascending(a * poly(f) + b * poly(g))
    assert fc.product(c(), f, g) == ascending(poly(f) * poly(g))
    assert fc.stripped(fc.derivative(f)) == ascending(poly(f).diff(Z))


@given(NONZERO, st.fractions(0, 9, max_denominator=9), st.fractions(F(1, 9), 9, max_denominator=9), st.booleans())
def test_an_interval_is_mapped_to_all_positive_numbers(
    f: list[int], low: Fraction, width: Fraction, without_end: bool
) -> None:
    """The numerator of f((p + r t)/(q + s t)), for low = p/q and high = r/s."""
    high = math.inf if without_end else low + width
    up, down = (1, 0) if without_end else (low + width).as_integer_ratio()
    p, q = low.as_integer_ratio()
    total = Poly(0, Z)
    for k, a in enumerate(f):
        total += a * Poly(p + up * Z, Z) ** k * Poly(q + down * Z, Z) ** (len(f) - 1 - k)
    assert fc.stripped(fc.mapped(c(), f, low, high)) == ascending(total)


@given(NONZERO, NONZERO)
def test_quotients(f: list[int], g: list[int]) -> None:
    """Times an integer > 0, and of nothing that leaves a rest."""
    found = fc.quotient(c(), fc.product(c(), f, g), g)
    assert alike(found, f, sign=True)
    assert all(type(a) is int for a in found)
    assert bool(fc.quotient(c(), f, g)) == poly(f).set_domain("QQ").rem(poly(g)).is_zero


# --- signs ------------------------------------------------------------------------------------------------------------

FACTORS: list[tuple[list[int], tuple[float, ...]]] = [
    *(([-p, q], (p / q,)) for p in range(-2, 5) for q in (1, 2)),
    *(([-n, 0, 1], (-math.sqrt(n), math.sqrt(n))) for n in (2, 3, 5)),
    ([1, 0, 1], ()),
    ([3, -3, 1], ()),
    ([-1, -1, 1], ((1 - math.sqrt(5)) / 2, (1 + math.sqrt(5)) / 2)),
]
"""Polynomials and their real roots."""
NUMBERS: dict[float, End] = {
    **{float(one): End(one, one) for one in map(F, ("0", "1/2", "1", "3/2", "2", "3"))},
    math.sqrt(2): End(F(7, 5), F(71, 50), (-2, 0, 1)),
    math.sqrt(3): End(F(17, 10), F(9, 5), (-3, 0, 1)),
    (1 + math.sqrt(5)) / 2: End(F(8, 5), F(13, 8), (1, 1, -1)),
    math.inf: End(math.inf, math.inf),
}


@st.composite
def products(draw: st.DrawFn) -> tuple[list[int], list[tuple[float, int]]]:
    """A polynomial, and its real roots with their multiplicities."""
    f = [draw(st.sampled_from([1, -1, 6]))]
    roots: dict[float, int] = {}
    for (factor, own), times in draw(st.lists(st.tuples(st.sampled_from(FACTORS), st.integers(1, 3)), max_size=4)):
        for _ in range(times):
            f = fc.product(c(), f, factor)
        for one in own:
            key = next((other for other in roots if math.isclose(other, one)), one)
            roots[key] = roots.get(key, 0) + times
    return f, sorted(roots.items())


def value(f: list[int], x: float) -> Fraction:
    return sum((a * F(x) ** k for k, a in enumerate(f)), F(0))


def sign_near(f: list[int], x: float) -> int:
    found = value(f, x)
    return (found > 0) - (found < 0)


@given(products(), st.fractions(-3, 3, max_denominator=4))
def test_the_sign_at_a_number(made: tuple[list[int], list[tuple[float, int]]], x: Fraction) -> None:
    f, _ = made
    assert fc.sign(c(), f, x) == sign_near(f, float(x))


INTERVALS = [(a, b) for a, b in permutations(NUMBERS, 2) if 0 <= a < b and NUMBERS[a].high < NUMBERS[b].low]
"""Those of numbers that are not negative: `check_ends` rejects others before a sign is asked for."""


def outcome(ask: Any, part: Any, f: list[int]) -> bool | None:
    """Return what is told, None where the work runs out."""
    try:
        return bool(ask(SimpleNamespace(work=0, limit=2**32), part, f))
    except Rejected:
        return None


@given(products(), st.sampled_from(INTERVALS), st.sampled_from([[], [3], [-3]]))
@example(([2, 1], [(-2.0, 1)]), (0.0, 1.0), [3])
@example(([25, -30, 9], [(5 / 3, 2)]), (1.0, 3.0), [3])
def test_where_a_polynomial_is_positive(
    made: tuple[list[int], list[tuple[float, int]]], ends: tuple[float, float], g: list[int]
) -> None:
    """Against its values between all its roots: nonnegative on the closed interval, positive but for its start.

    Where a root of even multiplicity is within, it may be that nothing is told.
    """
    f, roots = made
    start, stop = ends
    part = SimpleNamespace(start=NUMBERS[start], end=NUMBERS[stop], known=set())
    last = stop if stop < math.inf else max(start, *(one for one, _ in roots), 0) + 1
    within = {one: times for one, times in roots if start + 1e-9 < one < last - 1e-9}
    marks = [start, *within, last]
    inner = [sign_near(f, (a + b) / 2) for a, b in pairwise(marks)]
    touches = any(times % 2 == 0 for times in within.values())
    assert outcome(fc.nonnegative, part, f) in {min(inner) > 0, None if touches else min(inner) > 0}
    at_stop = stop < math.inf and any(math.isclose(one, stop) for one, _ in roots)
    positive = min(inner) > 0 and not within and not at_stop
    assert outcome(fc.positive, part, f) in {positive, None if touches else positive}
    assert fc.nonnegative(c(), part, g) == (g != [-3])
    assert fc.positive(c(), part, g) == (g == [3])


@given(products(), st.fractions(0, 3, max_denominator=8), st.fractions(F(1, 8), 3, max_denominator=8), st.booleans())
def test_where_no_coefficient_is_negative(
    made: tuple[list[int], list[tuple[float, int]]], low: Fraction, width: Fraction, without_end: bool
) -> None:
    """It is never said of a polynomial that is negative somewhere; and it is said of all that need no more."""
    f, roots = made
    high = math.inf if without_end else low + width
    found = fc.mapped(c(), f, low, high)
    if min(found) >= 0:
        marks = [float(low), *(one for one, _ in roots if low < one < high), float(low + width)]
        assert min(sign_near(f, (a + b) / 2) for a, b in pairwise(marks)) >= 0
    assert fc.mapped(c(), [1, 2, 3], low, high)[0] > 0
    assert len(found) == len(f)
    last = f[-1] if without_end else value(f, float(low + width))
    assert (found[-1] > 0) == (last > 0)


def test_words() -> None:
    for f, words in (
        ([], "0"),
        ([1], "1"),
        ([-1], "-1"),
        ([0, 1], "E"),
        ([0, -1], "-E"),
        ([4, 0, -1], "4 - E^2"),
        ([-4, -2, 1], "-4 - 2 E + E^2"),
        ([F(1, 3), F(-1, 2)], "1/3 - 1/2 E"),
    ):
        assert fc.polynomial_words(f, "E") == words
