"""Record batches as CSV: where all columns are dictionaries, each different line is put into words once.

A released table has few different rows, outputs times profiles, and lines that are looked up take a quarter of the time
of lines that are written cell by cell. Kept columns may hold anything: then Arrow writes the cells.
"""

from collections.abc import Iterable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from mechdesign.files.source import plain_column, plain_type

LINES = 1 << 14
"""Different lines that are looked up, at most: most often they stay in the cache, and in a few megabytes if labels are
long."""

LABELS = pa.dictionary(pa.int32(), pa.string())
"""The type of a released column of text."""


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
    lines: _Lines | None = None
    options = csv.WriteOptions(delimiter=delimiter)
    with pa.OSFile(str(path), "wb") as sink, csv.CSVWriter(sink, flat, write_options=options) as writer:
        for batch in batches:
            if _Lines.serve(batch):
                lines = lines if lines is not None and lines.are_of(batch) else _Lines(batch, delimiter)
                sink.write(lines.text(batch))
            else:
                plain = [plain_column(one).cast(kind) for one, kind in zip(batch.columns, flat.types, strict=True)]
                writer.write_batch(pa.RecordBatch.from_arrays(plain, schema=flat))


def _type_in_csv(kind: pa.DataType) -> pa.DataType:
    """Return the type that a column is written as; Arrow writes no views of text, which polars has."""
    return pa.string() if plain_type(kind) == pa.string_view() else plain_type(kind)


class _Lines:
    """The lines that rows of dictionary columns can make."""

    def __init__(self, batch: pa.RecordBatch, delimiter: str) -> None:
        self._labels = [column.dictionary for column in batch.columns]
        ends = [delimiter] * (len(self._labels) - 1) + ["\n"]
        lines = [""]
        for labels, end in zip(self._labels, ends, strict=True):
            cells = [cell + end for cell in _cells(labels)]
            lines = [line + cell for line in lines for cell in cells]
        self._lines = pa.array(lines, pa.large_string())

    @staticmethod
    def serve(batch: pa.RecordBatch) -> bool:
        """Return whether the rows of a batch can be looked up."""
        columns = batch.columns
        return (
            all(column.type == LABELS and not column.null_count for column in columns)
            and prod(len(column.dictionary) for column in columns) <= LINES
        )

    def are_of(self, batch: pa.RecordBatch) -> bool:
        """Return whether a batch has the same dictionaries."""
        return all(column.dictionary.equals(labels) for column, labels in zip(batch.columns, self._labels, strict=True))

    def text(self, batch: pa.RecordBatch) -> Any:
        """Return the lines of a batch, one after the other."""
        places = np.zeros(len(batch), np.int32)
        for column, labels in zip(batch.columns, self._labels, strict=True):
            places *= len(labels)
            places += column.indices.to_numpy()
        _, ends, text = self._lines.take(pa.array(places)).buffers()
        return text.slice(0, int(np.frombuffer(ends, np.int64)[len(batch)])) if len(batch) else b""


def _cells(labels: pa.Array) -> list[str]:
    """Return labels as Arrow writes them: in quotes, those within doubled."""
    return ['"' + label.replace('"', '""') + '"' for label in labels.to_pylist()]
