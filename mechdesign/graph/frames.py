"""What tables in memory, and columns of pandas, say by their labels, whatever the order that they are in."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import USUAL, Dialect
from mechdesign.files.numerals import is_word
from mechdesign.files.tables import cells_of, is_pandas, is_table, named_columns
from mechdesign.graph.labels import Label, positions


@dataclass(frozen=True)
class Matrix:
    """A matrix of numbers, or of text that is to be numbers, from a file or from memory, with the labels that it has.

    Attributes
    ----------
    rows
        an array, or a list of rows of one length.
    inputs, outputs
        the labels of the rows and of the columns, if there are any; from memory they may only count.
    words
        how a file was read, if not in the usual way.
    dialect
        how a text file is written.
    """

    rows: Any
    inputs: tuple[Label, ...] | None = None
    outputs: tuple[Label, ...] | None = None
    words: tuple[str, ...] = field(default=(), repr=False)
    dialect: Dialect = field(default=USUAL, repr=False)

    @property
    def is_square(self) -> bool:
        """Whether there are as many columns as rows."""
        return len(self.rows) > 0 and len(self.rows) == len(self.rows[0])

    @property
    def is_labelled(self) -> bool:
        """Whether rows or columns have labels."""
        return self.inputs is not None or self.outputs is not None

    def in_order(self, categories: Sequence[Label]) -> "Matrix":
        """Return the matrix with rows, and columns if they are labelled alike, in the order of the categories.

        Labels of one side serve the other too if the matrix is square. Labels that only count are none.

        Raises
        ------
        InputError
            if the rows have labels, and these are not the categories.
        """
        own = self.named(categories)
        rows = own.inputs and positions(own.inputs, categories)
        if own.inputs and rows is None:
            names = ", ".join(shown(label) for label in own.inputs[:8])
            expected = f"expected the categories {shown(tuple(categories))} as labels of the rows"
            raise InputError(f"{expected}, found {names}; leave the labels out if the order is right")
        columns = own.outputs and positions(own.outputs, categories)
        if self.is_square:
            rows, columns = rows or (None if own.inputs else columns), columns or (None if own.outputs else rows)
        table = self.rows if rows is None else [self.rows[row] for row in rows]
        if columns is not None:
            table = [[row[column] for column in columns] for row in table]
        outputs = own.outputs if columns is None else tuple(categories)
        return replace(self, rows=table, inputs=tuple(categories), outputs=outputs)

    def named(self, categories: Iterable[Label] = ()) -> "Matrix":
        """Return the matrix with those labels alone that do more than count.

        Raises
        ------
        InputError
            if two rows, or two columns, have the same label.

        Examples
        --------
        >>> Matrix([[0.75, 0.25]], (0,), ("no", "yes")).named()
        Matrix(rows=[[0.75, 0.25]], inputs=None, outputs=('no', 'yes'))
        """
        known = tuple(categories)
        inputs = None if self.inputs is None else labels_of(self.inputs, "rows", known)
        outputs = None if self.outputs is None else labels_of(self.outputs, "columns", known)
        return replace(self, inputs=inputs, outputs=outputs)


def matrix_in(value: Any, categories: Iterable[Label] = ()) -> Matrix | None:
    """Return a table of whatever library with its labels; None if it is no table.

    Only pandas labels rows. Of another table the first column does, if no cell of it can be a number, or if the other
    columns are the categories.

    Examples
    --------
    >>> import polars
    >>> matrix_in(polars.DataFrame({"job": ["cook", "clerk"], "low": [0.25, 0.5], "high": [0.75, 0.5]}))
    Matrix(rows=[[0.25, 0.75], [0.5, 0.5]], inputs=('cook', 'clerk'), outputs=('low', 'high'))
    """
    if isinstance(value, Matrix):
        return value
    if is_pandas(value):
        return Matrix(value.to_numpy(), tuple(value.index.tolist()), tuple(value.columns.tolist()))
    if not is_table(value):
        return None
    names, table = named_columns(value)
    columns = [cells_of(column) for column in table.columns]
    index: Sequence[Label] = range(table.num_rows)
    is_labelled = bool(names) and all(isinstance(cell, str) and is_word(cell.strip()) for cell in columns[0])
    if len(names) > 1 and (is_labelled or set(names[1:]) == set(categories)):
        index, names, columns = columns[0], names[1:], columns[1:]
    return Matrix([list(row) for row in zip(*columns, strict=True)], tuple(index), tuple(names))


def uneven_rows(rows: Any) -> list[str]:
    """Return as faults which rows of a matrix have more cells than the first, or fewer.

    Examples
    --------
    >>> uneven_rows([[1, 0], [1]])
    ['row 1: expected 2 columns as in row 0, found 1']
    """
    if not isinstance(rows, list | tuple) or any(
        isinstance(row, str) or not hasattr(row, "__len__") or getattr(row, "ndim", 1) == 0 for row in rows
    ):
        return []
    found = list(map(len, rows))
    uneven = [i for i, width in enumerate(found) if width != found[0]]
    return [f"row {i}: expected {found[0]} columns as in row 0, found {found[i]}" for i in uneven]


def is_series(value: object) -> bool:
    """Return whether it is a Series of pandas."""
    return hasattr(value, "iloc") and not hasattr(value, "columns")


def labels_of(index: Sequence[Label], place: str, categories: Iterable[Label] = ()) -> tuple[Label, ...] | None:
    """Return the labels of a table's rows or columns; None if they only count, as pandas does: 0, 1, 2 and so on.

    Where the categories are these very numbers, in whatever order, they are labels: pandas does not say which is meant.

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
    if labels == tuple(range(len(labels))) and set(labels) != set(categories):
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
    if (matrix := matrix_in(own, categories)) is not None:
        profiles, outputs = matrix.inputs or (), matrix.outputs or ()
        labels_of(profiles, f"{place}, rows")
        columns = labels_of(outputs, f"{place}, columns", categories)
        order = list(range(len(outputs))) if columns is None else positions(columns, categories)
        if order is None:
            turned = positions(profiles, categories) is not None
            remedy = "; its rows are the categories: give it transposed, .T" if turned else ""
            expected = f"a row for each profile and the categories {shown(tuple(categories))} as columns"
            raise InputError(f"{place}: expected {expected}, found the columns {shown(columns)}{remedy}")
        return {
            profile: [row[position] for position in order]
            for profile, row in zip(profiles, np.asarray(matrix.rows, dtype=object).tolist(), strict=True)
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
