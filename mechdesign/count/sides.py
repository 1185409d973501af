"""On which side of a noisy count its posterior mean lies, also where rounding cannot tell.

B(y) - y has the sign of sum_k w_k (k - y) e^{-epsilon |k - y|}. Of a flat prior nearly all of that sum cancels: what
decides is far away, and lost beside what is near. But counts on either side that mirror each other drop out exactly, so
they are left out. The sum is 0 only if nothing remains: powers of e with different rational exponents are linearly
independent over the rationals (Lindemann and Weierstrass).
"""

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.count.laws import Prior
from mechdesign.count.noise import Noise
from mechdesign.count.table import Table


def sides(prior: Prior, table: Table, y: Floats, noise: Noise) -> Floats:
    """Return 1 where B(y) > y, -1 where B(y) < y and 0 where they are equal.

    Parameters
    ----------
    prior
        of the count.
    table
        of that prior.
    y
        answers; whole for geometric noise.
    noise
        for Laplace noise equality has probability 0, and either side is returned.

    Examples
    --------
    >>> from mechdesign.count.prior import Beta, prior_of
    >>> flat = prior_of(100, Beta(1, 1))
    >>> sides(flat, Table(2.0, *flat.window(0, 100, 2.0)), np.array([49.0, 50.0, 51.0]), Noise.GEOMETRIC)
    array([ 1.,  0., -1.])
    """
    if noise is Noise.LAPLACE:
        return np.where(table.excess(table.split(y)) < 0, -1.0, 1.0)
    core = prior.core(y)
    below = np.searchsorted(table.x, y - core, side="left") - 1
    above = np.searchsorted(table.x, y + core, side="right")
    some_below, some_above = below >= 0, above < len(table.x)
    found = some_above.astype(np.float64) - some_below
    both = np.flatnonzero(some_below & some_above)
    found[both] = np.sign(_pull(table, y[both], below[both], above[both]))
    return found


def _pull(table: Table, y: Floats, below: Integers, above: Integers) -> Floats:
    """Return ln of the sum of w_k |k - y| e^{-epsilon |k - y|} from x[above] on, over the same up to x[below]."""
    left, right = table.left, table.right
    down, up = y - table.x[below], table.x[above] - y
    # What lies between mirrors itself, so only the outermost two ratios are left of w_above / w_below.
    log_ratio = table.log_ratios[above] + np.where(below + 1 < above, table.log_ratios[below + 1], 0.0)
    log_weights = log_ratio + left.log_share[below] - right.log_share[::-1][above] + table.epsilon * (down - up)
    return np.asarray(log_weights + np.log(up + right.gap[::-1][above]) - np.log(down + left.gap[below]))
