"""A bar for streams of rows: how many, how fast, how long still; on a terminal only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from mechdesign.cli.option_names import is_quiet

Told: TypeAlias = Callable[[int, float], None]
"""Takes the number of rows so far, and the share of the whole, from 0 to 1."""


class _Rate(ProgressColumn):
    """The rows so far, and how many in a second."""

    def render(self, task: Task) -> Text:
        rows, seconds = task.fields.get("rows", 0), task.elapsed or 0
        rate = f", {rows / seconds / 1e6:.1f} million a second" if seconds > 0 else ""
        return Text(f"{rows:,} rows{rate}")


@contextmanager
def row_bar(what: str, *, to: Console | None = None) -> Iterator[Told]:
    """Yield what draws the bar on standard error, unless that is no terminal."""
    errors = to or Console(stderr=True)
    if is_quiet() or not errors.is_terminal:
        yield lambda rows, share: None
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=12), TaskProgressColumn(), _Rate())
    with Progress(*columns, TimeRemainingColumn(), console=errors, transient=True) as bar:
        task = bar.add_task(what, total=1.0)
        yield lambda rows, share: bar.update(task, completed=share, rows=rows)
