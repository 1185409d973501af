"""Labels of profiles, categories and outputs: text, integers, or tuples of these (points of a grid)."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

from mechdesign.errors import InputError
from mechdesign.exact.text import shown

Label: TypeAlias = Hashable
"""A profile or a category: text, an integer, or a tuple of these (a point of a grid)."""

SAME_HASH = 32
"""So many different labels may have one hash value: points of a grid of -1 and -2 in five dimensions do."""


def is_label(value: object) -> bool:
    """Return whether `value` can name a profile or a category."""
    if isinstance(value, tuple):
        return bool(value) and all(is_label(part) for part in value)
    return isinstance(value, str | int) and not isinstance(value, bool)


def as_label(value: Any) -> Any:
    """Return a list, which is how JSON has a point of a grid, as a tuple; anything else as it is."""
    return tuple(as_label(part) for part in value) if isinstance(value, list) else value


def labels_of(value: Any) -> Any:
    """Return a list of labels with a tuple for each that is a list itself; anything else as it is."""
    return [as_label(part) for part in value] if isinstance(value, list) else value


def check_in_order(given: Any, place: str) -> None:
    """Raise an InputError that names the place if what is given by its order is a set, which has another in each run.

    Examples
    --------
    >>> check_in_order({"no"}, "categories")
    Traceback (most recent call last):
    mechdesign.errors.InputError: categories: expected a list, whose order counts, found a set, {'no'}
    """
    if isinstance(given, set | frozenset):
        raise InputError(f"{place}: expected a list, whose order counts, found a set, {shown(given)}")


def check_hashes(labels: Iterable[Any], place: str, *, are_data: bool = False) -> None:
    """Raise if many different labels have one hash value; called before any set or dictionary of them is made.

    The hash of an integer or of a tuple of integers is no secret: labels can be chosen so that all have the same. Then
    each look-up compares with all of them, and a file of a megabyte takes hours. What has no hash is passed over, as is
    text, whose hash is a secret of each process.

    Raises
    ------
    InputError
        naming the place and two such labels, but not those that `are_data`.

    Examples
    --------
    >>> check_hashes([step * (2**61 - 1) for step in range(100)], "nodes")
    Traceback (most recent call last):
    mechdesign.errors.InputError: nodes: more than 32 different labels, such as 0 and 2305843009213693951, have one \
hash value, so that looking one up would take as long as looking at all; name them by text
    """
    alike: dict[int, list[Label]] = {}
    for label in labels:
        if isinstance(label, str):
            continue
        try:
            others = alike.setdefault(hash(label), [])
        except TypeError:  # a list, say; whoever wants a label says so
            continue
        if label not in others:
            others.append(label)
        if len(others) > SAME_HASH:
            such = "" if are_data else f", such as {shown(others[0])} and {shown(others[1])},"
            raise InputError(
                f"{place}: more than {SAME_HASH} different labels{such} have one hash value, so that looking one up "
                "would take as long as looking at all; name them by text"
            )


class Labels:
    """Labels that are found by how they are written: the category 3 is the text "3", the point (1, 2) is "(1, 2)".

    Parameters
    ----------
    names
        the labels.
    what
        what they are, in the plural.

    Raises
    ------
    InputError
        if two are written alike.

    Examples
    --------
    >>> labels = Labels(["no", 3, (1, 2)], "categories")
    >>> labels.texts, labels.place(" 3"), labels.place("yes")
    (['no', '3', '(1, 2)'], 1, None)
    """

    def __init__(self, names: Iterable[Label], what: str) -> None:
        self.names, self.what = tuple(names), what
        self.texts = [str(label) for label in self.names]
        twice = [text for text, times in Counter(self.texts).items() if times > 1]
        if twice:
            raise InputError(f"{what}: two labels are written {shown(twice[0])}, so that data cannot tell them apart")
        self._places = {text: place for place, text in enumerate(self.texts)}
        stripped = Counter(text.strip() for text in self.texts)
        self._stripped = {text.strip(): place for text, place in self._places.items() if stripped[text.strip()] == 1}

    def place(self, text: str) -> int | None:
        """Return the position of the label that is written so; or so without the blanks around it, if only one is."""
        return self._places.get(text, self._stripped.get(text.strip()))


def positions(labels: Sequence[Label], categories: Sequence[Label]) -> list[int] | None:
    """Return where each category stands among the labels; in order if they only count; None if they are others.

    Examples
    --------
    >>> positions(["yes", "no"], ["no", "yes"]), positions([1, 2], ["no", "yes"]), positions(["yes"], ["no", "yes"])
    ([1, 0], [0, 1], None)
    """
    names, wanted = list(labels), list(categories)
    if set(names) != set(wanted) or len(names) != len(
        wanted
    ):  # 1 and "1" may both be categories; in a file both are "1"
        names, wanted = list(map(str, labels)), list(map(str, categories))
    if set(names) == set(wanted) and len(names) == len(wanted):
        place = {name: position for position, name in enumerate(names)}
        return [place[name] for name in wanted]
    counting = ([str(start + i) for i in range(len(wanted))] for start in (0, 1))
    return list(range(len(wanted))) if list(map(str, labels)) in counting else None
