"""The least E >= 1 with sum_y max(0, first(y) - E second(y)) <= delta: the least epsilon that two distributions need.

Of two distributions that is the largest (first(S) - delta) / second(S) over sets S of outputs, infinite where
first(S) > delta and second(S) = 0: (epsilon, delta) holds iff E <= e^epsilon. Of profiles within bounds `first` has the
most and `second` the least that they may release of each output, as in `mechdesign.privacy.extremes`.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from mechdesign.privacy.released import Released


@dataclass(frozen=True)
class Needed:
    """The least E (None if infinite) and a set of outputs that needs it; the empty set if 1 is enough."""

    ratio: Fraction | None
    outputs: tuple[int, ...]


def needed(first: Released, second: Released, delta: Fraction) -> Needed:
    """Return the least ratio by sorting: the best set takes the outputs of the largest first(y) / second(y).

    References
    ----------
    [HLM] Theorem 3 groups the outputs by these ratios.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> needed(p, q, Fraction(0)), needed(p, q, Fraction(1, 10))
    (Needed(ratio=Fraction(3, 1), outputs=(0,)), Needed(ratio=Fraction(5, 2), outputs=(0,)))
    """
    masses = masses_of(first, second)
    alone = [y for y, (a, b) in enumerate(masses) if a and not b]
    allowed = delta * first.total * second.total
    mass, other = Fraction(sum(masses[y][0] for y in alone)), 0
    if mass > allowed:
        return Needed(None, tuple(alone))
    rest = [y for y, (a, b) in enumerate(masses) if a and b]
    if allowed:
        rest.sort(key=lambda y: Fraction(*masses[y]), reverse=True)
    elif rest:  # then one output is enough
        rest = [reduce(lambda x, y: y if masses[y][0] * masses[x][1] > masses[x][0] * masses[y][1] else x, rest)]
    best, size = Fraction(1), 0
    for count, y in enumerate(rest, start=1):
        mass, other = mass + masses[y][0], other + masses[y][1]
        if mass - allowed > best * other:
            best, size = (mass - allowed) / other, count
    return Needed(best, tuple(sorted(alone + rest[:size])) if size else ())


def masses_of(first: Released, second: Released) -> list[tuple[int, int]]:
    """Return first(y) and second(y) of each output, over the product of their totals."""
    return [(int(a) * second.total, int(b) * first.total) for a, b in zip(first.weights, second.weights, strict=True)]
