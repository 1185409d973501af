"""Where sanitised batches go: Parquet, Arrow (Feather) or CSV files, told by their ending; memory stays flat."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.source import plain_column, plain_type
from mechdesign.files.tables import ARROW

TEXTS = {".csv": ",", ".tsv": "\t"}
"""Endings of text files, with their usual delimiters."""

GROUP_ROWS, GROUP_BYTES = 1 << 20, 1 << 26
"""A row group of a Parquet file, or a batch of an Arrow file, has at most so many rows, and about so many bytes."""


def write_csv(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path, delimiter: str) -> None:
    """Write record batches to a CSV file with a header.

    Raises
    ------
    pyarrow.ArrowInvalid
        if a column's type is none for CSV.
    OSError
        if the disk is full, or so.
    """
    flat = pa.schema([(field.name, _type_in_csv(field.type)) for field in schema])
    options = csv.WriteOptions(delimiter=delimiter)
    with csv.CSVWriter(str(path), flat, write_options=options) as writer:
        for batch in batches:
            plain = [plain_column(one).cast(kind) for one, kind in zip(batch.columns, flat.types, strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(plain, schema=flat))


def _type_in_csv(kind: pa.DataType) -> pa.DataType:
    """Return the type that a column is written as; Arrow writes no views of text, which polars has."""
    return pa.string() if plain_type(kind) == pa.string_view() else plain_type(kind)


def check_ending(name: str) -> None:
    """Raise an InputError unless a file's ending says how to write it."""
    if Path(name).suffix.lower() not in {*ARROW, *TEXTS}:
        expected = f"expected an ending {', '.join([*ARROW, *TEXTS])}"
        raise InputError(f"{expected}; found {shown(Path(name).suffix)}", source=name)


def write_batches(
    batches: Iterable[pa.RecordBatch],
    schema: pa.Schema,
    path: Path,
    *,
    delimiter: str | None = None,
    random: Iterable[str] = (),
) -> None:
    """Write record batches to a file of the kind that its ending says.

    Parameters
    ----------
    delimiter
        of a CSV file, if not the usual one.
    random
        columns of which no part says anything about the rest, so that statistics of them are no use.

    Raises
    ------
    InputError
        if there is no such kind, or it cannot hold a column's type.
    OSError
        if the disk is full, or so.
    """
    check_ending(path.name)
    ending = path.suffix.lower()
    try:
        if ending in TEXTS:
            own = delimiter if ending == ".csv" else None  # the name of the other one says what it is
            write_csv(batches, schema, path, own or TEXTS[ending])
        elif ARROW[ending] == "parquet":
            _write_parquet(batches, schema, path, set(random))
        else:
            _write_arrow(batches, schema, path)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise InputError(f"cannot be written as {ending}: {error}") from None


def _write_parquet(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path, random: set[str]) -> None:
    from pyarrow import parquet

    told: Any = [name for name in schema.names if name not in random] or False
    with parquet.ParquetWriter(path, schema, compression="zstd", write_statistics=told) as writer:
        for table in _grouped(batches, schema):
            writer.write_table(table, GROUP_ROWS)


def _write_arrow(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path) -> None:
    options = pa.ipc.IpcWriteOptions(compression="lz4")  # what Feather has
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema, options=options) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _grouped(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield batches together, as many as make a row group."""
    group: list[pa.RecordBatch] = []
    for batch in batches:
        group.append(batch)
        if sum(map(len, group)) >= GROUP_ROWS or sum(one.nbytes for one in group) >= GROUP_BYTES:
            yield pa.Table.from_batches(group, schema)
            group = []
    if group:
        yield pa.Table.from_batches(group, schema)
