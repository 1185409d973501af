"""Cells that are written as numbers, be it with a decimal comma.

0,5 can mean nothing else than a half. 1,234 could be a thousand, unless another cell, such as 0,5, settles it.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import are_shown, shown, shown_cell

_NUMERAL = re.compile(r"[+-]?[\d.,]*\d([eE][+-]?\d+)?")

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")

_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")

CORNER = "if the first line and the first column hold labels, leave the corner between them empty"


def is_numeral(cell: str) -> bool:
    """Return whether a cell is written as a number, be it with a decimal comma.

    Examples
    --------
    >>> is_numeral("0,5"), is_numeral("1/2"), is_numeral("no")
    (True, True, False)
    """
    if "," in cell:
        return _NUMERAL.fullmatch(cell.strip()) is not None
    try:
        parse_number(cell)
    except InputError:
        return False
    return True


def with_decimal_points(
    rows: Sequence[Sequence[str]], place: Callable[[int, int], str], *, are_data: bool = False
) -> tuple[list[list[str]], bool]:
    """Return rows of cells with a point for each decimal comma, and whether there were any.

    What is no number stays as it is. `place(i, j)` names the cell j of row i in a message; cells that `are_data` are
    named by their place alone.

    Raises
    ------
    InputError
        naming the cells in which a comma may separate thousands, or that hold both a comma and a point.

    Examples
    --------
    >>> with_decimal_points([["0,5", "1,000"]], lambda i, j: f"cell {j}")
    ([['0.5', '1.000']], True)
    """
    found = [(i, j, cell.strip()) for i, row in enumerate(rows) for j, cell in enumerate(row) if "," in cell]
    commas = [(i, j, cell) for i, j, cell in found if _NUMERAL.fullmatch(cell)]
    if not commas:
        return [list(row) for row in rows], False
    settled = any(_DECIMAL_COMMA.fullmatch(cell) and not _THOUSANDS.fullmatch(cell) for _, _, cell in commas)
    faults = [f"{place(i, j)}: {fault}" for i, j, cell in commas if (fault := _fault(cell, settled, are_data))]
    pointed = ((i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if "." in cell and is_numeral(cell))
    if not faults and (point := next(pointed, None)):
        i, j, cell = commas[0]
        quoted = shown_cell if are_data else shown
        there = f"a point in {quoted(rows[point[0]][point[1]])} ({place(*point)})"
        faults.append(f"{place(i, j)}: a decimal comma in {quoted(cell)}, but {there}; write all in one way")
    if faults:
        raise InputError(faults)
    result = [list(row) for row in rows]
    for i, j, cell in commas:
        result[i][j] = cell.replace(",", ".")
    return result, True


def column_with_points(cells: Sequence[Any], row: Callable[[int], int] = lambda place: place + 1) -> list[Any]:
    """Return a column with a point for each decimal comma in text; `row` numbers the cells, from 1 unless given.

    Raises
    ------
    InputError
        as `with_decimal_points` does.

    Examples
    --------
    >>> column_with_points(["2,5", 3])
    ['2.5', 3]
    """
    texts = [[cell if isinstance(cell, str) else ""] for cell in cells]
    read, _ = with_decimal_points(texts, lambda i, _: f"row {row(i)}", are_data=True)
    return [text if isinstance(cell, str) else cell for cell, (text,) in zip(cells, read, strict=True)]


def _fault(cell: str, settled: bool, are_data: bool) -> str:
    """Return what is wrong with a number that has a comma, or nothing."""
    if not _DECIMAL_COMMA.fullmatch(cell):
        found = shown_cell(cell) if are_data else shown(cell)
        return f"found {found}; write numbers without separators of thousands"
    if _THOUSANDS.fullmatch(cell) and not settled:
        if are_data and not are_shown():
            return "the comma may be that of decimals or of thousands; write the number that is meant"
        return f"{shown(cell)} may be {cell.replace(',', '.')} or {cell.replace(',', '')}; write the one that is meant"
    return ""


def where_labels(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return how many lines, and how many columns, hold labels: 0 or 1 each.

    Raises
    ------
    InputError
        if they may hold numbers as well.
    """
    top, side = rows[0], [row[0] for row in rows]
    high, wide = len(rows) > 1, len(top) > 1
    if high and wide and not top[0] and all(top[1:]) and all(side[1:]):
        return 1, 1
    names_top, names_side = (all(map(is_word, cells[1:])) for cells in (top, side))
    if high and wide and names_top and names_side:
        return 1, 1
    if high and names_top and is_word(top[0]) and all(map(is_numeral, side[1:])):
        if wide and len(rows) - 1 != len(top) and _may_count(side[1:]):
            raise InputError(f"the first line holds labels; it is not clear if the first column does: {CORNER}")
        return 1, 0
    if high and wide and names_side and is_word(side[0]) and all(map(is_numeral, top[1:])):
        if len(rows) != len(top) - 1 and _may_count(top[1:]):
            raise InputError(f"the first column holds labels; it is not clear if the first line does: {CORNER}")
        return 0, 1
    return 0, 0


def is_word(cell: str) -> bool:
    """Return whether a cell can be a label alone: no number, nor what may have been meant as one."""
    try:
        float(cell.rstrip("%"))  # takes nan and inf too
    except ValueError:
        return bool(cell) and not is_numeral(cell.rstrip("%"))
    return False


def _may_count(cells: Sequence[str]) -> bool:
    """Return whether these are different integers, as labels may be."""
    return len(set(cells)) == len(cells) and all(cell.isdecimal() for cell in cells)
