"""The tables of an answer in lines and columns: what a terminal and a page have in common."""

from collections.abc import Sequence
from typing import Any

from mechdesign.show.answer import Fact
from mechdesign.show.answer import Table as AnswerTable
from mechdesign.show.blocks import Table
from mechdesign.show.fact_numbers import Number, Within, number_of


def table_of(table: AnswerTable, most: int, *, folded: bool = False) -> Table:
    """Return a table's first lines, without columns that say nothing; a range takes two columns.

    Examples
    --------
    >>> from mechdesign.show.answer import Column
    >>> columns = [Column("a", "who"), Column("b", "share"), Column("c", "note")]
    >>> rows = [["x", Within(0.5, 0.75), None], ["y", Within(0.1, 0.2), None]]
    >>> found = table_of(AnswerTable("", "", columns, rows), 1)
    >>> found.headings, [cell.words() for cell in found.rows[0]], found.note
    (['who', 'share: at least', 'at most'], ['x', '0.5', '0.75'], 'the first 1 of 2; --json has all')
    """
    seen = [place for place, column in enumerate(table.columns) if column.words]
    columns = []
    for place in seen:
        cells = [number_of(row[place]) for row in table.rows[: table.totals + most]]
        columns += _columns(table.columns[place].words, cells)
    first, *others = zip(*columns, strict=True)
    headings, lines = telling(first, others)
    note = table.note
    number = len(table.rows) - table.totals
    if number > most:
        rest = f"the first {most} of {number:,}; --json has all"
        note = f"{note.removesuffix('.')}; {rest}" if note else rest
    return Table(table.title, headings, lines, note=note, folded=folded)


def _columns(heading: str, cells: Sequence[Number]) -> list[list[Any]]:
    """Return a column with its heading; or two, if there are ranges in it."""
    if not any(isinstance(cell, Within) for cell in cells):
        return [[heading, *cells]]
    ends = [cell.ends() if isinstance(cell, Within) else (cell, "") for cell in cells]
    return [[f"{heading}: at least", *(low for low, _ in ends)], ["at most", *(high for _, high in ends)]]


def table_of_facts(facts: Sequence[Fact]) -> Table:
    """Return facts of one group: what, at least, at most; or what, the number, how it was found."""
    numbers = [number_of(fact.number) for fact in facts]
    if isinstance(numbers[0], Within):
        lines = [[fact.words, *one.ends()] for fact, one in zip(facts, numbers, strict=True) if isinstance(one, Within)]
        return Table(facts[0].under, ["", "at least", "at most"], lines)
    lines = [[fact.words, one, fact.note] for fact, one in zip(facts, numbers, strict=True)]
    return Table(facts[0].under, *telling(["", "", ""], lines))


def telling(headings: Sequence[str], lines: Sequence[Sequence[Any]]) -> tuple[list[str], list[list[Any]]]:
    """Return a table without the columns that say nothing, those of "" and "-" alone; the first one stays.

    Examples
    --------
    >>> telling(["what", "printed", "note"], [["a", "1", ""], ["b", "-", ""]])
    (['what', 'printed'], [['a', '1'], ['b', '-']])
    """
    said = [[number_of(cell).words() not in ("", "-") for cell in line] for line in lines]
    kept = [i for i in range(len(headings)) if i == 0 or any(line[i] for line in said)]
    return [headings[i] for i in kept], [[line[i] for i in kept] for line in lines]
