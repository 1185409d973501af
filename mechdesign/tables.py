"""From a table of records to a profile graph: one profile per person, role or place, by counting.

A table is a pandas DataFrame, an Arrow Table, or a mapping from column to list; `read_table` makes such a mapping
from a file. Labels are kept as text, except that integers stay integers; rows are numbered from 1, below the header.
"""

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact import Number, format_number, parse_number, shown
from mechdesign.files import opened, opened_text
from mechdesign.graph import Label, is_label, pairs_of, profile_graph

ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
"""Endings of the files that pyarrow reads, with its module; every other file is read as CSV."""

NAMED = 5
"""An error message about many rows names this many of them."""


def graph_from_table(
    frame: Any,
    *,
    profile: str,
    value: str,
    edges: Iterable[tuple[Any, Any]] | str | None = None,
    count: str | None = None,
    smoothing: Number = 0,
    categories: Sequence[Any] | None = None,
    name: str = "",
    source: str = "",
    weigh_by_count: bool = False,
) -> nx.Graph:
    """Return the profile graph of a table: P_i(x) = records of profile i with value x / records of profile i, exactly.

    A node's attribute `count` is its number of records; the graph's attribute `made` says how it was made.

    Parameters
    ----------
    frame
        a pandas DataFrame, an Arrow Table, or a mapping from column to list.
    profile
        the column whose distinct values are the profiles.
    value
        the column whose distinct values are the categories.
    edges
        "all" pairs (the default), pairs of profiles, or a column: profiles that agree in it are joined.
    count
        the column that says for how many records a row stands; default one.
    smoothing
        what is added to each category's count in each profile (additive smoothing), >= 0.
    categories
        the categories in their order; default those that occur, sorted.
    weigh_by_count
        whether a profile's prior weight is its number of records; default equal.

    Raises
    ------
    InputError
        listing every fault: unknown columns, missing values, a value outside `categories`, a profile without records.

    Examples
    --------
    >>> records = {"job": ["clerk", "clerk", "cook"], "usage": ["low", "high", "low"]}
    >>> graph_from_table(records, profile="job", value="usage").nodes["clerk"]["distribution"]
    (Fraction(1, 2), Fraction(1, 2))
    """
    table = _Table(frame)
    joined_by = edges if isinstance(edges, str) and edges != "all" else None
    table.require([column for column in (profile, value, count, joined_by) if column is not None])
    who, what = table.labels(profile), table.labels(value)
    often = [1] * len(who) if count is None else table.counts(count)
    group = None if joined_by is None else table.labels(joined_by)
    added = table.smoothing(smoothing)
    table.raise_faults()

    known = sorted(set(what), key=_order) if categories is None else [_label(category) for category in categories]
    table.check_known(value, what, known)
    tally: dict[Label, Counter[Label]] = {one: Counter() for one in sorted(set(who), key=_order)}
    for one, category, times in zip(who, what, often, strict=True):
        tally[one][category] += times
    for one, counter in tally.items():
        if counter.total() + added == 0:
            table.faults.append(f"{shown(one)}: no records; leave this profile out, or give a smoothing > 0")
    pairs = _pairs(edges) if group is None else table.pairs(str(joined_by), who, group)
    table.raise_faults()

    graph = profile_graph(
        {one: _distribution(counter, known, added) for one, counter in tally.items()},
        edges=pairs,
        categories=known,
        name=name,
        source=source,
        weights={one: counter.total() for one, counter in tally.items()} if weigh_by_count else None,
    )
    for one, counter in tally.items():
        graph.nodes[one]["count"] = counter.total()
    rule = "all" if pairs == "all" else "as given" if joined_by is None else f"equal {joined_by}"
    graph.graph["made"] = {
        "profile": profile,
        "value": value,
        "edges": rule,
        "count": count,
        "smoothing": format_number(added),
        "records": sum(often),
    }
    return graph


def read_table(path: str | os.PathLike[str]) -> dict[str, list[Any]]:
    """Return a file's columns: name -> cells. CSV with a header row, all cells text; or Parquet, Feather, Arrow.

    Raises
    ------
    InputError
        naming the file: missing, binary, empty, a column named twice, a row with too few or too many cells; or an
        Arrow file without pyarrow at hand.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "usage.csv"
    >>> _ = file.write_text("job,usage\\nclerk,low\\ncook,high\\n")
    >>> read_table(file)
    {'job': ['clerk', 'cook'], 'usage': ['low', 'high']}
    """
    return _read_arrow(path) if Path(path).suffix.lower() in ARROW else _read_csv(path)


class _Table:
    """The columns of a table, and the faults found in them."""

    def __init__(self, frame: Any) -> None:
        if hasattr(frame, "column_names"):  # Arrow
            self.names = list(frame.column_names)
        elif hasattr(frame, "columns"):  # pandas
            self.names = list(frame.columns)
        elif isinstance(frame, Mapping):
            self.names = list(frame)
        else:
            message = f"expected a DataFrame, an Arrow Table or a mapping of columns, found {shown(frame)}"
            raise InputError(f"table: {message}")
        self.frame = frame
        self.faults: list[str] = []
        self.columns: dict[str, list[Any]] = {}

    def raise_faults(self) -> None:
        if self.faults:
            raise InputError(self.faults)

    def require(self, names: Sequence[str]) -> None:
        """Take these columns in; raise if one is missing or given twice, or if the table has no rows."""
        there = ", ".join(str(name) for name in self.names)
        for name in dict.fromkeys(names):
            if name not in self.names:
                self.faults.append(f"column {shown(name)}: there is none of that name (there are: {there})")
            elif self.names.count(name) > 1:
                self.faults.append(f"column {shown(name)}: {self.names.count(name)} columns have that name")
        self.raise_faults()
        self.columns = {name: _cells(self.frame[name]) for name in names}
        lengths = {name: len(cells) for name, cells in self.columns.items()}
        if len(set(lengths.values())) > 1:
            words = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise InputError(f"table: expected columns of one length, found {words}")
        if not all(lengths.values()):
            raise InputError("table: expected at least one row, found none")

    def labels(self, name: str) -> list[Label]:
        """Return a column as labels; cells that are missing, or cannot be labels, are faults."""
        seen: dict[tuple[type, Any], Label] = {}  # by type too: 1, 1.0 and True are equal, but not the same label
        labels: list[Label] = []
        missing, unusable = [], []
        for row, cell in enumerate(self.columns[name], start=1):
            try:
                label = seen.get((type(cell), cell))
            except TypeError:  # a list; a tuple with a list in it
                label = None
            if label is None:
                if _is_missing(cell):
                    missing.append(row)
                elif is_label(label := _label(cell)):
                    seen[type(cell), cell] = label
                else:
                    unusable.append(row)
            labels.append(label)
        self._rows(name, "missing value", missing)
        self._rows(name, "expected text or a number, found something else", unusable)
        return labels

    def counts(self, name: str) -> list[int]:
        """Return a column as integers >= 0."""
        counts, wrong, missing = [], [], []
        for row, cell in enumerate(self.columns[name], start=1):
            if _is_missing(cell):
                missing.append(row)
                continue
            try:
                number = parse_number(cell)
            except InputError:
                number = Fraction(-1)
            if number < 0 or number.denominator != 1:
                wrong.append(row)
            counts.append(int(number))
        self._rows(name, "missing value", missing)
        self._rows(name, "expected an integer >= 0", wrong)
        return counts

    def _rows(self, name: str, message: str, rows: Sequence[int]) -> None:
        if rows:
            first = ", ".join(str(row) for row in rows[:NAMED])
            more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
            self.faults.append(f"column {shown(name)}: {message} in row{'s' * (len(rows) > 1)} {first}{more}")

    def smoothing(self, value: Number) -> Fraction:
        try:
            number = parse_number(value)
        except InputError as error:
            self.faults.append(f"smoothing: {error.faults[0]}")
            return Fraction(0)
        if number < 0:
            self.faults.append(f"smoothing: expected a number >= 0, found {shown(number)}")
        return number

    def check_known(self, name: str, labels: Sequence[Label], known: Sequence[Label]) -> None:
        """Add a fault for each label that is none of the categories."""
        rows: dict[Label, list[int]] = defaultdict(list)
        categories = set(known)
        for row, label in enumerate(labels, start=1):
            if label not in categories:
                rows[label].append(row)
        for label, where in rows.items():
            self._rows(name, f"{shown(label)} is not one of the categories,", where)

    def pairs(self, name: str, who: Sequence[Label], group: Sequence[Label]) -> list[tuple[Label, Label]]:
        """Return the pairs of profiles that agree in a column; a profile that differs from itself is a fault."""
        belongs: dict[Label, Label] = {}
        torn: dict[Label, Label] = {}
        for one, its in zip(who, group, strict=True):
            if belongs.setdefault(one, its) != its:
                torn.setdefault(one, its)
        for one, other in torn.items():
            both = f"{shown(belongs[one])} and {shown(other)}"
            self.faults.append(f"column {shown(name)}: expected one value for each profile, {shown(one)} has {both}")
        profiles = sorted(belongs, key=_order)
        return [(a, b) for i, a in enumerate(profiles) for b in profiles[i + 1 :] if belongs[a] == belongs[b]]


def _cells(column: Any) -> list[Any]:
    """Return a column's cells as Python values: Arrow's `to_pylist`, pandas' and numpy's `tolist`, or any sequence."""
    for convert in ("to_pylist", "tolist"):
        if hasattr(column, convert):
            return list(getattr(column, convert)())
    return list(column)


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, str):
        return not cell.strip()
    try:
        return cell is None or bool(cell != cell)
    except TypeError:  # pandas.NA will not say whether it differs from itself
        return True
    except ValueError:  # an array
        return False


def _label(cell: Any) -> Any:
    """Return a cell as a label: an integer, or text; 3.0 is "3", so that a column of floats reads like one of text."""
    if isinstance(cell, Integral) and not isinstance(cell, bool):
        return int(cell)
    if isinstance(cell, Real) and not isinstance(cell, bool):
        number = float(cell)
        return str(int(number)) if number.is_integer() else str(number)
    if isinstance(cell, Decimal) and cell.is_finite():
        return format_number(Fraction(cell))
    if isinstance(cell, tuple):
        return tuple(_label(part) for part in cell)
    return str(cell) if isinstance(cell, Hashable) else cell


def _order(label: Label) -> tuple[int, Fraction, str, str]:
    """Sort numbers, also those that are text, by size and before words; 1 before "1"."""
    try:
        return 0, parse_number(label), str(label), type(label).__name__
    except InputError:
        return 1, Fraction(0), str(label), type(label).__name__


def _distribution(counter: Counter[Label], categories: Sequence[Label], added: Fraction) -> list[Fraction]:
    total = counter.total() + added * len(categories)
    return [(counter[category] + added) / total for category in categories]


def _pairs(edges: Iterable[tuple[Any, Any]] | str | None) -> list[tuple[Label, Label]] | str:
    """Return the pairs that were given, their ends as labels; "all" stays."""
    if edges is None or isinstance(edges, str):
        return "all"
    return [(_label(a), _label(b)) for a, b in pairs_of(edges)]


def _read_csv(path: str | os.PathLike[str]) -> dict[str, list[Any]]:
    with opened_text(path, "CSV text in UTF-8") as file:
        reader = csv.reader(_text_lines(file, str(path)), strict=True)
        try:
            names = next(reader, [])
            if not names:
                raise InputError("expected a header row, found an empty file", source=str(path))
            _no_duplicates(names, str(path))
            rows = list(_even_rows(reader, len(names), str(path)))
        except csv.Error as error:  # a quote that is never closed
            raise InputError(f"not CSV at line {reader.line_num}: {error}", source=str(path)) from None
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return {name: list(cells) for name, cells in zip(names, columns, strict=True)}


def _text_lines(file: Iterable[str], source: str) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        if "\0" in line:
            raise InputError(f"line {number}: expected text, found a NUL", source=source)
        yield line


def _no_duplicates(names: Iterable[str], source: str) -> None:
    twice = [
        f"column {shown(name)}: {times} columns have that name" for name, times in Counter(names).items() if times > 1
    ]
    if twice:
        raise InputError(twice, source=source)


def _even_rows(reader: Any, width: int, source: str) -> Iterator[list[str]]:
    """Yield the rows, or raise after the last one if some had too few or too many cells.

    A blank line among them is a row without values, so that later rows keep their numbers; at the end it is nothing.
    """
    faults, blank = [], 0
    for row in reader:
        if not row:
            blank += 1
            continue
        yield from [[""] * width] * blank
        blank = 0
        if len(row) == width:
            yield row
        else:
            faults.append(f"line {reader.line_num}: expected {width} cells, as in the header, found {len(row)}")
    if faults:
        more = [f"and {len(faults) - NAMED} more lines"] if len(faults) > NAMED else []
        raise InputError(faults[:NAMED] + more, source=source)


def _read_arrow(path: str | os.PathLike[str]) -> dict[str, list[Any]]:
    try:
        import pyarrow
        from pyarrow import feather, parquet
    except ImportError:
        message = "this kind of file is read through pyarrow: pip install mechdesign[arrow]"
        raise InputError(message, source=str(path)) from None
    read = {"parquet": parquet, "feather": feather}[ARROW[Path(path).suffix.lower()]].read_table
    with opened(path) as file:
        try:
            table = read(file)
        except pyarrow.ArrowInvalid as error:
            raise InputError(f"expected a Parquet, Feather or Arrow file: {error}", source=str(path)) from None
    _no_duplicates(table.column_names, str(path))
    return {name: table[name].to_pylist() for name in table.column_names}
