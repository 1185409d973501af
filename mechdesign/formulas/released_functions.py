"""What profiles release under one of the optima, as rational functions: the mechanism in closed form.

Optima are many, as a rule, and a basis gives one of the corners of all of them, which come and go. So on each piece a
second program is solved in the same way: with the objective at most the piece's function, the least mean probability,
by the profiles' weights, of an output that is not the category's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_poly

from mechdesign.formulas.parametric_program import ZERO, Key, Program, Row
from mechdesign.formulas.pieces import Piece, piece_of, signed
from mechdesign.formulas.polynomials import Quotient, rational
from mechdesign.formulas.stretch import Side, Stretch
from mechdesign.formulas.terms import Terms
from mechdesign.formulas.whole_range import Cover, cover
from mechdesign.graph.distribution import support
from mechdesign.objective import profile_shares

Function = tuple[tuple[int, ...], tuple[int, ...]]
"""Whole coefficients of numerator and denominator, in ascending powers."""


@dataclass(frozen=True, eq=False)
class Released:
    """What each profile releases on an interval.

    Attributes
    ----------
    stretch
        the interval.
    profiles
        for each profile and output, the probability as a function.
    """

    stretch: Stretch
    profiles: Sequence[Sequence[Function]]


def released_by(terms: Terms, program: Program, found: Cover) -> list[Released]:
    """Return what each profile releases under the optimum of least noise, one interval after another.

    Where that is not settled on a piece, it is the optimum that proves the piece.
    """
    joined: list[tuple[Stretch, list[list[Quotient]]]] = []
    for piece in found.pieces:
        least = least_noise(terms, program, piece)
        own = [side for side in found.primal if piece.stretch.meet(side.stretch) == side.stretch]
        for side in own if least.unsettled else least.primal:
            functions = [[Quotient(mass, side.denominator) for mass in row] for row in _masses(terms, side)]
            if joined and joined[-1][1] == functions and joined[-1][0].high == side.stretch.low:
                joined[-1] = Stretch(joined[-1][0].low, side.stretch.high), functions
            else:
                joined.append((side.stretch, functions))
    return [Released(stretch, [[signed(one, stretch) for one in row] for row in rows]) for stretch, rows in joined]


def least_noise(terms: Terms, program: Program, piece: Piece) -> Cover:
    """Return what is found of the second program on a piece of the first.

    Examples
    --------
    >>> import mechdesign as md
    >>> f = md.formula("categorical-chain")
    >>> least_noise(f.terms, f.program, f.pieces[2]).pieces          # from E = 3 on no category is changed
    [Piece(0 from 3 to inf)]
    """
    value = Quotient(fmpq_poly(list(piece.numerator)), fmpq_poly(list(piece.denominator)))
    first = piece_of(value, piece.stretch, -program.least_loss)
    above, below = fmpq_poly(list(first.numerator)), fmpq_poly(list(first.denominator))
    level = Row({c: below * cost for c, cost in program.cost.items()}, above, False)
    rows = {**program.rows, ("level", 0, 0, 0): level}
    return cover(Program(program.columns, rows, _noise(terms, program), Fraction(0)), piece.stretch)


def _noise(terms: Terms, program: Program) -> dict[int, fmpq]:
    """Return the mean probability of reporting another category, by columns of the program."""
    free = terms.objective.free_outputs(terms.graph.graph["categories"])
    shares: dict[tuple[int, int], Fraction] = {}
    for group, masses, share in zip(terms.groups, terms.distributions, profile_shares(terms.graph), strict=True):
        for x, mass in support(masses):
            shares[group, x] = shares.get((group, x), Fraction(0)) + mass * share
    return {
        c: rational(shares[group, x])
        for c, (kind, group, x, y) in enumerate(program.columns)
        if kind == "entry" and y != free[x] and shares[group, x]
    }


def _masses(terms: Terms, side: Side[Key]) -> list[list[fmpq_poly]]:
    """Return what each profile releases, sum_x P_i(x) A_i(x, y), over the side's denominator."""
    entries = side.numerators
    return [
        [
            sum((rational(mass) * entries.get(("entry", group, x, y), ZERO) for x, mass in support(masses)), ZERO)
            for y in range(len(terms.outputs))
        ]
        for group, masses in zip(terms.groups, terms.distributions, strict=True)
    ]
