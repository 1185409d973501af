"""What the scripts share: options made from their defaults, seconds, and a Markdown table printed row by row."""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


def asked(words: str | None, **defaults: Any) -> argparse.Namespace:
    """Return the options of a script: `--name` for each default, a flag for False, several values for a sequence."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        option = f"--{name.replace('_', '-')}"
        if default is False:
            parser.add_argument(option, action="store_true")
            continue
        several = isinstance(default, list | tuple)
        first = default[0] if several else default
        kind = str if first is None else type(first)
        parser.add_argument(option, default=default, type=kind, nargs="+" if several else None, help=f"{default}")
    return parser.parse_args()


def size_of(text: str) -> tuple[int, int]:
    """Return a size such as 20x10, profiles x categories."""
    profiles, categories = text.split("x")
    return int(profiles), int(categories)


@dataclass
class Seconds:
    """By the clock, which depends on what else the machine does, and of processor time."""

    clock: float = 0.0
    processor: float = 0.0


@contextmanager
def timed() -> Iterator[Seconds]:
    """Yield the seconds that what stands within takes; known when it ends."""
    taken, clock, processor = Seconds(), time.perf_counter(), time.process_time()
    try:
        yield taken
    finally:
        taken.clock, taken.processor = time.perf_counter() - clock, time.process_time() - processor


def fastest(work: Callable[[], object], repeats: int) -> Seconds:
    """Return the least seconds of some runs."""
    runs = []
    for _ in range(repeats):
        with timed() as taken:
            work()
        runs.append(taken)
    return Seconds(min(run.clock for run in runs), min(run.processor for run in runs))


class Table:
    """A Markdown table; each row is shown as it comes."""

    def __init__(self, *headings: str) -> None:
        self.row(*headings)
        self.row(*("---" for _ in headings))

    def row(self, *cells: object) -> None:
        """Print a row."""
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
