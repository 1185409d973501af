"""Where to evaluate what is smooth between kinks, so that its integral over all noisy answers is exact to rounding."""

from collections.abc import Callable, Iterator

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.count.table import Table

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
WIDEST = 1.5
"""Times 1 / epsilon: the widest piece. The integrands have poles at a distance of pi / (2 epsilon)."""
HALVINGS = 64
AT_ONCE = 100_000
"""Pieces that are evaluated together, which bounds the memory."""


def kinks(table: Table, low: float, high: float) -> Floats:
    """Return, ascending, the answers in [low, high] where an error of some estimate is not smooth.

    These are the counts themselves, the answers at which the posterior mean B, or (B + y) / 2, is a whole number or the
    median jumps, and those with B(y) = y.

    Parameters
    ----------
    table
        for all answers in [low, high].

    Examples
    --------
    >>> kinks(Table(1.0, np.array([0.0, 1.0]), np.array([0.0, 0.2])), -1, 2)
    array([-1.        , -0.31002552,  0.        ,  0.4       ,  0.59747257,
            1.        ,  1.23147522,  2.        ])
    """

    def mean(y: Floats) -> Floats:
        return table.mean(table.split(y))

    def halfway(y: Floats) -> Floats:
        return (mean(y) + y) / 2

    def median(y: Floats) -> Floats:
        return table.x[table.quantile(table.split(y), 0.5)]

    whole = np.arange(np.ceil(low), np.floor(high) + 1)
    crossings = [_crossings(estimate, low, high) for estimate in (mean, halfway, median)]
    return np.unique(np.concatenate([[low], whole, *crossings, _fixed_points(table, whole), [high]]))


def _crossings(estimate: Callable[[Floats], Floats], low: float, high: float) -> Floats:
    """Return the first answers at which a nondecreasing estimate reaches the whole numbers in its range."""
    first, last = estimate(np.array([low, high]))
    levels = np.arange(np.floor(first) + 1, np.ceil(last) + 1)
    return _bisect(lambda y: estimate(y) >= levels, np.full(len(levels), low), np.full(len(levels), high))


def _bisect(reached: Callable[[Floats], np.ndarray], below: Floats, above: Floats) -> Floats:
    """Return where a condition begins to hold between `below`, where it does not, and `above`, where it does."""
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        held = reached(middle)
        below, above = np.where(held, below, middle), np.where(held, middle, above)
    return above


def _fixed_points(table: Table, whole: Floats) -> Floats:
    """Return the answers with B(y) = y; between neighbours of the grid below, B(y) - y is monotone.

    Halfway between two points may be where the prior is symmetric, and a multiple zero that bisection finds badly.
    """
    middles = (table.x[:-1] + table.x[1:]) / 2
    grid = np.unique(np.concatenate([whole, middles, table.turns()]))

    def sign_at(y: Floats) -> Floats:
        return np.sign(table.excess(table.split(y)))

    sign = sign_at(grid)
    change = np.flatnonzero(sign[:-1] * sign[1:] < 0)
    between = _bisect(lambda y: sign_at(y) == sign[change + 1], grid[change], grid[change + 1])
    return np.concatenate([grid[sign == 0], between])


def pieces(kinks: Floats, epsilon: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield nodes and weights that integrate over [kinks[0], kinks[-1]].

    Examples
    --------
    >>> [(nodes, weights)] = pieces(np.array([0.0, 1.0, 3.0]), 1.0)
    >>> round(float(weights @ nodes**2), 12)
    9.0
    """
    widths = np.diff(kinks)
    parts = np.ceil(widths * (epsilon / WIDEST)).astype(np.int64).clip(1)
    starts = np.repeat(kinks[:-1], parts)
    halves = np.repeat(widths / parts / 2, parts)
    order = np.arange(len(starts)) - np.repeat(np.cumsum(parts) - parts, parts)
    starts += 2 * halves * order
    for first in range(0, len(starts), AT_ONCE):
        half = halves[first : first + AT_ONCE, None]
        middle = starts[first : first + AT_ONCE, None] + half
        yield (middle + half * NODES).ravel(), (half * WEIGHTS).ravel()
