"""Options that are true or false: text is neither, though Python takes "no" for true."""

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.text import shown


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
