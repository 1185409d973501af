"""Exact numbers as a report writes them."""

import math
from fractions import Fraction
from math import ceil

from mechdesign.exact.bounds import (
    above_by,
    decimal_below,
    digits_above,
    digits_below,
)
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief, format_number
from mechdesign.show.fact_numbers import Exact, Up

PLACES = 6


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


def level(mass: Fraction) -> int:
    """Return the shade of a probability in a heat map, from 0, for those of 0 alone, to 9, the same in every page.

    Examples
    --------
    >>> level(Fraction(1, 30)), level(Fraction(1, 3)), level(Fraction(1))
    (1, 4, 9)
    """
    return 0 if mass == 0 else min(9, 1 + int(9 * mass))


def ratio(epsilon: Epsilon) -> Exact:
    """Return e^epsilon rounded up to six digits; "inf" where it has no bound.

    Examples
    --------
    >>> [ratio(epsilon).words() for epsilon in (Fraction(1, 2), Fraction(0), float("inf"))]
    ['1.64873', '1', 'inf']
    """
    if epsilon > LARGEST_ABOVE:
        return Exact(math.inf)
    above = exp_above(Fraction(epsilon))
    return Exact(above, digits_above(above, 6))


def surest(epsilon: Epsilon, delta: Fraction = Fraction(0)) -> Up | Exact:
    """Return in per cent how often one of two equally likely profiles is guessed right: (E + delta) / (1 + E).

    Where delta is 0 nobody is surer than that of either, whatever is released. What four places round up to 100 has
    more nines than are written.

    Examples
    --------
    >>> surest(Fraction(1, 2)).words(), surest(Fraction(0)).words(), surest(Fraction(0), Fraction(1, 2)).words()
    ('62.25', '50.00', '75.00')
    >>> surest(Fraction(12)).words(), surest(Fraction(20)).words(), surest(float("inf")).words()
    ('99.9994', '99.9999…', '100.00')
    """
    if epsilon > LARGEST_ABOVE:
        return Up(Fraction(100), 2)
    above = exp_above(Fraction(epsilon))
    share = min(100 * (above + delta) / (1 + above), Fraction(100))
    places = 2 if share == 100 else next((n for n in (2, 3, 4) if ceil(share * 10**n) < 100 * 10**n), 0)
    return Up(share, places) if places else Exact(share, "99.9999…")


def needed(upper: float) -> Epsilon:
    """Return an upper bound in doubles as the decimal that it prints as."""
    return upper if math.isinf(upper) else Fraction(repr(upper))


def chance(mass: Fraction) -> Exact:
    """Return a probability as a cell of a table."""
    return Exact(mass, probability(mass))


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


def limit(value: Epsilon) -> Exact:
    """Return an epsilon or a delta that is allowed as a cell of a table."""
    return Exact(value, allowed(value))


def exceeded(limit: Fraction) -> str:
    """Return an epsilon or a delta that does not hold: a decimal, exact or rounded down and marked."""
    text = brief(limit, 12, 6)
    return text if _is_whole(text, limit) else f"≥ {digits_below(limit, 6)}"


def _is_whole(text: str, number: Epsilon) -> bool:
    """Return whether a text has all digits of a number; a fraction is exact too, but who reads 41/35 has to divide."""
    return "/" not in text and Fraction(text) == number
