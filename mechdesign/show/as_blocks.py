"""An answer on a page, or in a notebook: blocks, which templates show."""

from collections.abc import Sequence
from dataclasses import replace

from mechdesign.notebook import InNotebooks
from mechdesign.show.answer import Answer, Fact, shown
from mechdesign.show.blocks import Block, Commands, Page, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Within, number_of
from mechdesign.show.laid_out import table_of, table_of_facts

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
