"""Closed forms that `formula` derives, and proves for every e^epsilon or delta at once, beside those of the papers."""

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from flint import fmpq_poly

from mechdesign.certificate import formula_checker
from mechdesign.formulas.formula import Formula
from mechdesign.formulas.pieces import Piece, plain, shown_end
from mechdesign.formulas.polynomials import End, rational
from mechdesign.papers.published import Claim

Coefficients = Sequence[Fraction | int]
"""Of a polynomial, in ascending powers."""


class Form(NamedTuple):
    """A closed form, numerator over denominator, and up to where it holds; None for everywhere from there on."""

    numerator: Coefficients
    denominator: Coefficients
    high: Fraction | None = None


NOTHING = Form([0], [1])


def derived(what: str, found: Formula, expected: Sequence[Form], *, claimed: bool = False) -> list[Claim]:
    """Return a row for each piece that was derived: whether it is the closed form, from end to end, and proved.

    Parameters
    ----------
    what
        the optimum of what.
    found
        what was derived.
    expected
        the closed forms, in turn.
    claimed
        whether they are the paper's, or ours.

    Examples
    --------
    >>> from mechdesign import formula, value_graph
    >>> [row] = derived("two values", formula(value_graph("ab")), [Form([1], [1, 1])])
    >>> row.what, row.agrees
    ('two values: derived is 1 / (1 + E) for E >= 1', True)
    """
    whole = len(found.pieces) == len(expected) and _is_proved(found)
    rows = []
    for number, piece in enumerate(found.pieces):
        same = whole and _is(piece, expected[number])
        text = plain(piece.numerator, piece.denominator, found.terms.letter)
        low, high = shown_end(piece.low), shown_end(piece.high)
        where = f">= {low}" if piece.high is None else f"from {low} to {high}"
        label = f"{what}: derived is {text} for {found.terms.letter} {where}"
        rows.append(Claim(label, same, claimed=True if claimed else None, reference=None if claimed else True))
    return rows


def _is_proved(found: Formula) -> bool:
    """Return whether the checker that anybody can run accepts the proof."""
    try:
        formula_checker.check(json.dumps(found.certificate))
    except formula_checker.Rejected:
        return False
    return True


def _is(piece: Piece, form: Form) -> bool:
    """Return whether two quotients are the same function, with the same end."""
    above, below = (fmpq_poly([rational(Fraction(c)) for c in values]) for values in (form.numerator, form.denominator))
    end = None if form.high is None else End.at(form.high)
    same: bool = fmpq_poly(list(piece.numerator)) * below == above * fmpq_poly(list(piece.denominator))
    return same and piece.high == end
