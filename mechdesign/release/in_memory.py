"""`sanitise`: data in memory goes in, the same kind comes out."""

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.text import shown_cell
from mechdesign.files.scan import scan
from mechdesign.files.source import BATCH
from mechdesign.files.tables import is_table
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_point_masses
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import digest
from mechdesign.release.codebook import are_integers, column_of, taken
from mechdesign.release.journal import Journal
from mechdesign.release.label_columns import Rule
from mechdesign.release.sanitiser import Sanitiser

TABLES = 'a DataFrame, an Arrow table or so, with value="COLUMN"'
COLUMNS = "a numpy array, a Series, an Arrow array or a list, without value"


@with_flags
def sanitise(
    mechanism: Mechanism,
    data: Any,
    *,
    value: str | None = None,
    profile: Any = None,
    keep: Sequence[str] = (),
    keep_anyway: bool = False,
    unknown: str = "error",
    journal: str | os.PathLike[str] | None = None,
    seed_not_for_release: int | None = None,
    missing: str | None = None,
    missing_profile: str | None = None,
    missing_words: Iterable[str] | None = None,
    others: Label | None = None,
) -> Any:
    """Return data in which each row has gone through a mechanism, with coins of its own.

    A table gives a table of the same kind, a column a column: numpy arrays, lists, pandas and polars, Arrow's arrays,
    tables and readers (these lazily). Whatever else can be read as Arrow (`__arrow_c_stream__` or `__dataframe__`:
    duckdb and others) gives a `pyarrow.Table`. Text comes out as a dictionary (pandas: Categorical, polars: Enum) of
    all outputs in their order, integers as integers.

    A table has only the columns of `keep` and the sanitised one; an index is not among them. A Series keeps its index.
    A `UserWarning` says which kept columns tell of what is hidden, or whose row it is; those of a reader pass by.
    An observation may be sanitised once: two releases of the same one do not compose. With `journal` a second time is
    warned of, as on the command line; without it nothing is noted, as nobody knows where data in memory come from.

    Parameters
    ----------
    mechanism
        whose categories the values are.
    data
        a table, or the values themselves.
    value
        the column to sanitise, of a table. Where none is called so, several between commas, if the mechanism's
        categories are tuples of so many.
    profile
        the column that names the profile; of values themselves a column as long as they are. Not needed if all
        profiles have the same rows.
    keep
        columns of a table to release as they are. What they tell is released; so the one that the mechanism hides, the
        profile's, is refused.
    keep_anyway
        keep that one too: what is proved of the mechanism then protects nobody.
    unknown
        rows whose value or profile is missing or none of the mechanism's are an "error", or left out ("drop").
    journal
        the file or folder that the data come from: what is sanitised is noted beside it and among your own files, and a
        `UserWarning` says that it has been before. A reader's is noted when it is given; what has a seed is not.
    seed_not_for_release
        a number that makes the outcome the same each time: for tests. Who knows it can undo the release.
    missing, missing_profile, missing_words, others
        by which rule cells become categories, as in `graph_from_table`: `missing` is "error", "drop" or "category",
        `missing_profile` "error" or "drop". What is not given is as the graph was made that the mechanism is for.

    Raises
    ------
    InputError
        on columns that are missing, unknown or missing cells (with their number and the first of them), other kinds of
        data.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Smooth Categorical is solving and applying; Observations 4 and 5.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> swap = mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
    >>> sanitise(swap, ["yes", "yes", "no"])
    ['no', 'no', 'yes']
    """
    rule: Rule = {"missing": missing, "missing_profile": missing_profile, "missing_words": missing_words}
    rule["others"] = others
    options: dict[str, Any] = {"unknown": unknown, "seed_not_for_release": seed_not_for_release, **rule}
    if value is not None:
        options |= {"keep": keep, "keep_anyway": keep_anyway, "counts_kept": True}
        sanitiser = Sanitiser(mechanism, value=value, profile=profile, **options)
        released = sanitised_table(sanitiser, data)
        noted = [] if journal is None else _noted(sanitiser, journal, is_release=seed_not_for_release is None)
        for warning in sanitiser.warnings() + noted:
            warnings.warn(warning, UserWarning, stacklevel=2)
        return released
    if keep or journal is not None:
        raise InputError(f"{'keep' if keep else 'journal'}: goes with {TABLES}")
    if is_table(data):
        raise InputError(f"value: say which column of the {type(data).__name__} to sanitise")
    sanitiser = Sanitiser(mechanism, value="", profile=None if profile is None else PROFILES, **options)
    return _column(sanitiser, data, profile)


def _noted(sanitiser: Sanitiser, journal: str | os.PathLike[str], *, is_release: bool) -> list[str]:
    """Note what was sanitised, if it may be released, and return in words if it has been before."""
    notes, which = Journal(journal, single=has_point_masses(sanitiser.mechanism.graph)), digest(sanitiser.mechanism)
    return notes.noted(sanitiser.value, which, None) if is_release else notes.warnings(sanitiser.value, which)


PROFILES = "profile"
"""What the profiles are called where they have no column's name."""


def sanitised_table(sanitiser: Sanitiser, data: Any) -> Any:
    """Return a table of the same kind."""
    if isinstance(data, pa.RecordBatch):
        sanitiser.check_schema(data.schema)
        (released,) = sanitiser.batches([data])
        return released
    if not is_table(data):
        raise InputError(f"data: expected {TABLES}; or {COLUMNS}; found {shown_cell(data)}")
    kind = _module(data)
    found = scan(data, sanitiser.coded, keep=sanitiser.kept_plain, if_there=sanitiser.read_if_there)
    schema = sanitiser.schema(found.schema)
    batches = sanitiser.batches(found)
    if isinstance(data, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_batches(schema, batches)
    nothing = sanitiser.batches([pa.RecordBatch.from_pylist([], found.schema)])  # without rows, all outputs too
    table = pa.Table.from_batches([*nothing, *batches], schema)
    if kind == "pandas":
        return table.to_pandas()
    return _polars(table, sanitiser) if kind == "polars" else table


def _column(sanitiser: Sanitiser, data: Any, profile: Any) -> Any:
    """Return a column of the same kind."""
    given = {"value": data, "profile": profile}
    columns = list(even_columns({what: one for what, one in given.items() if one is not None}).values())
    parts: list[npt.NDArray[Any]] = []
    good: list[npt.NDArray[Any]] = []
    for start in range(0, len(columns[0]), BATCH):
        codes, where = sanitiser.known(*(column[start : start + BATCH] for column in columns))
        if sanitiser.may_drop:
            good.append(start + (np.arange(len(codes[0])) if where is None else where))
        if not sanitiser.is_faulty:
            parts.append(sanitiser.outputs(*codes))
    sanitiser.finish()
    outputs = np.concatenate([np.empty(0, np.uint8), *parts])
    kept = np.concatenate(good) if sanitiser.left_out else slice(None)
    return _like(data, outputs, sanitiser.mechanism.outputs, kept)


def even_columns(columns: Mapping[str, Any]) -> dict[str, pa.Array | list[Any]]:
    """Return columns in memory, the first of them values, as `arrow_or_list` does; they are equally many."""
    cells = {what: arrow_or_list(column) for what, column in columns.items()}
    number = len(next(iter(cells.values())))
    for what, column in cells.items():
        if len(column) != number:
            raise InputError(f"{what}: expected one for each of the {number:,} values, found {len(column):,}")
    return cells


def arrow_or_list(column: Any) -> pa.Array | list[Any]:
    """Return a column as Arrow has it, or as a list if its cells are of several types."""
    if isinstance(column, pa.ChunkedArray):
        return column.combine_chunks()
    if isinstance(column, pa.Array):
        return column
    if _module(column) == "polars":
        return column.to_arrow()
    if not isinstance(column, list | tuple) and getattr(column, "ndim", None) != 1:
        one = ", one value: put it into a list" if isinstance(column, str | int | float) else ""
        raise InputError(f"data: expected {COLUMNS}; or {TABLES}; found {shown_cell(column)}{one}")
    try:
        cells = pa.array(column, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return list(column)
    return cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells


def _like(data: Any, outputs: npt.NDArray[Any], labels: Sequence[Label], kept: Any) -> Any:
    """Return outputs, given by their positions, as a column like `data`, of which the rows `kept` are left."""
    kind = _module(data)
    if kind == "pandas":
        return _series(data, outputs, labels, kept)
    if isinstance(data, pa.ChunkedArray):
        return pa.chunked_array([column_of(outputs, labels)])
    if isinstance(data, pa.Array):
        return column_of(outputs, labels)
    if kind == "polars":
        import polars

        series = polars.Series(data.name, column_of(outputs, labels))
        return series if are_integers(labels) else series.cast(_enum(labels))
    if isinstance(data, list | tuple):
        return [labels[output] for output in outputs.tolist()]
    return taken(_array(labels, as_objects=data.dtype == object), outputs)


def _array(labels: Sequence[Label], *, as_objects: bool) -> npt.NDArray[Any]:
    if not as_objects and are_integers(labels):
        return np.array(labels, np.int64)
    if not as_objects and all(isinstance(label, str) for label in labels):
        return np.array(labels, np.str_)
    objects = np.empty(len(labels), object)
    objects[:] = labels
    return objects


def _series(data: Any, outputs: npt.NDArray[Any], labels: Sequence[Label], kept: Any) -> Any:
    import pandas

    if are_integers(labels):
        values: Any = taken(np.array(labels, np.int64), outputs)
    else:
        values = pandas.Categorical.from_codes(outputs.astype(np.int32), [str(label) for label in labels])
    if not isinstance(data, pandas.Series):
        return values
    return pandas.Series(values, index=data.index[kept], name=data.name)


def _polars(table: pa.Table, sanitiser: Sanitiser) -> Any:
    import polars

    columns = [(name, labels) for name, (_, labels) in sanitiser.written(np.empty(0, np.int32)).items()]
    if sanitiser.profile in sanitiser.keep:
        columns.append((sanitiser.profile or "", sanitiser.mechanism.profiles))
    frame: Any = polars.from_arrow(table)
    return frame.cast({name: _enum(labels) for name, labels in columns if not are_integers(labels)})


def _enum(labels: Sequence[Label]) -> Any:
    import polars

    return polars.Enum([str(label) for label in labels])


def _module(data: Any) -> str:
    return type(data).__module__.partition(".")[0]
