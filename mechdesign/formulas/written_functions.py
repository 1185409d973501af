"""Rational functions and ends in one line, as people write them."""

from collections.abc import Sequence
from math import gcd

from mechdesign.exact.text import format_number
from mechdesign.formulas.ends import End


def plain(numerator: Sequence[int], denominator: Sequence[int], letter: str = "E") -> str:
    """Return a rational function in one line.

    Examples
    --------
    >>> plain((3, -1), (9, 9)), plain((1,), (3, 1)), plain((0, 2), (1,))
    ('(3 - E) / (9 (1 + E))', '1 / (3 + E)', '2 E')
    """
    if tuple(denominator) == (1,):
        return polynomial(numerator, letter)
    above, below = factored(numerator, letter), factored(denominator, letter)
    if gcd(*numerator) == 1 and sum(map(bool, numerator)) > 1:
        above = f"({above})"
    return f"{above} / ({below})" if " " in below else f"{above} / {below}"


def factored(values: Sequence[int], letter: str = "E", power: str = "{}^{}") -> str:
    """Return a polynomial of several terms with their common divisor before it.

    Examples
    --------
    >>> factored([9, 9]), factored([3, -1]), factored([0, 2])
    ('9 (1 + E)', '3 - E', '2 E')
    """
    size = gcd(*values)
    if size == 1 or sum(map(bool, values)) < 2:
        return polynomial(values, letter, power)
    return f"{size} ({polynomial([value // size for value in values], letter, power)})"


def polynomial(values: Sequence[int], letter: str = "E", power: str = "{}^{}") -> str:
    """Return a polynomial in ascending powers.

    Examples
    --------
    >>> polynomial([4, 0, -1]), polynomial([0, 1]), polynomial([0])
    ('4 - E^2', 'E', '0')
    """
    terms: list[str] = []
    for degree, value in enumerate(values):
        if value:
            symbol = "" if degree == 0 else letter if degree == 1 else power.format(letter, degree)
            size = "" if abs(value) == 1 and symbol else str(abs(value))
            sign = ("-" if value < 0 else "") if not terms else (" - " if value < 0 else " + ")
            terms.append(sign + size + (" " if size and symbol else "") + symbol)
    return "".join(terms) or "0"


def shown_end(end: End | None) -> str:
    """Return an end as a table shows it: exactly if that is short, else in decimals; "inf" for none.

    Examples
    --------
    >>> from fractions import Fraction
    >>> shown_end(End.at(Fraction(4, 3))), shown_end(None)
    ('4/3', 'inf')
    """
    if end is None:
        return "inf"
    if end.is_rational and len(text := format_number(end.low)) <= 12:
        return text
    return f"{float(end):.10g}"
