import math
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.divergence import exp_at_least, exp_at_most

from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above, float_below, largest_double
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above, exp_below
from mechdesign.exact.integers import rounded_to_total
from mechdesign.exact.numbers import (
    over_common,
    parse_delta,
    parse_entry,
    parse_epsilon,
    parse_number,
)
from mechdesign.exact.text import format_number, shown
from mechdesign.words import did_you_mean, expected_one_of

EPSILONS = [Fraction(text) for text in ("1/10000000000", "0.001", "0.1", "1/3", "0.5", "1", "2.5", "10", "88.7", "700")]


class TestBoundsOfTheExponential:
    """exp_below(e) <= e^e <= exp_above(e), within 2^-60 relatively."""

    @pytest.mark.parametrize("epsilon", EPSILONS, ids=str)
    def test_they_enclose_an_independent_series(self, epsilon: Fraction) -> None:
        assert exp_below(epsilon) <= exp_at_least(epsilon)
        assert exp_above(epsilon) >= exp_at_most(epsilon)
        assert exp_below(epsilon) <= exp_at_most(epsilon) * (1 + Fraction(1, 2**180))  # not above by more than it errs
        assert exp_above(epsilon) >= exp_at_least(epsilon) * (1 - Fraction(1, 2**180))
        assert exp_above(epsilon) - exp_below(epsilon) <= exp_below(epsilon) / 2**60

    @given(st.fractions(0, 700, max_denominator=10**6))
    def test_they_enclose_it_everywhere(self, epsilon: Fraction) -> None:
        assert exp_below(epsilon) <= exp_at_least(epsilon)
        assert exp_above(epsilon) >= exp_at_most(epsilon)
        assert exp_above(epsilon) <= exp_below(epsilon) * (1 + Fraction(1, 2**60))

    def test_the_bound_below_is_never_under_one(self) -> None:
        assert exp_below(Fraction(1, 10**40)) == 1  # e^0 <= e^epsilon, and 64 bits hold no more
        assert exp_above(Fraction(1, 10**40)) > 1

    def test_far_out(self) -> None:
        assert exp_below(Fraction(10**9)) == exp_below(MAX_EPSILON)  # stricter, so still safe
        assert exp_above(Fraction(1000)) > exp_below(MAX_EPSILON)
        with pytest.raises(InputError, match="100000"):
            exp_above(Fraction(100_001))


@pytest.mark.parametrize(
    ("given_as", "meaning"),
    [
        (0, Fraction(0)),
        (0.1, Fraction(1, 10)),  # a float is what it prints as
        ("0.1", Fraction(1, 10)),
        (" 3/10 ", Fraction(3, 10)),
        ("-1/4", Fraction(-1, 4)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("+2e-3", Fraction(1, 500)),
        ("1E3", Fraction(1000)),
        (Decimal("0.3"), Fraction(3, 10)),
        (Fraction(1, 3), Fraction(1, 3)),
        (np.int64(7), Fraction(7)),
        (np.float64(0.25), Fraction(1, 4)),
        (np.float32(0.5), Fraction(1, 2)),
        (0.7, Fraction(7, 10)),
        (np.float64(0.7), Fraction(7, 10)),
        (np.float32(0.7), Fraction(7, 10)),
        (np.float16(0.7), Fraction(7, 10)),
        (np.longdouble("0.7"), Fraction(7, 10)),
        (-1e-7, Fraction(-1, 10**7)),
        (5e-324, Fraction(5, 10**324)),
        (1.7976931348623157e308, Fraction("1.7976931348623157e308")),
    ],
    ids=str,
)
def test_numbers_that_are_understood(given_as: object, meaning: Fraction) -> None:
    parsed = parse_number(given_as)
    assert parsed == meaning
    assert type(parsed) is Fraction


@pytest.mark.parametrize("given_as", [0.7, np.float64(0.7), np.float32(0.7), np.float16(0.7), 5e-324, 1e308, 0.0])
def test_entries_are_the_doubles_that_they_are(given_as: float) -> None:
    assert parse_entry(given_as) == Fraction(*given_as.as_integer_ratio())


def test_entries_that_are_no_floats_are_read_as_all_numbers_are() -> None:
    for given_as in ("0.7", Decimal("0.7"), Fraction(7, 10), "7/10"):
        assert parse_entry(given_as) == Fraction(7, 10)
    with pytest.raises(InputError, match=r'expected a number such as 0\.3 or "3/10", found nan'):
        parse_entry(math.nan)


@pytest.mark.parametrize(
    "given_as",
    [
        True,  # booleans are not numbers
        None,
        "",
        "half",
        "1/0",
        "1/-2",
        "1/2/3",
        "0x10",
        "1_000",
        "nan",
        "inf",
        "1e9999",  # would take a thousand million digits to hold in the worst case
        "1" * 2000,
        math.nan,
        math.inf,
        -math.inf,
        Decimal("NaN"),
        Decimal("Infinity"),
        Decimal("1e5000"),
        1j,
        [1],
        {},
    ],
    ids=lambda value: repr(value)[:12],
)
def test_numbers_that_are_not(given_as: object) -> None:
    with pytest.raises(InputError, match="expected a number") as caught:
        parse_number(given_as)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("value", [-1, "-1/2", -1e-300, "much", math.nan, -math.inf, "-inf", None, True])
def test_epsilon_rejected(value: object) -> None:
    with pytest.raises(InputError, match=r"epsilon: expected a number >= 0 \(in nats\) or inf"):
        parse_epsilon(value)


@pytest.mark.parametrize(
    ("text", "below", "above"),
    [
        ("ln(3)", "1.098612", "1.098613"),
        ("LN 3", "1.098612", "1.098613"),
        ("log( 3/2 )", "0.405465", "0.405466"),
        ("log 1e400", "921.034037", "921.034038"),
    ],
)
def test_an_epsilon_that_is_written_as_a_logarithm_is_told_as_decimals(text: str, below: str, above: str) -> None:
    with pytest.raises(InputError, match=rf"found .*; that is no fraction: write {below}, a little less, or {above}$"):
        parse_epsilon(text)


@pytest.mark.parametrize("text", ["ln(1/3)", "ln(0)", "ln(x)", "log10(3)", "log2 x", "ln", "ln("])
def test_what_is_no_logarithm_of_a_number_is_told_nothing(text: str) -> None:
    with pytest.raises(InputError, match=r"^epsilon: expected a number >= 0 \(in nats\) or inf, found '[^;]*'$"):
        parse_epsilon(text)


@pytest.mark.parametrize("value", [-0.1, 1, "1.0", 2, "inf", math.inf, math.nan, "none", False])
def test_delta_rejected(value: object) -> None:
    with pytest.raises(InputError, match=r"delta: expected a number in \[0, 1\)"):
        parse_delta(value)


@given(st.fractions())
@example(Fraction("9" * 400 + "e999"))
@example(Fraction("9" * 400 + "." + "9" * 400 + "e-999"))
def test_what_is_written_is_read_back(value: Fraction) -> None:
    assert parse_number(format_number(value)) == value


@given(st.fractions(-1e6, 1e6))
def test_floats_on_either_side(value: Fraction) -> None:
    below, above = float_below(value), float_above(value)
    assert max(Fraction(below), Fraction(repr(below))) <= value <= min(Fraction(above), Fraction(repr(above)))
    apart = round((above - below) / math.ulp(below)) if below else 0
    assert apart <= 2
    assert (apart == 0) == (Fraction(float(value)) == value == Fraction(repr(float(value))))


@given(st.fractions(-1e6, 1e6))
def test_the_largest_double_is_below_its_value_and_the_next_is_not(value: Fraction) -> None:
    assert Fraction(largest_double(value)) <= value < Fraction(math.nextafter(largest_double(value), math.inf))


def test_floats_at_the_edges() -> None:
    assert float_below(Fraction(1, 10**400)) == 0.0
    assert float_below(Fraction(10**400)) == sys.float_info.max
    assert float_above(Fraction(10**400)) == math.inf
    assert float_above(Fraction(1, 10**400)) == sys.float_info.min * sys.float_info.epsilon
    assert float_below(Fraction(3, 4)) == float_above(Fraction(3, 4)) == 0.75


@given(
    st.lists(st.floats(-1, 10, allow_subnormal=True), min_size=1, max_size=8).filter(lambda v: max(v) > 0),
    st.integers(1, 2**62),
)
def test_rounding_to_a_total(values: list[float], total: int) -> None:
    rounded = rounded_to_total(np.array([values]), total)[0].tolist()
    mass = [Fraction(max(value, 0.0)) for value in values]
    assert sum(rounded) == total
    for value, integer in zip(mass, rounded, strict=True):
        wanted = total * value / sum(mass)
        assert integer >= 0
        assert integer >= math.floor(wanted)
        assert integer == math.floor(wanted) or value == max(mass)  # only the largest takes the remainder
        assert integer < wanted + len(values)


# --- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "near"),
    [
        ("hihgs", "; did you mean highs?"),
        ("HIGHS", "; did you mean highs?"),
        ("One_Bit_Cluster", "; did you mean One-Bit-Cluster?"),
        ("x", ""),
        (3, ""),
        (None, ""),
        ("highs" * 1000, ""),
    ],
)
def test_a_misspelt_name_is_told_the_nearest(found: object, near: str) -> None:
    names = ["highs", "One-Bit-Cluster"]
    assert did_you_mean(names, found) == near
    assert expected_one_of(names, found) == f"expected one of highs, One-Bit-Cluster, found {shown(found)}{near}"
    some = f"expected some of highs, One-Bit-Cluster or none, found {shown(found)}{near}"
    assert expected_one_of(names, found, one="some", beside=" or none") == some


# --- common denominators ------------------------------------------------------------------------------------


def test_a_common_denominator_that_grows_too_long_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplied, lcm = list[int](), math.lcm

    def watched(*integers: int) -> int:
        multiplied.append(lcm(*integers))
        return multiplied[-1]

    values = [Fraction(1, 10**900 + step) for step in range(1, 100)]
    monkeypatch.setattr(math, "lcm", watched)
    with pytest.raises(InputError, match=r"^99 masses need a common denominator of more than 2000 digits"):
        over_common(values, "99 masses")
    assert len(multiplied) == 3  # and the work with each is bounded
