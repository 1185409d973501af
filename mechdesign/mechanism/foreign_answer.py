"""What is said of a mechanism that was read from a matrix: how it was read, and what was normalised."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import short
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.show.answer import Answer, for_programs
from mechdesign.words import first_of


def foreign_summary(mechanism: Mechanism) -> dict[str, Any]:
    """Return the JSON object's part: `read`, how; `normalised`, how many rows, and by how much totals missed 1."""
    rows, miss = normalised(mechanism)
    divided = {
        "rows": len(rows),
        "of": len(mechanism.inputs),
        "largest_miss": None if miss is None else float_above(miss),
    }
    return {"read": _read(mechanism), "normalised": divided if rows or miss is not None else None}


def reading_of(mechanism: Mechanism) -> Answer:
    """Return what is told of it beside what the command found."""
    return Answer(facts=for_programs(foreign_summary(mechanism)), warnings=list(foreign_words(mechanism)))


def foreign_words(mechanism: Mechanism) -> Iterator[str]:
    """Yield the same in sentences."""
    if words := _read(mechanism):
        yield f"Read with {words}."
    rows, miss = normalised(mechanism)
    if miss == 0:
        yield "Nothing to normalise: all totals are 1 exactly."
    elif miss:
        of = f"{len(rows)} of {len(mechanism.inputs)} rows, those of {first_of(rows)}"
        divided = f"{of}, were divided by their totals, which missed 1 by up to {short(miss)}"
        yield f"What follows holds for the normalised matrix, not for the one given: {divided}; all are exactly 1 now."
    elif rows:
        yield f"Normalised exactly to total 1: the rows of {first_of(rows)}."


def _read(mechanism: Mechanism) -> str | None:
    words = mechanism.notes.get("read")
    return words if isinstance(words, str) else None


def normalised(mechanism: Mechanism) -> tuple[list[Any], Fraction | None]:
    """Return the rows that were normalised and by how much a total missed 1, None where nobody asked for it.

    Notes may come from a file, and so be anything.
    """
    rows, miss = mechanism.notes.get("normalised"), mechanism.notes.get("largest_miss")
    try:
        return rows if isinstance(rows, list) else [], None if miss is None else parse_number(miss)
    except InputError:
        return [], None
