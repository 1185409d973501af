"""The columns of tables: which are there."""

from collections.abc import Iterable, Sequence

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.words import did_you_mean

ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
"""Endings of the files that pyarrow reads, with its module; every other file is read as CSV."""


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
            near = did_you_mean(there, name)
            faults.append(f"column {shown(name)}: there is none of that name (there are: {', '.join(there)}){near}")
        elif (times := list(names).count(name)) > 1:
            faults.append(f"column {shown(name)}: {times} columns have that name")
    if faults:
        raise InputError(faults, source=source)


def _as_listed(name: str) -> str:
    """Return a column's name, quoted where blanks around it are easily overlooked."""
    return name if name and name == name.strip() else shown(name)
