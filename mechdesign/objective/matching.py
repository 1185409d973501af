"""Matching what is there with what is wanted, in order."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Weight = TypeVar("Weight", int, float)


def matched(supply: Sequence[Weight], demand: Sequence[Weight]) -> Iterator[tuple[int, int, Weight]]:
    """Yield (source, sink, how much): each source goes to the first sinks that are not filled yet.

    Of two lists of integers of one total, all is matched; of doubles, what rounding leaves over is not.

    Examples
    --------
    >>> list(matched([3, 0, 1], [2, 2]))
    [(0, 0, 2), (0, 1, 1), (2, 1, 1)]
    """
    left, wanted = list(supply), list(demand)
    x = y = 0
    while x < len(left) and y < len(wanted):
        amount = min(left[x], wanted[y])
        if amount > 0:
            yield x, y, amount
        left[x] -= amount
        wanted[y] -= amount
        if left[x] <= wanted[y]:
            x += 1
        else:
            y += 1
