"""How far polynomials stay >= 0 around a point: by exact isolation of their real roots."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Generic, TypeVar

from flint import fmpq, fmpq_poly, fmpz_poly

from mechdesign.formulas.bases import Basis, Solution, UnsettledError
from mechdesign.formulas.parametric_program import ZERO, Key
from mechdesign.formulas.polynomials import End, Quotient, over_one_denominator, primitive, rational, roots_of


@dataclass(frozen=True)
class Stretch:
    """A closed interval; without an end above if that is None."""

    low: End
    high: End | None

    def __contains__(self, z: Fraction) -> bool:
        at = End.at(z)
        return self.low <= at and (self.high is None or at <= self.high)

    @property
    def is_point(self) -> bool:
        """Whether both ends are the same."""
        return self.low == self.high

    def meet(self, other: "Stretch") -> "Stretch | None":
        """Return what is in both, None if nothing is."""
        low, high = max(self.low, other.low), least(self.high, other.high)
        return Stretch(low, high) if high is None or low <= high else None


def least(one: End | None, other: End | None) -> End | None:
    """Return the smaller of two upper ends."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def below(one: End | None, other: End | None) -> bool:
    """Return whether one upper end is before the other."""
    return one is not None and (other is None or one < other)


def point_in(gap: Stretch, near: int) -> Fraction:
    """Return a short rational strictly inside a gap, this part of its length from its lower end.

    Examples
    --------
    >>> point_in(Stretch(End.at(1), End.at(2)), 50)
    Fraction(131, 128)
    """
    if gap.high is None:
        low, high = gap.low.high, gap.low.high + max(gap.low.high, Fraction(1))
    else:
        while gap.low.high >= gap.high.low:
            gap.low.halve()
            gap.high.halve()
        low, high = gap.low.high, gap.high.low
    start = low + (high - low) / (near + 1)
    return simplest_between(start, start + (high - low) / (near + 2) / 2)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the multiple of the largest power of 1/2 that is between two numbers.

    Examples
    --------
    >>> simplest_between(Fraction(1, 3), Fraction(2, 3))
    Fraction(1, 2)
    """
    unit = Fraction(1)
    while ceil(low / unit) > floor(high / unit):
        unit /= 2
    return ceil(low / unit) * unit


def nonnegative_around(polynomials: Iterable[fmpz_poly], z: Fraction, within: Stretch) -> Stretch | None:
    """Return the largest interval around z on which all polynomials are >= 0, without roots between its ends.

    None if one is negative at z. If z itself is a root, the interval ends there.

    Examples
    --------
    >>> line, parabola = fmpz_poly([-1, 1]), fmpz_poly([4, 0, -1])
    >>> nonnegative_around([line, parabola], Fraction(3, 2), Stretch(End.at(0), None))
    Stretch(low=End(1), high=End(2))
    """
    at, point = rational(z), End.at(z)
    low, high = within.low, within.high
    for polynomial in polynomials:
        if polynomial.degree() < 1:
            if polynomial.degree() == 0 and polynomial.leading_coefficient() < 0:
                return None
            continue
        value = polynomial(at)
        if value < 0:
            return None
        if value > 0 and not _may_vanish(polynomial, low, high):
            continue
        left, root_there = 1, value == 0
        while value == 0:  # with the roots at z divided out, its sign there is that beside them
            polynomial, left = polynomial // point.polynomial, -left
            value = polynomial(at)
        for root in roots_of(polynomial):
            if low < root < point:
                low = root
            elif point < root and below(root, high):
                high = root
        if root_there:
            low, high = (point, high) if value > 0 else (low if left * value > 0 else point, point)
    return Stretch(low, high)


def _may_vanish(polynomial: fmpz_poly, low: End, high: End | None) -> bool:
    """Return whether Descartes' rule of signs leaves room for a root between the ends."""
    start = fmpq_poly([rational(low.low), 1])
    moved = fmpq_poly(polynomial)(start)
    if high is not None:
        width = rational(high.high - low.low)
        scaled = moved(fmpq_poly([0, width]))
        moved = fmpq_poly(list(reversed(scaled.coeffs())))(fmpq_poly([1, 1]))
    signs = [c > 0 for c in moved.coeffs() if c != 0]
    return any(one != other for one, other in pairwise(signs))


Place = TypeVar("Place", int, Key)
"""A column or a row: its number, or its name."""


@dataclass(frozen=True, eq=False)
class Side(Generic[Place]):
    """One side of duality: a solution, or multipliers, on the interval where it is feasible.

    Attributes
    ----------
    numerators, denominator
        by column, or by row: multipliers of "at most" rows are >= 0, those of equations their levels.
    value
        the program's optimum where it is optimal: the cost of the solution, or what the multipliers prove.
    stretch
        where it is feasible.
    """

    numerators: Mapping[Place, fmpq_poly]
    denominator: fmpq_poly
    value: Quotient
    stretch: Stretch


def solution_around(basis: Basis, z: Fraction, within: Stretch) -> Side[int] | None:
    """Return a basis' solution where it is feasible, around a point; None if it is not, there."""
    numerators, denominator = _positive(basis.solution, z)
    signs = [primitive(denominator), *map(primitive, numerators.values())]
    active = set(basis.active)
    for r, row in enumerate(basis.rows):
        if r not in active:
            slack = row.bound * denominator
            for c, value in row.cells.items():
                if c in numerators:
                    slack -= value * numerators[c]
            signs.append(primitive(slack))
            if row.equation:
                signs.append(primitive(-slack))
    stretch = nonnegative_around(_distinct(signs), z, within)
    if stretch is None:
        return None
    value = sum((basis.cost[c] * numerators[c] for c in basis.columns), ZERO)
    return Side(numerators, denominator, Quotient(value, denominator), stretch)


def multipliers_around(basis: Basis, z: Fraction, within: Stretch) -> Side[int] | None:
    """Return a basis' multipliers where they are feasible, around a point; None if they are not, there."""
    numerators, denominator = _positive(basis.multipliers, z)
    signs = [primitive(denominator)]
    sums: dict[int, fmpq_poly] = {}
    value = ZERO
    for r in basis.active:
        row, weight = basis.rows[r], numerators[r]
        value += row.bound * weight
        if not row.equation:
            numerators[r] = -weight
            signs.append(primitive(-weight))
        if not weight.is_zero():
            for c, cell in row.cells.items():
                sums[c] = sums.get(c, ZERO) + cell * weight
    basic = set(basis.columns)
    for c, cost in enumerate(basis.cost):
        if c not in basic:
            signs.append(primitive(cost * denominator - sums.get(c, ZERO)))
    stretch = nonnegative_around(_distinct(signs), z, within)
    return None if stretch is None else Side(numerators, denominator, Quotient(value, denominator), stretch)


def _positive(found: Solution, z: Fraction) -> tuple[dict[int, fmpq_poly], fmpq_poly]:
    """Return a solution in lowest terms, with a denominator that is positive at a point.

    Raises
    ------
    UnsettledError
        if it is 0 there.
    """
    numerators, denominator = found
    values, below = over_one_denominator(list(numerators.values()), denominator)
    at = below(rational(z))
    if at == 0:
        raise UnsettledError("the basis that was found determines nothing")
    sign = fmpq(-1 if at < 0 else 1)
    return {one: sign * value for one, value in zip(numerators, values, strict=True)}, sign * below


def _distinct(polynomials: list[fmpz_poly]) -> list[fmpz_poly]:
    """Return each once, those of low degree first: they bring the ends near."""
    return sorted({str(p): p for p in polynomials}.values(), key=fmpz_poly.degree)
