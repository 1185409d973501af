"""What a cell is called, whatever kind of table it comes from, and by which rule: what counts as missing, or is rare.

The graph that was made by a rule says so in its attribute `made`, and so does the mechanism that is designed for it:
whoever sanitises the table reads it by the same rule.
"""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import format_number, shown
from mechdesign.graph.labels import Label, is_label
from mechdesign.words import expected_one_of, word_of

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


ELSEWHERE = (Missing.ERROR, Missing.DROP)
"""What may be done about missing values in columns other than the value's."""


@dataclass(frozen=True)
class Reading:
    """How cells are read.

    Attributes
    ----------
    missing
        what is done about missing values in the column of the value.
    missing_profile
        what is done about them in other columns.
    missing_words
        text that means missing.
    others
        the category of all values that are none of the categories; None if these are errors.
    """

    missing: Missing = Missing.ERROR
    missing_profile: Missing = Missing.ERROR
    missing_words: tuple[str, ...] = MISSING_WORDS
    others: Label | None = None

    @property
    def folded(self) -> frozenset[str]:
        """The words that mean missing, as `missing_as` takes them."""
        return frozenset(word.strip().casefold() for word in self.missing_words)

    @property
    def drops(self) -> bool:
        """Whether rows may be left out."""
        return Missing.DROP in (self.missing, self.missing_profile)

    def described(self) -> dict[str, Any]:
        """Return what a graph says of it, in its attribute `made`, and a mechanism's file: what is not as usual."""
        usual = Reading().changed(self.missing)
        as_usual = dict(usual._items(), missing=str(Missing.ERROR))
        return {key: value for key, value in self._items() if value != as_usual[key]}

    def _items(self) -> list[tuple[str, Any]]:
        """Return the rule as JSON has it."""
        return [
            ("missing", str(self.missing)),
            ("missing_profile", str(self.missing_profile)),
            ("missing_words", list(self.missing_words)),
            ("others", self.others),
        ]

    def changed(
        self,
        missing: str | None = None,
        missing_profile: str | None = None,
        missing_words: Iterable[str] | None = None,
        others: Any = None,
    ) -> "Reading":
        """Return the rule with what is given; rows without a value left out, so are those without a profile.

        Raises
        ------
        InputError
            if there is no such rule, or what is given are no words.

        Examples
        --------
        >>> Reading().changed("drop").missing_profile
        <Missing.DROP: 'drop'>
        """
        value = self.missing if missing is None else word_of(Missing, "missing", missing)
        elsewhere = Missing.DROP if missing == Missing.DROP else self.missing_profile
        if missing_profile is not None:
            if missing_profile not in ELSEWHERE:
                raise InputError(f"missing_profile: {expected_one_of(ELSEWHERE, missing_profile)}")
            elsewhere = Missing(missing_profile)
        words = self.missing_words if missing_words is None else tuple(listed("missing_words", missing_words))
        label = self.others if others is None else label_of(others)
        if label is not None and not is_label(label):
            raise InputError(f"others: expected text or a number, found {shown(others)}")
        return Reading(value, elsewhere, words, label)


def reading_of(made: object) -> Reading:
    """Return the rule by which a graph was made, as its attribute `made` says; the usual one if that says nothing.

    Raises
    ------
    InputError
        if what it says is none.

    Examples
    --------
    >>> reading_of({"missing": "category", "others": "rest"}).others
    'rest'
    """
    if not isinstance(made, Mapping):
        return Reading()
    given = {key: made.get(key) for key in ("missing", "missing_profile", "missing_words", "others")}
    return Reading().changed(**given)


def listed(place: str, names: Any) -> list[Any]:
    """Return names as a list.

    Raises
    ------
    InputError
        if they are none.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{place}: expected a list, found {shown(names)}")
    return list(names)
