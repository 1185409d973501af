"""A formula in LaTeX, and for sympy."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.formulas.ends import End
from mechdesign.formulas.pieces import Piece, factored, polynomial, shown_end
from mechdesign.formulas.terms import Terms
from mechdesign.formulas.whole_range import Cover

POWER = "{}^{{{}}}"


def latex_of(terms: Terms, found: Cover, low: Fraction, high: Fraction | None) -> str:
    """Return a formula in LaTeX: `cases`, and a line for each end that is no rational number."""
    letter = {"E": "E", "z": "z", "delta": r"\delta"}[terms.letter]
    names: dict[End, str] = {}
    asked = _powers(terms, found.pieces, low, high)
    lines = []
    for number, piece in enumerate(found.pieces):
        ends = [_end(end, asked, names) for end in (piece.low, piece.high)]
        where = f"{ends[0]} \\le {letter}" + ("" if ends[1] is None else f" \\le {ends[1]}")
        end = "." if number == len(found.pieces) - 1 else r", \\"
        lines.append(f"  {_latex(piece, letter)} & {where}{end}")
    whole = "\n".join([r"\begin{cases}", *lines, r"\end{cases}"])
    roots = [
        f"{name} \\approx {float(end):.10g} \\text{{ is a root of }} "
        f"{polynomial([int(c) for c in end.polynomial.coeffs()], 'x', POWER)}"
        for end, name in names.items()
    ]
    if terms.root > 1:
        roots.insert(0, f"z = e^{{\\varepsilon / {terms.root}}}")
    elif terms.parameter == "epsilon":
        roots.insert(0, r"E = e^{\varepsilon}")
    gaps = [f"not settled: {letter} from {shown_end(gap.low)} to {shown_end(gap.high)}" for gap in found.unsettled]
    return whole + "".join(f"\n% {line}" for line in [*roots, *gaps])


def _powers(terms: Terms, pieces: Sequence[Piece], low: Fraction, high: Fraction | None) -> dict[End, str]:
    """Return the ends of a range of epsilon, which are rounded, as e to the power asked for."""
    if terms.parameter == "delta" or not pieces:
        return {}
    asked = ((low, pieces[0].low), (high, pieces[-1].high))
    return {end: f"e^{{{format_number(nats / terms.root)}}}" for nats, end in asked if nats and end is not None}


def _end(end: End | None, asked: Mapping[End, str], names: dict[End, str]) -> str | None:
    """Return an end; one that is no rational number gets a name."""
    if end is None:
        return None
    if end in asked:
        return asked[end]
    return _number(end) if end.is_rational else names.setdefault(end, f"\\rho_{{{len(names) + 1}}}")


def _number(end: End) -> str:
    value = end.low
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def _latex(piece: Piece, letter: str) -> str:
    above, below = (factored(values, letter, POWER) for values in (piece.numerator, piece.denominator))
    return above if piece.denominator == (1,) else rf"\frac{{{above}}}{{{below}}}"


def sympy_of(terms: Terms, pieces: Sequence[Piece]) -> Any:
    """Return a formula as a `sympy.Piecewise` of its positive variable.

    Raises
    ------
    InputError
        if sympy is not installed, or nothing is settled.
    """
    if not pieces:
        raise InputError("sympy(): the formula is settled nowhere, so that it has no pieces")
    try:
        import sympy
    except ModuleNotFoundError:
        raise InputError("sympy(): it is not installed; pip install 'mechdesign[sympy]'") from None
    variable = sympy.Symbol(terms.letter, nonnegative=True)

    def number(end: End) -> Any:
        if end.is_rational:
            return sympy.Rational(end.low.numerator, end.low.denominator)
        x = sympy.Symbol("x")
        return sympy.CRootOf(sympy.Poly([int(c) for c in reversed(end.polynomial.coeffs())], x), end.number)

    def value(values: Sequence[int]) -> Any:
        return sum((c * variable**power for power, c in enumerate(values)), sympy.Integer(0))

    cases = [
        (
            value(piece.numerator) / value(piece.denominator),
            sympy.And(variable >= number(piece.low), True if piece.high is None else variable <= number(piece.high)),
        )
        for piece in pieces
    ]
    return sympy.Piecewise(*cases)
