"""What the commands share: output, progress, and objectives by name."""

import csv
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from mechdesign.errors import InputError
from mechdesign.exact import did_you_mean, expected_one_of, shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.kinds import MATRIX, TEXT, expecting
from mechdesign.graph.profile_graph import Label
from mechdesign.mechanism.matrix import Matrix, read_matrix
from mechdesign.objective import NAMED_LOSSES, OBJECTIVES, Objective
from mechdesign.stopwatch import announced_to

WIDTH = 120
"""Columns of text output that does not go to a terminal."""

Function = TypeVar("Function", bound=Callable[..., Any])


def json_option(function: Function) -> Function:
    """Add `--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="One JSON object on standard output, nothing else; null for infinity."
    )(function)


def normalise_option(function: Function) -> Function:
    """Add `--normalise`."""
    return click.option(
        "--normalise", is_flag=True, help="Divide each row of a matrix by its total, which may miss 1 by 1/100."
    )(function)


def layout_options(function: Function) -> Function:
    """Add `--encoding` and `--delimiter`, which become the argument `layout`."""

    @click.option("--encoding", metavar="NAME", help="Of CSV files that are not UTF-8: latin-1, cp1252, ...")
    @click.option("--delimiter", metavar="CHAR", help="Of CSV files, if not recognised: comma, semicolon, tab, ...")
    @wraps(function)
    def with_layout(*arguments: Any, encoding: str | None, delimiter: str | None, **options: Any) -> Any:
        return function(*arguments, layout=Layout(encoding, delimiter), **options)

    return cast(Function, with_layout)


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


def listed(option: str, text: str | None) -> list[str] | None:
    """Return the cells of a line of CSV."""
    if text is None:
        return None
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise InputError(f"--{option}: expected a line of CSV, found {shown(text)}: {error}") from None
    return [cell.strip() for row in rows for cell in row]


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


def objective_from(
    name: str | None, loss: str | None, categories: Sequence[Label] | None = None, layout: Layout = RECOGNISED
) -> Objective:
    """Return the objective of that name (any beginning of it will do), with a named loss or one from a file.

    A loss table's labels must be the categories; its rows and columns are put in their order.

    Raises
    ------
    InputError
        if there is no such objective or loss, or a loss goes with the largest off-diagonal entry.
    """
    wanted = _letters("max-off-diagonal" if name is None else name)
    found = [kind for key, kind in OBJECTIVES.items() if wanted and _letters(key).startswith(wanted)]
    if len(found) != 1:
        raise InputError(f"--objective: {expected_one_of(OBJECTIVES, name)}")
    kind = found[0]
    objective: Objective
    if loss is None:
        objective = kind()
        return objective
    if not kind.takes_loss:
        others = " or ".join(key for key, other in OBJECTIVES.items() if other.takes_loss)
        raise InputError(f"--loss: goes with --objective {others}")
    if loss in NAMED_LOSSES:
        objective = kind(loss)
        return objective
    matrix = read_loss(loss, categories, layout)
    try:
        objective = kind(matrix.rows)
    except InputError as error:
        raise InputError(matrix.likely_cause() + error.faults, source=loss) from None
    return objective


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def read_loss(path: str, categories: Sequence[Label] | None = None, layout: Layout = RECOGNISED) -> Matrix:
    """Return the loss table in a file: one row per category, one column per output, in the order of the categories.

    Raises
    ------
    InputError
        naming the file.
    """
    if not Path(path).exists():
        expected = f"expected {', '.join(NAMED_LOSSES)} or a file of numbers"
        raise InputError(f"--loss: {expected}; no such file{did_you_mean(NAMED_LOSSES, path)}", source=path)
    with expecting(MATRIX, TEXT, path=path):
        matrix = read_matrix(path, layout)
    if len(matrix.rows) == 0:
        raise InputError("--loss: expected one row of numbers per category, found none", source=path)
    if matrix.inputs is None and matrix.outputs is None:
        return matrix
    if categories is None or len(matrix.rows) != len(categories):
        expected = "one row per category" if categories is None else f"one row per category, {len(categories)}"
        raise InputError(f"--loss: expected {expected}, found {len(matrix.rows)} with labels", source=path)
    try:
        ordered = matrix.in_order(categories)
    except InputError as error:
        raise InputError(error.faults, source=path) from None
    if matrix.is_square and ordered.outputs not in (None, tuple(categories)):
        fault = f"expected the categories {shown(tuple(categories))} as labels of the columns"
        raise InputError(f"{fault}, found {shown(matrix.outputs)}", source=path)
    return ordered
