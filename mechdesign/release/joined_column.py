"""The value of several columns: each is read as labels of its own, and together they are one of a mechanism's."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.release.codebook import MISSING, UNKNOWN, Codebook, Codes
from mechdesign.release.label_columns import LabelColumn


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
