"""From released data to counts: how often each output was released, by profile."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.errors import InputError
from mechdesign.exact.cells import shown_cell
from mechdesign.exact.text import shown
from mechdesign.files.arrow import is_table
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.scan import scan
from mechdesign.files.tables import check_columns, parts_of
from mechdesign.graph.cell_labels import label_of
from mechdesign.graph.from_table.reading import Reading
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.codebook import MISSING, Codebook, Codes
from mechdesign.release.in_memory import even_columns
from mechdesign.release.joined_column import JoinedColumn
from mechdesign.release.label_columns import LabelColumn, Rule, dropped, released_column
from mechdesign.release.sanitiser import check_name

ALL = "all"
"""The name of the one entry where profiles are not told apart."""

MOST_GROUPS = 100_000
"""Groups of people in one table: more are no groups but people."""

Counts: TypeAlias = npt.NDArray[np.int64]
Columns: TypeAlias = Sequence[Any]
"""The released labels, of one column or of several, and the profiles if they are told apart."""


class Tally(NamedTuple):
    """For each profile that occurs how often each output was released to it; and how many rows were left out."""

    counts: dict[Label, Counts]
    left_out: int


def tally(
    mechanism: Mechanism,
    released: Any,
    value: str | None,
    profile: Any,
    layout: Layout = RECOGNISED,
    **reading: Unpack[Rule],
) -> Tally:
    """Return how often each output was released to each profile.

    Parameters
    ----------
    released
        the path of a file or folder; a table, which has `__arrow_c_stream__` or maps columns to cells; or labels.
    value, profile
        the columns of a file or table; with labels `profile` is as many labels of profiles. Without a profile all rows
        count under the name `all`.
    reading
        as for `estimate`.

    Raises
    ------
    InputError
        if there are no rows; or counting the cells that are no labels of the mechanism, and missing ones.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
    >>> tally(coin, ["no", "yes", "no"], None, None).counts
    {'all': array([2, 1])}
    """
    rule, outputs = released_column(mechanism, value or "", **reading)
    groups = None if profile is None else _groups(mechanism, profile, rule)
    counts = np.zeros((0 if groups else 1, len(mechanism.outputs)), dtype=np.int64)
    for parts, columns in _columns(released, value, profile, layout):
        if len(parts) > 1 and not isinstance(outputs, JoinedColumn):
            outputs = JoinedColumn(outputs, parts)
        codes = outputs.codes(columns[: len(parts)] if len(parts) > 1 else columns[0])
        places = np.zeros_like(codes) if groups is None else groups.codes(columns[-1])
        counts = _added(counts, places, codes, 1 if groups is None else len(groups.book.names))
    read = [outputs, *([] if groups is None else [groups])]
    faults = [fault for found in read if found.refused for fault in found.faults(dropped=False)]
    source = str(released) if isinstance(released, str | os.PathLike) else ""
    if faults or not outputs.rows:
        raise InputError(faults or "expected released data, found no rows", source=source)
    labels = (ALL,) if groups is None else groups.book.names
    shares = {label: row for label, row in zip(labels, counts, strict=True) if row.any()}
    if not shares:
        raise InputError("expected released data, found none in any row", source=source)
    return Tally(shares, outputs.rows - int(counts.sum()))


def _added(counts: Counts, places: Codes, codes: Codes, groups: int) -> Counts:
    """Return the counts with those of more rows; cells that are no labels are left out."""
    outputs = counts.shape[1]
    good = (places >= 0) & (codes >= 0)
    found = np.bincount(places[good].astype(np.int64) * outputs + codes[good], minlength=groups * outputs)
    result = found.reshape(groups, outputs).astype(np.int64)
    result[: len(counts)] += counts
    return result


def _groups(mechanism: Mechanism, profile: Any, reading: Reading) -> LabelColumn:
    """Return the column of profiles; where all have the same matrix they may be any groups."""
    words = reading.missing_words
    book = _Groups(words) if mechanism.one_matrix else Codebook(mechanism.profiles, "mechanism's profiles", words)
    return LabelColumn(profile if isinstance(profile, str) else "profile", book, dropped(reading.missing_profile))


class _Groups(Codebook):
    """Labels as they occur."""

    def __init__(self, missing_words: Iterable[str]) -> None:
        super().__init__((), "groups", missing_words)
        self._groups: dict[Label, int] = {}

    def codes(self, column: pa.Array | list[Any]) -> Codes:
        """Return the positions of the groups in a column."""
        codes = super().codes(column)
        self.names = tuple(self._groups)
        return codes

    def code(self, cell: Any) -> int:
        """Return the position of the label that a cell is, or MISSING; a new label is taken in."""
        if super().code(cell) == MISSING:
            return MISSING
        label = label_of(cell)
        if not _is_key(label):
            label = str(label)
        if label not in self._groups:
            if len(self._groups) == MOST_GROUPS:
                raise InputError(f"profile: expected at most {MOST_GROUPS:,} groups of people, found more")
            self._groups[label] = len(self._groups)
        return self._groups[label]


def _is_key(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:  # a list within, or a record
        return False
    return True


def _columns(released: Any, value: str | None, profile: Any, layout: Layout) -> Iterator[tuple[Sequence[str], Columns]]:
    """Yield the names of the value's columns and, batch by batch, these columns and the profile's."""
    names = [value] if profile is None else [value, profile]
    if isinstance(released, Mapping):
        parts, read = _parts(_named(names), list(released))
        yield parts, even_columns(*(released[name] for name in read))
    elif isinstance(released, str | os.PathLike) or value is not None:
        checked = _named(names)
        if not isinstance(released, str | os.PathLike) and not is_table(released):
            raise InputError(f"value: a column's name goes with a file or a table, found {shown_cell(released)}")
        with scan(released, checked, layout=layout) as found:
            parts, read = _parts(checked, found.schema.names)
            for batch in found:
                yield parts, [batch.column(name) for name in read]
    else:
        if is_table(released):
            raise InputError(f"value: say which column of the {type(released).__name__} holds what was released")
        yield [""], even_columns(released) if profile is None else even_columns(released, profile)


def _parts(names: Sequence[str], there: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns of the value, and all that are read: these and the profile's; they are there."""
    parts = parts_of(names[0], there)
    check_columns(there, [*parts, *names[1:]])
    return parts, _named([*parts, *names[1:]])


def _named(names: Sequence[Any]) -> list[str]:
    """Return the names of columns, checked."""
    for what, name in zip(("value", "profile"), names, strict=False):
        check_name(what, name)
    if len(set(names)) < len(names):
        raise InputError(f"profile: {shown(names[-1])} is the column that was released; the profile is another")
    return list(names)
