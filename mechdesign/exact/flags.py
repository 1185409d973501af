"""Options that are true or false: text is neither, though Python takes "no" for true."""

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.text import shown


def flags(**given: object) -> list[bool]:
    """Return options as booleans, those of numpy too, in the order given.

    Raises
    ------
    InputError
        naming each that is none.

    Examples
    --------
    >>> flags(shared=True, nominal=np.bool_(0))
    [True, False]
    >>> flags(shared="no")
    Traceback (most recent call last):
    mechdesign.errors.InputError: shared: expected True or False, found 'no'
    """
    wrong = {name: one for name, one in given.items() if not isinstance(one, bool | np.bool_)}
    if wrong:
        raise InputError([f"{name}: expected True or False, found {shown(one)}" for name, one in wrong.items()])
    return list(map(bool, given.values()))
