"""The options that say by which rule the cells of a table become categories."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from mechdesign.cli.option_names import OneOf
from mechdesign.cli.options import listed
from mechdesign.graph.from_table import ELSEWHERE, MISSING_WORDS, Missing

Function = TypeVar("Function", bound=Callable[..., Any])

AS_MADE = ", or as in the graph of MECHANISM"


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
