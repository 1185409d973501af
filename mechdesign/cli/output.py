"""What the commands print: JSON, tables, progress."""

import json
import math
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from mechdesign.stopwatch import announced_to

WIDTH = 120
"""Columns of text output that does not go to a terminal."""


def console() -> Console:
    """Return the console for text on standard output."""
    return Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else WIDTH)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def command_line(command: str, *arguments: str, **options: object) -> str:
    """Return a command with what was given, as a shell takes it; options that are None were not given.

    Examples
    --------
    >>> command_line("count errors", n=100, p="0.3", seed=None)
    'mechdesign count errors --n=100 --p=0.3'
    """
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    return shlex.join(["mechdesign", *command.split(), *arguments, *given])


def print_made(picture: str | None, page: str | None) -> None:
    """Say which picture was drawn, and which page written, if any."""
    if picture is not None:
        console().print(f"\nDrawn: {picture}")
    if page is not None:
        console().print(f"\nWritten: {page}")


def in_json(number: Fraction | float | None) -> float | None:
    """Return the nearest double, and null for what is none: infinity, NaN, and what is beyond doubles.

    JSON has no word for infinity, so all commands say null. Where a number is given exactly too, as text under the same
    name with `_exact` (`epsilon_exact`), that says "inf".

    Examples
    --------
    >>> in_json(Fraction(1, 2)), in_json(math.inf), in_json(Fraction(10**400)), in_json(None)
    (0.5, None, None, None)
    """
    try:
        return None if number is None or not math.isfinite(number) else float(number)
    except OverflowError:  # a rational beyond doubles
        return None


def table(title: str, *columns: str) -> Table:
    """Return an empty table; all columns but the first are set to the right."""
    result = Table(title=title, title_justify="left", box=None, pad_edge=False, title_style="bold", padding=(0, 2))
    for index, column in enumerate(columns):
        result.add_column(column, justify="right" if index else "left", header_style="dim")
    return result


class _Counts(MofNCompleteColumn):
    """How much is done of how much; nothing while that is not known."""

    def render(self, task: Task) -> Text:
        return Text() if task.total is None else super().render(task)


def telling(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> tuple[list[str], list[list[str]]]:
    """Return a table without the columns that say nothing, those of "" and "-" alone; the first one stays.

    Examples
    --------
    >>> telling(["what", "printed", "note"], [["a", "1", ""], ["b", "-", ""]])
    (['what', 'printed'], [['a', '1'], ['b', '-']])
    """
    kept = [i for i in range(len(headings)) if i == 0 or any(line[i] not in ("", "-") for line in lines)]
    return [headings[i] for i in kept], [[line[i] for i in kept] for line in lines]


def table_of(title: str, headings: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
    """Return a table of lines, without the columns that say nothing."""
    headings, lines = telling(headings, lines)
    result = table(title, *headings)
    for line in lines:
        result.add_row(*line)
    return result


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback (done, all) that draws a bar on standard error, only on a terminal.

    The bar says what is announced meanwhile: the phases of a design, and rounds of a solver.
    """
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield lambda done, everything: None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=12), _Counts(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(what, total=None)
        with announced_to(lambda words: bar.update(task, description=f"{what}: {words}")):
            yield lambda done, everything: bar.update(task, completed=done, total=everything)
