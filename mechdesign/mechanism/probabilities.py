"""Matrices of probabilities as exact rows of integer weights, and what is probably wrong with rows that are none.

Totals of 1 are checked, and rounding is normalised away; the cause is one guess, in one sentence, with its remedy.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError, Remark
from mechdesign.exact.faults import Faults
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import over_common, parse_entry
from mechdesign.exact.text import format_number
from mechdesign.files.numerals import CORNER, is_numeral, is_word
from mechdesign.graph.checks import TOTAL_TOLERANCE
from mechdesign.graph.frames import uneven_rows
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
    if uneven := uneven_rows(matrix):
        raise InputError(uneven)
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


LARGEST_MISS = Fraction(1, 100)
"""By how much a row's total may miss 1 where it is to be normalised: two decimals, or half floats, of dozens of entries
stay within it; percentages and counts do not."""

MOST_DECIMALS = 15
"""Numbers with as many, or with none that end, are floats of some width; nobody knows how they were rounded."""

TITLE = "the first line is unlike the others: if it is a title, leave out what stands above the matrix"


def likely_cause(
    rows: Sequence[Sequence[Any]], missed: Mapping[int, Fraction] | None = None, *, unlabelled: bool = False
) -> list[str]:
    """Return the likely cause: that rows are uneven, else that cells are no numbers, else that totals are not 1.

    Parameters
    ----------
    rows
        cells; numbers where all are.
    missed
        the totals that are not 1, of all rows in numbers.
    unlabelled
        whether they are from a file in which no labels were found.

    Examples
    --------
    >>> likely_cause([["50%", "50%"]]), likely_cause([[Fraction(3), Fraction(9)]], {0: Fraction(12)})[0][:16]
    (['there are percentages: divide them by 100, and leave the sign out'], 'these are counts')
    """
    words = [cell for row in rows for cell in row if isinstance(cell, str) and not is_numeral(cell)]
    if len({len(row) for row in rows}) > 1:
        found = _of_widths(rows)
    elif words:
        found = _of_words(rows, words, unlabelled)
    else:
        found = _of_totals(rows, missed) if missed else ""
    return [Remark(found)] if found else []


def _of_widths(rows: Sequence[Sequence[Any]]) -> str:
    named = any(isinstance(cell, str) and is_word(cell) for cell in rows[0])
    return TITLE if named and len(rows) > 2 and len({len(row) for row in rows[1:]}) == 1 else ""


def _of_words(rows: Sequence[Sequence[Any]], words: Sequence[str], unlabelled: bool) -> str:
    if all(cell.endswith("%") and is_numeral(cell[:-1]) for cell in words):
        return "there are percentages: divide them by 100, and leave the sign out"
    if not any(words):
        return "there are empty cells; a line that ends in a delimiter has an empty last cell"
    if sum(map(bool, rows[0])) == 1 and words[0] in rows[0] and len(rows) > 2:
        return TITLE
    columns = list(zip(*rows, strict=True))
    for what, lines in (("column", columns), ("line", rows)):
        if not all(any(cell != "" for cell in line) for line in lines):
            return f"a whole {what} is empty, as spreadsheets leave it: leave it out"
    if len(rows) > 1 and any(
        all(isinstance(cell, str) and (is_word(cell) or not cell) for cell in one) for one in columns
    ):
        return (
            "a column holds no numbers; is this a table of records? Then: mechdesign graph from-table; a matrix has a"
            " row for each input and a column for each output: of a line for each pair pandas' pivot makes one"
        )
    return CORNER if unlabelled and len(words) == 1 and words[0] == rows[0][0] and is_word(words[0]) else ""


def _of_totals(rows: Sequence[Sequence[Fraction]], missed: Mapping[int, Fraction]) -> str:
    largest = max(abs(total - 1) for total in missed.values())
    if largest <= LARGEST_MISS:
        by = f"{len(missed)} of {len(rows)} totals miss 1 by up to {float(largest):.12g}"
        may_be = all(abs(total - 1) <= _by_rounding(rows[i]) for i, total in missed.items())
        why = ", as rounding does" if may_be else ", more than rounding accounts for; is a number mistyped?"
        return f"{by}{why}{':' if may_be else ' If not,'} normalise=True divides each row by its exact total"
    if len(rows[0]) > 1 and _all_are_1(row[1:] for row in rows):
        return "without the first column all totals are 1: if it numbers the rows, leave it out"
    if len(rows[0]) > 2 and all(_has_its_total(row) for row in rows):
        return "the last column is the total of the others: leave it out"
    if 0 in missed and len(rows) > 1 and _counts(rows[0]):
        return "the first row numbers the columns: leave it out"
    if _all_are_1(zip(*rows, strict=True)):
        return "the columns have total 1, not the rows: transpose the matrix; a row is for an input"
    if all(abs(sum(row, Fraction(-100))) <= 100 * LARGEST_MISS for row in rows):
        return "the rows have total 100: these are percentages; divide them by 100"
    if all(mass.denominator == 1 for row in rows for mass in row) and all(total > 1 for total in missed.values()):
        return "these are counts, not probabilities: what was drawn from a mechanism is not the mechanism"
    return ""


def _by_rounding(row: Sequence[Fraction]) -> Fraction:
    """Return by how much a total may miss 1 where each number is rounded to as many decimals as the longest has."""
    decimals = (n for n in range(MOST_DECIMALS) if all(10**n % mass.denominator == 0 for mass in row))
    fewest = next(decimals, None)
    return LARGEST_MISS if fewest is None else Fraction(len(row), 2 * 10**fewest)


def _all_are_1(rows: Iterable[Sequence[Fraction]]) -> bool:
    return all(abs(sum(row, Fraction(-1))) <= TOTAL_TOLERANCE for row in rows)


def _counts(numbers: Sequence[Fraction]) -> bool:
    return all(number == numbers[0] + j for j, number in enumerate(numbers)) and numbers[0] in (0, 1)


def _has_its_total(row: Sequence[Fraction]) -> bool:
    return all(abs(share - 1) <= LARGEST_MISS for share in (row[-1], sum(row[:-1], Fraction(0))))
