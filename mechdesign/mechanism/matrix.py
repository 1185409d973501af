"""Matrices in files: .csv, .npy, or .json with a list of rows; with the labels that a CSV file has."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mechdesign.errors import InputError, Remark
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, USUAL, Dialect, Layout, Sheet, read_sheet
from mechdesign.files.documents import read_json
from mechdesign.files.kinds import TEXT, kind_of
from mechdesign.files.labelled import CORNER, is_word, where_labels
from mechdesign.files.npy import read_npy
from mechdesign.files.numerals import is_numeral, with_decimal_points
from mechdesign.graph.frames import Frame, labels_of, only_count
from mechdesign.graph.labels import Label, positions

ENDINGS = (".csv", ".tsv")
"""Endings of the files that are read as delimited text whatever is in them."""

TITLE = "the first line is unlike the others: if it is a title, leave out what stands above the matrix"


@dataclass(frozen=True)
class Matrix:
    """A matrix of numbers, or of text that is to be numbers.

    Attributes
    ----------
    rows
        an array, or a list of rows of one length.
    inputs, outputs
        the labels of the rows and of the columns, if the file has them.
    words
        how it was read, if not in the usual way.
    dialect
        how its text file is written.
    """

    rows: Any
    inputs: tuple[Label, ...] | None = None
    outputs: tuple[Label, ...] | None = None
    words: tuple[str, ...] = ()
    dialect: Dialect = USUAL

    @property
    def is_square(self) -> bool:
        """Whether there are as many columns as rows."""
        return len(self.rows) > 0 and len(self.rows) == len(self.rows[0])

    def in_order(self, categories: Sequence[Label]) -> "Matrix":
        """Return the matrix with rows, and columns if they are labelled alike, in the order of the categories.

        Labels of one side serve the other too if the matrix is square. Labels that only count are none.

        Raises
        ------
        InputError
            if the rows have labels, and these are not the categories.
        """
        if self.inputs and only_count(self.inputs, categories):
            return replace(self, inputs=None).in_order(categories)
        if self.outputs and only_count(self.outputs, categories):
            return replace(self, outputs=None).in_order(categories)
        rows = self.inputs and positions(self.inputs, categories)
        if self.inputs and rows is None:
            names = ", ".join(shown(label) for label in self.inputs[:8])
            expected = f"expected the categories {shown(tuple(categories))} as labels of the rows"
            raise InputError(f"{expected}, found {names}; leave the labels out if the order is right")
        columns = self.outputs and positions(self.outputs, categories)
        if self.is_square:
            rows, columns = rows or (None if self.inputs else columns), columns or (None if self.outputs else rows)
        table = self.rows if rows is None else [self.rows[row] for row in rows]
        if columns is not None:
            table = [[row[column] for column in columns] for row in table]
        outputs = self.outputs if columns is None else tuple(categories)
        return replace(self, rows=table, inputs=tuple(categories), outputs=outputs)

    def likely_cause(self) -> list[str]:
        """Return what is probably wrong if the cells turn out not to be numbers, in one sentence or none."""
        return list(map(Remark, self._cause()))

    def _cause(self) -> list[str]:
        cells = [cell for row in self.rows for cell in row]
        words = [cell for cell in cells if not _is_number(cell)]
        if not words:
            return []
        if all(cell.endswith("%") and is_numeral(cell[:-1]) for cell in words):
            return ["there are percentages: divide them by 100, and leave the sign out"]
        if not any(words):
            return ["there are empty cells; a line that ends in a delimiter has an empty last cell"]
        if sum(map(bool, self.rows[0])) == 1 and words[0] in self.rows[0] and len(self.rows) > 2:
            return [TITLE]
        for what, lines in (("column", list(zip(*self.rows, strict=True))), ("line", self.rows)):
            if not all(any(cell != "" for cell in line) for line in lines):
                return [f"a whole {what} is empty, as spreadsheets leave it: leave it out"]
        if len(self.rows) > 1 and any(not any(map(_is_number, column)) for column in zip(*self.rows, strict=True)):
            return ["a column holds no numbers; is this a table of records? Then: mechdesign graph from-table"]
        unlabelled = self.inputs is None and self.outputs is None
        return [CORNER] if unlabelled and words[0] == cells[0] and len(words) == 1 else []


def read_matrix(path: str | os.PathLike[str], layout: Layout = RECOGNISED) -> Matrix:
    """Return the matrix in a file: .csv, .tsv or .txt, .npy, or else JSON.

    Raises
    ------
    InputError
        naming the file: no matrix, rows of different lengths, labels that may be numbers.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "matrix.csv"
    >>> _ = file.write_text(";no;yes\\nno;0,75;0,25\\nyes;0,25;0,75\\n")
    >>> read_matrix(file).rows, read_matrix(file).outputs
    ([['0.75', '0.25'], ['0.25', '0.75']], ('no', 'yes'))
    """
    if Path(path).suffix.lower() == ".npy":
        return Matrix(read_npy(path))
    if not is_text(path):
        return matrix_of(read_json(path), source=str(path))
    sheet = read_sheet(path, layout, numbers=True)
    try:
        return _labelled(sheet)
    except InputError as error:
        raise InputError(error.faults, source=str(path)) from None


def matrix_of_frame(frame: Frame, categories: Iterable[Label] = ()) -> Matrix:
    """Return the matrix that a table in memory is, with its labels, if they do more than count.

    Raises
    ------
    InputError
        if two rows, or two columns, have the same label.

    Examples
    --------
    >>> matrix_of_frame(Frame(range(1), ["no", "yes"], [[0.75, 0.25]])).outputs
    ('no', 'yes')
    """
    known = tuple(categories)
    inputs, outputs = labels_of(frame.index, "rows", known), labels_of(frame.columns, "columns", known)
    return Matrix(frame.rows, inputs, outputs)


def is_text(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is read as delimited text."""
    return Path(path).suffix.lower() in ENDINGS or kind_of(path) is TEXT


def matrix_of(document: Any, *, source: str = "") -> Matrix:
    """Return the matrix that a JSON value is.

    Raises
    ------
    InputError
        unless it is a list of rows of one length.
    """
    if not isinstance(document, list) or not all(isinstance(row, list) for row in document):
        raise InputError(f"expected a list of rows of numbers, found {shown(document)}", source=source)
    try:
        _check_even(document)
    except InputError as error:
        raise InputError(error.faults, source=source) from None
    return Matrix(document)


def _check_even(rows: Sequence[Sequence[Any]]) -> None:
    ragged = [i for i, row in enumerate(rows) if len(row) != len(rows[0])]
    if ragged:
        faults = [f"row {i}: expected {len(rows[0])} columns as in row 0, found {len(rows[i])}" for i in ragged]
        named = any(isinstance(cell, str) and is_word(cell) for cell in rows[0])
        alone = named and len(rows) > 2 and len(ragged) == len(rows) - 1 and len({len(row) for row in rows[1:]}) == 1
        raise InputError([TITLE, *faults] if alone else faults)


def _labelled(sheet: Sheet) -> Matrix:
    """Return the numbers of a sheet, and its labels."""
    rows, lines = [], []
    for row, line in zip(sheet.rows, sheet.lines, strict=True):
        if row:
            rows.append([cell.strip() for cell in row])
            lines.append(line)
    if len({len(row) for row in rows[1:]}) == 1 and len(rows[0]) == len(rows[1]) - 1 and all(map(is_word, rows[0])):
        rows[0].insert(0, "")  # R's write.table leaves the corner out
    _check_even(rows)
    top, side = where_labels(rows) if rows else (0, 0)

    def place(i: int, j: int) -> str:
        return f"line {lines[i + top]}, column {j + side + 1}"

    cells, commas = with_decimal_points([row[side:] for row in rows[top:]], place)
    outputs = tuple(rows[0][side:]) if top else None
    inputs = tuple(row[0] for row in rows[top:]) if side else None
    dialect = replace(sheet.dialect, commas=commas)
    words = dialect.words()
    words += ["the first column as labels of the inputs"] * side + ["the first line as labels of the outputs"] * top
    matrix = Matrix(cells, inputs, outputs, tuple(words), dialect)
    faults = _label_faults(inputs or (), "first column") + _label_faults(outputs or (), "first line")
    if faults:
        raise InputError(matrix.likely_cause() + faults)
    return matrix


def _label_faults(labels: Sequence[Label], where: str) -> list[str]:
    twice = [(label, times) for label, times in Counter(labels).items() if times > 1]
    return [f"{where}: the label {shown(label)} is given {times} times" for label, times in twice]


def _is_number(cell: object) -> bool:
    return not isinstance(cell, str) or is_numeral(cell)
