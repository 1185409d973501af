"""Options that several commands take."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from mechdesign.files.delimited import Layout

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
