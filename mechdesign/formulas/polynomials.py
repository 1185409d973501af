"""Polynomials with rational coefficients in one variable, as flint has them, quotients of two, and real roots.

Roots are where pieces of a formula end: real algebraic numbers.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import total_ordering
from itertools import pairwise
from math import floor, gcd, lcm
from typing import Any, TypeAlias

from flint import fmpq, fmpq_poly, fmpz_poly

Key: TypeAlias = tuple[int, ...]
"""A polynomial of integers by its coefficients, in ascending powers: what it is known by in a dictionary."""


def rational(value: Fraction | int) -> fmpq:
    """Return a rational as flint has it."""
    return fmpq(value.numerator, value.denominator)


def constant(value: Fraction | int) -> fmpq_poly:
    """Return a number as a polynomial."""
    return fmpq_poly([rational(value)])


def monomial(coefficient: Fraction | int, power: int) -> fmpq_poly:
    """Return coefficient z^power.

    Examples
    --------
    >>> monomial(Fraction(2, 3), 2)
    2/3*x^2
    """
    return fmpq_poly([0] * power + [rational(coefficient)])


def primitive(polynomial: fmpq_poly) -> fmpz_poly:
    """Return the polynomial of integers without a common divisor that is a positive multiple of this one.

    Examples
    --------
    >>> primitive(fmpq_poly([-4, 2]) / 3)
    x + (-2)
    """
    whole = polynomial.numer()
    return whole if whole.is_zero() else whole // abs(whole.content())


def key_of(polynomial: fmpz_poly) -> Key:
    """Return what a polynomial is known by."""
    return tuple(map(int, polynomial.coeffs()))


def over_one_denominator(numerators: Sequence[fmpq_poly], denominator: fmpq_poly) -> tuple[list[fmpq_poly], fmpq_poly]:
    """Return quotients over one denominator in lowest terms: polynomials of integers without a common divisor.

    Examples
    --------
    >>> over_one_denominator([fmpq_poly([0, 1]), fmpq_poly([0, 0, 1])], fmpq_poly([0, fmpq(1, 2)]))
    ([2, 2*x], 1)
    """
    common = denominator
    for numerator in numerators:
        if common.degree() > 0 and not numerator.is_zero():
            common = common.gcd(numerator)
    if common.degree() > 0:
        numerators, denominator = [n // common for n in numerators], denominator // common
    unit = unit_of([*numerators, denominator])
    return [n * unit for n in numerators], denominator * unit


def unit_of(polynomials: Iterable[fmpq_poly]) -> fmpq:
    """Return the positive factor that makes all coefficients integers without a common divisor."""
    own = [p for p in polynomials if not p.is_zero()]
    denominators = lcm(*(int(p.denom()) for p in own))
    return fmpq(denominators, gcd(*(int(p.numer().content()) * (denominators // int(p.denom())) for p in own)))


class Quotient:
    """A rational function in lowest terms: integers without a common divisor, and a positive leading coefficient below.

    Attributes
    ----------
    numerator, denominator
        polynomials of integers.
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: fmpq_poly, denominator: fmpq_poly) -> None:
        (above,), below = over_one_denominator([numerator], denominator)
        if below.leading_coefficient() < 0:
            above, below = -above, -below
        self.numerator, self.denominator = above.numer(), below.numer()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Quotient) and self.numerator == other.numerator and self.denominator == other.denominator
        )

    def __hash__(self) -> int:
        return hash((key_of(self.numerator), key_of(self.denominator)))

    def __repr__(self) -> str:
        return f"({self.numerator}) / ({self.denominator})"


WIDTH = 20
"""Binary places of the interval that an algebraic number is written with, more where another root is as near."""


@total_ordering
class End:
    """A real root of an irreducible polynomial of integers, known by its number among the real roots.

    Attributes
    ----------
    polynomial
        irreducible, without a common divisor, the leading coefficient positive.
    number
        its position among the real roots, in ascending order.
    low, high
        rationals around it, the same if it is rational; they get closer as it is compared.
    """

    __slots__ = ("_hash", "high", "key", "low", "number", "polynomial")

    def __init__(self, polynomial: fmpz_poly, number: int, low: Fraction, high: Fraction) -> None:
        self.polynomial, self.number, self.low, self.high = polynomial, number, low, high
        self.key: tuple[Key, int] = (key_of(polynomial), number)
        self._hash = hash(self.key)

    @classmethod
    def at(cls, value: Fraction | int) -> "End":
        """Return a rational number.

        Examples
        --------
        >>> End.at(Fraction(4, 3))
        End(4/3)
        """
        value = Fraction(value)
        return cls(fmpz_poly([-value.numerator, value.denominator]), 0, value, value)

    @property
    def is_rational(self) -> bool:
        """Whether it is."""
        return self.polynomial.degree() == 1

    def halve(self) -> None:
        """Halve the interval around it."""
        if self.is_rational:
            return
        middle = (self.low + self.high) / 2
        above = self.polynomial(rational(middle)) > 0
        if above == (self.polynomial(rational(self.high)) > 0):
            self.high = middle
        else:
            self.low = middle

    def narrow(self, width: Fraction) -> "End":
        """Make the interval narrower than this, and return it."""
        while self.high - self.low > width:
            self.halve()
        return self

    def isolated(self, places: int = WIDTH) -> tuple[Fraction, Fraction]:
        """Return an interval of so many binary places around it, always the same one.

        Of more, if another root is there, or one of the derivative: the polynomial rises all over it, or falls.
        """
        if self.is_rational:
            return self.low, self.high
        others = [root for root in roots_of(self.polynomial) if root != self]
        others += roots_of(self.polynomial.derivative())
        while True:
            unit = 2**places
            while floor(self.low * unit) != floor(self.high * unit):
                self.halve()
            low, high = Fraction(floor(self.low * unit), unit), Fraction(floor(self.low * unit) + 1, unit)
            if not any(End.at(low) < other < End.at(high) for other in others):
                return low, high
            places += WIDTH

    def __float__(self) -> float:
        self.narrow(max(abs(self.low), Fraction(1)) / 2**60)
        return float((self.low + self.high) / 2)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, End) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: "End") -> bool:
        if self == other:
            return False
        while self.low <= other.high and other.low <= self.high:
            self.halve()
            other.halve()
        return self.low < other.low

    def __repr__(self) -> str:
        return f"End({self.low if self.is_rational else float(self)})"


_KNOWN: dict[Key, list[End]] = {}


def roots_of(polynomial: fmpz_poly) -> list[End]:
    """Return the real roots in ascending order, each once: isolated exactly, by flint.

    Examples
    --------
    >>> roots_of(fmpz_poly([-2, 0, 1]) * fmpz_poly([-1, 1]) ** 2)
    [End(-1.4142135623730951), End(1), End(1.4142135623730951)]
    """
    key = key_of(polynomial)
    if key not in _KNOWN:
        if len(_KNOWN) > 100_000:
            _KNOWN.clear()
        _, factors = polynomial.factor()
        _KNOWN[key] = sorted(root for factor, _ in factors for root in _real(factor))
    return _KNOWN[key]


def _real(factor: fmpz_poly) -> Iterable[End]:
    """Return the real roots of an irreducible polynomial, whose leading coefficient flint makes positive."""
    if factor.degree() == 1:
        below, above = factor.coeffs()
        return [End.at(Fraction(-int(below), int(above)))]
    roots: Any = factor.complex_roots()
    balls = [root.real for root, _ in roots if root.imag.is_zero()]
    around = sorted(
        (_dyadic(ball.mid()) - _dyadic(ball.rad()), _dyadic(ball.mid()) + _dyadic(ball.rad())) for ball in balls
    )
    return [End(factor, number, low, high) for number, (low, high) in enumerate(around)]


def _dyadic(value: Any) -> Fraction:
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def written_ends(ends: Iterable[End]) -> dict[End, Any]:
    """Return ends as files have them: "p/q", or a polynomial with an interval, with room between all intervals.

    Examples
    --------
    >>> written_ends([End.at(Fraction(4, 3))])
    {End(4/3): '4/3'}
    """
    ordered = sorted(set(ends))
    places = WIDTH
    while True:
        intervals = [end.isolated(places) for end in ordered]
        if all(before[1] < after[0] for before, after in pairwise(intervals)):
            break
        places += WIDTH
    return {
        end: str(low)
        if end.is_rational
        else {"polynomial": [int(c) for c in end.polynomial.coeffs()], "interval": [str(low), str(high)]}
        for end, (low, high) in zip(ordered, intervals, strict=True)
    }
