"""What is told of a formula, in tables, in LaTeX and for sympy.

Coefficients for programs are text, in ascending powers of the variable.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.formulas.pieces import Piece, factored, nats, plain, polynomial, shown_end
from mechdesign.formulas.polynomials import End
from mechdesign.formulas.released_functions import Released
from mechdesign.formulas.stretch import Stretch
from mechdesign.formulas.terms import Terms
from mechdesign.formulas.whole_range import Cover
from mechdesign.graph.properties import heading_of
from mechdesign.privacy.asked import UNBOUNDED
from mechdesign.show.answer import Answer, Column, Table, for_people, for_programs, sentences
from mechdesign.show.fact_numbers import Near, in_json
from mechdesign.words import counted

LONG = 10**15
"""A coefficient that probabilities of a few digits do not make; those that are doubles make longer ones."""

REMEDY = (
    'Coefficients are so long, as a rule, because probabilities are doubles: give them as text, such as "0.62" (of a '
    "table: astype(str)), and they are short."
)


def answer_of(terms: Terms, cover: Cover, breaks: Sequence[End]) -> Answer:
    """Return what is told of the optimum."""
    letter, words = terms.letter, terms.objective.words
    unsettled = [_span(terms, gap) | {"reason": reason} for gap, reason in cover.unsettled.items()]
    told = {
        "objective": terms.objective.name,
        "parameter": terms.parameter,
        "root": terms.root,
        "ratio": None if terms.ratio is None else format_number(terms.ratio),
        "delta": None if terms.delta is None else format_number(terms.delta),
        "shared": terms.shared,
        "breakpoints": [_breakpoint(terms, end) for end in breaks],
        "unsettled": unsettled,
    }
    roots = [
        f"{shown_end(end)} is a root of {polynomial([int(c) for c in end.polynomial.coeffs()], letter)}."
        for end in breaks
        if not end.is_rational
    ]
    numbers = (number for one in cover.pieces for number in (*one.numerator, *one.denominator))
    gaps = [
        f"Not settled: {letter} from {shown_end(gap.low)} to {shown_end(gap.high)}: {reason}. `design` computes the "
        "optimum there, for one epsilon after another."
        for gap, reason in cover.unsettled.items()
    ]
    found = f"{words[0].upper()}{words[1:]}, exactly, in {counted(len(cover.pieces), 'piece')}."
    return Answer(
        found if cover.pieces else f"Nothing is settled: no formula of the {words} was found.",
        about=f"{heading_of(terms.graph, terms.shared)}; {terms.about}.",
        facts=[*for_programs(told), *sentences(*roots, REMEDY if any(abs(one) >= LONG for one in numbers) else None)],
        tables=[_pieces(terms, cover.pieces)],
        warnings=[*([UNBOUNDED] if terms.unbounded else []), *gaps],
    )


def _pieces(terms: Terms, pieces: Sequence[Piece]) -> Table:
    letter = terms.letter
    spans = ("from epsilon", "to epsilon") if terms.parameter == "epsilon" else ("", "")
    columns = [
        Column(words="optimum"),
        *(Column(words=f"{side} {letter}") for side in ("from", "to")),
        *(Column(key, words) for key, words in zip(("from", "to"), spans, strict=True)),
        *(Column(key) for key in ("numerator", "denominator")),
    ]
    rows = [
        [
            plain(one.numerator, one.denominator, letter),
            *(shown_end(end) for end in (one.low, one.high)),
            *(Near(_at(terms, end), digits=9) for end in (one.low, one.high)),
            *map(_texts, (one.numerator, one.denominator)),
        ]
        for one in pieces
    ]
    return Table("pieces", "The pieces", columns, rows)


def released_answer(terms: Terms, found: Sequence[Released]) -> Answer:
    """Return what is told of what profiles release, by interval."""
    told = [_span(terms, one.stretch) | {"profiles": _functions(terms, one)} for one in found]
    tables = [
        for_people(
            f"Released, {terms.letter} from {shown_end(one.stretch.low)} to {shown_end(one.stretch.high)}",
            ["profile", "output", "probability"],
            [
                [str(profile), str(output), plain(*function, terms.letter)]
                for profile, row in zip(terms.graph, one.profiles, strict=True)
                for output, function in zip(terms.outputs, row, strict=True)
            ],
        )
        for one in found
    ]
    return Answer(facts=for_programs({"released": told}), tables=tables)


def _functions(terms: Terms, one: Released) -> dict[str, Any]:
    return {
        str(profile): [dict(zip(("numerator", "denominator"), map(_texts, function), strict=True)) for function in row]
        for profile, row in zip(terms.graph, one.profiles, strict=True)
    }


def _at(terms: Terms, end: End | None) -> float:
    """Return an end as an epsilon, or as a delta."""
    if terms.parameter == "epsilon":
        return nats(end, terms.root)
    return math.inf if end is None else float(end)


def _span(terms: Terms, stretch: Stretch) -> dict[str, Any]:
    return {"from": in_json(_at(terms, stretch.low)), "to": in_json(_at(terms, stretch.high))}


def _breakpoint(terms: Terms, end: End) -> dict[str, Any]:
    coefficients = [str(c) for c in end.polynomial.coeffs()]
    return {
        terms.parameter: in_json(_at(terms, end)),
        "polynomial": coefficients,
        "interval": [str(one) for one in end.isolated()],
    }


def _texts(values: Iterable[int]) -> list[str]:
    return list(map(str, values))


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
