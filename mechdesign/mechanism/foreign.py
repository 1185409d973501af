"""Mechanisms that others made: matrices in files, read as the exact numbers they hold."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.documents import read_json
from mechdesign.files.kinds import MATRIX, MECHANISM, TEXT, expecting
from mechdesign.graph.frames import Matrix
from mechdesign.graph.labels import Label
from mechdesign.mechanism.by_profile import is_by_profile, read_by_profile
from mechdesign.mechanism.from_matrix import of_matrix
from mechdesign.mechanism.likely_cause import likely_cause
from mechdesign.mechanism.matrix import is_text, matrix_of, read_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import mechanism_of


def read_foreign(
    path: str | os.PathLike[str],
    graph: nx.Graph | None = None,
    *,
    layout: Layout = RECOGNISED,
    normalise: bool = False,
) -> Mechanism:
    """Return the mechanism in a file: mechdesign's own JSON, or a matrix (.csv, .npy, .json with a list of rows).

    A matrix has one row per input and one column per output; with a graph its inputs are the graph's categories. With a
    graph there may also be a matrix for each profile, as `export` writes them.
    The mechanism's notes say what had to be recognised or normalised.

    Parameters
    ----------
    layout
        how a text file is written, where that cannot be recognised.
    normalise
        whether to divide a matrix' rows by their totals, as in `mechanism_from_matrix`.

    Raises
    ------
    InputError
        naming the file, with every fault and its place, the likely cause first.
    """
    with expecting(MECHANISM, MATRIX, TEXT, path=path):
        if (Path(path).suffix.lower() == ".npy" or is_text(path)) and is_by_profile(path, layout):
            return read_by_profile(path, graph, layout=layout, normalise=normalise)
        if Path(path).suffix.lower() == ".npy" or is_text(path):
            return _mechanism(read_matrix(path, layout), graph, normalise, str(path))
        document = read_json(path)
        if not isinstance(document, dict) or "format" not in document:
            return _mechanism(_listed(document, str(path)), graph, normalise, str(path))
        if normalise:
            raise InputError("--normalise: goes with a matrix; this file holds integer weights", source=str(path))
        return mechanism_of(document, source=str(path))


def _listed(document: Any, source: str) -> Matrix:
    if isinstance(document, list) and all(isinstance(row, list) for row in document):
        return matrix_of(document, source=source)
    expected = f'a mechanism ("format": "{MECHANISM.format}") or a list of rows of numbers'
    raise InputError(f"expected {expected}, found {shown(document)}", source=source)


def _mechanism(matrix: Matrix, graph: nx.Graph | None, normalise: bool, source: str) -> Mechanism:
    try:
        categories = None if graph is None else graph.graph["categories"]
        if categories is not None and len(matrix.rows) != len(categories):
            expected = f"expected {len(categories)} rows, one for each category {shown(categories)}"
            raise InputError(f"{expected}, found {len(matrix.rows)}")
        mechanism = of_matrix(matrix, categories, normalise=normalise)
    except InputError as error:
        cause = likely_cause(matrix.rows, unlabelled=not matrix.is_labelled)
        faults = [_labelled(fault, matrix.inputs) for fault in error.faults]
        raise InputError(cause + faults, source=source) from None
    if matrix.words:
        mechanism.notes["read"] = ", ".join(matrix.words)
    return mechanism


def _labelled(fault: str, inputs: Sequence[Label] | None) -> str:
    """Return a fault of `row 3` with the label that the row has in the file."""
    found = re.match(r"row (\d+)", fault)
    if inputs is None or found is None or not int(found[1]) < len(inputs):
        return fault
    return f"{found[0]} ({shown(inputs[int(found[1])])}){fault[found.end() :]}"
