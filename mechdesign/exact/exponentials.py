"""Rational bounds of e^epsilon, and doubles around logarithms.

Through `decimal`, whose exp and ln are correctly rounded. python-flint's balls take half as long, 30 against 70
microseconds, but 40 milliseconds to load, which of the commands only `formula` and `from-table --confidence` spend
anyway; no other needs a thousand exponentials.
"""

import math
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache

from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.numbers import Number, number, parse_epsilon
from mechdesign.exact.text import shown

ONE = Fraction(1)
ROUNDED_OFF = Decimal("1E-48")
"""More than a logarithm changes where a quotient is rounded to 50 digits."""

MAX_EPSILON = Fraction(700)
"""Beyond this `exp_below` stays at e^700: a stricter requirement, which no 64-bit weight can tell apart."""

LARGEST_ABOVE = Fraction(100_000)
"""Beyond this e^epsilon has no bound from above, which would not fit in memory comfortably."""


@lru_cache(maxsize=1024)
def shrink(epsilon: Fraction) -> float:
    """Return e^-epsilon in doubles, for solvers; like `exp_below` it does not change beyond `MAX_EPSILON`.

    Examples
    --------
    >>> round(shrink(Fraction(1, 2)), 6), shrink(Fraction(10**400)) > 0
    (0.606531, True)
    """
    return math.exp(-min(epsilon, MAX_EPSILON))


@lru_cache(maxsize=2**17)  # before anything is compared: Fractions are slow
def exp_below(epsilon: Fraction, *, bits: int = 64) -> Fraction:
    """Return a rational <= e^epsilon with `bits` significant bits, so at most 2^(1-bits) below it, relatively.

    Above `MAX_EPSILON` the bound stays at e^700, which is still below.

    Examples
    --------
    >>> exp_below(Fraction(0)), float(exp_below(Fraction(1)))
    (Fraction(1, 1), 2.718281828459045)
    """
    return _exp_bound(min(epsilon, MAX_EPSILON), bits, above=False)


@lru_cache(maxsize=2**17)
def exp_above(epsilon: Fraction, *, bits: int = 64) -> Fraction:
    """Return a rational >= e^epsilon with `bits` significant bits, so at most 2^(2-bits) above it, relatively.

    Raises
    ------
    InputError
        if epsilon exceeds 100,000, see `LARGEST_ABOVE`.
    """
    if epsilon > LARGEST_ABOVE:
        raise InputError(f"epsilon: at most {LARGEST_ABOVE} can be bounded from above, found {shown(epsilon)}")
    return _exp_bound(epsilon, bits, above=True)


def _exp_bound(epsilon: Fraction, bits: int, *, above: bool) -> Fraction:
    """Return a bound of e^epsilon from below, or from `above`, cut to `bits` significant bits."""
    if epsilon == 0:
        return ONE
    digits = bits // 3 + 30
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
    floor = Context(prec=digits, rounding=ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    power = floor.divide(Decimal(epsilon.numerator), Decimal(epsilon.denominator))
    found = context.next_plus(context.exp(floor.next_plus(power))) if above else context.next_minus(context.exp(power))
    over, under = found.as_integer_ratio()  # integers, since Fractions are slow
    shift = bits - (over // under).bit_length()
    over, under = over << max(shift, 0), under << max(-shift, 0)
    whole = -(-over // under) if above else over // under
    return max(ONE, Fraction(whole << max(-shift, 0), 1 << max(shift, 0)))


def parse_ratio(
    epsilon: Number | None, ratio: Number | None, bound: Callable[[Fraction], Fraction] = exp_below
) -> Fraction | float:
    """Return e^epsilon as a formula takes it: `ratio` itself, or a rational bound; `math.inf` if epsilon is infinite.

    The bound is by default `exp_below`, for which an epsilon above 700 counts as 700.

    Raises
    ------
    InputError
        unless exactly one is given, and epsilon is at least 0, or ratio at least 1.

    Examples
    --------
    >>> parse_ratio(None, "3/2"), float(parse_ratio(0.5, None)), parse_ratio("inf", None)
    (Fraction(3, 2), 1.6487212707001282, inf)
    """
    if (epsilon is None) == (ratio is None):
        found = "neither" if ratio is None else f"epsilon={shown(epsilon)} and ratio={shown(ratio)}"
        raise InputError(f"expected one of epsilon= (in nats) and ratio= (e^epsilon, exactly), found {found}")
    if ratio is None:
        nats = parse_epsilon(epsilon)
        return math.inf if nats == math.inf else bound(Fraction(nats))
    beside = "; epsilon= takes what is in nats"
    return number("ratio", ratio, "e^epsilon, a number >= 1", at_least=1, beside=beside)


def is_at_most_exp(ratio: Fraction, epsilon: Fraction) -> bool:
    """Return whether ratio <= e^epsilon, exactly.

    e^epsilon is irrational for rational epsilon > 0, so finer and finer bounds of it decide in the end.

    Examples
    --------
    >>> is_at_most_exp(Fraction(2718281828459045, 10**15), Fraction(1))
    True
    """
    if epsilon == 0:
        return ratio <= 1
    bits = 64
    while True:
        if ratio <= _exp_bound(epsilon, bits, above=False):
            return True
        if ratio >= _exp_bound(epsilon, bits, above=True):
            return False
        bits *= 2


def log_bounds(ratio: Fraction, divisor: Fraction = ONE) -> tuple[float, float]:
    """Return doubles (lower, upper) around ln(ratio) / divisor, for ratio >= 1 and a divisor > 0.

    Examples
    --------
    >>> log_bounds(Fraction(1)), log_bounds(Fraction(2)), log_bounds(Fraction(4), Fraction(2))
    ((0.0, 0.0), (0.6931471805599453, 0.6931471805599454), (0.6931471805599453, 0.6931471805599454))
    """
    if ratio < 1 + Fraction(1, 2**60):  # 0 <= ln(ratio) <= ratio - 1, and decimals cannot tell it from 0
        return 0.0, float_above((ratio - 1) / divisor)
    context = Context(prec=50, rounding=ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    log = context.ln(context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))  # to the nearest
    low, high = context.next_minus(log), context.next_plus(context.add(context.next_plus(log), ROUNDED_OFF))
    return max(0.0, float_below(Fraction(low) / divisor)), float_above(Fraction(high) / divisor)
