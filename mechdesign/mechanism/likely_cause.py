"""What is probably wrong with rows that are no probabilities: one guess, in one sentence, with its remedy."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mechdesign.errors import Remark
from mechdesign.files.numerals import CORNER, is_numeral, is_word
from mechdesign.graph.checks import TOTAL_TOLERANCE

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
