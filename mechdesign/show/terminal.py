"""An answer on a terminal: text, and tables of rich."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from mechdesign.show.answer import Answer, shown
from mechdesign.show.laid_out import Grid, grid_of, grid_of_facts, telling

WIDTH = 120
"""Columns of text output that does not go to a terminal."""

LISTED = 40
"""Rows of a table that are printed; JSON has all."""

COLOURS = {"good": "green", "bad": "red", "note": "yellow", "dim": "dim", "": ""}


def console() -> Console:
    """Return the console for text on standard output."""
    return Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else WIDTH)


def print_answer(answer: Answer, written: Sequence[str] = (), unwritten: str = "") -> None:
    """Print an answer for people, and which files were written; or what there is to be said if none was."""
    out = console()
    for warning in answer.warnings:
        _say(out, warning, "note")
    if answer.about:
        _say(out, answer.about)
    if answer.sentence:
        _say(out, answer.sentence, answer.tone)
    was_table = False
    for group in shown(answer.facts):
        is_table = group[0].number is not None
        if is_table or was_table:
            out.print()
        if is_table:
            grid = grid_of_facts(group)
            if grid.title:
                out.print(grid.title, style="bold")
            out.print(_table(grid))
        else:
            for fact in group:
                _say(out, f"{fact.words}: {fact.copied}" if fact.copied else fact.words, whole=bool(fact.copied))
        was_table = is_table
    for table in answer.tables:
        if table.title and table.rows:
            grid = grid_of(table, LISTED)
            out.print()
            out.print(grid.title, style="bold")
            out.print(_table(grid))
            if grid.note:
                _say(out, grid.note, "dim")
    if written:
        _say(out, f"\nWritten: {', '.join(written)}.")
    elif unwritten:
        out.print(f"\nNot written; {unwritten}.")


def _say(out: Console, words: str, tone: str = "", *, whole: bool = False) -> None:
    """Print a sentence; what is no terminal, and what is to be copied, gets it in one line."""
    out.print(words, style=COLOURS[tone], soft_wrap=whole or not out.is_terminal)


def _table(grid: Grid) -> Table:
    result = table("", *grid.headings)
    result.show_header = any(grid.headings)
    for place in grid.wordy():
        result.columns[place].justify = "left"
    for line in grid.text():
        result.add_row(*line)
    return result


def table(title: str, *columns: str) -> Table:
    """Return an empty table; all columns but the first are set to the right."""
    result = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, title_style="bold", padding=(0, 2)
    )
    for index, column in enumerate(columns):
        result.add_column(column, justify="right" if index else "left", header_style="dim")
    return result


def table_of(title: str, headings: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
    """Return a table of lines, without the columns that say nothing."""
    headings, lines = telling(headings, lines)
    result = table(title, *headings)
    for line in lines:
        result.add_row(*line)
    return result
