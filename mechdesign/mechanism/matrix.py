"""Matrices in files: .csv, .npy, or .json with a list of rows; with the labels that a CSV file has."""

import os
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError, Remark, telling
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout, Sheet, read_sheet
from mechdesign.files.documents import read_json
from mechdesign.files.kinds import TEXT, kind_of
from mechdesign.files.numerals import is_word, where_labels, with_decimal_points
from mechdesign.files.opening import opened
from mechdesign.graph.frames import Matrix, uneven_rows
from mechdesign.graph.labels import Label
from mechdesign.mechanism.probabilities import likely_cause

UNREADABLE = (ValueError, TypeError, KeyError, SyntaxError, TokenError, OverflowError, RecursionError, MemoryError)
"""What numpy raises about headers, which are Python's literals."""


def axes_of(path: str | os.PathLike[str]) -> int:
    """Return how many axes the array in a .npy file has.

    Raises
    ------
    InputError
        naming the file, if it is none.
    """
    return _mapped(path).ndim


def read_npy(path: str | os.PathLike[str], *, axes: int = 2) -> npt.NDArray[Any]:
    """Return the matrix of numbers in a .npy file, or a stack of them; objects and archives of arrays are refused.

    Raises
    ------
    InputError
        naming the file: no such array, or one larger than the file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".npy") as file:
    ...     np.save(file, np.eye(2))
    ...     file.flush()
    ...     read_npy(file.name).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    found = _mapped(path)
    if found.ndim != axes or not found.size or found.dtype.kind not in "fiu":
        found_other = f"found shape {found.shape}, type {found.dtype}"
        raise InputError(f"expected a matrix of numbers, {found_other}", source=str(path))
    return np.array(found)


def _mapped(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    with opened(path), warnings.catch_warnings(action="ignore"):  # of headers that Python 2 wrote
        try:
            return np.lib.format.open_memmap(path, mode="r")
        except UNREADABLE:
            expected = "expected a numpy array of numbers in .npy format"
            raise InputError(f"{expected}; is the file cut short, of objects, or of another kind?") from None


ENDINGS = (".csv", ".tsv")
"""Endings of the files that are read as delimited text whatever is in them."""

RECORDS = (
    "a label and one more cell a line: are these draws of a mechanism, not the mechanism? Then mechdesign graph"
    " from-table takes the shares, with bounds (--confidence); certify judges these, with a matrix that changes nothing"
)


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
    with telling(source=str(path)):
        return _labelled(read_sheet(path, layout, numbers=True)) if is_text(path) else matrix_of(read_json(path))


def is_text(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is read as delimited text."""
    return Path(path).suffix.lower() in ENDINGS or kind_of(path) is TEXT


def matrix_of(document: Any) -> Matrix:
    """Return the matrix that a JSON value is.

    Raises
    ------
    InputError
        unless it is a list of rows of one length.
    """
    if not isinstance(document, list) or not all(isinstance(row, list) for row in document):
        raise InputError(f"expected a list of rows of numbers, found {shown(document)}")
    _check_even(document)
    return Matrix(document)


def _check_even(rows: Sequence[Sequence[Any]]) -> None:
    if uneven := uneven_rows(rows):
        raise InputError(likely_cause(rows) + uneven)


def _labelled(sheet: Sheet) -> Matrix:
    """Return the numbers of a sheet, and its labels."""
    lines = [line for line, _ in sheet.filled]
    rows = [[cell.strip() for cell in row] for _, row in sheet.filled]
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
        drawn = inputs is not None and len(cells[0]) == 1
        raise InputError(([Remark(RECORDS)] if drawn else likely_cause(cells)) + faults)
    return matrix


def _label_faults(labels: Sequence[Label], where: str) -> list[str]:
    twice = [(label, times) for label, times in Counter(labels).items() if times > 1]
    return [f"{where}: the label {shown(label)} is given {times} times" for label, times in twice]
