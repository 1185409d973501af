"""Which label of a mechanism a cell of data is.

A cell is a label if it is written like it: the category 3 is the integer 3 as well as the text "3" or the number 3.0,
and the point (1, 2) of a grid is the text "(1, 2)". Text is taken as it stands, or else without the blanks around it.
What is no label is missing (null, NaN, blank, a word such as NA) or unknown.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.errors import InputError
from mechdesign.graph.cell_labels import MISSING_WORDS, Reading, label_of, missing_as
from mechdesign.graph.from_table.distinct import encoded
from mechdesign.graph.labels import Label, Labels
from mechdesign.release.sampling import BLOCK

Codes: TypeAlias = npt.NDArray[np.int32]
"""Positions of labels, or UNKNOWN, or MISSING."""

UNKNOWN, MISSING = -1, -2

WIDEST = 1 << 20
"""Integers from the least to the largest of the labels are looked up in a table of at most so many."""

_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
"""Integers of less than 64 bits as they are usually written: not 007."""


class Codebook(Labels):
    """Labels that cells are turned into positions of.

    Parameters
    ----------
    names, what
        as of `Labels`: the categories of a mechanism, say.
    missing_words
        text that means missing, unless it is a label.

    Raises
    ------
    InputError
        if two labels are written alike.

    Examples
    --------
    >>> Codebook(["no", "yes", 3], "categories").codes(pa.array([" yes", "no", "3", "perhaps", None])).tolist()
    [1, 0, 2, -1, -2]
    """

    def __init__(self, names: Iterable[Label], what: str, missing_words: Iterable[str] = MISSING_WORDS) -> None:
        super().__init__(names, what)
        self.missing_words = tuple(missing_words)
        self._words = Reading(missing_words=self.missing_words).folded
        self._lowest, self._integers = _integer_table(self.texts)

    def code(self, cell: Any) -> int:
        """Return the position of the label that a cell is, or UNKNOWN, or MISSING."""
        how = missing_as(cell, self._words)
        if how is not None and not isinstance(cell, str):
            return MISSING
        text = cell if isinstance(cell, str) else str(label_of(cell))
        place = self.place(text)
        return place if place is not None else UNKNOWN if how is None else MISSING

    def codes(self, column: pa.Array | list[Any]) -> Codes:
        """Return the positions of the labels in a column, or UNKNOWN, or MISSING; a list may hold whatever."""
        if isinstance(column, list):
            return self._of_cells(column)
        if pa.types.is_integer(column.type) and self._integers is not None:
            return self._of_integers(column)
        cells, places = encoded(column)
        codes: Codes = self._of_cells(cells).take(places)
        return codes

    def _of_cells(self, cells: Iterable[Any]) -> Codes:
        """Return the positions of Python values, lists taken as points of a grid."""
        points = (tuple(cell) if isinstance(cell, list) else cell for cell in cells)
        return np.fromiter((self.code(cell) for cell in points), np.int32)

    def _of_integers(self, column: pa.Array) -> Codes:
        assert self._integers is not None
        if column.null_count:
            present = column.fill_null(0).to_numpy(zero_copy_only=False)
            return np.where(column.is_null().to_numpy(zero_copy_only=False), MISSING, self._of_numbers(present))
        return self._of_numbers(column.to_numpy())

    def _of_numbers(self, cells: npt.NDArray[Any]) -> Codes:
        """Return the positions of integers."""
        assert self._integers is not None
        if cells.dtype == np.uint64:
            cells = np.minimum(cells, np.uint64(2**63 - 1))
        # Both ends of the table are UNKNOWN; a difference that wraps around is none of the places between them.
        places: npt.NDArray[np.int64] = np.subtract(cells, self._lowest - 1, dtype=np.int64)
        return self._integers.take(places, mode="clip")


class Groups(Codebook):
    """Labels as they occur, at most so many.

    Examples
    --------
    >>> towns = Groups("groups", 10)
    >>> towns.codes(["Ulm", "Jena", "Ulm"]).tolist(), towns.names
    ([0, 1, 0], ('Ulm', 'Jena'))
    """

    def __init__(self, what: str, most: int, missing_words: Iterable[str] = MISSING_WORDS) -> None:
        super().__init__((), what, missing_words)
        self.most = most
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
            if len(self._groups) == self.most:
                raise InputError(f"expected at most {self.most:,} {self.what}, found more")
            self._groups[label] = len(self._groups)
        return self._groups[label]


def _is_key(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:  # a list within, or a record
        return False
    return True


def _integer_table(texts: Sequence[str]) -> tuple[int, Codes | None]:
    """Return the least integer among the labels and the codes from the one before it on; None if they lie far apart."""
    integers = {int(text): place for place, text in enumerate(texts) if _INTEGER.fullmatch(text)}
    lowest, highest = min(integers, default=0), max(integers, default=0)
    if not integers or highest - lowest > WIDEST:
        return 0, None
    table = np.full(highest - lowest + 3, UNKNOWN, np.int32)
    for integer, place in integers.items():
        table[integer - lowest + 1] = place
    return lowest, table


def released_type(labels: Sequence[Label]) -> pa.DataType:
    """Return the type of a column of such labels: integers, or text in a dictionary of all of them."""
    return pa.int64() if are_integers(labels) else pa.dictionary(pa.int32(), pa.string())


def are_integers(labels: Sequence[Label]) -> bool:
    """Return whether all labels are integers of 64 bits."""
    return all(isinstance(label, int) and -(2**63) <= label < 2**63 for label in labels)


def column_of(codes: npt.NDArray[Any], labels: Sequence[Label]) -> pa.Array:
    """Return a column of labels given by their positions; the dictionary of text has all, in their order."""
    if are_integers(labels):
        return pa.array(taken(np.array(labels, np.int64), codes))
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array([str(one) for one in labels]))


def taken(labels: npt.NDArray[Any], codes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return labels given by their positions; block by block, as numpy makes wide integers of the positions first."""
    result: npt.NDArray[Any] = np.empty(len(codes), labels.dtype)
    if labels.dtype == np.int64 and (np.diff(labels) == 1).all():  # such as 0, 1, 2, ...: five times as fast
        np.add(codes, labels[:1], out=result)
        return result
    for start in range(0, len(codes), BLOCK):
        block = slice(start, start + BLOCK)
        labels.take(codes[block], out=result[block], mode="clip")
    return result
