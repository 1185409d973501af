"""Reading tables from files: a mapping from column to cells."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout, Sheet, read_sheet
from mechdesign.files.kinds import TABLE, TEXT, check_kind
from mechdesign.files.opening import opened
from mechdesign.words import counted, did_you_mean, first_faults

ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
"""Endings of the files that pyarrow reads, with its module; every other file is read as CSV."""

NAMED = 5
"""An error message about many rows names this many of them."""


def read_table(path: str | os.PathLike[str], layout: Layout = RECOGNISED) -> dict[str, Any]:
    """Return a file's columns: name -> cells. CSV with a header row, all cells text; or Parquet, Feather, Arrow.

    Columns are lists; but an Arrow column of ordered categories stays what it is, so that the order is not lost.
    `layout` says how a CSV file is written, where that cannot be recognised.

    Raises
    ------
    InputError
        naming the file: missing, binary, empty, a column named twice, a row with too few or too many cells.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "usage.csv"
    >>> _ = file.write_text("job,usage\\nclerk,low\\ncook,high\\n")
    >>> read_table(file)
    {'job': ['clerk', 'cook'], 'usage': ['low', 'high']}
    """
    check_kind(TABLE, TEXT, path=path)
    return _read_arrow(path) if Path(path).suffix.lower() in ARROW else _read_csv(path, layout)


def check_columns(names: Sequence[str], wanted: Iterable[str], source: str = "") -> None:
    """Raise if a wanted column is missing, or several have its name.

    Raises
    ------
    InputError
        naming each such column.

    Examples
    --------
    >>> check_columns(["job", "usage"], ["usages"])
    Traceback (most recent call last):
    mechdesign.errors.InputError: column 'usages': there is none of that name (there are: job, usage); did you mean \
usage?
    """
    there = ", ".join(str(name) for name in names)
    faults = []
    for name in dict.fromkeys(wanted):
        if name not in names:
            near = did_you_mean(map(str, names), name)
            faults.append(f"column {shown(name)}: there is none of that name (there are: {there}){near}")
        elif (times := list(names).count(name)) > 1:
            faults.append(f"column {shown(name)}: {times} columns have that name")
    if faults:
        raise InputError(faults, source=source)


def _read_csv(path: str | os.PathLike[str], layout: Layout) -> dict[str, list[Any]]:
    sheet = read_sheet(path, layout)
    names = sheet.rows[0] if sheet.rows else []
    if not names:
        raise InputError("expected a header row, found an empty file", source=str(path))
    _no_duplicates(names, str(path))
    rows = list(_even_rows(sheet, len(names), str(path)))
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return {name: list(cells) for name, cells in zip(names, columns, strict=True)}


def _no_duplicates(names: Iterable[str], source: str) -> None:
    twice = [
        f"column {shown(name)}: {times} columns have that name" for name, times in Counter(names).items() if times > 1
    ]
    if twice:
        raise InputError(twice, source=source)


def _even_rows(sheet: Sheet, width: int, source: str) -> Iterator[list[str]]:
    """Yield the rows, or raise after the last one if some had too few or too many cells.

    A blank line among them is a row without values, so that later rows keep their numbers; at the end it is nothing.
    """
    faults, blank = [], 0
    for row, line in zip(sheet.rows[1:], sheet.lines[1:], strict=True):
        if not row:
            blank += 1
            continue
        yield from [[""] * width] * blank
        blank = 0
        if len(row) == width:
            yield row
        else:
            faults.append(f"line {line}: expected {counted(width, 'cell')}, as in the header, found {len(row)}")
    if faults:
        raise InputError(first_faults(faults, NAMED, "line"), source=source)


def _read_arrow(path: str | os.PathLike[str]) -> dict[str, Any]:
    import pyarrow  # loads slowly
    from pyarrow import feather, parquet

    read = {"parquet": parquet, "feather": feather}[ARROW[Path(path).suffix.lower()]].read_table
    with opened(path) as file:
        try:
            table = read(file)
        except pyarrow.ArrowInvalid as error:
            raise InputError(f"expected a Parquet, Feather or Arrow file: {error}", source=str(path)) from None
    _no_duplicates(table.column_names, str(path))
    return {name: _cells(table[name]) for name in table.column_names}


def _cells(column: Any) -> Any:
    return column if getattr(column.type, "ordered", False) else column.to_pylist()
