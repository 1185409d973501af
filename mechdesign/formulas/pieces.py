"""Pieces of a formula: a rational function, and from where to where it is the optimum."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import fmpq_poly

from mechdesign.formulas.cover import Part, point_in
from mechdesign.formulas.ends import End
from mechdesign.formulas.polynomials import Quotient, rational


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

    def __call__(self, z: Fraction) -> Fraction:
        """Return the function's value, also outside the piece."""
        return _at(self.numerator, z) / _at(self.denominator, z)

    def __repr__(self) -> str:
        from mechdesign.formulas.notation import plain

        return f"Piece({plain(self)} from {self.low!r} to {'inf' if self.high is None else repr(self.high)})"


def _at(values: Iterable[int], z: Fraction) -> Fraction:
    total = Fraction(0)
    for value in reversed(list(values)):
        total = total * z + value
    return total


def pieces_of(parts: Iterable[Part], more: Fraction) -> list[Piece]:
    """Return pieces, with a number added to each function."""
    result = []
    for part in parts:
        above, below = fmpq_poly(part.value.numerator), fmpq_poly(part.value.denominator)
        value = Quotient(above + rational(more) * below, below)
        sign = 1 if value.denominator(rational(point_in(part.stretch, 1))) > 0 else -1
        numerator, denominator = (
            tuple(int(c) for c in (sign * p).coeffs()) or (0,) for p in (value.numerator, value.denominator)
        )
        result.append(Piece(part.stretch.low, part.stretch.high, numerator, denominator))
    return result


def breakpoints_of(pieces: list[Piece]) -> list[End]:
    """Return where one function takes over from another."""
    return [piece.low for before, piece in pairwise(pieces) if before.high == piece.low]


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
