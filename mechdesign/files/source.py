"""What every kind of file gives to a stream: the type of its columns, and record batches one after the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.files.tables import all_parts

BATCH = 1 << 17
"""Rows of a batch at most. Tuned on 4e6 rows of Parquet: from 2^16 to 2^18 no faster, above it takes more memory."""


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
