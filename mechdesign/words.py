"""Words that depend on a number, or are of a closed list."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from mechdesign.errors import InputError
from mechdesign.exact.text import shown

Word = TypeVar("Word", bound=StrEnum)


def counted(number: int, what: str) -> str:
    """Return a number of things in words; `what` is the singular.

    Examples
    --------
    >>> counted(1, "edge"), counted(2, "transition probability"), counted(0, "profile")
    ('1 edge', '2 transition probabilities', '0 profiles')
    """
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"


def listed(names: Sequence[str]) -> str:
    """Return names as one says them.

    Examples
    --------
    >>> listed(["curve"]), listed(["mechanism", "certificate"]), listed(["a", "b", "c"])
    ('curve', 'mechanism and certificate', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


NAMED = 8
"""So many names stand in a sentence."""


def first_of(names: Sequence[object], most: int = NAMED, number: int | None = None) -> str:
    """Return the first names, and how many more there are; `number` is how many there are, if they are not all here.

    Examples
    --------
    >>> first_of(["a", "b"], 2), first_of("abc", 2), first_of([3, 7], 2, 1_002)
    ('a, b', 'a, b and 1 more', '3, 7 and 1,000 more')
    """
    left = (len(names) if number is None else number) - most
    return ", ".join(map(str, names[:most])) + (f" and {left:,} more" if left > 0 else "")


LONGEST_NAME = 100
"""Names longer than this are not compared with others: the work grows with their square."""


def expected_one_of(
    names: Iterable[str],
    found: object,
    *,
    one: str = "one",
    beside: str = "",
    elsewhere: Mapping[str, str] | None = None,
) -> str:
    """Return what an error says of a name that is none of a closed list, with the nearest one if there is one.

    Parameters
    ----------
    one
        how many of them are to be chosen.
    beside
        what else would do.
    elsewhere
        names that are asked for, but are none of the list: where to find what they stand for.

    Examples
    --------
    >>> expected_one_of(["highs", "reference"], "hihgs")
    "expected one of highs, reference, found 'hihgs'; did you mean highs?"
    >>> expected_one_of(["csv", "npy"], "py", elsewhere={"py": "Python reads JSON"})
    "expected one of csv, npy, found 'py'; Python reads JSON"
    """
    listed = list(names)
    where = (elsewhere or {}).get(str(found))
    remedy = did_you_mean(listed, found) if where is None else f"; {where}"
    return f"expected {one} of {', '.join(listed)}{beside}, found {shown(found)}{remedy}"


def word_of(kind: type[Word], place: str, word: Any, *, elsewhere: Mapping[str, str] | None = None) -> Word:
    """Return one of the words of a kind; an InputError that names the place if it is none.

    Examples
    --------
    >>> class Side(StrEnum):
    ...     LEFT, RIGHT = "left", "right"
    >>> word_of(Side, "side", "left") is Side.LEFT
    True
    """
    if word not in list(kind):
        raise InputError(f"{place}: {expected_one_of(kind, word, elsewhere=elsewhere)}")
    return kind(word)


def did_you_mean(names: Iterable[str], found: object) -> str:
    """Return "; did you mean ...?" with the name nearest to a misspelt one, or nothing.

    Examples
    --------
    >>> did_you_mean(["categorical-chain", "grid"], "Categorical_chain"), did_you_mean(["grid"], "survey.json")
    ('; did you mean categorical-chain?', '')
    """
    if not isinstance(found, str) or len(found) > LONGEST_NAME:
        return ""
    known = {name.lower(): name for name in names}
    near = get_close_matches(found.lower(), known, n=1)
    return f"; did you mean {known[near[0]]}?" if near else ""
