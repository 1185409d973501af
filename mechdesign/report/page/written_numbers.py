"""Exact numbers as a report writes them, each with the side on which it is rounded."""

from fractions import Fraction

from mechdesign.exact.bounds import (
    above_by,
    decimal_above,
    decimal_below,
    digits_above,
    digits_below,
    double_above,
    double_below,
)
from mechdesign.exact.exponentials import LARGEST_ABOVE, MAX_EPSILON, exp_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief, format_number

PLACES, DIGITS = 6, 9
NEAREST = "Probabilities are rounded to six decimal places; the file has them exactly."


def probability(mass: Fraction) -> str:
    """Return a probability, exactly if it has six decimals at most, else the nearest such; "~0" if that were 0.

    Examples
    --------
    >>> [probability(Fraction(mass)) for mass in ("0", "0.3", "1/3", "1/10000000")]
    ['0', '0.3', '0.333333', '~0']
    """
    if mass == 0 or 10**PLACES % mass.denominator == 0:
        return format_number(mass)
    nearest = Fraction(round(mass * 10**PLACES), 10**PLACES)
    return decimal_below(nearest, PLACES) if nearest else "~0"


def level(mass: Fraction, largest: Fraction = Fraction(1)) -> int:
    """Return the shade of a probability in a heat map, from 0, for those of 0 alone, to 9, for the largest there is.

    Examples
    --------
    >>> level(Fraction(1, 30), Fraction(1, 10)), level(Fraction(1, 10), Fraction(1, 10))
    (4, 9)
    """
    return 0 if mass == 0 else min(9, 1 + int(9 * mass / largest))


def ratio(epsilon: Epsilon) -> str:
    """Return e^epsilon rounded up to six digits; "inf" where it has no bound.

    Examples
    --------
    >>> ratio(Fraction(1, 2)), ratio(Fraction(0)), ratio(float("inf"))
    ('1.64873', '1', 'inf')
    """
    return "inf" if epsilon > LARGEST_ABOVE else digits_above(exp_above(Fraction(epsilon)), 6)


def belief(epsilon: Fraction) -> str:
    """Return how sure one can be, in per cent rounded up, of one of two profiles that were as likely: E / (1 + E).

    Examples
    --------
    >>> belief(Fraction(1, 2)), belief(Fraction(0))
    ('62.25', '50.00')
    """
    above = exp_above(min(epsilon, MAX_EPSILON))
    return decimal_above(100 * above / (1 + above), 2)


def ends(bounds: tuple[float, float]) -> list[str]:
    """Return bounds in doubles, rounded outward to six digits.

    Examples
    --------
    >>> ends((0.1, 0.1000001)), ends((0.0, float("inf")))
    (['0.1', '0.100001'], ['0', 'inf'])
    """
    low, high = bounds
    return [double_below(low), double_above(high)]


def at_most(value: Fraction) -> str:
    """Return a value rounded up to nine decimals; 0 as it is.

    Examples
    --------
    >>> at_most(Fraction(2, 3)), at_least(Fraction(2, 3)), at_most(Fraction(0))
    ('0.666666667', '0.666666666', '0')
    """
    return decimal_above(value, DIGITS) if value else "0"


def at_least(value: Fraction) -> str:
    """Return a value rounded down to nine decimals, or to six digits where these would say 0; 0 as it is."""
    if 0 < value < Fraction(1, 10**DIGITS):
        return digits_below(value)
    return decimal_below(value, DIGITS) if value else "0"


def allowed(limit: Epsilon) -> str:
    """Return an epsilon or a delta that is allowed: a decimal, exact if it is short, else rounded up and marked so.

    Examples
    --------
    >>> allowed(Fraction(1, 2)), allowed(Fraction(1, 7)), allowed(float("inf"))
    ('0.5', '≤ 0.142858', 'inf')
    >>> allowed(Fraction(1, 10) + Fraction(1, 10**30))
    '≤ 0.1 + 1e-30'
    """
    text = brief(limit, 12, 6)
    if text == "inf" or _is_whole(text, limit):
        return text
    return f"≤ {above_by(Fraction(limit))}"


def near(limit: Epsilon) -> str:
    """Return the same without the mark: where every larger epsilon will do too, or the table has the mark."""
    return allowed(limit).removeprefix("≤ ")


def exceeded(limit: Fraction) -> str:
    """Return an epsilon or a delta that does not hold: a decimal, exact or rounded down and marked."""
    text = brief(limit, 12, 6)
    return text if _is_whole(text, limit) else f"≥ {digits_below(limit, 6)}"


def _is_whole(text: str, number: Epsilon) -> bool:
    """Return whether a text has all digits of a number; a fraction is exact too, but who reads 41/35 has to divide."""
    return "/" not in text and Fraction(text) == number
