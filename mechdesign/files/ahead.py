"""Record batches that another thread makes while those before are worked on."""

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import TypeVar

AHEAD = 2
"""Items that are asked for before they are needed; each may hold a batch in memory."""

T = TypeVar("T")


def read_ahead(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """Yield the same items, none of them None, each made by another thread; an error comes where it would come.

    Closing it waits for the item that is being made, and closes `items`.

    Examples
    --------
    >>> list(read_ahead(text for text in ["yes", "no"]))
    ['yes', 'no']
    """
    with closing(items), ThreadPoolExecutor(1, "read-ahead") as reader:
        coming: deque[Future[T | None]] = deque(reader.submit(next, items, None) for _ in range(AHEAD))
        try:
            while (item := coming.popleft().result()) is not None:
                coming.append(reader.submit(next, items, None))
                yield item
        finally:
            for one in coming:
                one.cancel()
