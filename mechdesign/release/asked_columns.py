"""Columns of released data by what they are asked for, batch by batch, from files, tables, mappings or cells."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact.text import shown, shown_cell
from mechdesign.files.arrow import is_table
from mechdesign.files.delimited import Layout
from mechdesign.files.scan import scan
from mechdesign.files.tables import check_columns, parts_of
from mechdesign.graph.labels import Label
from mechdesign.release.codebook import Codebook
from mechdesign.release.in_memory import even_columns
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

    Where labels are of several columns, they are a dict of these.

    Raises
    ------
    InputError
        if there is no such column, or cells are not equally many.
    """
    others = {what: column for what, column in asked.items() if column is not None}
    if isinstance(released, Mapping):
        parts, names = _named(value, others, list(released))
        cells = even_columns({what: released[name] for what, name in names.items()})
        yield _joined(cells, parts)
    elif isinstance(released, str | os.PathLike) or value is not None:
        wanted = _checked(value, others)
        if not isinstance(released, str | os.PathLike) and not is_table(released):
            raise InputError(f"value: a column's name goes with a file or a table, found {shown_cell(released)}")
        with scan(released, list(dict.fromkeys(wanted.values())), layout=layout) as found:
            parts, names = _named(value, others, found.schema.names)
            for batch in found:
                yield _joined({what: batch.column(name) for what, name in names.items()}, parts)
    else:
        if is_table(released):
            raise InputError(f"value: say which column of the {type(released).__name__} holds what was released")
        yield even_columns({"value": released, **others})


def _checked(value: Any, others: Mapping[str, Any]) -> dict[str, str]:
    names = {"value": value, **others}
    for what, name in names.items():
        check_name(what, name)
    return names


def _named(value: Any, others: Mapping[str, Any], there: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the columns of the value, and the names of all columns by what they are asked for, checked."""
    names = _checked(value, others)
    parts = parts_of(value, there)
    for what, name in others.items():
        if name in parts:
            raise InputError(f"{what}: {shown(name)} is the column that was released; the {what} is another")
    if len(parts) > 1:
        names = {**{_key(part): part for part in parts}, **others}
    check_columns(there, list(names.values()))
    return parts, names


def _key(part: str) -> str:
    return f"value {shown(part)}"


def _joined(cells: Mapping[str, Any], parts: Sequence[str]) -> Mapping[str, Any]:
    """Return the cells with those of all columns of the value together."""
    return cells if len(parts) == 1 else {**cells, "value": {part: cells[_key(part)] for part in parts}}
