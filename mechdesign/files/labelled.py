"""Which line and column of a matrix in a text file hold labels.

Labels are recognised where nothing else can be meant:

- an empty corner, as R and pandas leave it: the first line names the outputs, the first column the inputs;
- a first line, a first column, or both, of which no cell is a number (but for the corner).
"""

from collections.abc import Sequence

from mechdesign.errors import InputError
from mechdesign.files.numerals import is_numeral

CORNER = "if the first line and the first column hold labels, leave the corner between them empty"


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
