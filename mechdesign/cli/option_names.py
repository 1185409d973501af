"""Names on the command line: what a parameter is called, and those that take one of a few names."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, reduce, wraps
from inspect import signature
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from mechdesign.errors import InputError, Remark
from mechdesign.words import expected_one_of

QUIET = "mechdesign.quiet"
"""Where a command's context says that text is not wanted."""

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Decorator = Callable[[Any], Any]


class Common(click.Option):
    """An option that several commands share, with one meaning and one help text."""


def option(shown: str, help: str, type: Any = None, *, name: str = "", **more: Any) -> Decorator:
    """Return what adds an option: `--level L`, as help shows one with a value, or `--nominal`, which is given or not.

    Of one that takes some of a few names, click shows these. A default is shown.

    Examples
    --------
    >>> option("-o/--output FILE", "Where to write it.")(click.Command("make")).params
    [<Option output>]
    """
    flags, _, value = shown.partition(" ")
    if "default" in more:
        more.setdefault("show_default", True)
    if not value and type is None:
        more["is_flag"] = True
    names = [*flags.split("/"), *([name] if name else [])]
    return click.option(*names, type=type, metavar=value or None, help=help, **more)


common = partial(option, cls=Common)
"""Adds an option that several commands share."""


def joined(*parameters: Decorator) -> Decorator:
    """Return what adds several parameters, in this order."""
    return lambda function: reduce(lambda found, add: add(found), reversed(parameters), function)


def gathered(argument: str, make: Callable[..., Any], *options: Decorator) -> Decorator:
    """Return what adds options, of whose values `make`, which takes them by name, makes one argument."""
    names = list(signature(make).parameters)

    def add(function: Any) -> Any:
        @wraps(function)
        def with_one(*arguments: Any, **given: Any) -> Any:
            one = make(**{name: given.pop(name) for name in names})
            return function(*arguments, **{argument: one}, **given)

        return joined(*options)(with_one)

    return add


def is_quiet() -> bool:
    """Return whether faults and warnings alone are wanted."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(QUIET, False)


def _keep_quiet(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    context.meta[QUIET] = wanted


quiet_option = common("--quiet", "Print faults and warnings alone.", expose_value=False, callback=_keep_quiet)


def completes(names: Iterable[str]) -> Complete:
    """Return what completes one of these names; of several with commas between them, the last."""

    def complete(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        before, comma, last = begun.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in names if name.startswith(last)]

    return complete


def name_of(parameter: click.Parameter) -> str:
    """Return a parameter as people write it: `--output`, or an argument's name.

    Examples
    --------
    >>> name_of(click.Option(["-o", "--output"])), name_of(click.Argument(["data"]))
    ('--output', 'DATA')
    """
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return parameter.human_readable_name.strip("[].")


def in_options(error: InputError, source: str = "") -> InputError:
    """Return an error of Python's functions in words of the command that runs: `ratio: ` is what `--ratio` was given.

    `source` is the file that it is about, where it names none. Of one that names its own, `ratio: ` is a place in it.

    Examples
    --------
    >>> with click.Context(click.Command("k-ary", params=[click.Option(["--ratio"])])):
    ...     print(in_options(InputError("ratio: expected ratio= or delta=, found ratio=2")))
    --ratio: expected --ratio or delta=, found ratio=2
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return error
    names = {one.name: name_of(one) for one in context.command.params if one.name}
    some = "|".join(map(re.escape, sorted(names)))
    place, argument = f"^({some})(?=: )", rf'(?<![\w-])({some})=(?:True\b|"(\w+)"|(?=[ ,;.)]|$))'

    def told(fault: str) -> str:
        if not error.source and not isinstance(fault, Remark):
            fault = re.sub(place, lambda found: names[found[1]], fault)
        return re.sub(argument, lambda found: f"{names[found[1]]} {found[2] or ''}".strip(), fault)

    faults = [Remark(told(one), one.more) if isinstance(one, Remark) else told(one) for one in error.faults]
    return InputError(faults, source=error.source or source)


@contextmanager
def saying_options(source: str = "") -> Iterator[None]:
    """Within this, an InputError is in words of the command that runs, as `in_options` has it."""
    try:
        yield
    except InputError as error:
        raise in_options(error, source) from None


def given_of(*names: str) -> list[str]:
    """Return which parameters of these names the command that runs was given, as people write them."""
    context = click.get_current_context()
    return [
        name_of(one)
        for one in context.command.params
        if one.name in names and context.get_parameter_source(one.name) is ParameterSource.COMMANDLINE
    ]


class OneOf(click.Choice[str]):
    """One of a few names; of a misspelt one it is said which is nearest, of one that is `elsewhere`, where."""

    def __init__(self, names: Iterable[str], elsewhere: Mapping[str, str] | None = None) -> None:
        super().__init__([str(name) for name in names])
        self.elsewhere = elsewhere

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name.

        Raises
        ------
        InputError
            if it is none of them.

        Examples
        --------
        >>> OneOf(["sets", "lp"]).convert("sats", click.Option(["--by"]), None)
        Traceback (most recent call last):
        mechdesign.errors.InputError: --by: expected one of sets, lp, found 'sats'; did you mean sets?
        """
        del ctx
        if value not in self.choices:
            which = "" if param is None else f"{name_of(param)}: "
            raise InputError(which + expected_one_of(self.choices, value, elsewhere=self.elsewhere))
        return value
