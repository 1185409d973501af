"""Files of any size as streams of Arrow record batches: CSV, Parquet, Arrow (Feather), or a folder of such files.

    with open_stream("survey.csv", ["town", "answer"], keep=["year"]) as stream:
        for batch in stream:
            ...

Columns of labels (`coded`) come as dictionaries where they are text, so that each label is looked at once a batch and
not once a row; those to `keep` come as they are, from CSV as text. Memory does not grow with the file.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.kinds import TABLE, TEXT, check_kind
from mechdesign.files.tables import ARROW
from mechdesign.release.arrow_source import arrow_source
from mechdesign.release.csv_source import csv_source
from mechdesign.release.source import Source, Wanted, plain_type


class Stream:
    """The wanted columns of a file or of all files of a folder, to be read once; `open_stream` makes it.

    Attributes
    ----------
    schema
        the wanted columns, those of labels first.
    rows
        how many rows there are, if a single file says so; else None.
    delimiter
        of the first CSV file; None for other kinds.
    """

    def __init__(self, paths: Sequence[Path], wanted: Wanted, layout: Layout) -> None:
        self._paths, self._wanted, self._layout = paths, wanted, layout
        self._current = _source(paths[0], wanted, layout)
        self._passed = 0
        self.schema = self._current.schema
        self.delimiter = self._current.delimiter
        self.rows = self._current.rows if len(paths) == 1 else None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the record batches.

        Raises
        ------
        InputError
            naming the file and the place in it that cannot be read, or the column that is another in one of the files.
        """
        yield from self._current.batches
        for path in self._paths[1:]:
            self._current.close()
            self._passed += 1
            self._current = _source(path, self._wanted, self._layout)
            _check_same(self._current.schema, self.schema, path, self._paths[0])
            yield from self._current.batches

    def share(self) -> float:
        """Return how much has been read, from 0 to 1; files of a folder count the same."""
        return (self._passed + self._current.share()) / len(self._paths)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self._current.close()


def open_stream(
    path: str | os.PathLike[str], coded: Sequence[str], *, keep: Sequence[str] = (), layout: Layout = RECOGNISED
) -> Stream:
    """Return the columns of a file, or of all files of a folder, as a stream of record batches.

    Parameters
    ----------
    path
        CSV with a header row, Parquet, Feather or Arrow, told by its ending; of a folder, all files but those whose
        names begin with a point or an underscore, in the order of their names.
    coded
        the columns that hold labels.
    keep
        further columns, as they are.
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
    >>> with open_stream(file, ["usage"]) as stream:
    ...     [batch.to_pydict() for batch in stream]
    [{'usage': ['low']}]
    """
    return Stream(files_of(path), Wanted(tuple(coded), tuple(keep)), layout)


def files_of(path: str | os.PathLike[str]) -> list[Path]:
    """Return the file, or the files that a folder of data has."""
    if not Path(path).is_dir():
        return [Path(path)]
    files = sorted(file for file in Path(path).iterdir() if file.is_file() and file.name[0] not in "._")
    if not files:
        raise InputError("expected a folder with tables, found none in it", source=str(path))
    return files


def _source(path: Path, wanted: Wanted, layout: Layout) -> Source:
    check_kind(TABLE, TEXT, path=path)
    return arrow_source(path, wanted) if path.suffix.lower() in ARROW else csv_source(path, wanted, layout)


def _check_same(schema: pa.Schema, first: pa.Schema, path: Path, example: Path) -> None:
    """Raise an InputError unless the columns have the types that they have in the first file."""
    types = [(one.name, plain_type(one.type), plain_type(other.type)) for one, other in zip(schema, first, strict=True)]
    faults = [
        f"column {shown(name)}: expected {wanted}, as in {example.name}, found {found}"
        for name, found, wanted in types
        if found != wanted
    ]
    if faults:
        raise InputError(faults, source=str(path))
