"""An answer as blocks and tables: what pages and notebooks show by templates; a terminal has the same tables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mechdesign.notebook import InNotebooks
from mechdesign.show.answer import Answer, Fact, shown
from mechdesign.show.answer import Table as AnswerTable
from mechdesign.show.blocks import Block, Commands, Page, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Number, Within, number_of

LISTED, PRINTED = 20, 200
"""Rows of a table that a notebook shows, and a page."""


class Answering(InNotebooks):
    """A result that says in an `answer()` what there is to be told of it; notebooks show that."""

    def answer(self) -> Answer:
        """Return what is told."""
        raise NotImplementedError


def page_of(answer: Answer, title: str, command: str = "") -> Page:
    """Return a page with all of an answer, and the command that computes it anew, if there is one."""
    blocks = blocks_of(replace(answer, about=""), PRINTED)
    numbers: list[Block] = [block for block in blocks if isinstance(block, Table)]
    words: list[Block] = [block for block in blocks if not isinstance(block, Table)]
    pictures = [Picture(name, "its numbers are below", draw) for name, draw in answer.figures.items()]
    again: list[Block] = [Text("This command computes everything above anew:"), Commands([command])]
    sections = [
        Section("In short", words),
        *([Section("Pictures", pictures)] if pictures else []),
        *([Section("Numbers", numbers)] if numbers else []),
        *([Section("How to check it oneself", again)] if command else []),
    ]
    return Page(title, answer.about, sections)


def blocks_of(answer: Answer, most: int = LISTED) -> list[Block]:
    """Return what a page shows of an answer, so many rows of its tables, in which every name is text.

    Examples
    --------
    >>> blocks_of(Answer("It is A < B.", tone="good", warnings=["Nothing is protected."]))
    [Text(words='Nothing is protected.', tone='note'), Text(words='It is A < B.', tone='good')]
    """
    blocks: list[Block] = [Text(warning, "note") for warning in answer.warnings]
    if answer.about:
        blocks.append(Text(answer.about))
    if answer.sentence:
        blocks.append(Text(answer.sentence, answer.tone))
    for group in shown(answer.facts):
        if group[0].number is None:
            for fact in group:
                blocks += [Text(f"{fact.words}:"), Commands([fact.copied])] if fact.copied else [Text(fact.words)]
        else:
            blocks.append(_numbers(group))
    return blocks + [table_of(table, most) for table in answer.tables if table.title and table.rows]


def _numbers(facts: Sequence[Fact]) -> Table:
    """Return facts as a table, which says how each number is rounded."""
    found = table_of_facts(facts)
    if isinstance(facts[0].number, Within):
        return replace(found, headings=["what", "at least (rounded down)", "at most (rounded up)"])
    rounded = (number_of(fact.number).rounded for fact in facts)
    rows = [[*line[:2], how, *line[2:]] for line, how in zip(found.rows, rounded, strict=True)]
    headings = ["what", "number", "how it is rounded", "remark"]
    return replace(found, headings=headings[: len(rows[0])], rows=rows)


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
