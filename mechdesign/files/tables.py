"""The columns of tables: which are there, for which a name stands, and those of a CSV file that is read whole."""

import csv
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import Layout, Sheet, read_sheet
from mechdesign.words import counted, did_you_mean

ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
"""Endings of the files that pyarrow reads, with its module; every other file is read as CSV."""


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


def parts_of(name: str, there: Collection[str]) -> tuple[str, ...]:
    """Return the columns that a name stands for: the one that is called so; if there is none, those between its commas.

    Raises
    ------
    InputError
        if one of them is named twice.

    Examples
    --------
    >>> parts_of("vote,party", ["vote", "party"]), parts_of("vote,party", ["vote,party", "vote", "party"])
    (('vote', 'party'), ('vote,party',))
    """
    if name in there or "," not in name or name.splitlines() != [name]:
        return (name,)
    (cells,) = csv.reader([name], skipinitialspace=True)
    parts = tuple(cell.strip() for cell in cells)
    if set(parts).isdisjoint(there):
        return (name,)
    if len(set(parts)) < len(parts):
        raise InputError(f"column {shown(name)}: names one twice")
    return parts


def read_text_table(path: str | os.PathLike[str], layout: Layout) -> dict[str, Any]:
    """Return the columns of a CSV file whole, as lists of text; see `read_table`."""
    sheet = read_sheet(path, layout)
    names = sheet.rows[0] if sheet.rows else []
    if not names:
        raise InputError("expected a header row, found an empty file", source=str(path))
    check_columns(names, names, str(path))
    rows = list(_even_rows(sheet, len(names), str(path)))
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return {name: list(cells) for name, cells in zip(names, columns, strict=True)}


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
        raise InputError(faults, source=source)
