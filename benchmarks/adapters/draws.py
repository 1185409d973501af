"""What a sampler does with its random numbers, counted.

Python's `random.random()`, its `secrets` twin and numpy's return one of the 2^53 numbers i / 2^53, each equally likely.
So a sampler that decides by such a number u has rational probabilities with denominator 2^53, whatever doubles it
compares u with, and they can be counted.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from mechdesign.graph.labels import Label
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism

NUMBERS = 2**53
"""How many values a uniform double takes."""


def heads(p: float) -> Fraction:
    """Return the probability that u < p.

    Examples
    --------
    >>> heads(0.75), heads(0.1) > Fraction(0.1)     # 0.1 is no multiple of 2^-53
    (Fraction(3, 4), True)
    """
    return Fraction(min(max(math.ceil(Fraction(p) * NUMBERS), 0), NUMBERS), NUMBERS)


def counted(draw: Callable[[float], Label]) -> Counter[Label]:
    """Return for how many of the 2^53 numbers u `draw(u)` gives each output.

    Below 1/2, and again above it, each output must be drawn on one interval of u; so inverse distribution functions
    of one-sided and of two-sided noise will do. Each end of an interval is found by bisection.

    Examples
    --------
    >>> counted(lambda u: "low" if u < 0.25 else "high")["low"] / 2**53
    0.25
    """
    counts: Counter[Label] = Counter()
    half = NUMBERS // 2
    for start, stop in ((0, half), (half, half + 1), (half + 1, NUMBERS)):
        while start < stop:
            output, end = _interval(draw, start, stop)
            counts[output] += end - start
            start = end
    return counts


def _interval(draw: Callable[[float], Label], start: int, stop: int) -> tuple[Label, int]:
    """Return the output at `start`, and where the interval that it is drawn on ends."""
    output = draw(start / NUMBERS)
    return output, bisect_left(range(stop), True, lo=start, key=lambda i: draw(i / NUMBERS) != output)


def randomised_response(values: Sequence[Label], truth: Fraction) -> Mechanism:
    """Return the mechanism that tells the truth with this probability, else one of the other values, all alike."""
    k = len(values)
    rows = np.full((k, k), (1 - truth) / (k - 1), dtype=object)
    np.fill_diagonal(rows, truth)
    return mechanism_from_matrix(rows, inputs=values)
