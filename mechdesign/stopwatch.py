"""Where the time goes."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


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
        """Time what is done within."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add({phase: time.perf_counter() - start})

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add the seconds of another."""
        for phase, more in seconds.items():
            self.seconds[phase] = self.seconds.get(phase, 0.0) + more
