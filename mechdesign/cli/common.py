"""What the commands share: output, progress, and objectives by name."""

import csv
import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mechdesign.errors import InputError
from mechdesign.exact import shown
from mechdesign.files import opened_text
from mechdesign.objective import NAMED_LOSSES, OBJECTIVES, ExpectedLoss, MaxOffDiagonal, Objective, WorstLoss

WIDTH = 120
"""Columns of text output that does not go to a terminal."""

Function = TypeVar("Function", bound=Callable[..., Any])


def json_option(function: Function) -> Function:
    """Add `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="One JSON object on standard output, nothing else; null for infinity."
    )(function)


def console() -> Console:
    """Return the console for text on standard output."""
    return Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else WIDTH)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


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


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a callback (done, all) that draws a bar on standard error, only on a terminal."""
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield lambda done, everything: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, everything: bar.update(task, completed=done, total=everything)


def short(value: Fraction | float) -> str:
    """Return a number to six digits, also where it is beyond doubles.

    Examples
    --------
    >>> short(Fraction(2, 3)), short(Fraction(10**400, 3))
    ('0.666667', '3.33333e+399')
    """
    if isinstance(value, Fraction) and value and not sys.float_info.min <= abs(value) <= sys.float_info.max:
        return f"{Decimal(value.numerator) / value.denominator:.6g}"
    return f"{float(value):.6g}"


def objective_from(name: str | None, loss: str | None) -> Objective:
    """Return the objective of that name (any beginning of it will do), with a named loss or one from a CSV file.

    Raises
    ------
    InputError
        if there is no such objective or loss, or a loss goes with the largest off-diagonal entry.
    """
    wanted = _letters("max-off-diagonal" if name is None else name)
    found = [kind for key, kind in OBJECTIVES.items() if wanted and _letters(key).startswith(wanted)]
    if len(found) != 1:
        raise InputError(f"--objective: expected one of {', '.join(OBJECTIVES)}, found {shown(name)}")
    kind = found[0]
    if kind is MaxOffDiagonal:
        if loss is not None:
            raise InputError("--loss: goes with --objective expected-loss or worst-loss")
        return MaxOffDiagonal()
    table = loss or "hamming" if loss is None or loss in NAMED_LOSSES else read_loss(loss)
    try:
        return WorstLoss(table) if kind is WorstLoss else ExpectedLoss(table)
    except InputError as error:
        raise InputError(error.faults, source=loss or "") from None


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def read_loss(path: str) -> list[list[str]]:
    """Return the table in a CSV file of numbers: one row per category, one column per output, no headings.

    Raises
    ------
    InputError
        naming the file.
    """
    try:
        with opened_text(path, "a CSV file of numbers") as file:
            rows = [row for row in csv.reader(file) if row]
    except InputError as error:
        names = ", ".join(NAMED_LOSSES)
        raise InputError(f"--loss: expected {names} or a CSV file of numbers; {error.faults[0]}", source=path) from None
    except csv.Error:
        raise InputError("--loss: expected a CSV file of numbers, found something else", source=path) from None
    if not rows or len({len(row) for row in rows}) != 1:
        raise InputError("--loss: expected rows of the same length, one per category", source=path)
    return [[cell.strip() for cell in row] for row in rows]
