"""From released data to counts: how often each output was released, by profile.

The columns are read by what they are asked for, batch by batch, from files, tables, mappings or cells.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Integers
from mechdesign.errors import InputError, telling
from mechdesign.exact.text import shown, shown_cell
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.scan import scan
from mechdesign.files.tables import check_columns, is_table, parts_of
from mechdesign.graph.cell_labels import Reading
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.codebook import MISSING, Codebook, Codes, Groups
from mechdesign.release.in_memory import even_columns
from mechdesign.release.label_columns import JoinedColumn, LabelColumn, Rule, dropped, released_column
from mechdesign.release.samples import Sample
from mechdesign.release.sanitiser import check_name
from mechdesign.release.survey import EVERY_ROW, Survey, SurveyRows


class Part(NamedTuple):
    """The rows that have a label in a column; or all, without a column."""

    column: Any = None
    label: Label = ""

    @classmethod
    def of(cls, subgroup: Any) -> "Part":
        """Return the part that was asked for: (column, label), the column by its name or its cells; None for all.

        Raises
        ------
        InputError
            if it is no pair.
        """
        if subgroup is None:
            return cls()
        if not isinstance(subgroup, tuple | list) or len(subgroup) != 2:
            raise InputError("subgroup: expected a column and a label, such as ('region', 'north')")
        return cls(*subgroup)

    def holds(self, cells: Any, rows: int) -> npt.NDArray[np.bool_]:
        """Return which rows of a batch it has."""
        if cells is None:
            return np.ones(rows, np.bool_)
        return np.asarray(Codebook([self.label], "subgroup").codes(cells) == 0)

    @property
    def words(self) -> str:
        """Which part it is, in words; nothing if it is all."""
        if self.column is None:
            return ""
        named = f"{self.column} = " if isinstance(self.column, str) else ""
        return f" with {named}{self.label}"


def columns_of(
    released: Any, value: str | None, asked: Mapping[str, Any], layout: Layout
) -> Iterator[Mapping[str, Any]]:
    """Yield the released labels, as "value", and other columns that are asked for, None left out.

    Where labels are of several columns, they are a dict of these.

    Raises
    ------
    InputError
        if there is no such column, or cells are not equally many.
    """
    others = {what: column for what, column in asked.items() if column is not None}
    if isinstance(released, Mapping):
        parts, names = _named(value, others, list(released))
        cells = even_columns({what: released[name] for what, name in names.items()})
        yield _joined(cells, parts)
    elif isinstance(released, str | os.PathLike) or value is not None:
        wanted = _checked(value, others)
        if not isinstance(released, str | os.PathLike) and not is_table(released):
            raise InputError(f"value: a column's name goes with a file or a table, found {shown_cell(released)}")
        with scan(released, list(dict.fromkeys(wanted.values())), layout=layout) as found:
            parts, names = _named(value, others, found.schema.names)
            for batch in found:
                yield _joined({what: batch.column(name) for what, name in names.items()}, parts)
    else:
        if is_table(released):
            raise InputError(f"value: say which column of the {type(released).__name__} holds what was released")
        yield even_columns({"value": released, **others})


def _checked(value: Any, others: Mapping[str, Any]) -> dict[str, str]:
    names = {"value": value, **others}
    for what, name in names.items():
        check_name(what, name)
    return names


def _named(value: Any, others: Mapping[str, Any], there: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the columns of the value, and the names of all columns by what they are asked for, checked."""
    names = _checked(value, others)
    parts = parts_of(value, there)
    for what, name in others.items():
        if name in parts:
            raise InputError(f"{what}: {shown(name)} is the column that was released; the {what} is another")
    if len(parts) > 1:
        names = {**{_key(part): part for part in parts}, **others}
    check_columns(there, list(names.values()))
    return parts, names


def _key(part: str) -> str:
    return f"value {shown(part)}"


def _joined(cells: Mapping[str, Any], parts: Sequence[str]) -> Mapping[str, Any]:
    """Return the cells with those of all columns of the value together."""
    return cells if len(parts) == 1 else {**cells, "value": {part: cells[_key(part)] for part in parts}}


ALL = "all"
"""The name of the one entry where profiles are not told apart."""

MOST_GROUPS = 100_000
"""Groups of people in one table: more are no groups but people."""


class Tally(NamedTuple):
    """For each profile that occurs how often each output was released to it; and how many rows were left out.

    And what its rows tell: their weights, strata and clusters too.
    """

    counts: dict[Label, Integers]
    left_out: int
    samples: dict[Label, Sample]


def tally(
    mechanism: Mechanism,
    released: Any,
    value: str | None,
    profile: Any,
    layout: Layout = RECOGNISED,
    *,
    survey: Survey = EVERY_ROW,
    subgroup: Any = None,
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
    survey
        how the rows were drawn.
    subgroup, reading
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
    part, drawn = Part.of(subgroup), SurveyRows(survey, rule.missing_words)
    asked = {"profile": profile, **survey.given, "subgroup": part.column}
    counts, left_out = np.zeros((0 if groups else 1, len(mechanism.outputs)), dtype=np.int64), 0
    for columns in columns_of(released, value, asked, layout):
        if isinstance(columns["value"], dict) and not isinstance(outputs, JoinedColumn):
            outputs = JoinedColumn(outputs, tuple(columns["value"]))
        codes = outputs.codes(columns["value"])
        places = np.zeros_like(codes) if groups is None else groups.codes(columns["profile"])
        inside = part.holds(columns.get("subgroup"), len(codes))
        good = inside & (places >= 0) & (codes >= 0)
        left_out += int(inside.sum() - good.sum())
        counts = _added(counts, places[good], codes[good], 1 if groups is None else len(groups.book.names))
        drawn.add(columns, places, codes, good)
    read = [outputs, *([] if groups is None else [groups])]
    faults = [fault for found in read if found.refused for fault in found.faults(dropped=False)] + drawn.faults()
    source = str(released) if isinstance(released, str | os.PathLike) else ""
    if faults or not outputs.rows:
        raise InputError(faults or "expected released data, found no rows", source=source)
    labels = (ALL,) if groups is None else groups.book.names
    present = {label: place for place, label in enumerate(labels) if counts[place].any()}
    if not present:
        raise InputError(f"expected released data, found none in any row{part.words}", source=source)
    shares = {label: counts[place] for label, place in present.items()}
    with telling(source=source):
        return Tally(shares, left_out, drawn.samples(present, shares))


def _added(counts: Integers, places: Codes, codes: Codes, groups: int) -> Integers:
    """Return the counts with those of more rows."""
    outputs = counts.shape[1]
    found = np.bincount(places.astype(np.int64) * outputs + codes, minlength=groups * outputs)
    result = found.reshape(groups, outputs).astype(np.int64)
    result[: len(counts)] += counts
    return result


def _groups(mechanism: Mechanism, profile: Any, reading: Reading) -> LabelColumn:
    """Return the column of profiles; where all have the same matrix they may be any groups."""
    words = reading.missing_words
    if mechanism.one_matrix:
        book: Codebook = Groups("groups of people", MOST_GROUPS, words)
    else:
        book = Codebook(mechanism.profiles, "mechanism's profiles", words)
    name, options = profile if isinstance(profile, str) else "profile", {MISSING: "missing_profile"}
    return LabelColumn(name, book, dropped(reading.missing_profile), options=options)
