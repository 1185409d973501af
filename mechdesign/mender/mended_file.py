"""The files of a mended mechanism: ours, or the matrix of doubles that others load, as private as it is said to be."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.certificate.certificate_file import certificate_writer
from mechdesign.certifier.certify import certify
from mechdesign.errors import InputError, SolverError, telling
from mechdesign.exact.text import format_number
from mechdesign.files.delimited import RECOGNISED, USUAL, Dialect, Layout
from mechdesign.files.documents import json_writer
from mechdesign.files.kinds import MECHANISM, kind_of
from mechdesign.files.writing import Write, write_together
from mechdesign.graph.frames import Matrix
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.matrix import is_text, read_matrix
from mechdesign.mechanism.mechanism_file import mechanism_document
from mechdesign.mender.mended import Mended
from mechdesign.release.transition_matrices import matrix_as_csv

MATRICES = (".csv", ".npy")


def write_mended(
    result: Mended, source: str, layout: Layout, mechanism: str | None, certificate: str | None
) -> Dialect:
    """Write a mended mechanism and its certificate, where they are wanted: both or neither; return how it is written.

    A matrix has the order and the labels of the file that was mended, `source`, and as text its delimiter, encoding and
    decimal commas. It is read back and certified before it takes its name.

    Raises
    ------
    InputError
        if there is no certificate, labels would not be read back as they are, or a file cannot be written.
    """
    files: list[tuple[str, Write]] = []
    dialect = USUAL
    if certificate is not None:
        files.append((certificate, certificate_writer(_certificate(result, certificate, mechanism), certificate)))
    if mechanism is not None and Path(mechanism).suffix.lower() not in MATRICES:
        files.append((mechanism, json_writer(mechanism_document(result.mechanism), mechanism)))
    elif mechanism is not None:
        with telling(after=", and .json any", source=mechanism):
            write, dialect = _writer(result, source, layout, mechanism)
        files.append((mechanism, write))
    write_together(*files)
    return dialect


def _certificate(result: Mended, path: str, mechanism: str | None) -> object:
    rest = "" if mechanism is None else "; nothing was written; without --certificate the mechanism is"
    with telling(after=rest, source=path):
        return result.certificate


def _writer(result: Mended, source: str, layout: Layout, path: str) -> tuple[Write, Dialect]:
    """Return what writes the numbers, and reads them back; and in which dialect."""
    matrix = _as_in_file(result, source, layout)
    if Path(path).suffix.lower() == ".npy":
        if not np.array_equal(matrix.rows, _numbers(result)):
            expected = "expected the matrix in the order of the graph's categories, as a .npy file holds no labels"
            raise InputError(f"{expected}, found the labels of {source} in another; a .csv file holds these")
        return _checked(result, lambda beside: np.save(beside, matrix.rows), USUAL), USUAL
    dialect, text = matrix.dialect, matrix_as_csv(matrix)
    mark = "\ufeff" * dialect.encoding.lower().startswith("utf-16-")  # by which it is recognised again
    content = (mark + text).encode(dialect.encoding, errors="backslashreplace")
    return _checked(result, lambda beside: beside.write_bytes(content), dialect), dialect


def _as_in_file(result: Mended, source: str, layout: Layout) -> Matrix:
    """Return the numbers with the labels of the file that was mended, in its order."""
    mechanism, table = result.mechanism, _numbers(result)
    if not is_text(source):
        ours = kind_of(source) is MECHANISM
        return Matrix(table, mechanism.categories, mechanism.outputs) if ours else Matrix(table)
    file = read_matrix(source, layout)
    if _is_alone(result):
        return replace(file, rows=table)
    numbered = np.arange(table.size).reshape(table.shape).tolist()
    places = np.array(replace(file, rows=numbered).in_order(mechanism.categories).rows)
    ordered = np.zeros(table.size, table.dtype)
    ordered[places.ravel()] = table.ravel()
    return replace(file, rows=ordered.reshape(table.shape))


def _is_alone(result: Mended) -> bool:
    """Return whether every pair of the file's own rows was asked about."""
    return result.asked.every_pair and result.asked.profiles is result.given.graph


def _numbers(result: Mended) -> npt.NDArray[Any]:
    """Return the matrix in doubles, or in decimals where it has these."""
    mechanism = result.mechanism
    if (doubles := mechanism.rows.given_doubles) is not None:
        return np.asarray(doubles[mechanism.index[0]])
    assert result.digits is not None  # whatever is written as a matrix is one of the two
    rows = mechanism.rows.table(mechanism.index[0])
    steps = 10**result.digits
    cells = [[format_number(Fraction(int(w) * steps // int(row.sum()), steps)) for w in row] for row in rows]
    return np.array([[Decimal(cell) for cell in row] for row in cells], dtype=object)


def _checked(result: Mended, write: Callable[[Path], object], dialect: Dialect) -> Write:
    """Return what writes a file and certifies what is read from it: its numbers decide, whatever led to them."""
    layout = RECOGNISED if dialect == USUAL else dialect.layout

    def written(beside: Path) -> None:
        write(beside)
        graph = None if _is_alone(result) else result.asked
        found = read_foreign(beside, None if graph is None else graph.profiles, layout=layout)
        verdict = certify(found, graph, epsilon=result.epsilon, delta=result.delta)
        same = all(
            found.row(found.profiles[0], x) == result.mechanism.row(result.mechanism.profiles[0], y)
            for x, y in zip(found.categories, result.mechanism.categories, strict=True)
        )
        if not (verdict.private and same):
            raise SolverError("the numbers written are not read back as they were; please report this mechanism")

    return written
