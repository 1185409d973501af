"""Pieces of a formula: a rational function, and from where to where it is the optimum."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from flint import fmpq_poly

from mechdesign.exact.text import format_number
from mechdesign.formulas.polynomials import End, Quotient, rational
from mechdesign.formulas.stretch import Stretch, point_in


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


@dataclass(frozen=True, eq=False)
class Piece:
    """One piece of the optimum, in the variable of the formula.

    Attributes
    ----------
    low, high
        its ends; no end above if `high` is None.
    numerator, denominator
        whole coefficients in ascending powers; the denominator is positive on the piece.
    """

    low: End
    high: End | None
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]

    @property
    def stretch(self) -> Stretch:
        """From where to where it holds."""
        return Stretch(self.low, self.high)

    def __call__(self, z: Fraction) -> Fraction:
        """Return the function's value, also outside the piece."""
        return _at(self.numerator, z) / _at(self.denominator, z)

    def __repr__(self) -> str:
        function = plain(self.numerator, self.denominator, "z")
        return f"Piece({function} from {shown_end(self.low)} to {shown_end(self.high)})"


def _at(values: Iterable[int], z: Fraction) -> Fraction:
    total = Fraction(0)
    for value in reversed(list(values)):
        total = total * z + value
    return total


def piece_of(value: Quotient, stretch: Stretch, more: Fraction) -> Piece:
    """Return a function as a piece on an interval, with a number added."""
    above, below = fmpq_poly(value.numerator), fmpq_poly(value.denominator)
    return Piece(stretch.low, stretch.high, *signed(Quotient(above + rational(more) * below, below), stretch))


def signed(value: Quotient, stretch: Stretch) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a function's coefficients, with a denominator that is positive on an interval."""
    sign = 1 if value.denominator(rational(point_in(stretch, 1))) > 0 else -1
    above, below = (tuple(int(c) for c in (sign * p).coeffs()) for p in (value.numerator, value.denominator))
    return above or (0,), below


def nats(end: End | None, root: int) -> float:
    """Return epsilon where e^epsilon = z^root; infinity for no end.

    Examples
    --------
    >>> nats(End.at(1), 1), nats(None, 1)
    (0.0, inf)
    """
    if end is None:
        return math.inf
    end.narrow(abs(end.low) / 2**70)
    low = end.low
    return root * (math.log1p(float(low - 1)) if low < 2 else math.log(low.numerator) - math.log(low.denominator))
