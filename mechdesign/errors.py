"""The exceptions of mechdesign; each is also the built-in that a caller would expect.

::

    MechdesignError
    ├── InputError(ValueError)      what was given cannot be used; says where, what was expected, what was found
    └── SolverError(RuntimeError)   a solver gave no answer that could be made exact
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

SHOWN = 12
"""A message lists so many faults; the exception's `faults` has them all."""


class Remark(str):
    """A line of a message beside its faults: their likely cause, or that there are so many more than are listed."""

    more: int

    def __new__(cls, text: str, more: int = 0) -> "Remark":
        """Return the line; `more` is how many faults it stands for."""
        remark = super().__new__(cls, text)
        remark.more = more
        return remark


class MechdesignError(Exception):
    """Base of every exception that mechdesign raises on purpose."""


class InputError(MechdesignError, ValueError):
    """A file, a number or an argument that cannot be used; `faults` lists everything wrong with it at once.

    `count` is how many faults that are: remarks beside them, such as their likely cause, are none.
    """

    def __init__(self, faults: str | Sequence[str], *, source: str = "") -> None:
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        self.source = source
        self.count = _count(self.faults)
        head = f"{source}: " if source else ""
        if len(self.faults) == 1:
            message = head + self.faults[0]
        else:
            left = _count(self.faults[SHOWN:])
            lines = self.faults[:SHOWN] + ([f"and {left} more"] if self.faults[SHOWN:] else [])
            message = f"{head}{self.count} fault{'s' * (self.count != 1)}\n" + "\n".join(f"  {line}" for line in lines)
        super().__init__(message)

    def told(self, before: str = "", after: str = "") -> list[str]:
        """Return the faults with words before and after each, and the remarks beside them as they are."""
        return [fault if isinstance(fault, Remark) else f"{before}{fault}{after}" for fault in self.faults]


@contextmanager
def telling(before: str = "", after: str = "", *, source: str = "") -> Iterator[None]:
    """Within this, an InputError says words before and after each of its faults, and this source if it has none.

    Examples
    --------
    >>> with telling("metric: ", source="far.csv"):
    ...     raise InputError("expected numbers")
    Traceback (most recent call last):
    mechdesign.errors.InputError: far.csv: metric: expected numbers
    """
    try:
        yield
    except InputError as error:
        raise InputError(error.told(before, after), source=error.source or source) from None


def _count(lines: Sequence[str]) -> int:
    return sum(line.more if isinstance(line, Remark) else 1 for line in lines)


class SolverError(MechdesignError, RuntimeError):
    """A solver stopped without a usable answer, or its answer could not be made exactly private."""
