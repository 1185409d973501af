"""Tables in memory, of whatever library: all that has `__arrow_c_stream__` or `__dataframe__` is read as Arrow."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mechdesign.errors import InputError

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
