"""Doubles and decimals on a stated side of a rational."""

import math
import sys
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from mechdesign.exact.text import format_number


def largest_double(value: Fraction) -> float:
    """Return the largest double that is <= `value`: it compares with doubles as the value does."""
    largest = sys.float_info.max
    if abs(value) > largest:
        return largest if value > 0 else -math.inf
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def float_below(value: Fraction) -> float:
    """Return the largest double <= `value` that prints as a decimal <= `value`, so that who copies that is below too.

    Examples
    --------
    >>> float_below(Fraction(7, 10)), float_above(Fraction(7, 10)), float_above(Fraction(0.1))
    (0.7, 0.7000000000000001, 0.10000000000000002)
    """
    below = largest_double(value)
    if math.isinf(below) or Fraction(repr(below)) <= value:
        return below
    return math.nextafter(below, -math.inf)


def float_above(value: Fraction) -> float:
    """Return the smallest double >= `value` that prints as a decimal >= `value`."""
    return -float_below(-value) + 0.0  # not -0.0


def at_most_kept(upper: float, limit: Fraction | float) -> float:
    """Return an upper bound of what is proved to be at most `limit`: that too bounds it, as the decimal that it prints.

    Examples
    --------
    >>> at_most_kept(0.7000000000000001, Fraction(7, 10)), at_most_kept(0.6, Fraction(7, 10))
    (0.7, 0.6)
    """
    return min(upper, printed_above(limit))


def printed_above(value: Fraction | float) -> float:
    """Return the smallest double that prints as a decimal >= `value`; the double itself may be a hair below that.

    Examples
    --------
    >>> printed_above(Fraction(7, 10)), float_above(Fraction(7, 10)), printed_above(Fraction(20, 3))
    (0.7, 0.7000000000000001, 6.666666666666667)
    """
    if value > sys.float_info.max:
        return math.inf
    nearest = float(value)
    return nearest if Fraction(repr(nearest)) >= value else math.nextafter(nearest, math.inf)


def decimal_below(value: Fraction, digits: int = 9) -> str:
    """Return `value` rounded down to so many decimal places, as text.

    Examples
    --------
    >>> decimal_below(Fraction(2, 3), 3), decimal_above(Fraction(2, 3), 3)
    ('0.666', '0.667')
    """
    return _decimal(math.floor(value * 10**digits), digits)


def decimal_above(value: Fraction, digits: int = 9) -> str:
    """Return `value` rounded up to so many decimal places, as text."""
    return _decimal(math.ceil(value * 10**digits), digits)


def digits_above(value: Fraction, digits: int = 6) -> str:
    """Return `value` >= 0 rounded up to so many significant digits, as text.

    Examples
    --------
    >>> digits_above(Fraction(1, 3 * 10**17), 3), digits_below(Fraction(2, 3), 3), digits_above(Fraction(0))
    ('3.34e-18', '0.666', '0')
    """
    return _significant(value, digits, ROUND_CEILING)


def digits_below(value: Fraction, digits: int = 6) -> str:
    """Return `value` >= 0 rounded down to so many significant digits, as text."""
    return _significant(value, digits, ROUND_FLOOR)


def double_above(upper: float, digits: int = 6) -> str:
    """Return an upper bound >= 0, which is the decimal that it prints as, rounded up to so many digits.

    A bound above so few digits by a hair is said with the hair: rounded up it would look like another number.

    Examples
    --------
    >>> double_above(0.7), double_above(0.7000000000000001), double_above(0.69999999999), double_above(math.inf)
    ('0.7', '0.7 + 1e-16', '0.700000', 'inf')
    """
    return "inf" if math.isinf(upper) else above_by(Fraction(repr(upper)), digits)


def double_below(lower: float, digits: int = 6) -> str:
    """Return a lower bound >= 0, which is the decimal that it prints as, rounded down to so many digits.

    A bound below so few digits by a hair is said in full: rounded down it would look like another number.

    Examples
    --------
    >>> double_below(0.7), double_below(0.6999999999999998), double_below(0.70000000001)
    ('0.7', '0.6999999999999998', '0.700000')
    """
    if math.isinf(lower):
        return "inf"
    exact = Fraction(repr(lower))
    less = _rounded(exact, digits) - exact
    near = 0 < less * 10 ** (digits + 3) <= exact
    return repr(lower) if near else digits_below(exact, digits)


def above_by(value: Fraction, digits: int = 6) -> str:
    """Return `value` >= 0 rounded up to so many digits, or so many digits and by how little it exceeds them.

    Examples
    --------
    >>> above_by(1 + Fraction(1, 10**18)), above_by(Fraction(1, 3))
    ('1 + 1e-18', '0.333334')
    """
    more = value - _rounded(value, digits)
    near = 0 < more * 10 ** (digits + 3) <= value
    return f"{format_number(value - more)} + {digits_above(more, 1)}" if near else digits_above(value, digits)


def _rounded(value: Fraction, digits: int) -> Fraction:
    """Return the number of so many digits that is nearest."""
    return Fraction(_significant(value, digits, ROUND_HALF_EVEN))


def _significant(value: Fraction, digits: int, rounding: str) -> str:
    context = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{rounded:.{digits - 1}e}" if 0 < rounded < Decimal("0.001") else str(rounded).lower()


def _decimal(units: int, digits: int) -> str:
    whole = str(abs(units)).rjust(digits + 1, "0")
    return f"{'-' if units < 0 else ''}{whole[:-digits]}.{whole[-digits:]}"
