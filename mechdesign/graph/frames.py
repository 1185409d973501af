"""What tables and columns of pandas say by their labels, whatever the order that they are in."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label, positions


def is_frame(value: object) -> bool:
    """Return whether it is a DataFrame of pandas."""
    return hasattr(value, "iloc") and hasattr(value, "columns")


def is_series(value: object) -> bool:
    """Return whether it is a Series of pandas."""
    return hasattr(value, "iloc") and not hasattr(value, "columns")


def only_count(labels: Sequence[Label], categories: Iterable[Label]) -> bool:
    """Return whether labels say nothing: 0, 1, 2 and so on, as pandas gives them, where these are not the categories.

    Where the categories are these very numbers, in whatever order, they are labels: pandas does not say which is meant.

    Examples
    --------
    >>> only_count((0, 1), ["no", "yes"]), only_count((0, 1), [1, 0])
    (True, False)
    """
    return tuple(labels) == tuple(range(len(labels))) and set(labels) != set(categories)


def labels_of(index: Any, place: str, categories: Iterable[Label] = ()) -> tuple[Label, ...] | None:
    """Return the labels of a pandas index; None if they only count.

    Raises
    ------
    InputError
        if two are the same.

    Examples
    --------
    >>> import pandas as pd
    >>> labels_of(pd.Index(["no", "yes"]), "table"), labels_of(pd.RangeIndex(2), "table")
    (('no', 'yes'), None)
    >>> labels_of(pd.RangeIndex(2), "table", [1, 0])
    (0, 1)
    """
    labels = tuple(index.tolist())
    if only_count(labels, categories):
        return None
    twice = [f"{place}: {shown(label)} is given {times} times" for label, times in Counter(labels).items() if times > 1]
    if twice:
        raise InputError(twice)
    return labels


def in_order(values: Any, categories: Sequence[Label], place: str) -> list[Any]:
    """Return what a Series or a mapping says of each category, in the order of these.

    Raises
    ------
    InputError
        if it has labels, and these are not the categories.

    Examples
    --------
    >>> in_order({"yes": "0.9", "no": "0.1"}, ["no", "yes"], "rates")
    ['0.1', '0.9']
    """
    if isinstance(values, Mapping):
        labels: tuple[Label, ...] | None = tuple(values)
        numbers = list(values.values())
    else:
        labels, numbers = labels_of(values.index, place, categories), values.tolist()
    if labels is None:
        return numbers
    order = positions(labels, categories)
    if order is None:
        expected = f"expected the categories {shown(tuple(categories))} as labels"
        raise InputError(f"{place}: {expected}, found {shown(labels)}")
    return [numbers[position] for position in order]


def by_profile(own: Any, categories: Sequence[Label], place: str) -> Any:
    """Return what was given for profiles as a mapping from these, with what is labelled in the order of the categories.

    A DataFrame has a row for each profile and a column for each category. What is neither pandas' nor a mapping is
    returned as it is.

    Raises
    ------
    InputError
        if labels are not the categories.

    Examples
    --------
    >>> import pandas as pd
    >>> by_profile(pd.DataFrame({"yes": [0.9, 0.7], "no": [0.1, 0.3]}, index=["a", "b"]), ["no", "yes"], "table")
    {'a': [0.1, 0.9], 'b': [0.3, 0.7]}
    """
    if is_frame(own):
        labels_of(own.index, f"{place}, rows")
        columns = labels_of(own.columns, f"{place}, columns", categories)
        order = list(range(len(own.columns))) if columns is None else positions(columns, categories)
        if order is None:
            turned = positions(own.index.tolist(), categories) is not None
            remedy = "; its rows are the categories: give it transposed, .T" if turned else ""
            expected = f"a row for each profile and the categories {shown(tuple(categories))} as columns"
            raise InputError(f"{place}: expected {expected}, found the columns {shown(columns)}{remedy}")
        rows = own.to_numpy().tolist()
        return {
            profile: [row[position] for position in order]
            for profile, row in zip(own.index.tolist(), rows, strict=True)
        }
    if is_series(own):
        labels_of(own.index, place)
        return dict(zip(own.index.tolist(), own.tolist(), strict=True))
    if isinstance(own, Mapping):
        return {
            profile: in_order(values, categories, f"{place}, {shown(profile)}")
            if isinstance(values, Mapping) or is_series(values)
            else values
            for profile, values in own.items()
        }
    return own
