"""Tables in memory, of whatever library, and the columns of tables: which are there, and for which a name stands.

All that has `__arrow_c_stream__` or `__dataframe__` is read as Arrow.
"""

import csv
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.words import did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa


def is_table(value: object) -> bool:
    """Return whether a value is a table in memory: of pandas, polars, Arrow, duckdb or so; a column is none.

    Examples
    --------
    >>> import pandas, polars
    >>> is_table(polars.DataFrame({"job": ["cook"]})), is_table(pandas.DataFrame()), is_table(polars.Series(["cook"]))
    (True, True, False)
    """
    if hasattr(value, "__dataframe__"):
        return True
    has_names = any(hasattr(value, name) for name in ("columns", "column_names", "schema"))
    return hasattr(value, "__arrow_c_stream__") and (has_names or not hasattr(value, "__array__"))


def is_pandas(value: object) -> bool:
    """Return whether a value is a DataFrame of pandas, which has labels of its rows."""
    return hasattr(value, "iloc") and hasattr(value, "columns")


def arrow_reader(table: Any) -> "pa.RecordBatchReader":
    """Return what reads a table in memory, batch by batch."""
    import pyarrow as pa  # loads slowly
    from pyarrow.interchange import from_dataframe

    if hasattr(table, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(table)
    return from_dataframe(table).to_reader()


def named_columns(table: Any) -> tuple[list[Any], Any]:
    """Return the names of the columns of a table in memory or of a mapping, and what has each column by its name.

    Examples
    --------
    >>> names, columns = named_columns({"job": ["cook"], "usage": [3]})
    >>> names, columns["usage"]
    (['job', 'usage'], [3])
    """
    found = arrow_reader(table).read_all() if is_table(table) and not is_pandas(table) else table
    return list(getattr(found, "column_names", getattr(found, "columns", found))), found


def cells_of(column: Any) -> list[Any]:
    """Return a column's cells as Python values: Arrow's `to_pylist`, pandas' and numpy's `tolist`, or any sequence."""
    for convert in ("to_pylist", "tolist"):
        if hasattr(column, convert):
            return list(getattr(column, convert)())
    return list(column)


def even_cells(columns: Any, names: Iterable[Any], place: str) -> dict[Any, list[Any]]:
    """Return the cells of these columns, which are equally many; an InputError that names the place if they are not."""
    found = {name: cells_of(columns[name]) for name in names}
    if len({len(cells) for cells in found.values()}) > 1:
        lengths = ", ".join(f"{name} {len(cells)}" for name, cells in found.items())
        raise InputError(f"{place}: expected columns of one length, found {lengths}")
    return found


ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
"""Endings of the files that pyarrow reads, with its module; every other file is read as CSV."""


ONE_COLUMN = "; this is to be one column: paste those between the commas into one first"
"""Said where several columns are named that only a value may be."""


def check_columns(names: Sequence[str], wanted: Iterable[str]) -> None:
    """Raise if a wanted column is missing, or several have its name.

    Raises
    ------
    InputError
        naming each such column.

    Examples
    --------
    >>> check_columns(["job", "usage"], ["usages"])
    Traceback (most recent call last):
    mechdesign.errors.InputError: column 'usages': there is none of that name (there are: job, usage); did you mean \
usage?
    """
    there = [_as_listed(str(name)) for name in names]
    faults = []
    for name in dict.fromkeys(wanted):
        if name not in names:
            known = f" (there are: {', '.join(there)}){did_you_mean(there, name)}"
            how = ONE_COLUMN if _are_several(name, names) else known  # of those, the others may not have been read
            faults.append(f"column {shown(name)}: there is none of that name{how}")
        elif (times := list(names).count(name)) > 1:
            faults.append(f"column {shown(name)}: {times} columns have that name")
    if faults:
        raise InputError(faults)


def parts_of(name: str, there: Collection[str]) -> tuple[str, ...]:
    """Return the columns that a name stands for: the one that is called so; if there is none, those between its commas.

    Raises
    ------
    InputError
        if one of them is named twice.

    Examples
    --------
    >>> parts_of("vote,party", ["vote", "party"]), parts_of("vote,party", ["vote,party", "vote", "party"])
    (('vote', 'party'), ('vote,party',))
    """
    parts = between_commas(name)
    if name in there or set(parts).isdisjoint(there):
        return (name,)
    if len(set(parts)) < len(parts):
        raise InputError(f"column {shown(name)}: names one twice")
    return parts


def between_commas(name: str) -> tuple[str, ...]:
    """Return the names between the commas of one, where quotes hold together what they enclose.

    Examples
    --------
    >>> between_commas('vote, "age, in years"')
    ('vote', 'age, in years')
    """
    if "," not in name or name.splitlines() != [name] or len(name) > csv.field_size_limit():
        return (name,)
    (cells,) = csv.reader([name], skipinitialspace=True)
    return tuple(cell.strip() for cell in cells)


def all_parts(names: Iterable[str], there: Collection[str]) -> list[str]:
    """Return the columns that some names stand for."""
    return [part for name in names for part in parts_of(name, there)]


def _are_several(name: str, there: Collection[str]) -> bool:
    parts = between_commas(name)
    return len(parts) > 1 and set(parts) <= set(there)


def _as_listed(name: str) -> str:
    """Return a column's name, quoted where blanks around it are easily overlooked."""
    return name if name and name == name.strip() else shown(name)
