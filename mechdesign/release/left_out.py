"""Cells that are no labels: how many, of which kind, and where the first ones are."""

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from mechdesign.exact.cells import are_shown, shown_cell
from mechdesign.exact.text import shown
from mechdesign.release.codebook import MISSING, UNKNOWN, Codebook, Codes
from mechdesign.words import first_of

NAMED = 5
"""An error message about many cells names this many of them."""

LISTED = 12
"""Labels that were expected are listed up to this many."""

_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+\s*")


@dataclass
class LeftOut:
    """What a column holds besides labels; `unknown` and `missing` count the cells, `first` are their rows."""

    column: str
    book: Codebook
    unknown: int = 0
    missing: int = 0
    first: dict[int, list[tuple[int, Any]]] = field(default_factory=lambda: {UNKNOWN: [], MISSING: []})
    dropped: frozenset[int] = frozenset()
    """The kinds of cells that are left out with their rows; any other is refused."""

    @property
    def refused(self) -> int:
        """How many cells may not be left out."""
        return self.unknown * (UNKNOWN not in self.dropped) + self.missing * (MISSING not in self.dropped)

    def add(self, cells: pa.Array | list[Any], codes: Codes, before: int) -> None:
        """Take in the cells of a column with their codes; so many rows came before them."""
        for kind, first in self.first.items():
            where = np.flatnonzero(codes == kind)
            for place in where[: NAMED - len(first)].tolist():
                cell = cells[place]
                first.append((before + place + 1, cell.as_py() if isinstance(cell, pa.Scalar) else cell))
            if kind == UNKNOWN:
                self.unknown += len(where)
            else:
                self.missing += len(where)

    def faults(self, *, dropped: bool = True) -> list[str]:
        """Return in words what was found, with what may be left out or without; rows are counted from 1."""
        faults = []
        if self.unknown and (dropped or UNKNOWN not in self.dropped):
            cells = [f"{shown_cell(cell)} in row {row:,}" for row, cell in self.first[UNKNOWN]]
            said = f"{first_of(cells, NAMED, self.unknown)}; expected {first_of(self.book.labels, LISTED)}"
            number = f"{self.unknown:,} cell{'s are' if self.unknown > 1 else ' is'} none of the {self.book.what}"
            faults.append(f"{self._place()}{number}: {said}{self._commas()}")
        if self.missing and (dropped or MISSING not in self.dropped):
            rows = first_of([f"{row:,}" for row, _ in self.first[MISSING]], NAMED, self.missing)
            number = f"{self.missing:,} missing value{'s' * (self.missing > 1)}"
            faults.append(f"{self._place()}{number} in row{'s' * (self.missing > 1)} {rows}")
        return faults

    def _place(self) -> str:
        return f"column {shown(self.column)}: " if self.column else ""

    def _commas(self) -> str:
        """Return what helps against decimal commas, if that is what is wrong."""
        for row, cell in self.first[UNKNOWN]:
            if isinstance(cell, str) and _DECIMAL_COMMA.fullmatch(cell):
                pointed = cell.strip().replace(",", ".")
                if self.book.code(pointed) >= 0:
                    which, remedy = (shown(cell), pointed) if are_shown() else (f"that in row {row:,}", "a point")
                    return f"; {which} has a decimal comma: write {remedy}"
        return ""
