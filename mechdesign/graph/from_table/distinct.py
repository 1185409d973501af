"""Tables of any size, brought down to the rows that differ: how often each occurs, and where it does first.

A table of a hundred million records of who answered what has some hundreds of different rows. Counting those gives the
same graph, and the same words about faults, in memory that does not grow with the table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from mechdesign.arrays import Integers
from mechdesign.errors import InputError
from mechdesign.exact.text import shown, shown_cell
from mechdesign.files.tables import all_parts, check_columns, even_cells, is_table, named_columns
from mechdesign.graph.cell_labels import declared_order
from mechdesign.graph.from_table.row_weights import WeightColumn
from mechdesign.graph.labels import check_hashes

NAMED = 5
"""An error message about many rows names this many of them."""

DENSE = 1 << 20
"""Combinations of labels that are counted in an array; more are sorted."""


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
    weights
        if there is a column of them: the sum of the weights of each different row, and that of their squares.
    faults
        what is wrong with the weights.
    """

    columns: dict[str, list[Any]]
    times: list[int]
    first: list[list[int]]
    orders: dict[str, Sequence[Any]]
    weights: list[tuple[Fraction, Fraction]] | None = None
    faults: list[str] = field(default_factory=list)


def distinct_rows(table: Any, names: Sequence[str], weight: WeightColumn | None = None) -> Distinct:
    """Return the different rows that a table in memory, or a mapping from columns to cells, has in these columns.

    A name may stand for several, see `parts_of`.

    Raises
    ------
    InputError
        if it is neither, a name is no text, a column is missing or given twice, they are not of one length, or there
        are no rows.
    """
    wanted = names if weight is None else [*names, weight.name]
    if others := [name for name in wanted if not isinstance(name, str)]:
        raise InputError(f"column: expected its name, or several between commas, found {', '.join(map(shown, others))}")
    if isinstance(table, Distinct):
        check_columns(list(table.columns), all_parts(names, table.columns))
        assert (table.weights is None) == (weight is None)  # read by the same options
        found = table
    elif is_table(table) or isinstance(table, Mapping):
        there, table = named_columns(table)
        names = all_parts(names, there)
        check_columns(there, names if weight is None else [*names, weight.name])
        is_arrow = hasattr(table, "to_batches")
        found = distinct(table.to_batches(), names, weight) if is_arrow else _of_lists(table, names, weight)
    else:
        message = f"expected a DataFrame, an Arrow Table or a mapping of columns, found {shown_cell(table)}"
        raise InputError(f"table: {message}")
    if not found.times:
        raise InputError("expected a table with rows, found none")
    return found


def _of_lists(table: Any, names: Sequence[str], weight: WeightColumn | None) -> Distinct:
    wanted = names if weight is None else [*names, weight.name]
    columns = even_cells(table, wanted, "table")
    orders = {name: declared_order(table[name]) for name in names}
    return replace(
        distinct([columns], names, weight), orders={name: one for name, one in orders.items() if one is not None}
    )


def distinct(batches: Iterable[Any], names: Sequence[str], weights: WeightColumn | None = None) -> Distinct:
    """Return the different rows that record batches, or mappings to lists of cells, have in these columns.

    With the sums of their weights, if there are any.

    Examples
    --------
    >>> import pyarrow as pa
    >>> rows = distinct([pa.record_batch({"job": ["cook", "clerk", "cook"]})], ["job"])
    >>> rows.columns, rows.times, rows.first
    ({'job': ['cook', 'clerk']}, [2, 1], [[1, 3], [2]])
    """
    columns = {name: _Column(name) for name in dict.fromkeys(names)}
    found: dict[tuple[int, ...], _Rows] = {}
    before = 0
    for batch in batches:
        codes = [column.codes(batch[name]) for name, column in columns.items()]
        combinations, times, which = _counted(codes, [len(column.cells) for column in columns.values()])
        rows = [found.setdefault(combination, _Rows()) for combination in combinations]
        wanted = np.array([NAMED - len(one.first) for one in rows], dtype=np.int64)
        for one, number, where in zip(rows, times, _first(which, wanted), strict=True):
            one.times += number
            one.first += [before + place + 1 for place in where]
        if weights is not None:
            sums = weights.sums(*encoded_cells(batch[weights.name]), which, len(rows))
            for one, (total, squares) in zip(rows, sums, strict=True):
                one.weight, one.squares = one.weight + total, one.squares + squares
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
        None if weights is None else [(rows.weight, rows.squares) for _, rows in ordered],
        [] if weights is None else weights.faults(),
    )


@dataclass
class _Rows:
    times: int = 0
    first: list[int] = field(default_factory=list)
    weight: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)


class _Column:
    """The different cells of a column so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cells: list[Any] = []
        self.order: Sequence[Any] | None = None
        self._codes: dict[tuple[type, Any], int] = {}
        self._is_first = True

    def codes(self, column: Any) -> Integers:
        """Return for each cell which of the different ones it is; new ones are taken in."""
        if isinstance(column, list):
            check_hashes(column, f"column {shown(self.name)}", are_data=True)
            return np.fromiter(map(self._code, column), np.int64, len(column))
        cells, places = encoded(column)
        ordered = cells[:-1] if getattr(column.type, "ordered", False) else None
        self.order = ordered if self._is_first or ordered == self.order else None
        self._is_first = False
        present = np.unique(places) if len(cells) > 2 * len(places) else range(len(cells))
        check_hashes((cells[place] for place in present), f"column {shown(self.name)}", are_data=True)
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


def encoded_cells(column: Any) -> tuple[list[Any], Integers]:
    """Return the different cells of an Arrow array or a list, and for each row which of them it has."""
    if not isinstance(column, list):
        return encoded(column)
    found = _Column("weight")
    places = found.codes(column)
    return found.cells, places


def encoded(column: Any) -> tuple[list[Any], Integers]:
    """Return the different cells of an Arrow array, the last one None, and for each row which of them it has."""
    import pyarrow.compute  # loads slowly

    if pyarrow.types.is_nested(column.type):
        cells = column.to_pylist()
        return [*cells, None], np.arange(len(cells))
    if pyarrow.types.is_run_end_encoded(column.type):
        column = pyarrow.compute.run_end_decode(column)
    if column.type == pyarrow.string_view():
        column = column.cast(pyarrow.string())
    if not pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    cells, indices = column.dictionary.to_pylist(), column.indices
    if indices.null_count:
        indices = indices.cast(pyarrow.int64()).fill_null(len(cells))
    return [*cells, None], indices.to_numpy()


def _counted(codes: Sequence[Integers], sizes: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int], Integers]:
    """Return the combinations of codes that occur, how often each does, and for each row which of these it has."""
    if float(np.prod([float(one) for one in sizes])) <= DENSE:
        key = np.ravel_multi_index(tuple(codes), tuple(sizes)) if len(codes[0]) else np.empty(0, np.int64)
        number = np.bincount(key, minlength=int(np.prod(sizes)))
        names = np.flatnonzero(number)
        parts, times = np.unravel_index(names, tuple(sizes)), number[names]
        number[names] = np.arange(len(names))
        which = number.take(key)
    else:
        key = codes[0]
        for more, size in zip(codes[1:], sizes[1:], strict=True):
            key = np.unique(key, return_inverse=True)[1] * size + more
        _, where, which, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
        parts = tuple(code[where] for code in codes)
    return list(zip(*(part.tolist() for part in parts), strict=True)), times.tolist(), which


def _first(which: Integers, wanted: Integers) -> list[list[int]]:
    """Return of each combination the first rows that have it, as many as are wanted."""
    if not wanted.any():
        return [[]] * len(wanted)
    rows = np.flatnonzero(wanted.take(which))
    order = rows[np.argsort(which[rows], kind="stable")]
    starts = np.searchsorted(which[order], np.arange(len(wanted)))
    ends = np.minimum(starts + wanted, np.append(starts[1:], len(order)))
    return [order[start:end].tolist() for start, end in zip(starts, ends, strict=True)]
