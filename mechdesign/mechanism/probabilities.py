"""Matrices of probabilities as exact rows of integer weights: totals of 1 are checked, rounding is normalised away."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact.faults import Faults
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import over_common, parse_entry
from mechdesign.exact.text import format_number
from mechdesign.graph.checks import TOTAL_TOLERANCE
from mechdesign.mechanism.likely_cause import LARGEST_MISS, likely_cause
from mechdesign.privacy.stored_rows import Rows
from mechdesign.words import counted


def integer_rows(matrix: npt.ArrayLike, *, normalise: bool = False) -> tuple[Rows, dict[int, Fraction]]:
    """Return a matrix of probabilities as integer weights, and the exact totals of the rows that had to be normalised.

    Entries are exact: floats are the rationals they are, text is read as a rational. Totals may miss 1 by 1e-9; with
    `normalise`, by 1/100.

    Raises
    ------
    InputError
        listing every entry that is no number >= 0, and every row whose total misses 1 by more; the likely cause first.

    Examples
    --------
    >>> rows, totals = integer_rows([["0.33", "0.66"]], normalise=True)
    >>> rows.exact(0), totals
    (array([1, 2], dtype=object), {0: Fraction(99, 100)})
    """
    allowed = LARGEST_MISS if normalise else TOTAL_TOLERANCE
    doubles = _rows_of_doubles(matrix)
    if doubles is not None and all(abs(total - 1) <= allowed for total in doubles.sums):
        return doubles, {row: total for row, total in enumerate(doubles.sums) if total != 1}
    table = np.asarray(matrix, dtype=object)
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"expected a matrix of rows of probabilities, found shape {table.shape}")
    faults: list[str] = []
    totals: dict[int, Fraction] = {}
    weights = np.zeros(table.shape, dtype=object)
    for i, cells in enumerate(table):
        if not (row := _row(i, cells, faults)):
            continue
        try:
            weights[i], common = over_common(row, f"row {i}: these {counted(len(row), 'probability')}")
        except InputError as error:
            faults += error.faults
            continue
        totals[i] = Fraction(sum(weights[i]), common)
    missed = {i: total for i, total in totals.items() if abs(total - 1) > allowed}
    if faults or missed:
        within = "1/100" if normalise else "1e-9"
        each = [f"row {i}: expected a total of 1 (within {within}), found {_short(t)}" for i, t in missed.items()]
        cause = [] if faults else likely_cause([_row(i, cells, []) for i, cells in enumerate(table)], missed)
        raise InputError([*cause, *faults, *each])
    return Rows(shortest(weights)), {i: total for i, total in totals.items() if total != 1}


def noted(totals: Mapping[int, Fraction], names: Mapping[int, Any] | Sequence[Any], normalise: bool) -> dict[str, Any]:
    """Return what a mechanism notes of the rows that had to be normalised, by their names."""
    notes: dict[str, Any] = {"normalised": [names[row] for row in totals]} if totals else {}
    if normalise:
        notes["largest_miss"] = format_number(max((abs(total - 1) for total in totals.values()), default=Fraction(0)))
    return notes


def _rows_of_doubles(matrix: npt.ArrayLike) -> Rows | None:
    """Return the rows of an array of floats, doubles or shorter, that are all finite and >= 0, otherwise None."""
    floats = isinstance(matrix, np.ndarray) and matrix.dtype in (np.float64, np.float32, np.float16)
    if not floats or matrix.ndim != 2 or matrix.size == 0:  # type: ignore[union-attr]
        return None
    doubles = np.asarray(matrix, dtype=np.float64)  # exact
    return Rows(doubles) if np.isfinite(doubles).all() and np.min(doubles) >= 0 else None


def _row(i: int, cells: Sequence[object], faults: list[str]) -> list[Fraction]:
    """Return a row of probabilities; nothing of it, but faults, unless all are."""
    wrong, limits = Faults(), dict[str, Any](outside="a probability >= 0", at_least=0, parse=parse_entry)
    numbers = [wrong.number(f"row {i}, column {j}", cell, **limits) for j, cell in enumerate(cells)]
    faults += wrong
    return [] if wrong else numbers


def _short(total: Fraction) -> str:
    return f"{float(total):.12g}" if total < 10**300 else "a huge one"
