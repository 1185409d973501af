"""Tables in memory, of whatever library: all that has `__arrow_c_stream__` or `__dataframe__` is read as Arrow."""

from typing import TYPE_CHECKING, Any

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


def arrow_table(table: Any) -> "pa.Table":
    """Return a table in memory as one of Arrow.

    Examples
    --------
    >>> import polars
    >>> arrow_table(polars.DataFrame({"job": ["cook"]})).column_names
    ['job']
    """
    return arrow_reader(table).read_all()
