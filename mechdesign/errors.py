"""The exceptions of mechdesign; each is also the built-in that a caller would expect.

::

    MechdesignError
    ├── InputError(ValueError)      what was given cannot be used; says where, what was expected, what was found
    └── SolverError(RuntimeError)   a solver gave no answer that could be made exact
"""

from collections.abc import Sequence

SHOWN = 12
"""A message lists so many faults; the exception's `faults` has them all."""


class MechdesignError(Exception):
    """Base of every exception that mechdesign raises on purpose."""


class InputError(MechdesignError, ValueError):
    """A file, a number or an argument that cannot be used; `faults` lists everything wrong with it at once."""

    def __init__(self, faults: str | Sequence[str], *, source: str = "") -> None:
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        self.source = source
        head = f"{source}: " if source else ""
        if len(self.faults) == 1:
            message = head + self.faults[0]
        else:
            lines = self.faults[:SHOWN] + ([f"and {len(self.faults) - SHOWN} more"] if self.faults[SHOWN:] else [])
            message = f"{head}{len(self.faults)} faults\n" + "\n".join(f"  {line}" for line in lines)
        super().__init__(message)


class SolverError(MechdesignError, RuntimeError):
    """A solver stopped without a usable answer, or its answer could not be made exactly private."""
