"""Doubles and decimals on a stated side of a rational."""

import math
import sys
from fractions import Fraction


def float_below(value: Fraction) -> float:
    """Return the largest double that is <= `value`."""
    largest = sys.float_info.max
    if abs(value) > largest:
        return largest if value > 0 else -math.inf
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def float_above(value: Fraction) -> float:
    """Return the smallest double that is >= `value`."""
    return -float_below(-value) + 0.0  # not -0.0


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


def _decimal(units: int, digits: int) -> str:
    whole = str(abs(units)).rjust(digits + 1, "0")
    return f"{'-' if units < 0 else ''}{whole[:-digits]}.{whole[-digits:]}"
