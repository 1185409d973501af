"""Parquet and Arrow (Feather) files of any size, one row group or one batch at a time; and tables in memory."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from mechdesign.errors import InputError
from mechdesign.files.arrow import arrow_reader
from mechdesign.files.opening import opened
from mechdesign.files.source import BATCH, Source, Wanted, sliced
from mechdesign.files.tables import ARROW, check_columns

Part = tuple[str, Callable[[], Iterable[pa.RecordBatch]]]
"""A part of a file, in words, and what reads its batches."""


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
        raise InputError("expected Feather version 2 or Parquet, found Feather version 1", source=str(path))
    is_parquet = ARROW[Path(path).suffix.lower()] == "parquet"
    opening = _parquet if is_parquet else _ipc_file if beginning.startswith(b"ARROW1") else _ipc_stream
    try:
        return opening(path, wanted)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"expected a Parquet, Feather or Arrow file: {error}", source=str(path)) from None


def _parquet(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    whole = parquet.ParquetFile(handle).schema_arrow
    plain = _chosen(whole, wanted, path)
    coded = [] if wanted is None else wanted.among(whole.names).coded
    kinds = {name: plain.field(name).type for name in coded}
    texts = [name for name, kind in kinds.items() if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
    file = parquet.ParquetFile(handle, read_dictionary=texts, pre_buffer=False)
    schema = _chosen(file.schema_arrow, wanted, path)
    # Without threads: they hurry ahead and keep what nobody has asked for yet.
    read = partial(file.iter_batches, BATCH, columns=schema.names, use_threads=False)
    groups, rows, done = file.num_row_groups, file.metadata.num_rows, [0, 0]
    parts = ((f"row group {one + 1} of {groups}", partial(read, row_groups=[one])) for one in range(groups))
    return Source(schema, rows, _batches(path, schema, parts, done), lambda: done[0] / max(rows, 1), handle.close)


def _ipc_file(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    with pa.ipc.open_file(handle) as whole:
        schema = _chosen(whole.schema, wanted, path)
        fields = sorted(whole.schema.get_field_index(name) for name in schema.names)
    reader = pa.ipc.open_file(handle, options=pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False))
    count, done = reader.num_record_batches, [0, 0]
    parts = ((f"record batch {one + 1} of {count}", lambda one=one: [reader.get_batch(one)]) for one in range(count))
    return Source(schema, None, _batches(path, schema, parts, done), lambda: done[1] / max(count, 1), handle.close)


def _ipc_stream(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    reader = pa.ipc.open_stream(handle)
    schema = _chosen(reader.schema, wanted, path)
    size = max(Path(path).stat().st_size, 1)
    batches = _batches(path, schema, [("a record batch", lambda: reader)], [0, 0])
    return Source(schema, None, batches, lambda: 1.0 if handle.closed else handle.tell() / size, handle.close)


def _batches(
    path: str | os.PathLike[str], schema: pa.Schema, parts: Iterable[Part], done: list[int]
) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a file's parts; `done` counts the rows, and the parts."""
    for place, read in parts:
        try:
            for batch in read():
                done[0] += len(batch)
                yield from sliced(batch.select(schema.names))
        except (pa.ArrowException, OSError) as error:
            words = str(error).splitlines()[0] if str(error) else type(error).__name__
            found = f"{place} cannot be read (after {done[0]:,} rows): {words}"
            raise InputError(found, source=str(path)) from None
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
    schema = _chosen(reader.schema, wanted, "")
    batches = (part.select(schema.names) for batch in reader for part in sliced(batch))
    return Source(schema, None, batches, lambda: 0.0, lambda: None)


def _chosen(schema: pa.Schema, wanted: Wanted | None, path: str | os.PathLike[str]) -> pa.Schema:
    names = schema.names if wanted is None else wanted.among(schema.names).names
    check_columns(schema.names, names, str(path))
    return pa.schema([schema.field(name).remove_metadata() for name in names])
