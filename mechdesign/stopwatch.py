"""Where the time goes, and what is being done just now."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Listener: TypeAlias = Callable[[str], object]

_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def announce(words: str) -> None:
    """Tell whoever listens, in this thread, what is being done now."""
    hear = listener()
    if hear is not None:
        hear(words)


def listener() -> Listener | None:
    """Return who listens, in this thread."""
    return _LISTENER.get()


@contextmanager
def announced_to(hear: Listener) -> Iterator[None]:
    """Call `hear` with the words for each phase and each round of a solver that begins within.

    Examples
    --------
    >>> with announced_to(print), Stopwatch()("solve"):
    ...     announce("solve, round 1")
    solve
    solve, round 1
    """
    token = _LISTENER.set(hear)
    try:
        yield
    finally:
        _LISTENER.reset(token)


class Stopwatch:
    """Adds up the seconds spent in each phase.

    Examples
    --------
    >>> timed = Stopwatch()
    >>> with timed("solve"):
    ...     pass
    >>> list(timed.seconds)
    ['solve']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Time what is done within, and announce it."""
        announce(phase)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add({phase: time.perf_counter() - start})

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add the seconds of another."""
        for phase, more in seconds.items():
            self.seconds[phase] = self.seconds.get(phase, 0.0) + more
