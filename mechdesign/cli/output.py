"""What the commands print: JSON, progress."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from mechdesign.cli.option_names import is_quiet
from mechdesign.stopwatch import announced_to


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


class _Counts(MofNCompleteColumn):
    """How much is done of how much; nothing while that is not known."""

    def render(self, task: Task) -> Text:
        return Text() if task.total is None else super().render(task)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback (done, all) that draws a bar on standard error, only on a terminal.

    The bar says what is announced meanwhile: the phases of a design, and rounds of a solver.
    """
    errors = Console(stderr=True)
    if is_quiet() or not errors.is_terminal:
        yield lambda done, everything: None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=12), _Counts(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(what, total=None)
        with announced_to(lambda words: bar.update(task, description=f"{what}: {words}")):
            yield lambda done, everything: bar.update(task, completed=done, total=everything)
