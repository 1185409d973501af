"""Mechanisms that others made: matrices in files, read as the exact numbers they hold."""

import csv
import os
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact import parse_number, shown
from mechdesign.files import opened_text, read_json
from mechdesign.mechanism import FORMAT, Mechanism, mechanism_from_matrix, mechanism_of
from mechdesign.npy import read_npy


def read_foreign(path: str | os.PathLike[str], graph: nx.Graph | None = None) -> Mechanism:
    """Return the mechanism in a file: mechdesign's own JSON, or a matrix (.csv, .npy, .json with a list of rows).

    A matrix has one row per input and one column per output; with a graph its inputs are the graph's categories.

    Raises
    ------
    InputError
        naming the file, with every fault and its place.
    """
    ending = Path(path).suffix.lower()
    if ending == ".npy":
        matrix: Any = read_npy(path)
    elif ending == ".csv":
        matrix = _read_csv(path)
    else:
        matrix = read_json(path)
        if isinstance(matrix, dict) and "format" in matrix:
            return mechanism_of(matrix, source=str(path))
        if not isinstance(matrix, list) or not all(isinstance(row, list) for row in matrix):
            expected = f'a mechanism ("format": "{FORMAT}") or a list of rows of numbers'
            raise InputError(f"expected {expected}, found {shown(matrix)}", source=str(path))
    try:
        ragged = [i for i, row in enumerate(matrix) if len(row) != len(matrix[0])]
        if ragged:
            raise InputError(
                [f"row {i}: expected {len(matrix[0])} columns as in row 0, found {len(matrix[i])}" for i in ragged]
            )
        categories = None if graph is None else graph.graph["categories"]
        if categories is not None and len(matrix) != len(categories):
            found = f"found {len(matrix)}"
            raise InputError(f"expected {len(categories)} rows, one for each category {shown(categories)}, {found}")
        return mechanism_from_matrix(matrix, inputs=categories)
    except InputError as error:
        raise InputError(error.faults, source=str(path)) from None


def _read_csv(path: str | os.PathLike[str]) -> list[list[str]]:
    """Return the rows of a CSV file of numbers, without headings."""
    try:
        with opened_text(path, "a CSV file of numbers") as file:
            rows = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    except csv.Error:
        raise InputError("expected a CSV file of numbers", source=str(path)) from None
    if len(rows) > 1 and not any(map(_is_number, rows[0])) and all(map(_is_number, rows[1])):
        raise InputError(f"expected numbers only, found a header row {shown(rows[0])}; leave it out", source=str(path))
    return rows


def _is_number(cell: str) -> bool:
    try:
        parse_number(cell)
    except InputError:
        return False
    return True
