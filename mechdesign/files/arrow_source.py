"""Parquet and Arrow (Feather) files of any size, one row group or one batch at a time; and tables in memory."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from mechdesign.errors import InputError
from mechdesign.files.arrow import arrow_reader
from mechdesign.files.opening import opened
from mechdesign.files.source import BATCH, Source, Wanted, sliced
from mechdesign.files.tables import ARROW, check_columns


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
    kind = ARROW[Path(path).suffix.lower()]
    try:
        if kind == "parquet":
            return _parquet(path, wanted)
        return _ipc_file(path, wanted) if beginning.startswith(b"ARROW1") else _ipc_stream(path, wanted)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"expected a Parquet, Feather or Arrow file: {error}", source=str(path)) from None


def _parquet(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    plain = _chosen(parquet.ParquetFile(handle).schema_arrow, wanted, path)
    texts = [
        name
        for name in (() if wanted is None else wanted.coded)
        if pa.types.is_string(kind := plain.field(name).type) or pa.types.is_large_string(kind)
    ]
    file = parquet.ParquetFile(handle, read_dictionary=texts, pre_buffer=False)
    schema = _chosen(file.schema_arrow, wanted, path)
    rows, groups = file.metadata.num_rows, file.num_row_groups
    done = [0]

    def batches() -> Iterator[pa.RecordBatch]:
        for group in range(groups):
            try:
                # Without threads: they hurry ahead and keep what nobody has asked for yet.
                parts = file.iter_batches(BATCH, row_groups=[group], columns=schema.names, use_threads=False)
                for batch in parts:
                    done[0] += len(batch)
                    yield batch.select(schema.names)
            except (pa.ArrowException, OSError) as error:
                raise _unreadable(path, f"row group {group + 1} of {groups}", done[0], error) from None

    return Source(schema, rows, batches(), lambda: done[0] / max(rows, 1), handle.close)


def _ipc_file(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    with pa.ipc.open_file(handle) as whole:
        schema = _chosen(whole.schema, wanted, path)
        fields = sorted(whole.schema.get_field_index(name) for name in schema.names)
    reader = pa.ipc.open_file(handle, options=pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False))
    count, done = reader.num_record_batches, [0, 0]

    def batches() -> Iterator[pa.RecordBatch]:
        for number in range(count):
            try:
                batch = reader.get_batch(number).select(schema.names)
            except (pa.ArrowException, OSError) as error:
                raise _unreadable(path, f"record batch {number + 1} of {count}", done[0], error) from None
            yield from sliced(batch)
            done[:] = [done[0] + len(batch), number + 1]

    return Source(schema, None, batches(), lambda: done[1] / max(count, 1), handle.close)


def _ipc_stream(path: str | os.PathLike[str], wanted: Wanted | None) -> Source:
    handle = pa.OSFile(str(path))
    reader = pa.ipc.open_stream(handle)
    schema = _chosen(reader.schema, wanted, path)
    size = max(Path(path).stat().st_size, 1)
    done = [0]

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            for batch in reader:
                yield from sliced(batch.select(schema.names))
                done[0] += len(batch)
        except (pa.ArrowException, OSError) as error:
            raise _unreadable(path, "a record batch", done[0], error) from None

    return Source(schema, None, batches(), lambda: 1.0 if handle.closed else handle.tell() / size, handle.close)


def in_memory_source(table: Any, wanted: Wanted) -> Source:
    """Return the wanted columns of a table in memory, as they are there.

    Raises
    ------
    InputError
        if a column is missing.
    """
    is_arrow = isinstance(table, pa.Table | pa.RecordBatch)
    if hasattr(table, "columns") and hasattr(table, "__getitem__") and not is_arrow:
        check_columns(list(table.columns), wanted.names)
        table = table[wanted.names]  # what else is in it may be nothing that Arrow knows
    reader = arrow_reader(table)
    schema = _chosen(reader.schema, wanted, "")
    batches = (part.select(schema.names) for batch in reader for part in sliced(batch))
    return Source(schema, None, batches, lambda: 0.0, lambda: None)


def _chosen(schema: pa.Schema, wanted: Wanted | None, path: str | os.PathLike[str]) -> pa.Schema:
    names = schema.names if wanted is None else wanted.names
    check_columns(schema.names, names, str(path))
    return pa.schema([schema.field(name).remove_metadata() for name in names])


def _unreadable(path: Any, place: str, rows: int, error: Exception) -> InputError:
    words = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InputError(f"{place} cannot be read (after {rows:,} rows): {words}", source=str(path))
