"""An answer on a terminal: text, and tables of rich."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from mechdesign.show.answer import Answer, shown
from mechdesign.show.laid_out import Grid, grid_of, grid_of_facts

WIDTH = 120
"""Columns of text output that does not go to a terminal."""

LISTED = 40
"""Rows of a table that are printed; JSON has all."""

WIDE = 9
"""So many columns stand far apart."""

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
            out.print(line.words, style=line.style, soft_wrap=whole)


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
            yield from (lines, _lines(grid_of_facts(group)))
            lines = []
    yield lines
    for table in answer.tables:
        if table.title and table.rows:
            yield _lines(grid_of(table, len(table.rows) if table.whole else LISTED))


def _lines(grid: Grid) -> list[Line]:
    title, note = [Line(grid.title, "bold")] if grid.title else [], [Line(grid.note, "dim")] if grid.note else []
    return [*title, Line(_table(grid)), *note]


def _table(grid: Grid) -> Table:
    """Return a table for rich: numbers stand at the right, words at the left, as the first column does."""
    gap = 2 if len(grid.headings) <= WIDE else 1
    result = Table(show_header=any(grid.headings), box=None, pad_edge=False, padding=(0, gap))
    left = {0, *grid.wordy()}
    for place, heading in enumerate(grid.headings):
        result.add_column(heading, justify="left" if place in left else "right", header_style="dim")
    for line in grid.text():
        result.add_row(*line)
    return result
