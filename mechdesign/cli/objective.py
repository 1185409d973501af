"""`--objective` and `--loss`, which several commands take."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mechdesign.cli.completion import complete_objective
from mechdesign.cli.paths import LOSS
from mechdesign.objective import OBJECTIVES

Function = TypeVar("Function", bound=Callable[..., Any])


def objective_options(what: str, default: str = "") -> Callable[[Function], Function]:
    """Return what adds `--objective` and `--loss`; `what` leads the help, `default` is marked in it."""
    names = [f"{name} (default)" if name == default else name for name in OBJECTIVES]

    def add(function: Function) -> Function:
        named = click.option(
            "--objective",
            metavar="NAME",
            shell_complete=complete_objective,
            help=f"{what}: {', '.join(names[:-1])} or {names[-1]}; any beginning of a name will do.",
        )
        loss = click.option(
            "--loss",
            type=LOSS,
            metavar="NAME|FILE",
            help="hamming (0 or 1; default), absolute (difference of positions), rows (of a database that change), or "
            "a table.",
        )
        return named(loss(function))

    return add
