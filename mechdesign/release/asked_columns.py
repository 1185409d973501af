"""Columns of released data by what they are asked for, batch by batch, from files, tables, mappings or cells."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact.cells import shown_cell
from mechdesign.exact.text import shown
from mechdesign.files.arrow import is_table
from mechdesign.files.delimited import Layout
from mechdesign.files.scan import scan
from mechdesign.files.tables import check_columns
from mechdesign.graph.labels import Label
from mechdesign.release.codebook import Codebook
from mechdesign.release.in_memory import arrow_or_list
from mechdesign.release.sanitiser import check_name


class Part(NamedTuple):
    """The rows that have a label in a column; or all, without a column."""

    column: Any = None
    label: Label = ""

    @classmethod
    def of(cls, subgroup: Any) -> "Part":
        """Return the part that was asked for: (column, label), the column by its name or its cells; None for all.

        Raises
        ------
        InputError
            if it is no pair.
        """
        if subgroup is None:
            return cls()
        if not isinstance(subgroup, tuple | list) or len(subgroup) != 2:
            raise InputError("subgroup: expected a column and a label, such as ('region', 'north')")
        return cls(*subgroup)

    def holds(self, cells: Any, rows: int) -> npt.NDArray[np.bool_]:
        """Return which rows of a batch it has."""
        if cells is None:
            return np.ones(rows, np.bool_)
        return np.asarray(Codebook([self.label], "subgroup").codes(cells) == 0)

    @property
    def words(self) -> str:
        """Which part it is, in words; nothing if it is all."""
        if self.column is None:
            return ""
        named = f"{self.column} = " if isinstance(self.column, str) else ""
        return f" with {named}{self.label}"


def columns_of(
    released: Any, value: str | None, asked: Mapping[str, Any], layout: Layout
) -> Iterator[Mapping[str, Any]]:
    """Yield the released labels, as "value", and other columns that are asked for, None left out.

    Raises
    ------
    InputError
        if there is no such column, or cells are not equally many.
    """
    others = {what: column for what, column in asked.items() if column is not None}
    if isinstance(released, Mapping):
        names = _named(value, others)
        check_columns(list(released), list(names.values()))
        yield _even({what: released[name] for what, name in names.items()})
    elif isinstance(released, str | os.PathLike) or value is not None:
        names = _named(value, others)
        if not isinstance(released, str | os.PathLike) and not is_table(released):
            raise InputError(f"value: a column's name goes with a file or a table, found {shown_cell(released)}")
        with scan(released, list(dict.fromkeys(names.values())), layout=layout) as found:
            for batch in found:
                yield {what: batch.column(name) for what, name in names.items()}
    else:
        if is_table(released):
            raise InputError(f"value: say which column of the {type(released).__name__} holds what was released")
        yield _even({"value": released, **others})


def _named(value: Any, others: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of columns, checked."""
    names = {"value": value, **others}
    for what, name in names.items():
        check_name(what, name)
        if what != "value" and name == value:
            raise InputError(f"{what}: {shown(name)} is the column that was released; the {what} is another")
    return names


def _even(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of columns in memory, which are equally many."""
    cells = {what: arrow_or_list(column) for what, column in columns.items()}
    for what, column in cells.items():
        if len(column) != len(cells["value"]):
            raise InputError(
                f"{what}: expected one for each of the {len(cells['value']):,} values, found {len(column):,}"
            )
    return cells
