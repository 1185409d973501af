"""Polynomials with rational coefficients in one variable, as flint has them, and quotients of two."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

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
