"""Options that several commands take, and what their values mean: numbers exactly as they are written, lists, edges."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import click
import networkx as nx

from mechdesign.cli.file_types import FILE, GRAPH, PAGE, PICTURE, GivenGraph
from mechdesign.cli.option_names import Decorator, OneOf, common, gathered, joined, name_of, option
from mechdesign.errors import InputError
from mechdesign.exact.numbers import number, parse_delta, parse_epsilon, parse_number
from mechdesign.exact.text import shown
from mechdesign.files.delimited import Layout
from mechdesign.files.opening import opened_text
from mechdesign.graph.cell_labels import ELSEWHERE, MISSING_WORDS, Missing
from mechdesign.graph.labels import Label
from mechdesign.words import counted

T = TypeVar("T")

WHOSE_EDGES = "The graph whose edges are required. Default: those that MECHANISM was made for; of a matrix, every pair."

AS_MADE = ", or as in the graph of MECHANISM"

_INTEGER = re.compile(r"[+-]?\d{1,400}", re.ASCII)

json_option = common("--json", "One JSON object on standard output; null for infinity.", name="as_json")
report_option = common("--report FILE.html", "Write it as one page, in plain words.", PAGE)
workers_option = common("--workers N", "Processes that work.", click.IntRange(min=1), default=1)
nominal_option = option("--nominal", "Ignore the bounds around profiles.")
plot_option = partial(option, "--plot FILE", type=PICTURE)
"""Adds `--plot`; each command says what it draws."""

_encoding = common("--encoding NAME", "Of CSV files that are not UTF-8, such as cp1252.")
_delimiter = common("--delimiter CHAR", "Of CSV files, such as semicolon, if not recognised.")
layout_options = gathered("layout", Layout, _encoding, _delimiter)


def _cells(normalise: bool, encoding: str | None, delimiter: str | None) -> dict[str, Any]:
    return {"layout": Layout(encoding, delimiter), "normalise": normalise}


_normalise = common("--normalise", "Divide the rows of a matrix by their totals.")
cells_options = gathered("cells", _cells, _normalise, _encoding, _delimiter)
"""Adds these two and `--normalise`: how the cells of a matrix are read, as `read_foreign` takes it."""

labels_argument = joined(
    click.argument("values", nargs=-1, metavar="[VALUES]..."),
    option("--file FILE", "A text file of more values, one on each line.", FILE),
)
"""Adds the argument VALUES and the option `--file`, which `labels_from` reads."""


class Quantity(click.ParamType[T], Generic[T]):
    """What a function makes of a text; in its messages the option takes the place of `name`.

    Examples
    --------
    >>> EPSILON.convert("7/10", click.Option(["--together"]), None)
    Fraction(7, 10)
    >>> EPSILON.convert("-1", click.Option(["--together"]), None)
    Traceback (most recent call last):
    mechdesign.errors.InputError: --together: expected a number >= 0 (in nats) or inf, found '-1'
    """

    def __init__(self, parse: Callable[[Any], T], name: str) -> None:
        self.parse, self.name = parse, name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Return what the text means.

        Raises
        ------
        InputError
            naming the option.
        """
        del ctx
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]
        try:
            return self.parse(value)
        except InputError as error:
            which = self.name if param is None else name_of(param)
            raise InputError([f"{which}: {fault.removeprefix(f'{self.name}: ')}" for fault in error.faults]) from None


def _double(text: str) -> float:
    try:
        return float(parse_number(text))
    except (InputError, OverflowError):
        raise InputError(f"expected a number, found {shown(text)}") from None


EPSILON = Quantity(parse_epsilon, "epsilon")
DELTA = Quantity(parse_delta, "delta")
DOUBLE = Quantity(_double, "number")
POSITIVE = Quantity(lambda text: number("epsilon", text, "a number > 0 (in nats)", above=0), "epsilon")

epsilon_option = partial(option, "--epsilon E", type=EPSILON)
"""Adds `--epsilon`; each command says what it is for."""

delta_option = partial(option, "--delta D", type=DELTA, default="0")
"""Adds `--delta`, 0 if it is left out."""

positive_epsilon_option = epsilon_option(type=POSITIVE, required=True, help="Privacy parameter in nats, > 0.")
"""Adds `--epsilon` where there is noise, and so neither 0 nor infinity will do."""


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


def _edges(graph: GivenGraph | None, all_pairs: bool) -> Edges:
    return Edges(None, None, all_pairs) if graph is None else Edges(graph.name, graph.graph, all_pairs)


edges_options = gathered(
    "edges",
    _edges,
    option("--graph GRAPH", WHOSE_EDGES, GRAPH),
    option("--all-pairs", "Require every pair of profiles, whatever the edges."),
)


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


def labels_from(words: Iterable[str], file: str | None = None) -> list[Label]:
    """Return the labels in some arguments, each a line of CSV, and in a file's lines: integers if all are, or text.

    Raises
    ------
    InputError
        if there are none, or one is blank or given twice.

    Examples
    --------
    >>> labels_from(["yes, no", '"yes, but"']), labels_from(["1,2", "-3"])
    (['yes', 'no', 'yes, but'], [1, 2, -3])
    """
    found = [label for word in words for label in line_of_csv("VALUES", word) or [""]]
    if file is not None:
        with opened_text(file, "text, one value on each line") as lines:
            found += [line.strip() for line in lines if line.strip()]
    if not found:
        raise InputError("expected values, found none; give them as arguments, or lines of --file")
    faults = ["expected values with commas between them, found a blank one"] if "" in found else []
    faults += [
        f"{shown(label)} is given {counted(n, 'time')}" for label, n in Counter(found).items() if n > 1 and label
    ]
    if faults:
        raise InputError([f"VALUES: {fault}" for fault in faults])
    return [int(label) for label in found] if all(map(_INTEGER.fullmatch, found)) else list(found)


def reading_options(as_made: str = AS_MADE) -> Decorator:
    """Return what adds `--missing`, `--missing-profile`, `--missing-words`: `reading` has those that are given."""
    return gathered(
        "reading",
        _reading,
        option(
            "--missing",
            f"A missing value is an error, drops its row, or is a category. Default: error{as_made}.",
            OneOf(Missing),
        ),
        option(
            "--missing-profile",
            f"The same in other columns. Default: drop if --missing is, or else error{as_made}.",
            OneOf(ELSEWHERE),
        ),
        option(
            "--missing-words A,B,C",
            f"Text that means missing, as blanks do, these words alone. Default: {','.join(MISSING_WORDS)}{as_made}.",
        ),
    )


def _reading(missing: str | None, missing_profile: str | None, missing_words: str | None) -> dict[str, Any]:
    words = listed("missing-words", missing_words)
    given = {"missing": missing, "missing_profile": missing_profile, "missing_words": words}
    return {name: value for name, value in given.items() if value is not None}
