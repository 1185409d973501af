"""By which rule a cell becomes a category: what counts as missing, and what becomes of it and of rare values.

The graph that was made by a rule says so in its attribute `made`, and so does the mechanism that is designed for it:
whoever sanitises the table reads it by the same rule.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import MISSING_WORDS, Missing, label_of
from mechdesign.graph.labels import Label, is_label
from mechdesign.words import expected_one_of, word_of

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
