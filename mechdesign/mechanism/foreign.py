"""Mechanisms that others made: matrices in files, read as the exact numbers they hold; and what is said of how."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.arrays import Integers
from mechdesign.errors import InputError, telling
from mechdesign.exact.bounds import float_above
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import short, shown
from mechdesign.files.delimited import RECOGNISED, Layout, read_head, read_sheet, uneven
from mechdesign.files.documents import read_json
from mechdesign.files.kinds import MATRIX, MECHANISM, TEXT, expecting
from mechdesign.files.numerals import with_decimal_points
from mechdesign.graph.frames import Matrix
from mechdesign.graph.labels import Label, Labels
from mechdesign.mechanism.from_matrix import of_matrix
from mechdesign.mechanism.matrix import axes_of, is_text, matrix_of, read_matrix, read_npy
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import mechanism_of
from mechdesign.mechanism.probabilities import integer_rows, likely_cause, noted
from mechdesign.show.answer import Answer, for_programs
from mechdesign.words import first_of

HEADING = ["profile", "category"]
"""What the first two columns of such a CSV file are called; the others are the outputs."""


def is_by_profile(path: str | os.PathLike[str], layout: Layout = RECOGNISED) -> bool:
    """Return whether a file has a matrix for each profile: .npy of three axes, or a CSV file with our heading."""
    try:
        if Path(path).suffix.lower() == ".npy":
            return axes_of(path) == 3
        return read_head(path, layout).rows[0][:2] == HEADING
    except InputError:  # whoever reads it says what is wrong
        return False


def read_by_profile(
    path: str | os.PathLike[str], graph: nx.Graph | None, *, layout: Layout = RECOGNISED, normalise: bool = False
) -> Mechanism:
    """Return the mechanism in such a file, for the profiles of a graph.

    Raises
    ------
    InputError
        without a graph, which alone has the profiles' distributions; or naming the file and what in it does not fit.
    """
    if graph is None:
        lacks = "this file has a matrix for each profile, but not the profiles' distributions"
        raise InputError(f"{lacks}; give the graph that has them (--graph), or the mechanism's own file")
    found = _stacked(path, graph) if Path(path).suffix.lower() == ".npy" else _by_labels(path, graph, layout)
    matrix, index, outputs = found
    rows, totals = integer_rows(matrix, normalise=normalise)
    profiles, categories = list(graph), graph.graph["categories"]
    served = {int(row): (profiles[i], categories[x]) for (i, x), row in np.ndenumerate(index)}
    return Mechanism(graph, outputs, rows, index, noted(totals, served, normalise))


Parts = tuple[Any, Integers, tuple[Label, ...]]
"""Rows; which of them serves which profile and category; the outputs."""


def _stacked(path: str | os.PathLike[str], graph: nx.Graph) -> Parts:
    """Return what is in a .npy file, in the order of the graph."""
    tables = read_npy(path, axes=3)
    categories = tuple(graph.graph["categories"])
    k, d, m = tables.shape
    if (k, d) != (len(graph), len(categories)):
        expected = f"{len(graph)} matrices of {len(categories)} rows, one for each profile and category of the graph"
        raise InputError(f"expected {expected}, found shape {tables.shape}")
    return tables.reshape(k * d, m), np.arange(k * d).reshape(k, d), categories if m == d else tuple(range(m))


def _by_labels(path: str | os.PathLike[str], graph: nx.Graph, layout: Layout) -> Parts:
    """Return what is in a CSV file, by its labels."""
    sheet = read_sheet(path, layout, numbers=True)
    if faults := list(uneven(sheet.filled)):
        raise InputError(faults)
    (_, *places), (heading, *lines) = zip(*sheet.filled, strict=True)
    categories = tuple(graph.graph["categories"])
    with telling(after="; give the mechanism's own file"):
        sides = Labels(graph, "profiles"), Labels(categories, "categories")
    index = np.full((len(graph), len(categories)), -1, dtype=np.int64)
    faults = list(_fill(index, sides, zip(places, lines, strict=True)))
    if not faults:
        missing = ((sides[0].texts[i], sides[1].texts[x]) for i, x in np.argwhere(index < 0).tolist())
        faults = [f"expected a line for profile {shown(one)} and category {shown(x)}, found none" for one, x in missing]
    if faults:
        raise InputError(faults)
    cells, _ = with_decimal_points([line[2:] for line in lines], lambda i, j: f"line {places[i]}, column {j + 3}")
    outputs = tuple(label.strip() for label in heading[2:])
    return cells, index, categories if outputs == tuple(map(str, categories)) else outputs


def _fill(index: Integers, sides: tuple[Labels, Labels], lines: Iterable[tuple[int, list[str]]]) -> Iterator[str]:
    """Enter which line serves which profile and category; yield what is wrong with them."""
    for row, (place, line) in enumerate(lines):
        one, x = (side.place(cell) for cell, side in zip(line[:2], sides, strict=True))
        for cell, found, what in zip(line[:2], (one, x), HEADING, strict=True):
            if found is None:
                yield f"line {place}: {shown(cell.strip())} is not a {what} of the graph"
        if one is not None and x is not None:
            if index[one, x] >= 0:
                names = f"profile {shown(sides[0].texts[one])} and category {shown(sides[1].texts[x])}"
                yield f"line {place}: a second line for {names}"
            index[one, x] = row


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
    with expecting(MECHANISM, MATRIX, TEXT, path=path), telling(source=str(path)):
        if (Path(path).suffix.lower() == ".npy" or is_text(path)) and is_by_profile(path, layout):
            return read_by_profile(path, graph, layout=layout, normalise=normalise)
        if Path(path).suffix.lower() == ".npy" or is_text(path):
            return _mechanism(read_matrix(path, layout), graph, normalise)
        document = read_json(path)
        if not isinstance(document, dict) or "format" not in document:
            return _mechanism(_listed(document), graph, normalise)
        if normalise:
            raise InputError("--normalise: goes with a matrix; this file holds integer weights")
        return mechanism_of(document)


def _listed(document: Any) -> Matrix:
    if isinstance(document, list) and all(isinstance(row, list) for row in document):
        return matrix_of(document)
    expected = f'a mechanism ("format": "{MECHANISM.format}") or a list of rows of numbers'
    raise InputError(f"expected {expected}, found {shown(document)}")


def _mechanism(matrix: Matrix, graph: nx.Graph | None, normalise: bool) -> Mechanism:
    try:
        categories = None if graph is None else graph.graph["categories"]
        if categories is not None and len(matrix.rows) != len(categories):
            expected = f"expected {len(categories)} rows, one for each category {shown(categories)}"
            raise InputError(f"{expected}, found {len(matrix.rows)}")
        mechanism = of_matrix(matrix, categories, normalise=normalise)
    except InputError as error:
        cause = likely_cause(matrix.rows, unlabelled=not matrix.is_labelled)
        faults = [_labelled(fault, matrix.inputs) for fault in error.faults]
        raise InputError(cause + faults) from None
    if matrix.words:
        mechanism.notes["read"] = ", ".join(matrix.words)
    return mechanism


def _labelled(fault: str, inputs: Sequence[Label] | None) -> str:
    """Return a fault of `row 3` with the label that the row has in the file."""
    found = re.match(r"row (\d+)", fault)
    if inputs is None or found is None or not int(found[1]) < len(inputs):
        return fault
    return f"{found[0]} ({shown(inputs[int(found[1])])}){fault[found.end() :]}"


def foreign_summary(mechanism: Mechanism) -> dict[str, Any]:
    """Return the JSON object's part: `read`, how; `normalised`, how many rows, and by how much totals missed 1."""
    rows, miss = normalised(mechanism)
    divided = {
        "rows": len(rows),
        "of": len(mechanism.inputs),
        "largest_miss": None if miss is None else float_above(miss),
    }
    return {"read": _read(mechanism), "normalised": divided if rows or miss is not None else None}


def reading_of(mechanism: Mechanism) -> Answer:
    """Return what is told of it beside what the command found."""
    return Answer(facts=for_programs(foreign_summary(mechanism)), warnings=list(foreign_words(mechanism)))


def foreign_words(mechanism: Mechanism) -> Iterator[str]:
    """Yield the same in sentences."""
    if words := _read(mechanism):
        yield f"Read with {words}."
    rows, miss = normalised(mechanism)
    if miss == 0:
        yield "Nothing to normalise: all totals are 1 exactly."
    elif miss:
        of = f"{len(rows)} of {len(mechanism.inputs)} rows, those of {first_of(rows)}"
        divided = f"{of}, were divided by their totals, which missed 1 by up to {short(miss)}"
        yield f"What follows holds for the normalised matrix, not for the one given: {divided}; all are exactly 1 now."
    elif rows:
        yield f"Normalised exactly to total 1: the rows of {first_of(rows)}."


def _read(mechanism: Mechanism) -> str | None:
    words = mechanism.notes.get("read")
    return words if isinstance(words, str) else None


def normalised(mechanism: Mechanism) -> tuple[list[Any], Fraction | None]:
    """Return the rows that were normalised and by how much a total missed 1, None where nobody asked for it.

    Notes may come from a file, and so be anything.
    """
    rows, miss = mechanism.notes.get("normalised"), mechanism.notes.get("largest_miss")
    try:
        return rows if isinstance(rows, list) else [], None if miss is None else parse_number(miss)
    except InputError:
        return [], None
