"""A mechanism as matrices of doubles, for programs that take no integers: labelled text, or numpy's own file."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError, telling
from mechdesign.files.numerals import where_labels
from mechdesign.graph.frames import Matrix
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.privacy.stored_rows import Rows


def transition_matrices(mechanism: Mechanism) -> npt.NDArray[np.float64]:
    """Return the probabilities in nearest doubles: d x m where all profiles have the same matrix, else k x d x m.

    Raises
    ------
    InputError
        if it is no mechanism.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> transition_matrices(mechanism_from_matrix([["2/3", "1/3"], ["1/3", "2/3"]])).tolist()
    [[0.6666666666666666, 0.3333333333333333], [0.3333333333333333, 0.6666666666666666]]
    """
    rows = check_mechanism(mechanism).rows.doubles()
    return rows[mechanism.index[0]] if mechanism.one_matrix else rows[mechanism.index]


def in_doubles(mechanism: Mechanism) -> Mechanism:
    """Return the mechanism that whoever reads `transition_matrices` has: doubles, divided by their exact totals.

    It is another mechanism, whose privacy is its own: certify it.

    Raises
    ------
    InputError
        if it is no mechanism.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> exact = mechanism_from_matrix([["7/10", "3/10"], ["3/10", "7/10"]])
    >>> in_doubles(exact).row(0, 0)[0] - exact.row(0, 0)[0]
    Fraction(-1, 180143985094819830)
    """
    check_mechanism(mechanism)
    return replace(mechanism, rows=Rows(mechanism.rows.doubles()))


def matrices_as_csv(mechanism: Mechanism) -> str:
    """Return `transition_matrices` as CSV, the outputs in the first line, the categories in the first column.

    Where each profile has its own matrix, these stand one below the other, and the profiles in a column before. Each
    double is written to its last digit, so that programs which read decimals find the same number as those which read
    doubles.

    Raises
    ------
    InputError
        if it is no mechanism, or its labels would not be read back as they are.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> print(matrices_as_csv(mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])), end="")
    ,no,yes
    no,0.75,0.25
    yes,0.25,0.75
    """
    tables = transition_matrices(mechanism)
    profiles, categories, outputs = (
        [str(label) for label in labels] for labels in (mechanism.profiles, mechanism.categories, mechanism.outputs)
    )
    for place, labels in (("profiles", profiles), ("categories", categories), ("outputs", outputs)):
        if len({label.strip() for label in labels} - {""}) < len(labels):
            raise InputError(f"{place}: as text in CSV two would be the same, or one blank; --to npy has no labels")
    if mechanism.one_matrix:
        return matrix_as_csv(Matrix(tables, tuple(categories), tuple(outputs)))
    lines = [["profile", "category", *outputs]]
    for profile, table in zip(profiles, tables, strict=True):
        lines += [[profile, *line] for line in _lines(categories, table)]
    return _text(lines)


def matrix_as_csv(matrix: Matrix) -> str:
    """Return one matrix as CSV, with its labels and in its dialect: every double to its last digit, decimals as is.

    Raises
    ------
    InputError
        if the labels would not be told from numbers.

    Examples
    --------
    >>> print(matrix_as_csv(Matrix(np.array([[0.75, 0.25], [0.25, 0.75]]), outputs=("no", "yes"))), end="")
    no,yes
    0.75,0.25
    0.25,0.75
    """
    top, side = int(matrix.outputs is not None), int(matrix.inputs is not None)
    lines = [line[1 - side :] for line in _lines(list(map(str, matrix.inputs or [""] * len(matrix.rows))), matrix.rows)]
    if matrix.outputs is not None:
        lines.insert(0, [""] * side + list(map(str, matrix.outputs)))
    _check(lines, (top, side))
    if matrix.dialect.commas:
        lines[top:] = [line[:side] + [cell.replace(".", ",") for cell in line[side:]] for line in lines[top:]]
    return _text(lines, matrix.dialect.delimiter)


def _text(lines: list[list[str]], delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _lines(categories: Sequence[str], table: npt.NDArray[Any]) -> list[list[str]]:
    return [
        [category, *(str(Decimal(p)) for p in row.tolist())] for category, row in zip(categories, table, strict=True)
    ]


def _check(lines: list[list[str]], labels: tuple[int, int]) -> None:
    """Raise unless `read_matrix` knows labels from numbers."""
    with telling("labels: ", " --to npy has no labels"):
        found = where_labels(lines)
    if found != labels:
        raise InputError("labels: as text in CSV they would not be told from numbers; --to npy has no labels")
