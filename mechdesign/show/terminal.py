"""An answer on a terminal: text, and tables of rich."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from mechdesign.show.answer import Answer, shown
from mechdesign.show.as_blocks import table_of, table_of_facts
from mechdesign.show.blocks import Table as Found
from mechdesign.show.fact_numbers import Exact, number_of

WIDTH = 120
"""Columns of text output that does not go to a terminal."""

LISTED = 40
"""Rows of a table that are printed; JSON has all."""

WIDE = 9
"""So many columns stand far apart."""

TURNING = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
"""Characters that turn the direction of text."""

ESCAPES = {code: ascii(chr(code))[1:-1] for code in [*range(32), *range(127, 160), *TURNING] if chr(code) != "\n"}
"""What is printed in place of these, and of those that rule a terminal, but for the end of a line."""

COLOURS = {"good": "green", "bad": "red", "note": "yellow", "": ""}


def console() -> Console:
    """Return the console for text on standard output."""
    return Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else WIDTH)


def print_answer(answer: Answer, written: Sequence[str] = (), unwritten: str = "") -> None:
    """Print an answer for people, and which files were written; or what there is to be said if none was."""
    out = console()
    files = f"Written: {', '.join(written)}." if written else f"Not written; {unwritten}." if unwritten else ""
    paragraphs = filter(None, [*_paragraphs(answer), [Line(files)] if files else []])
    for number, lines in enumerate(paragraphs):
        if number:
            out.print()
        for line in lines:
            whole = isinstance(line.words, str) and (line.whole or not out.is_terminal)
            words = line.words.translate(ESCAPES) if isinstance(line.words, str) else line.words
            out.print(words, style=line.style, soft_wrap=whole)


@dataclass(frozen=True)
class Line:
    """A sentence, or a table; where `whole`, lines are not broken, as what is to be copied, or goes to no terminal."""

    words: str | Table
    style: str = ""
    whole: bool = False


def _paragraphs(answer: Answer) -> Iterator[list[Line]]:
    """Yield what stands together, between blank lines; nothing where there is nothing."""
    lines = [Line(warning, COLOURS["note"]) for warning in answer.warnings]
    lines += [Line(answer.about)] if answer.about else []
    lines += [Line(answer.sentence, COLOURS[answer.tone])] if answer.sentence else []
    for group in shown(answer.facts):
        if group[0].number is None:
            lines += [
                Line(f"{one.words}: {one.copied}" if one.copied else one.words, "", bool(one.copied)) for one in group
            ]
        else:
            yield from (lines, _lines(table_of_facts(group)))
            lines = []
    yield lines
    for table in answer.tables:
        if table.title and table.rows:
            yield _lines(table_of(table, len(table.rows) if table.whole else LISTED))


def _lines(found: Found) -> list[Line]:
    lines = [Line(found.caption, "bold"), Line(_table(found)), Line(found.note, "dim")]
    return [line for line in lines if line.words != ""]


def _table(found: Found) -> Table:
    """Return a table for rich: numbers stand at the right, words at the left, as the first column does."""
    gap = 2 if len(found.headings) <= WIDE else 1
    result = Table(show_header=any(found.headings), box=None, pad_edge=False, padding=(0, gap))
    for place, (heading, column) in enumerate(zip(found.headings, zip(*found.rows, strict=True), strict=True)):
        left = place == 0 or all(map(_is_text, column))
        result.add_column(heading.translate(ESCAPES), justify="left" if left else "right", header_style="dim")
    for line in found.rows:
        result.add_row(*(number_of(cell).words().translate(ESCAPES) for cell in line))
    return result


def _is_text(cell: object) -> bool:
    value = cell.value if isinstance(cell, Exact) else cell
    return value is None or isinstance(value, str)
