"""Cells of data in messages: of what kind they are, not what they are, as messages end in logs.

Where somebody looks at the data anyway, on a terminal, messages may show them: within `cells_shown`.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Number, Real

from mechdesign.exact.text import shown

_ARE_SHOWN = ContextVar("_ARE_SHOWN", default=False)


@contextmanager
def cells_shown() -> Iterator[None]:
    """Let messages that are made in this thread show the cells of data that they are about."""
    before = _ARE_SHOWN.set(True)
    try:
        yield
    finally:
        _ARE_SHOWN.reset(before)


def are_shown() -> bool:
    """Return whether messages may show cells."""
    return _ARE_SHOWN.get()


def shown_cell(cell: object) -> str:
    """Return what a message says of a cell of data, or of other data: its kind; itself only where cells are shown.

    Examples
    --------
    >>> shown_cell("HIV positive"), shown_cell(3.5), shown_cell({"answer": ["yes"]})
    ('text', 'a number', 'data of type dict')
    >>> with cells_shown():
    ...     shown_cell("HIV positive")
    "'HIV positive'"
    """
    if are_shown():
        return shown(cell)
    if isinstance(cell, str):
        return "text" if cell.strip() else "blank text"
    if cell is None:
        return "no value"
    if isinstance(cell, Number) and not isinstance(cell, bool):
        return "a number" if not isinstance(cell, Real) or math.isfinite(cell) else "a number that is not finite"
    return f"data of type {type(cell).__name__}"
