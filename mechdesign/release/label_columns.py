"""Columns of labels, as a mechanism is applied to data and as they are counted again: by which rule cells are read.

It is the rule of the graph that the mechanism was made for, unless told; and it says what becomes of cells that are no
labels. How many those are, of which kind, and where the first ones are, is told together. The value may stand in
several columns: each is read as labels of its own, and together they are one of the mechanism's.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.errors import InputError
from mechdesign.exact.text import are_shown, shown, shown_cell
from mechdesign.graph.cell_labels import MISSING as NAMED_MISSING
from mechdesign.graph.cell_labels import Missing, Reading
from mechdesign.graph.from_table.distinct import NAMED
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.codebook import MISSING, UNKNOWN, Codebook, Codes
from mechdesign.words import first_of

LISTED = 12
"""Labels that were expected are listed up to this many."""

_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+\s*")


@dataclass
class LabelColumn:
    """A column of labels, and what it holds besides them.

    Attributes
    ----------
    name
        of the column; "" where there are no columns but only values.
    book
        the labels.
    dropped
        the kinds of cells that are left out with their rows; any other is refused.
    stand_ins
        the labels that unknown or missing cells are taken for.
    options
        the parameters that say whether cells of these kinds are left out.
    rows, stood_in
        how many rows there were, and how many cells were taken for a label.
    counts, first
        of each other kind of cell how many there were, and the rows and cells that came first.
    """

    name: str
    book: Codebook
    dropped: frozenset[int] = frozenset()
    stand_ins: Mapping[int, Label] = field(default_factory=dict)
    options: Mapping[int, str] = field(default_factory=lambda: {MISSING: "missing"})
    rows: int = 0
    stood_in: Counter[Label] = field(default_factory=Counter)
    counts: Counter[int] = field(default_factory=Counter)
    first: dict[int, list[tuple[int, Any]]] = field(default_factory=lambda: {UNKNOWN: [], MISSING: []})

    def codes(self, cells: pa.Array | list[Any]) -> Codes:
        """Return the positions of the labels in a part of the column, and count what is none."""
        codes = self.book.codes(cells)
        if len(codes) and codes.min() < 0:
            for kind, label in self.stand_ins.items():
                where = codes == kind
                self.stood_in[label] += int(where.sum())
                codes[where] = self.book.names.index(label)
            self._add(cells, codes)
        self.rows += len(codes)
        return codes

    def _add(self, cells: Any, codes: Codes) -> None:
        for kind, first in self.first.items():
            where = np.flatnonzero(codes == kind)
            for place in where[: NAMED - len(first)].tolist():
                first.append((self.rows + place + 1, cell_in(cells, place)))
            self.counts[kind] += len(where)

    @property
    def refused(self) -> int:
        """How many cells may not be left out."""
        return sum(number for kind, number in self.counts.items() if kind not in self.dropped)

    def faults(self, *, dropped: bool = True) -> list[str]:
        """Return in words what was found, with what may be left out or without; rows are counted from 1."""
        faults = []
        unknown, missing = self.counts[UNKNOWN], self.counts[MISSING]
        if unknown and (dropped or UNKNOWN not in self.dropped):
            cells = [f"{shown_cell(cell)} in row {row:,}" for row, cell in self.first[UNKNOWN]]
            said = f"{first_of(cells, NAMED, unknown)}; expected {first_of(self.book.names, LISTED)}"
            number = f"{unknown:,} cell{'s are' if unknown > 1 else ' is'} none of the {self.book.what}"
            faults.append(f"{self._place()}{number}: {said}{self._commas()}{self._remedy(UNKNOWN)}")
        if missing and (dropped or MISSING not in self.dropped):
            rows = first_of([f"{row:,}" for row, _ in self.first[MISSING]], NAMED, missing)
            number = f"{missing:,} missing value{'s' * (missing > 1)}"
            faults.append(f"{self._place()}{number} in row{'s' * (missing > 1)} {rows}{self._remedy(MISSING)}")
        return faults

    def _place(self) -> str:
        return f"column {shown(self.name)}: " if self.name else ""

    def _remedy(self, kind: int) -> str:
        """Return how to leave such cells out, unless they are."""
        has_one = kind in self.options and kind not in self.dropped
        return f'; {self.options[kind]}="drop" leaves such rows out' if has_one else ""

    def _commas(self) -> str:
        """Return what helps against decimal commas, if that is what is wrong."""
        for row, cell in self.first[UNKNOWN]:
            if isinstance(cell, str) and _DECIMAL_COMMA.fullmatch(cell):
                pointed = cell.strip().replace(",", ".")
                if self.book.code(pointed) >= 0:
                    which, remedy = (shown(cell), pointed) if are_shown() else (f"that in row {row:,}", "a point")
                    return f"; {which} has a decimal comma: write {remedy}"
        return ""


def cell_in(cells: Any, row: int) -> Any:
    """Return a cell of a column; of several columns, by their names, the cells in a row."""
    if isinstance(cells, Mapping):
        return tuple(cell_in(column, row) for column in cells.values())
    cell = cells[row]
    return cell.as_py() if isinstance(cell, pa.Scalar) else cell


class Rule(TypedDict, total=False):
    """What a caller says of the rule, as in `graph_from_table`; None is not said."""

    missing: str | None
    missing_profile: str | None
    missing_words: Iterable[str] | None
    others: Label | None


def columns_read(
    mechanism: Mechanism, value: str, profile: str | None, *, drop: bool, **rule: Unpack[Rule]
) -> list[LabelColumn]:
    """Return the columns of labels that `sanitise` reads: of the value, and of the profile if it is named.

    With `drop` what is none of the labels, or missing where that is none, may be left out.

    Raises
    ------
    InputError
        if the rule asks for a category that the mechanism has not.
    """
    reading = mechanism.reading.changed(**rule)
    book = Codebook(mechanism.categories, "categories", reading.missing_words)
    stand_ins = _stand_ins(reading, book, asked=rule.get("missing") is not None)
    options = {UNKNOWN: "unknown", MISSING: "missing"}
    columns = [LabelColumn(value, book, dropped(reading.missing, drop), stand_ins, options)]
    if profile is not None:
        names = Codebook(mechanism.profiles, "profiles", reading.missing_words)
        options = {UNKNOWN: "unknown", MISSING: "missing_profile"}
        columns.append(LabelColumn(profile, names, dropped(reading.missing_profile, drop), options=options))
    return columns


def released_column(mechanism: Mechanism, value: str, **rule: Unpack[Rule]) -> tuple[Reading, LabelColumn]:
    """Return the rule for what was released, and the column of the outputs: there are no others among these.

    Raises
    ------
    InputError
        if the rule asks for an output that the mechanism has not.
    """
    reading = replace(mechanism.reading, others=None).changed(**rule)
    book = Codebook(mechanism.outputs, "mechanism's outputs", reading.missing_words)
    stand_ins = _stand_ins(reading, book, asked=rule.get("missing") is not None)
    return reading, LabelColumn(value, book, dropped(reading.missing), stand_ins)


def _stand_ins(reading: Reading, labels: Codebook, *, asked: bool) -> dict[int, Label]:
    """Return the labels of cells that are none: of values without a category, and of missing ones."""
    found: dict[int, Label] = {}
    if reading.others is not None:
        place = labels.place(str(reading.others))
        if place is None:
            raise InputError(f"others: {shown(reading.others)} is none of the mechanism's categories")
        found[UNKNOWN] = labels.names[place]
    if reading.missing == Missing.CATEGORY:
        if NAMED_MISSING in labels.names or UNKNOWN in found:
            found[MISSING] = NAMED_MISSING if NAMED_MISSING in labels.names else found[UNKNOWN]
        elif asked:
            found_none = f"the mechanism has no category {shown(NAMED_MISSING)}"
            raise InputError(f"missing: {found_none}; drop leaves such rows out")
    return found


def dropped(missing: Missing, drop: bool = False) -> frozenset[int]:
    """Return which kinds of cells are left out with their rows."""
    return frozenset([UNKNOWN, MISSING] if drop else [MISSING] if missing == Missing.DROP else [])


class JoinedColumn(LabelColumn):
    """Columns whose cells in a row are together one label, and what they hold besides such labels.

    Parameters
    ----------
    whole
        how the value is read; nothing was read with it.
    names
        of the columns.

    Raises
    ------
    InputError
        if the labels are not of so many parts.
    """

    def __init__(self, whole: LabelColumn, names: Sequence[str]) -> None:
        super().__init__(whole.name, whole.book, whole.dropped, options=whole.options)
        self.columns = []
        labels: Sequence[Any] = whole.book.names
        if not all(isinstance(label, tuple) and len(label) == len(names) for label in labels):
            found = f"the {whole.book.what} are such as {shown(labels[0])}"
            raise InputError(f"value: {shown(whole.name)} are {len(names)} columns; {found}, one for one column")
        apart = separated(labels, names)
        for name, (_, own) in apart.items():
            book = Codebook(own, whole.book.what, whole.book.missing_words)
            self.columns.append(LabelColumn(name, book, whole.dropped, options=whole.options))
        self._places = np.full([len(column.book.names) for column in self.columns], UNKNOWN, np.int32)
        self._places[tuple(places for places, _ in apart.values())] = np.arange(len(labels))

    def codes(self, cells: Any) -> Codes:
        """Return the positions of the labels in a part of the columns, given by their names; count what is none."""
        parts = [column.codes(cells[column.name]) for column in self.columns]
        good = np.logical_and.reduce([part >= 0 for part in parts])
        codes = np.where(np.any([part == MISSING for part in parts], axis=0), np.int32(MISSING), np.int32(UNKNOWN))
        codes[good] = self._places[tuple(part[good] for part in parts)]
        self._add(cells, np.where(good, codes, 0))
        self.rows += len(codes)
        return codes

    @property
    def refused(self) -> int:
        """How many cells may not be left out."""
        return super().refused + sum(column.refused for column in self.columns)

    def faults(self, *, dropped: bool = True) -> list[str]:
        """Return in words what was found, in each column and together."""
        own = [fault for column in self.columns for fault in column.faults(dropped=dropped)]
        return own + super().faults(dropped=dropped)


Written = tuple[npt.NDArray[Any], Sequence[Label]]
"""What is written to a column: positions in a list of labels, and this list."""


def separated(labels: Sequence[Any], names: Sequence[str]) -> dict[str, Written]:
    """Return for each column its labels in joined ones, and the position of each joined one's among them."""
    found: dict[str, Written] = {}
    for part, name in enumerate(names):
        own: dict[Label, int] = {}
        places = [own.setdefault(label[part], len(own)) for label in labels]
        found[name] = (np.array(places, np.int32), list(own))
    return found
