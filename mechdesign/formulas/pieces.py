"""Pieces of a formula: a rational function, and from where to where it is the optimum."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_poly

from mechdesign.formulas.ends import End
from mechdesign.formulas.polynomials import Quotient, rational
from mechdesign.formulas.stretch import Stretch, point_in
from mechdesign.formulas.written_functions import plain, shown_end


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
