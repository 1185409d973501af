"""A formula in LaTeX, and for sympy."""

from collections.abc import Sequence
from math import gcd
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.formulas.ends import End
from mechdesign.formulas.pieces import Piece
from mechdesign.formulas.solved import Solved
from mechdesign.formulas.writing import polynomial, shown_end


def latex_of(formula: Solved) -> str:
    """Return a formula in LaTeX: `cases`, and a line for each end that is no rational number."""
    letter = {"E": "E", "z": "z", "delta": r"\delta"}[formula.terms.letter]
    names: dict[End, str] = {}
    lines = []
    for number, piece in enumerate(formula.pieces):
        low, high = (_end(formula, end, names) for end in (piece.low, piece.high))
        where = f"{low} \\le {letter}" + ("" if high is None else f" \\le {high}")
        end = "." if number == len(formula.pieces) - 1 else r", \\"
        lines.append(f"  {_latex(piece, letter)} & {where}{end}")
    whole = "\n".join([r"\begin{cases}", *lines, r"\end{cases}"])
    roots = [
        f"{name} \\approx {float(end):.10g} \\text{{ is a root of }} "
        f"{polynomial([int(c) for c in end.polynomial.coeffs()], 'x', '{}^{{{}}}')}"
        for end, name in names.items()
    ]
    if formula.terms.root > 1:
        roots.insert(0, f"z = e^{{\\varepsilon / {formula.terms.root}}}")
    elif formula.terms.parameter == "epsilon":
        roots.insert(0, r"E = e^{\varepsilon}")
    gaps = [f"not settled: {letter} from {shown_end(gap.low)} to {shown_end(gap.high)}" for gap in formula.unsettled]
    return whole + "".join(f"\n% {line}" for line in [*roots, *gaps])


def _end(formula: Solved, end: End | None, names: dict[End, str]) -> str | None:
    """Return an end; that of a range of epsilon, which is rounded, as e to the power asked for."""
    if end is None:
        return None
    if formula.terms.parameter == "epsilon":
        for asked, own in ((formula.low, formula.pieces[0].low), (formula.high, formula.pieces[-1].high)):
            if asked and end == own:
                return f"e^{{{format_number(asked / formula.terms.root)}}}"
    if end.is_rational:
        return _number(end)
    return names.setdefault(end, f"\\rho_{{{len(names) + 1}}}")


def _number(end: End) -> str:
    value = end.low
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def _latex(piece: Piece, letter: str) -> str:
    above = _tex(piece.numerator, letter)
    return above if piece.denominator == (1,) else rf"\frac{{{above}}}{{{_tex(piece.denominator, letter)}}}"


def _tex(values: Sequence[int], letter: str) -> str:
    size = gcd(*values) or 1
    if size == 1 or sum(map(bool, values)) < 2:
        return polynomial(values, letter, "{}^{{{}}}")
    inner = polynomial([value // size for value in values], letter, "{}^{{{}}}")
    return f"{size} ({inner})"


def sympy_of(formula: Solved) -> Any:
    """Return a formula as a `sympy.Piecewise` of its positive variable.

    Raises
    ------
    InputError
        if sympy is not installed, or nothing is settled.
    """
    if not formula.pieces:
        raise InputError("sympy(): the formula is settled nowhere, so that it has no pieces")
    try:
        import sympy
    except ModuleNotFoundError:
        raise InputError("sympy(): it is not installed; pip install 'mechdesign[sympy]'") from None
    variable = sympy.Symbol(formula.terms.letter, nonnegative=True)

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
        for piece in formula.pieces
    ]
    return sympy.Piecewise(*cases)
