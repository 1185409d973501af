"""Numbers on the command line: read exactly as they are written; what is wrong with one is said of its option."""

from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

import click

from mechdesign.cli.option_names import name_of
from mechdesign.errors import InputError
from mechdesign.exact.numbers import number, parse_delta, parse_epsilon, parse_number
from mechdesign.exact.text import shown

T = TypeVar("T")


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

epsilon_option = partial(click.option, "--epsilon", type=EPSILON, metavar="E")
"""Adds `--epsilon`; each command says what it is for."""

delta_option = partial(click.option, "--delta", type=DELTA, metavar="D", default="0", show_default=True)
"""Adds `--delta`, 0 if it is left out."""

positive_epsilon_option = epsilon_option(type=POSITIVE, required=True, help="Privacy parameter in nats, > 0.")
"""Adds `--epsilon` where there is noise, and so neither 0 nor infinity will do."""
