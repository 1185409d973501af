"""The columns of tables: which are there, and for which a name stands."""

import csv
from collections.abc import Collection, Iterable, Sequence

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.words import did_you_mean

ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
"""Endings of the files that pyarrow reads, with its module; every other file is read as CSV."""


ONE_COLUMN = "; this is to be one column: paste those between the commas into one first"
"""Said where several columns are named that only a value may be."""


def check_columns(names: Sequence[str], wanted: Iterable[str], source: str = "") -> None:
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
        raise InputError(faults, source=source)


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
