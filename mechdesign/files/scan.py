"""Tables of any size as Arrow record batches: CSV, Parquet, Arrow (Feather), a folder of such files, tables in memory.

    with scan("survey.csv", ["town", "answer"], keep=["year"]) as found:
        for batch in found:
            ...

Columns of labels (`coded`) come as dictionaries where a file has text, so that each label is looked at once a batch and
not once a row; those to `keep` come as they are, from CSV as text. Memory does not grow with the table. What is small
and wanted whole, as Python's own values, `read_table` reads.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from mechdesign.errors import InputError, telling
from mechdesign.exact.text import shown
from mechdesign.files.csv_source import csv_source
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.kinds import TABLE, TEXT, check_kind
from mechdesign.files.source import Source, Wanted, arrow_source, in_memory_source, plain_type
from mechdesign.files.tables import ARROW


class Scan:
    """The wanted columns of a table, to be read once; `scan` makes it.

    Attributes
    ----------
    schema
        the wanted columns, those of labels first.
    rows
        how many rows there are, if a single file says so; else None.
    delimiter
        of the first CSV file; None for other kinds.
    """

    def __init__(self, names: Sequence[str], opened: Callable[[int], Source], wanted: Wanted) -> None:
        self._names, self._opened, self._wanted = names, opened, wanted
        self._current = opened(0)
        self._passed = 0
        self.schema = self._current.schema
        self.delimiter = self._current.delimiter
        self.rows = self._current.rows if len(names) == 1 else None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the record batches.

        Raises
        ------
        InputError
            naming the file and the place in it that cannot be read, or the column that is another in one of the files.
        """
        for number, name in enumerate(self._names):
            with telling(source=name):
                if number:
                    self._current.close()
                    self._passed += 1
                    self._current = self._opened(self._passed)
                    _check_same(self._needed(self._current.schema), self._needed(self.schema), self._names[0])
                yield from self._current.batches

    def _needed(self, schema: pa.Schema) -> list[pa.Field]:
        """Return the columns but for those that not every file needs to have."""
        return [one for one in schema if one.name not in self._wanted.if_there]

    def share(self) -> float:
        """Return how much has been read, from 0 to 1; files of a folder count the same."""
        return (self._passed + self._current.share()) / len(self._names)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self._current.close()


def scan(
    table: Any,
    coded: Sequence[str],
    *,
    keep: Sequence[str] = (),
    if_there: Sequence[str] = (),
    layout: Layout = RECOGNISED,
) -> Scan:
    """Return columns of a table as record batches.

    Parameters
    ----------
    table
        the path of a file, CSV with a header row, Parquet, Feather or Arrow, told by its ending; of a folder, all files
        but those whose names begin with a point or an underscore, in the order of their names; or a table in memory.
    coded
        the columns that hold labels.
    keep
        further columns, as they are.
    if_there
        further columns that hold labels, which batches have only if their file has them.
    layout
        how CSV files are written, where that cannot be recognised.

    Raises
    ------
    InputError
        naming the file: missing, of another kind, without such a column.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "usage.csv"
    >>> _ = file.write_text("job;usage\\nclerk;low\\n")
    >>> with scan(file, ["usage"]) as found:
    ...     [batch.to_pydict() for batch in found]
    [{'usage': ['low']}]
    """
    wanted = Wanted(tuple(coded), tuple(keep), tuple(name for name in if_there if name not in (*coded, *keep)))
    if not isinstance(table, str | os.PathLike):
        return Scan([""], lambda _: in_memory_source(table, wanted), wanted)
    paths = files_of(table)
    return Scan(list(map(str, paths)), lambda number: _source(paths[number], wanted, layout), wanted)


def read_table(
    path: str | os.PathLike[str], layout: Layout = RECOGNISED, names: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return a file's columns, or some of them: name -> cells. All cells of a CSV file are text.

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
    source = _source(Path(path), None if names is None else Wanted((), tuple(names)), layout)
    with closing(source), telling(source=str(path)):
        table = pa.Table.from_batches(source.batches, source.schema)
    ordered = {name for name in table.column_names if getattr(table.schema.field(name).type, "ordered", False)}
    return {name: table[name] if name in ordered else table[name].to_pylist() for name in table.column_names}


def files_of(path: str | os.PathLike[str]) -> list[Path]:
    """Return the file, or the files that a folder of data has."""
    if not Path(path).is_dir():
        return [Path(path)]
    files = sorted(file for file in Path(path).iterdir() if file.is_file() and file.name[0] not in "._")
    if not files:
        raise InputError("expected a folder with tables, found none in it", source=str(path))
    return files


def _source(path: Path, wanted: Wanted | None, layout: Layout) -> Source:
    check_kind(TABLE, TEXT, path=path)
    with telling(source=str(path)):
        return arrow_source(path, wanted) if path.suffix.lower() in ARROW else csv_source(path, wanted, layout)


def _check_same(schema: Iterable[pa.Field], first: Iterable[pa.Field], example: str) -> None:
    """Raise an InputError unless the columns have the types that they have in the first file."""
    types = [(one.name, plain_type(one.type), plain_type(other.type)) for one, other in zip(schema, first, strict=True)]
    faults = [
        f"column {shown(name)}: expected {wanted}, as in {Path(example).name}, found {found}"
        for name, found, wanted in types
        if found != wanted
    ]
    if faults:
        raise InputError(faults)
