"""What tables in memory, and columns of pandas, say by their labels, whatever the order that they are in."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.arrow import cells_of, is_pandas, is_table, named_columns
from mechdesign.files.labelled import is_word
from mechdesign.graph.labels import Label, positions


@dataclass(frozen=True)
class Frame:
    """A table of numbers with labels of its rows and of its columns, which may only count."""

    index: Sequence[Label]
    columns: Sequence[Label]
    rows: Any


def as_frame(value: Any, categories: Iterable[Label] = ()) -> Frame | None:
    """Return a table of whatever library with its labels; None if it is no table.

    Only pandas labels rows. Of another table the first column does, if no cell of it can be a number, or if the other
    columns are the categories.

    Examples
    --------
    >>> import polars
    >>> as_frame(polars.DataFrame({"job": ["cook", "clerk"], "low": [0.25, 0.5], "high": [0.75, 0.5]}))
    Frame(index=['cook', 'clerk'], columns=['low', 'high'], rows=[[0.25, 0.75], [0.5, 0.5]])
    """
    if isinstance(value, Frame):
        return value
    if is_pandas(value):
        return Frame(value.index.tolist(), value.columns.tolist(), value.to_numpy())
    if not is_table(value):
        return None
    names, table = named_columns(value)
    columns = [cells_of(column) for column in table.columns]
    index: Sequence[Label] = range(table.num_rows)
    is_labelled = bool(names) and all(isinstance(cell, str) and is_word(cell.strip()) for cell in columns[0])
    if len(names) > 1 and (is_labelled or set(names[1:]) == set(categories)):
        index, names, columns = columns[0], names[1:], columns[1:]
    return Frame(index, names, [list(row) for row in zip(*columns, strict=True)])


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


def labels_of(index: Sequence[Label], place: str, categories: Iterable[Label] = ()) -> tuple[Label, ...] | None:
    """Return the labels of a table's rows or columns; None if they only count.

    Raises
    ------
    InputError
        if two are the same.

    Examples
    --------
    >>> labels_of(["no", "yes"], "table"), labels_of(range(2), "table")
    (('no', 'yes'), None)
    >>> labels_of(range(2), "table", [1, 0])
    (0, 1)
    """
    labels = tuple(index)
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
        labels, numbers = labels_of(values.index.tolist(), place, categories), values.tolist()
    if labels is None:
        return numbers
    order = positions(labels, categories)
    if order is None:
        expected = f"expected the categories {shown(tuple(categories))} as labels"
        raise InputError(f"{place}: {expected}, found {shown(labels)}")
    return [numbers[position] for position in order]


def by_profile(own: Any, categories: Sequence[Label], place: str) -> Any:
    """Return what was given for profiles as a mapping from these, with what is labelled in the order of the categories.

    A table has a row for each profile and a column for each category. What is neither a table, nor a Series, nor a
    mapping is returned as it is.

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
    if (frame := as_frame(own, categories)) is not None:
        labels_of(frame.index, f"{place}, rows")
        columns = labels_of(frame.columns, f"{place}, columns", categories)
        order = list(range(len(frame.columns))) if columns is None else positions(columns, categories)
        if order is None:
            turned = positions(frame.index, categories) is not None
            remedy = "; its rows are the categories: give it transposed, .T" if turned else ""
            expected = f"a row for each profile and the categories {shown(tuple(categories))} as columns"
            raise InputError(f"{place}: expected {expected}, found the columns {shown(columns)}{remedy}")
        return {
            profile: [row[position] for position in order]
            for profile, row in zip(frame.index, np.asarray(frame.rows, dtype=object).tolist(), strict=True)
        }
    if is_series(own):
        labels_of(own.index.tolist(), place)
        return dict(zip(own.index.tolist(), own.tolist(), strict=True))
    if isinstance(own, Mapping):
        return {
            profile: in_order(values, categories, f"{place}, {shown(profile)}")
            if isinstance(values, Mapping) or is_series(values)
            else values
            for profile, values in own.items()
        }
    return own
