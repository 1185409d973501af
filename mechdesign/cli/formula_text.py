"""A formula as text and as JSON."""

import math
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from mechdesign.exact.text import format_number
from mechdesign.formulas.ends import End
from mechdesign.formulas.formula import Formula
from mechdesign.formulas.pieces import nats
from mechdesign.formulas.released import Released
from mechdesign.formulas.stretch import Stretch
from mechdesign.formulas.writing import plain, polynomial, shown_end
from mechdesign.graph.properties import heading_of
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import table_of

MOST_RELEASED = 200
"""So many lines of released probabilities are printed; JSON has all."""


def print_formula(out: Console, found: Formula, *, released: bool) -> None:
    """Print the pieces as a table, and what their ends are."""
    terms = found.terms
    out.print(heading_of(terms.graph, terms.shared))
    out.print(terms.about)
    out.print()
    letter = terms.letter
    lines = [
        [*_ends(found, piece.low, piece.high), plain(piece.numerator, piece.denominator, letter)]
        for piece in found.pieces
    ]
    headings = ["from epsilon", "to epsilon", f"from {letter}", f"to {letter}", "optimum"]
    if terms.parameter == "delta":
        headings = headings[2:]
    words = terms.objective.words
    if lines:
        rows = table_of(words[0].upper() + words[1:], headings, lines)
        rows.columns[-1].justify = "left"
        out.print(rows)
    else:
        out.print(f"Nothing is settled: no formula of the {words} was found.")
    out.print()
    for end in found.breakpoints:
        if not end.is_rational:
            out.print(f"{shown_end(end)} is a root of {polynomial([int(c) for c in end.polynomial.coeffs()], letter)}.")
    for gap, reason in found.unsettled.items():
        out.print(f"Not settled: {letter} from {shown_end(gap.low)} to {shown_end(gap.high)}: {reason}.")
    if found.unsettled:
        out.print("`design` computes the optimum there, for one epsilon after another.")
    if released:
        _print_released(out, found)


def _ends(found: Formula, low: End, high: End | None) -> list[str]:
    """Return the ends of an interval as epsilons, and as values of the variable; for delta the latter alone."""
    shown = [shown_end(low), shown_end(high)]
    if found.terms.parameter == "delta":
        return shown
    return [*(f"{nats(end, found.terms.root):.9g}" for end in (low, high)), *shown]


def _print_released(out: Console, found: Formula) -> None:
    """Print what each profile releases, by interval."""
    terms = found.terms
    left = MOST_RELEASED
    for one in found.released:
        low, high = _ends(found, one.stretch.low, one.stretch.high)[-2:]
        lines = [
            [str(profile), str(output), plain(*function, terms.letter)]
            for profile, row in zip(terms.graph, one.profiles, strict=True)
            for output, function in zip(terms.outputs, row, strict=True)
        ]
        if left < len(lines):
            out.print("...; --json has all.")
            return
        left -= len(lines)
        out.print(f"Released, {terms.letter} from {low} to {high}")
        rows = table_of("", ["profile", "output", "probability"], lines)
        rows.title = None
        rows.columns[-1].justify = "left"
        out.print(rows)
        out.print()


def summary(found: Formula, *, released: bool) -> dict[str, Any]:
    """Return the JSON object of a formula: coefficients in ascending powers of the variable, as text."""
    terms = found.terms
    result: dict[str, Any] = {
        "objective": terms.objective.name,
        "parameter": terms.parameter,
        "root": terms.root,
        "ratio": None if terms.ratio is None else format_number(terms.ratio),
        "delta": None if terms.delta is None else format_number(terms.delta),
        "shared": terms.shared,
        "pieces": [
            _span(found, Stretch(piece.low, piece.high))
            | {"numerator": _texts(piece.numerator), "denominator": _texts(piece.denominator)}
            for piece in found.pieces
        ],
        "breakpoints": [_breakpoint(found, end) for end in found.breakpoints],
        "unsettled": [_span(found, gap) | {"reason": reason} for gap, reason in found.unsettled.items()],
        "latex": found.latex(),
    }
    return result | ({"released": [_released(found, one) for one in found.released]} if released else {})


def _at(found: Formula, end: End | None) -> float | None:
    """Return an end as an epsilon, or as a delta."""
    if found.terms.parameter == "epsilon":
        return in_json(nats(end, found.terms.root))
    return in_json(math.inf if end is None else float(end))


def _span(found: Formula, stretch: Stretch) -> dict[str, Any]:
    return {"from": _at(found, stretch.low), "to": _at(found, stretch.high)}


def _breakpoint(found: Formula, end: End) -> dict[str, Any]:
    low, high = end.isolated()
    coefficients = [str(c) for c in end.polynomial.coeffs()]
    return {found.terms.parameter: _at(found, end), "polynomial": coefficients, "interval": [str(low), str(high)]}


def _released(found: Formula, one: Released) -> dict[str, Any]:
    profiles = {
        str(profile): [dict(zip(("numerator", "denominator"), map(_texts, function), strict=True)) for function in row]
        for profile, row in zip(found.terms.graph, one.profiles, strict=True)
    }
    return _span(found, one.stretch) | {"profiles": profiles}


def _texts(values: Iterable[int]) -> list[str]:
    return list(map(str, values))
