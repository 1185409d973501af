"""Where the solution of a basis is one, and where its multipliers are: by exact signs."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from flint import fmpq, fmpq_poly, fmpz_poly

from mechdesign.formulas.bases import Basis, Solution, UnsettledError
from mechdesign.formulas.parametric_program import ZERO, Key
from mechdesign.formulas.polynomials import Quotient, over_one_denominator, primitive, rational
from mechdesign.formulas.stretch import Stretch, nonnegative_around

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
