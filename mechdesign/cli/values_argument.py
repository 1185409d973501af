"""Labels on the command line: one or several in an argument, or lines of a file."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from mechdesign.cli.file_types import FILE
from mechdesign.cli.options import line_of_csv
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.opening import opened_text
from mechdesign.graph.labels import Label
from mechdesign.words import counted

Function = TypeVar("Function", bound=Callable[..., Any])

_INTEGER = re.compile(r"[+-]?\d{1,400}", re.ASCII)


def labels_argument(function: Function) -> Function:
    """Add the argument VALUES and the option `--file`."""
    argument = click.argument("values", nargs=-1, metavar="[VALUES]...")
    option = click.option("--file", type=FILE, metavar="FILE", help="A text file of more values, one on each line.")
    return argument(option(function))


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
