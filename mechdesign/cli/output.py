"""Bars that say on a terminal how far a command is: what is done of how much, or rows of a stream."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from mechdesign.cli.option_names import is_quiet
from mechdesign.stopwatch import announced_to


class _Counts(MofNCompleteColumn):
    """How much is done of how much; nothing while that is not known."""

    def render(self, task: Task) -> Text:
        return Text() if task.total is None else super().render(task)


class _Rate(ProgressColumn):
    """The rows so far, and how many in a second."""

    def render(self, task: Task) -> Text:
        rows, seconds = task.fields.get("rows", 0), task.elapsed or 0
        rate = f", {rows / seconds / 1e6:.1f} million a second" if seconds > 0 else ""
        return Text(f"{rows:,} rows{rate}")


@contextmanager
def _bar(what: str, *columns: ProgressColumn, total: float | None) -> Iterator[Callable[..., None] | None]:
    """Yield what updates a bar on standard error; None where that is no terminal."""
    errors = Console(stderr=True)
    if is_quiet() or not errors.is_terminal:
        yield None
        return
    shown = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=12), *columns)
    with Progress(*shown, console=errors, transient=True) as bar:
        yield partial(bar.update, bar.add_task(what, total=total))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback (done, all) that draws a bar.

    The bar says what is announced meanwhile: the phases of a design, and rounds of a solver.
    """
    with _bar(what, _Counts(), TimeElapsedColumn(), total=None) as update:
        if update is None:
            yield lambda done, everything: None
            return
        with announced_to(lambda words: update(description=f"{what}: {words}")):
            yield lambda done, everything: update(completed=done, total=everything)


@contextmanager
def row_bar(what: str) -> Iterator[Callable[[int, float], None]]:
    """Yield a callback that takes the rows so far and their share of the whole, for a bar with how long is left."""
    with _bar(what, TaskProgressColumn(), _Rate(), TimeRemainingColumn(), total=1.0) as update:
        yield lambda rows, share: None if update is None else update(completed=share, rows=rows)
