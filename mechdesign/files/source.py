"""What every kind of file gives to a stream: the type of its columns, and record batches one after the other."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import parquet

from mechdesign.errors import InputError
from mechdesign.files.opening import opened
from mechdesign.files.tables import ARROW, all_parts, arrow_reader, check_columns

BATCH = 1 << 17
"""Rows of a batch at most. Tuned on 4e6 rows of Parquet: from 2^16 to 2^18 no faster, above it takes more memory."""

Part = tuple[str, Callable[[], Iterable[pa.RecordBatch]]]
"""A part of a file, in words, and what reads its batches."""


@dataclass(frozen=True)
class Wanted:
    """The columns that are wanted: `coded` ones hold labels and come as dictionaries if they are text; others plain.

    Those that are wanted `if_there` hold labels too, and are left out where there is none, or several, of that name;
    cells of a CSV file that are no text come as bytes.
    """

    coded: tuple[str, ...]
    plain: tuple[str, ...] = ()
    if_there: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """All of them, each once."""
        return list(dict.fromkeys([*self.coded, *self.plain]))

    def among(self, there: Sequence[str]) -> "Wanted":
        """Return the same with the columns that there are, where a name of labels stands for several."""
        found = [name for name in self.if_there if there.count(name) == 1]
        return Wanted((*all_parts(self.coded, there), *found), self.plain, tuple(found))


@dataclass(frozen=True)
class Source:
    """A file that is open.

    Attributes
    ----------
    schema
        the wanted columns, in the order wanted.
    rows
        how many rows there are, if the file says so.
    batches
        the record batches; whatever goes wrong with the file is an InputError.
    share
        returns how much of the file has been read, from 0 to 1.
    close
        closes the file.
    delimiter
        of a CSV file.
    """

    schema: pa.Schema
    rows: int | None
    batches: Iterator[pa.RecordBatch]
    share: Callable[[], float]
    close: Callable[[], Any]
    delimiter: str | None = None


def sliced(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield a batch in parts of at most `BATCH` rows."""
    for start in range(0, len(batch), BATCH):
        yield batch.slice(start, BATCH)


def plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's cells, whether they stand in a dictionary or not."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def plain_column(column: pa.Array) -> pa.Array:
    """Return a column without its dictionary, which may be another in each batch."""
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def picked(column: pa.Array, rows: npt.NDArray[np.intp] | None = None) -> pa.Array:
    """Return a column, or only some of its rows, with nothing below its nulls, where Arrow often still has something.

    Examples
    --------
    >>> struck_out = pa.array(np.array([7, 8]), mask=np.array([False, True]))
    >>> [np.frombuffer(one.buffers()[1], np.int64).tolist() for one in (struck_out, picked(struck_out))]
    [[7, 8], [7, 0]]
    """
    if rows is None:
        if not column.null_count and not pa.types.is_nested(column.type):  # of which the parts have nulls of their own
            return column
        rows = np.arange(len(column))
    try:
        return column.take(pa.array(rows))
    except pa.ArrowNotImplementedError:  # views of text, as polars writes them, or runs
        cells = column.to_pylist()
        return pa.array([cells[row] for row in rows.tolist()], column.type)


def arrow_source(path: str | os.PathLike[str], wanted: Wanted | None = None) -> Source:
    """Return the wanted columns of a Parquet or Arrow file, or all.

    Raises
    ------
    InputError
        naming the file, if it is none, or a column is missing.
    """
    with opened(path) as file:  # a folder, a pipe or nothing at all is said in our words
        beginning = file.read(8)
    if beginning.startswith(b"FEA1"):
        raise InputError("expected Feather version 2 or Parquet, found Feather version 1")
    is_parquet = ARROW[Path(path).suffix.lower()] == "parquet"
    opening = _parquet if is_parquet else _ipc_file if beginning.startswith(b"ARROW1") else _ipc_stream
    try:
        return opening(path, wanted)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"expected a Parquet, Feather or Arrow file: {error}") from None


def _parquet(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    whole = parquet.ParquetFile(handle).schema_arrow
    plain = _chosen(whole, wanted)
    coded = [] if wanted is None else wanted.among(whole.names).coded
    kinds = {name: plain.field(name).type for name in coded}
    texts = [name for name, kind in kinds.items() if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
    file = parquet.ParquetFile(handle, read_dictionary=texts, pre_buffer=False)
    schema = _chosen(file.schema_arrow, wanted)
    # Without threads: they hurry ahead and keep what nobody has asked for yet.
    read = partial(file.iter_batches, BATCH, columns=schema.names, use_threads=False)
    groups, rows, done = file.num_row_groups, file.metadata.num_rows, [0, 0]
    parts = ((f"row group {one + 1} of {groups}", partial(read, row_groups=[one])) for one in range(groups))
    return Source(schema, rows, _batches(schema, parts, done), lambda: done[0] / max(rows, 1), handle.close)


def _ipc_file(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    with pa.ipc.open_file(handle) as whole:
        schema = _chosen(whole.schema, wanted)
        fields = sorted(whole.schema.get_field_index(name) for name in schema.names)
    reader = pa.ipc.open_file(handle, options=pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False))
    count, done = reader.num_record_batches, [0, 0]
    parts = ((f"record batch {one + 1} of {count}", lambda one=one: [reader.get_batch(one)]) for one in range(count))
    return Source(schema, None, _batches(schema, parts, done), lambda: done[1] / max(count, 1), handle.close)


def _ipc_stream(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    reader = pa.ipc.open_stream(handle)
    schema = _chosen(reader.schema, wanted)
    size = max(Path(path).stat().st_size, 1)
    batches = _batches(schema, [("a record batch", lambda: reader)], [0, 0])
    return Source(schema, None, batches, lambda: 1.0 if handle.closed else handle.tell() / size, handle.close)


def _batches(schema: pa.Schema, parts: Iterable[Part], done: list[int]) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a file's parts; `done` counts the rows, and the parts."""
    for place, read in parts:
        try:
            for batch in read():
                done[0] += len(batch)
                yield from sliced(batch.select(schema.names))
        except (pa.ArrowException, OSError) as error:
            words = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"{place} cannot be read (after {done[0]:,} rows): {words}") from None
        done[1] += 1


def in_memory_source(table: Any, wanted: Wanted) -> Source:
    """Return the wanted columns of a table in memory, as they are there.

    Raises
    ------
    InputError
        if a column is missing.
    """
    is_arrow = isinstance(table, pa.Table | pa.RecordBatch)
    if hasattr(table, "columns") and hasattr(table, "__getitem__") and not is_arrow:
        wanted = wanted.among(list(table.columns))
        check_columns(list(table.columns), wanted.names)
        table = table[wanted.names]  # what else is in it may be nothing that Arrow knows
    reader = arrow_reader(table)
    schema = _chosen(reader.schema, wanted)
    batches = (part.select(schema.names) for batch in reader for part in sliced(batch))
    return Source(schema, None, batches, lambda: 0.0, lambda: None)


def _chosen(schema: pa.Schema, wanted: Wanted | None) -> pa.Schema:
    names = schema.names if wanted is None else wanted.among(schema.names).names
    check_columns(schema.names, names)
    return pa.schema([schema.field(name).remove_metadata() for name in names])
