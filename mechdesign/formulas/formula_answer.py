"""What is told of a formula: coefficients for programs are text, in ascending powers of the variable."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from mechdesign.exact.text import format_number
from mechdesign.formulas.ends import End
from mechdesign.formulas.pieces import Piece, nats, plain, polynomial, shown_end
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
