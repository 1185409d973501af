"""Options that several commands take."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import click
import networkx as nx

from mechdesign.cli.file_types import GRAPH, PAGE, GivenGraph
from mechdesign.cli.option_names import Common, OneOf
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import Layout
from mechdesign.graph.cell_labels import ELSEWHERE, MISSING_WORDS, Missing

Function = TypeVar("Function", bound=Callable[..., Any])

WHOSE_EDGES = "The graph whose edges are required. Default: those that MECHANISM was made for; of a matrix, every pair."

AS_JSON = "One JSON object on standard output; null for infinity."

AS_MADE = ", or as in the graph of MECHANISM"


def report_option(function: Function) -> Function:
    """Add `--report`."""
    about = "Write it as one page, in plain words."
    return click.option("--report", cls=Common, type=PAGE, metavar="FILE.html", help=about)(function)


def normalise_option(function: Function) -> Function:
    """Add `--normalise`."""
    about = "Divide the rows of a matrix by their totals."
    return click.option("--normalise", cls=Common, is_flag=True, help=about)(function)


def layout_options(function: Function) -> Function:
    """Add `--encoding` and `--delimiter`, which become the argument `layout`."""

    @click.option("--encoding", cls=Common, metavar="NAME", help="Of CSV files that are not UTF-8, such as cp1252.")
    @click.option("--delimiter", cls=Common, metavar="CHAR", help="Of CSV files, such as semicolon, if not recognised.")
    @wraps(function)
    def with_layout(*arguments: Any, encoding: str | None, delimiter: str | None, **options: Any) -> Any:
        return function(*arguments, layout=Layout(encoding, delimiter), **options)

    return cast(Function, with_layout)


@dataclass(frozen=True)
class Edges:
    """Which pairs of profiles must not be told apart: those of a graph, those of the mechanism, or every pair."""

    name: str | None
    graph: nx.Graph | None
    all_pairs: bool

    def options(self) -> list[str]:
        """Return the options that ask for them, for another command.

        Examples
        --------
        >>> Edges("hobbies", None, False).options(), Edges(None, None, True).options()
        (['--graph', 'hobbies'], ['--all-pairs'])
        """
        return ([] if self.name is None else ["--graph", self.name]) + ["--all-pairs"] * self.all_pairs


def edges_options(function: Function) -> Function:
    """Add `--graph` and `--all-pairs`, which become the argument `edges`."""

    @click.option("--graph", type=GRAPH, metavar="GRAPH", help=WHOSE_EDGES)
    @click.option("--all-pairs", is_flag=True, help="Require every pair of profiles, whatever the edges.")
    @wraps(function)
    def with_edges(*arguments: Any, graph: GivenGraph | None, all_pairs: bool, **options: Any) -> Any:
        name, read = (None, None) if graph is None else (graph.name, graph.graph)
        return function(*arguments, edges=Edges(name, read, all_pairs), **options)

    return cast(Function, with_edges)


def listed(option: str, text: str | None) -> list[str] | None:
    """Return the cells of an option's line of CSV.

    Raises
    ------
    InputError
        if its quotes do not fit.

    Examples
    --------
    >>> listed("keep", 'age, "town, country"')
    ['age', 'town, country']
    """
    return None if text is None else line_of_csv(f"--{option}", text)


def line_of_csv(place: str, text: str) -> list[str]:
    """Return the cells of a line of CSV; `place` says in an error where it stands.

    Raises
    ------
    InputError
        if its quotes do not fit.
    """
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise InputError(f"{place}: expected a line of CSV, found {shown(text)}: {error}") from None
    return [cell.strip() for row in rows for cell in row]


def reading_options(function: Function, *, as_made: str = AS_MADE) -> Function:
    """Add `--missing`, `--missing-profile` and `--missing-words`: the argument `reading` has those that are given."""

    @click.option(
        "--missing",
        type=OneOf(Missing),
        help=f"A missing value is an error, drops its row, or is a category. Default: error{as_made}.",
    )
    @click.option(
        "--missing-profile",
        type=OneOf(ELSEWHERE),
        help=f"The same in other columns. Default: drop if --missing is, or else error{as_made}.",
    )
    @click.option(
        "--missing-words",
        metavar="A,B,C",
        help=f"Text that means missing, as blanks do, these words alone. Default: {','.join(MISSING_WORDS)}{as_made}.",
    )
    @wraps(function)
    def with_reading(
        *arguments: Any, missing: str | None, missing_profile: str | None, missing_words: str | None, **options: Any
    ) -> Any:
        words = listed("missing-words", missing_words)
        given = {"missing": missing, "missing_profile": missing_profile, "missing_words": words}
        reading = {name: value for name, value in given.items() if value is not None}
        return function(*arguments, reading=reading, **options)

    return cast(Function, with_reading)
