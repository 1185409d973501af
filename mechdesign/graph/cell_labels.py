"""What a cell is called, whatever kind of table it comes from; and which cells count as missing."""

import re
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import format_number
from mechdesign.graph.labels import Label

MISSING_WORDS = ("NA", "N/A", "#N/A", "<NA>", "NaN", "null")
"""Cells of text that count as missing, in small or capital letters, as do blank ones; "None" is an answer."""

MISSING = "missing"
"""The category of missing values where they are counted as an answer."""


class Missing(StrEnum):
    """What to do about missing values."""

    ERROR = "error"
    DROP = "drop"
    CATEGORY = "category"


def label_of(cell: Any) -> Any:
    """Return a cell as a label: an integer, or text without blanks around it.

    3.0 is "3", so that a column of floats reads like one of text. Bytes are no text, as nobody says in which encoding.

    Examples
    --------
    >>> label_of(" often "), label_of(3), label_of(3.0), label_of((1, 2.5))
    ('often', 3, '3', (1, '2.5'))
    """
    if isinstance(cell, Integral) and not isinstance(cell, bool):
        return int(cell)
    if isinstance(cell, Real) and not isinstance(cell, bool):
        number = float(cell)
        return str(int(number)) if number.is_integer() else str(number)
    if isinstance(cell, Decimal) and cell.is_finite():
        return format_number(Fraction(cell))
    if isinstance(cell, tuple):
        return tuple(label_of(part) for part in cell)
    return str(cell).strip() if isinstance(cell, Hashable) and not isinstance(cell, bytes) else cell


def missing_as(cell: Any, words: frozenset[str]) -> str | None:
    """Return how a missing cell is written: "blank", a word, or "no value" (None, NaN, a null); None if it is there."""
    if isinstance(cell, str):
        text = cell.strip()
        return "blank" if not text else text if text.casefold() in words else None
    try:
        gone = cell is None or bool(cell != cell)
    except TypeError:  # pandas.NA will not say whether it differs from itself
        gone = True
    except ValueError:  # an array
        gone = False
    return "no value" if gone else None


def order_of(label: Label) -> tuple[int, Fraction, str, str]:
    """Return what sorts numbers, also those that are text, by size and before words; 1 before "1"."""
    try:
        return 0, parse_number(label), str(label), type(label).__name__
    except InputError:
        return 1, Fraction(0), str(label), type(label).__name__


def alike(names: Iterable[Any], labels: Iterable[Label]) -> list[Any]:
    """Return names that a user wrote, as labels of the kind that a column has: all integers, or all text.

    Examples
    --------
    >>> alike(["1", " 2"], [2, 5]), alike([1, 2], ["2", "5"])
    ([1, 2], ['1', '2'])
    """
    kinds = {type(label) for label in labels}
    return [_of_kind(label_of(name), kinds) for name in names]


def _of_kind(label: Any, kinds: set[type]) -> Any:
    if kinds == {int} and isinstance(label, str) and re.fullmatch(r"[+-]?\d{1,400}", label):
        return int(label)
    return str(label) if kinds == {str} and isinstance(label, int) else label


def declared_order(column: Any) -> Sequence[Any] | None:
    """Return the categories of an ordered categorical, also those that do not occur: pandas' or Arrow's; else None."""
    if getattr(getattr(column, "type", None), "ordered", False):  # Arrow: each chunk has its dictionary
        chunks = getattr(column, "chunks", [column])
        dictionaries = [chunk.dictionary.to_pylist() for chunk in chunks]
        same = dictionaries and all(one == dictionaries[0] for one in dictionaries)
        return dictionaries[0] if same else None
    own = getattr(column, "cat", column)  # a pandas Series keeps them there
    return list(own.categories) if getattr(own, "ordered", False) is True else None
