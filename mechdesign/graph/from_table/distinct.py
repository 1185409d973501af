"""Tables of any size, brought down to the rows that differ: how often each occurs, and where it does first.

A table of a hundred million records of who answered what has some hundreds of different rows. Counting those gives the
same graph, and the same words about faults, in memory that does not grow with the table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

NAMED = 5
"""An error message about many rows names this many of them."""

DENSE = 1 << 20
"""Combinations of labels that are counted in an array; more are sorted."""

Places = npt.NDArray[np.int64]


class Batch(Protocol):
    """A record batch of Arrow."""

    def column(self, name: str) -> Any:
        """Return a column."""
        ...


@dataclass(frozen=True)
class Distinct:
    """The different rows of a table, in the order in which they come first.

    Attributes
    ----------
    columns
        the cells of these rows.
    times
        how often each of them occurs.
    first
        the numbers, counted from 1, of the first rows of the table that are so; of `NAMED` at most.
    orders
        for each ordered categorical its categories in their order.
    """

    columns: dict[str, list[Any]]
    times: list[int]
    first: list[list[int]]
    orders: dict[str, Sequence[Any]]


def distinct(batches: Iterable[Batch], names: Sequence[str]) -> Distinct:
    """Return the different rows that record batches have in these columns.

    Examples
    --------
    >>> import pyarrow as pa
    >>> rows = distinct([pa.record_batch({"job": ["cook", "clerk", "cook"]})], ["job"])
    >>> rows.columns, rows.times, rows.first
    ({'job': ['cook', 'clerk']}, [2, 1], [[1, 3], [2]])
    """
    columns = {name: _Column() for name in dict.fromkeys(names)}
    found: dict[tuple[int, ...], _Rows] = {}
    before = 0
    for batch in batches:
        codes = [column.codes(batch.column(name)) for name, column in columns.items()]
        sizes = [len(column.cells) for column in columns.values()]
        for combination, times, where in _counted(codes, sizes):
            rows = found.setdefault(combination, _Rows())
            rows.times += times
            rows.first += [before + place + 1 for place in where(NAMED - len(rows.first))]
        before += len(codes[0])
    ordered = sorted(found.items(), key=lambda item: item[1].first[0])
    return Distinct(
        {
            name: [column.cells[combination[position]] for combination, _ in ordered]
            for position, (name, column) in enumerate(columns.items())
        },
        [rows.times for _, rows in ordered],
        [rows.first for _, rows in ordered],
        {name: column.order for name, column in columns.items() if column.order is not None},
    )


@dataclass
class _Rows:
    times: int = 0
    first: list[int] = field(default_factory=list)


class _Column:
    """The different cells of a column so far."""

    def __init__(self) -> None:
        self.cells: list[Any] = []
        self.order: Sequence[Any] | None = None
        self._codes: dict[tuple[type, Any], int] = {}
        self._is_first = True

    def codes(self, column: Any) -> Places:
        """Return for each cell which of the different ones it is; new ones are taken in."""
        cells, places = encoded(column)
        ordered = cells[:-1] if getattr(column.type, "ordered", False) else None
        self.order = ordered if self._is_first or ordered == self.order else None
        self._is_first = False
        present = np.unique(places) if len(cells) > 2 * len(places) else range(len(cells))
        table = np.zeros(len(cells), np.int64)
        for place in present:
            table[place] = self._code(cells[place])
        return table.take(places)

    def _code(self, cell: Any) -> int:
        try:
            code = self._codes.setdefault((type(cell), cell), len(self.cells))
        except TypeError:  # a list
            code = self._codes.setdefault((type(cell), repr(cell)), len(self.cells))
        if code == len(self.cells):
            self.cells.append(cell)
        return code


def encoded(column: Any) -> tuple[list[Any], Places]:
    """Return the different cells of an Arrow array, the last one None, and for each row which of them it has."""
    import pyarrow  # loads slowly

    if pyarrow.types.is_nested(column.type):
        cells = column.to_pylist()
        return [*cells, None], np.arange(len(cells))
    if column.type == pyarrow.string_view():
        column = column.cast(pyarrow.string())
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    cells, indices = column.dictionary.to_pylist(), column.indices
    if indices.null_count:
        indices = indices.cast(pyarrow.int64()).fill_null(len(cells))
    return [*cells, None], indices.to_numpy()


def _counted(codes: Sequence[Places], sizes: Sequence[int]) -> Iterable[tuple[tuple[int, ...], int, Any]]:
    """Yield each combination of codes that occurs, how often, and what returns its first so many places."""
    size = int(np.prod([float(one) for one in sizes]))
    if size <= DENSE:
        key = np.ravel_multi_index(tuple(codes), tuple(sizes)) if len(codes[0]) else np.empty(0, np.int64)
        times = np.bincount(key, minlength=size)
        names = np.flatnonzero(times)
        for name, *combination in zip(names.tolist(), *_split(names, sizes), strict=True):
            yield tuple(combination), int(times[name]), lambda most, name=name: _first(key, name, most)
        return
    rows, where, which, times = np.unique(
        np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    which = which.ravel()
    for name, row, one, often in zip(count(), rows.tolist(), where.tolist(), times.tolist()):
        yield (
            tuple(row),
            often,
            lambda most, name=name, one=one, often=often: [one][:most] if often == 1 else _first(which, name, most),
        )


def _split(names: Places, sizes: Sequence[int]) -> list[list[int]]:
    return [part.tolist() for part in np.unravel_index(names, tuple(sizes))]


def _first(names: Places, name: int, most: int) -> list[int]:
    """Return the first so many places of a name."""
    return np.flatnonzero(names == name)[:most].tolist() if most > 0 else []
