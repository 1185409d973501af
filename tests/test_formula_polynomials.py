"""The polynomial arithmetic of formula_checker.py: against sympy, and against values at points between all roots."""

import math
from fractions import Fraction
from itertools import pairwise, permutations
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Poly, Symbol

from mechdesign.certificate import formula_checker as fc
from mechdesign.certificate.formula_checker import End

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


@given(NONZERO, SMALL, st.fractions(F(1, 9), 9, max_denominator=9))
def test_shifts_and_scales(f: list[int], by: int, factor: Fraction) -> None:
    assert fc.shifted(c(), f, by) == ascending(poly(f).compose(Poly(Z + by, Z)))
    found = fc.scaled(c(), f, factor)
    assert alike(found, [a * factor**k for k, a in enumerate(f)], sign=True)
    assert all(type(a) is int for a in found)


@given(NONZERO, NONZERO)
def test_remainders_and_quotients(f: list[int], g: list[int]) -> None:
    assert alike(fc.remainder(c(), f, g), ascending(poly(f).set_domain("QQ").rem(poly(g))), sign=True)
    sequence = fc.remainders(c(), f, g)
    assert sequence[:2] == [f, g]
    assert alike(sequence[-1], ascending(poly(f).set_domain("QQ").gcd(poly(g))))
    for one, other, left in zip(sequence, sequence[1:], sequence[2:], strict=False):
        assert alike(left, ascending(-poly(one).set_domain("QQ").rem(poly(other))), sign=True)
        assert math.gcd(*left) == 1
    assert fc.remainders(c(), f, []) == [f]
    assert alike(fc.quotient(c(), fc.product(c(), f, g), g), f)


@given(st.lists(st.tuples(NONZERO, st.integers(1, 4)), min_size=1, max_size=3))
@example([([0, 1], 1), ([1, 1], 2), ([-1, 1], 3)])
def test_roots_once_and_those_of_odd_multiplicity(factors: list[tuple[list[int], int]]) -> None:
    f = [1]
    for factor, times in factors:
        for _ in range(times):
            f = fc.product(c(), f, factor)
    every, odd = fc.simple_parts(c(), f)
    parts = poly(f).sqf_list()[1]
    for found, wanted in ((every, parts), (odd, [(g, times) for g, times in parts if times % 2])):
        product = Poly(1, Z)
        for factor, _ in wanted:
            product *= factor
        assert alike(found, ascending(product))


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
    **{float(one): End(one, one) for one in map(F, ("-3", "-1", "0", "1/2", "1", "3/2", "2", "3"))},
    math.sqrt(2): End(F(7, 5), F(71, 50), (-2, 0, 1)),
    math.sqrt(3): End(F(17, 10), F(9, 5), (-3, 0, 1)),
    (1 + math.sqrt(5)) / 2: End(F(8, 5), F(13, 8), (1, 1, -1)),
    -math.sqrt(2): End(F(-3, 2), F(-7, 5), (-8, 0, 12, 0, -6, 0, 1)),  # of multiplicity 3
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


@given(products(), st.sampled_from(sorted(NUMBERS)))
def test_the_sign_at_a_number(made: tuple[list[int], list[tuple[float, int]]], x: float) -> None:
    f, roots = made
    end = NUMBERS[x]
    found = fc.sign(c(), f, end)
    if x == math.inf:
        assert found == (1 if f[-1] > 0 else -1)
    elif any(math.isclose(x, one, abs_tol=1e-9) for one, _ in roots):
        assert found == 0
    else:
        assert found == sign_near(f, x)


INTERVALS = [(a, b) for a, b in permutations(NUMBERS, 2) if 0 <= a < b and NUMBERS[a].high < NUMBERS[b].low]
"""Those of numbers that are not negative: `check_ends` rejects others before a sign is asked for."""


@given(products(), st.sampled_from(INTERVALS), st.sampled_from([[], [3], [-3]]))
@example(([2, 1], [(-2.0, 1)]), (0.0, 1.0), [3])
def test_where_a_polynomial_is_positive(
    made: tuple[list[int], list[tuple[float, int]]], ends: tuple[float, float], g: list[int]
) -> None:
    """Against its values between all its roots: nonnegative on the closed interval, positive but for its start."""
    f, roots = made
    start, stop = ends
    part = SimpleNamespace(start=NUMBERS[start], end=NUMBERS[stop], known=set())
    last = stop if stop < math.inf else max(start, *(one for one, _ in roots), 0) + 1
    between = [one for one, _ in roots if start + 1e-9 < one < last - 1e-9]
    marks = [start, *between, last]
    inner = [sign_near(f, (a + b) / 2) for a, b in pairwise(marks)]
    assert fc.nonnegative(c(), part, f) == (min(inner) > 0)
    at_stop = stop < math.inf and any(math.isclose(one, stop) for one, _ in roots)
    assert fc.positive(c(), part, f) == (min(inner) > 0 and not between and not at_stop)
    assert fc.nonnegative(c(), part, g) == (g != [-3])
    assert fc.positive(c(), part, g) == (g == [3])


@given(NONZERO, st.integers(-3, 3), st.integers(1, 4))
def test_the_number_of_roots(f: list[int], low: int, width: int) -> None:
    every, _ = fc.simple_parts(c(), f)
    sequence = fc.remainders(c(), every, fc.derivative(every))
    start, end = (End(F(x), F(x)) for x in (low, low + width))
    found = fc.changes(c(), sequence, start) - fc.changes(c(), sequence, end)
    roots = poly(every).count_roots(low, low + width)
    assert found == roots - (poly(every).eval(low) == 0)


@given(products(), st.fractions(0, 3, max_denominator=8), st.fractions(F(1, 8), 3, max_denominator=8), st.booleans())
def test_where_no_coefficient_is_negative(
    made: tuple[list[int], list[tuple[float, int]]], low: Fraction, width: Fraction, without_end: bool
) -> None:
    """It is never said of a polynomial that is negative somewhere; and it is said of all that need no more."""
    f, roots = made
    high = math.inf if without_end else low + width
    found = fc.by_bernstein(c(), f, low, high)
    if min(found) >= 0:
        marks = [float(low), *(one for one, _ in roots if low < one < high), float(low + width)]
        assert min(sign_near(f, (a + b) / 2) for a, b in pairwise(marks)) >= 0
    assert fc.by_bernstein(c(), [1, 2, 3], low, high)[0] > 0
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


@pytest.mark.parametrize("times", [1, 2, 200])
def test_high_multiplicities_do_not_nest(times: int) -> None:
    every, odd = fc.simple_parts(c(), [0] * times + [1])
    assert (every, odd) == ([0, 1], [1] if times % 2 == 0 else [0, 1])
