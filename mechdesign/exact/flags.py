"""Options that are true or false: text is neither, though Python takes "no" for true."""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.text import shown

P = ParamSpec("P")
R = TypeVar("R")


def flags(**given: object) -> list[bool]:
    """Return options as booleans, in the order given; numbers 0 and 1, numpy's too, and None have their usual meaning.

    Raises
    ------
    InputError
        naming each that is none.

    Examples
    --------
    >>> flags(shared=True, nominal=np.bool_(0), keep_shares=1)
    [True, False, True]
    >>> flags(shared="no")
    Traceback (most recent call last):
    mechdesign.errors.InputError: shared: expected True or False, found 'no'
    """
    known = bool | int | np.bool_ | np.integer | None
    wrong = {name: one for name, one in given.items() if not isinstance(one, known) or one not in (None, 0, 1)}
    if wrong:
        raise InputError([f"{name}: expected True or False, found {shown(one)}" for name, one in wrong.items()])
    return list(map(bool, given.values()))


def with_flags(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose options that are true or false, all of them given by name, are held against `flags`.

    Of options with a third meaning None is it.

    Examples
    --------
    >>> @with_flags
    ... def design(*, shared: bool = False) -> bool:
    ...     return shared
    >>> design(shared=np.True_)
    True
    """
    kinds = {one.name: one.annotation for one in signature(function).parameters.values()}

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        said = {name: one for name, one in kwargs.items() if one is not None or kinds.get(name) is bool}
        given = {name: one for name, one in said.items() if kinds.get(name) in (bool, bool | None)}
        kwargs.update(zip(given, flags(**given), strict=True))
        return function(*args, **kwargs)

    return checked
