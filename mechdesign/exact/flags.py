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


def with_flags(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that gets booleans for its options that are true or false, all of them given by name.

    The numbers 0 and 1, numpy's too, and None have their usual meaning; of options with a third meaning None is it.

    Raises
    ------
    InputError
        when it is called, naming each that is none.

    Examples
    --------
    >>> @with_flags
    ... def design(*, shared: bool = False, nominal: bool = False) -> tuple[bool, bool]:
    ...     return shared, nominal
    >>> design(shared=np.True_, nominal=1)
    (True, True)
    >>> design(shared="no")
    Traceback (most recent call last):
    mechdesign.errors.InputError: shared: expected True or False, found 'no'
    """
    kinds = {one.name: one.annotation for one in signature(function).parameters.values()}
    flags = {name for name, kind in kinds.items() if kind in (bool, bool | None)}
    known = bool | int | np.bool_ | np.integer | None

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        given = {name: one for name, one in kwargs.items() if name in flags}
        wrong = {name: one for name, one in given.items() if not isinstance(one, known) or one not in (None, 0, 1)}
        if wrong:
            raise InputError([f"{name}: expected True or False, found {shown(one)}" for name, one in wrong.items()])
        kwargs.update((name, bool(one)) for name, one in given.items() if one is not None or kinds[name] is bool)
        return function(*args, **kwargs)

    return checked
