"""The optimum as a checked formula has it, at one epsilon or delta, or over its range."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from mechdesign.certificate.formula_checker import End
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import shown, shown_epsilon


class Piece(Protocol):
    """A quotient of polynomials in z between two ends."""

    start: End
    end: End
    numerator: list[int]
    denominator: list[int]


@dataclass(frozen=True, eq=False)
class Formula:
    """The optimum as a function of z: of e^(epsilon/root), or of delta where this is the parameter."""

    parameter: str
    root: int
    pieces: Sequence[Piece]

    def optima(self, epsilon: Epsilon | None = None, delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
        """Return what the optimum is at most and at least: at this epsilon, or delta, or else wherever it holds.

        It falls as epsilon or delta grows, so at a z between two rationals it is between the optima there.
        """
        low, high = self.pieces[0].start.low, self.pieces[-1].end.high
        if self.parameter == "epsilon" and epsilon is not None:
            low, high = self._z(epsilon)
        elif self.parameter == "delta" and delta is not None:
            low = high = delta
        return self.value_at(low), self.value_at(high)

    def value_at(self, z: Any) -> Fraction:
        """Return the optimum at a rational z, or its limit at infinity."""
        piece = next(piece for piece in self.pieces if not _beyond(z, piece.end))
        if z == math.inf:
            falls = len(piece.numerator) < len(piece.denominator)
            return Fraction(0) if falls else Fraction(piece.numerator[-1], piece.denominator[-1])
        return _at(piece.numerator, z) / _at(piece.denominator, z)

    def beyond(self, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
        """Yield how what is asked for is beyond the range of the formula."""
        first, last = self.pieces[0].start.low, self.pieces[-1].end.high
        words = f"{shown(first)} on" if last == math.inf else f"{shown(first)} to {shown(last)}"
        if self.parameter == "epsilon" and epsilon is not None:
            low, high = self._z(epsilon)
            if low < first or high > last:
                power = "e^epsilon" if self.root == 1 else f"e^(epsilon/{self.root})"
                yield f"the certificate is for {power} from {words}, you asked for epsilon {shown_epsilon(epsilon)}"
        if self.parameter == "delta" and delta is not None and not first <= delta <= last:
            yield f"the certificate is for delta from {words}, you asked for {shown(delta)}"

    def _z(self, epsilon: Epsilon) -> tuple[Any, Any]:
        """Return numbers around e^(epsilon/root), z itself."""
        if not isinstance(epsilon, Fraction):
            return math.inf, math.inf
        return exp_below(epsilon / self.root), exp_above(epsilon / self.root)


def _beyond(z: Any, end: End) -> bool:
    """Tell whether a number is larger than an end, which may be the root of a polynomial."""
    if not end.polynomial:
        return bool(z > end.high)
    if not end.low < z < end.high:
        return bool(z >= end.high)
    return _at(end.polynomial, end.low) * _at(end.polynomial, z) < 0


def _at(f: Sequence[int], z: Fraction) -> Fraction:
    return sum((a * z**k for k, a in enumerate(f)), Fraction(0))
