"""Names on the command line: what a parameter is called, and those that take one of a few names."""

import re
from collections.abc import Iterable

import click

from mechdesign.errors import InputError, Remark
from mechdesign.words import expected_one_of


def name_of(parameter: click.Parameter) -> str:
    """Return a parameter as people write it: `--output`, or an argument's name.

    Examples
    --------
    >>> name_of(click.Option(["-o", "--output"])), name_of(click.Argument(["data"]))
    ('--output', 'DATA')
    """
    option = isinstance(parameter, click.Option)
    return max(parameter.opts, key=len) if option else parameter.human_readable_name.strip("[].")


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


class OneOf(click.Choice[str]):
    """One of a few names; of a misspelt one it is said which is nearest."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__([str(name) for name in names])

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
            raise InputError(which + expected_one_of(self.choices, value))
        return value
