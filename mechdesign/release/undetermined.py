"""Bounds of what the released data cannot tell, or hardly: linear programs over all shares that fit the counts.

Whatever the true shares, with 95 %, or another level, all outputs' released probabilities lie in their boxes at once;
so each category's share lies between the least and the largest over all unknowns u >= 0 of total 1 with
low <= u @ matrix <= high.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.optimize import linprog
from scipy.special import betaincinv, xlogy

from mechdesign.arrays import Floats
from mechdesign.release.channels import Channel

ALPHA = 0.05
HALVINGS = 60
"""Steps that find a root in [0, 1] to the last digit of a double."""

Box: TypeAlias = tuple[Floats, Floats]
"""(low, high), each (..., outputs)."""


def clopper_pearson(counts: Floats, alpha: float = ALPHA, rows: Floats | None = None) -> Box:
    """Return boxes that hold the probabilities of all outputs at once with 1 - `alpha`, as rows are independent draws.

    Where they are not, `rows` (..., outputs) says how many independent ones would tell as much of each output.

    References
    ----------
    Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika
    26, 1934; the outputs share `alpha` equally. Korn and Graubard 1998: counts that are not whole.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = clopper_pearson(np.array([0.0, 10.0]))
    >>> low.round(4), high.round(4)
    (array([0.    , 0.6452]), array([0.3548, 1.    ]))
    """
    total, tail = counts.sum(axis=-1, keepdims=True), alpha / (2 * counts.shape[-1])
    counts, rows = (counts, total) if rows is None else (counts / total * rows, rows)
    none, every = counts == 0, counts == rows
    return (
        np.where(none, 0.0, betaincinv(np.where(none, 1.0, counts), rows - counts + 1, tail)),
        np.where(every, 1.0, betaincinv(counts + 1, np.where(every, 1.0, rows - counts), 1 - tail)),
    )


def chernoff(counts: Floats, alpha: float = ALPHA, rows: Floats | None = None) -> Box:
    """Return boxes that hold the mean probabilities of all outputs at once with 1 - `alpha`, the rows being given.

    Then a count is a sum of independent zeros and ones of different probabilities, for which Clopper and Pearson's
    tails may be too small; Chernoff's bound exp(-n KL(count / n, mean)) of the tails holds.

    References
    ----------
    Hoeffding, "Probability inequalities for sums of bounded random variables", 1963, Theorem 1.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = chernoff(np.array([0.0, 10.0]))
    >>> low.round(4), high.round(4)
    (array([0.    , 0.6452]), array([0.3548, 1.    ]))
    """
    total = counts.sum(axis=-1, keepdims=True)
    share, allowed = counts / total, np.log(2 * counts.shape[-1] / alpha) / (total if rows is None else rows)
    return _root(share, np.zeros_like(share), allowed), _root(share, np.ones_like(share), allowed)


def _root(share: Floats, end: Floats, allowed: Floats) -> Floats:
    """Return where KL(share, mean) = `allowed`, between `share` and `end`; the outer end of the last bracket."""
    inside, outside = share, end
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        near = _divergence(share, middle) <= allowed
        inside, outside = np.where(near, middle, inside), np.where(near, outside, middle)
    return outside


def _divergence(share: Floats, mean: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(
            xlogy(share, share) - xlogy(share, mean) + xlogy(1 - share, 1 - share) - xlogy(1 - share, 1 - mean)
        )


@dataclass(frozen=True)
class Bounds:
    """Between what a category's share must lie; `fits` is False where no shares fit all boxes, so nothing is said."""

    low: float
    high: float
    fits: bool


def bounds(channel: Channel, box: Box, category: int) -> Bounds:
    """Return between what a category's share lies if the released probabilities lie in their boxes.

    Each end is computed from the linear program's multipliers, so the solver's accuracy cannot make it too narrow.

    Examples
    --------
    >>> import numpy as np
    >>> blind = Channel(np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]), np.arange(3))
    >>> found = bounds(blind, (np.array([0.7, 0.2]), np.array([0.8, 0.3])), 1)
    >>> round(found.low, 6), round(found.high, 6)
    (0.0, 0.6)
    """
    wanted = channel.wanted[:, category]
    high, low = largest_above(channel.matrix, box, wanted), largest_above(channel.matrix, box, -wanted)
    if high is None or low is None:
        return Bounds(0.0, 1.0, False)
    return Bounds(min(max(-low, 0.0), 1.0), min(max(high, 0.0), 1.0), True)


def largest_above(matrix: Floats, box: Box, wanted: Floats) -> float | None:
    """Return a number >= u @ wanted for all u >= 0 of total 1 with low <= u @ matrix <= high; None if there are none.

    For any multipliers y: u @ wanted = u @ (wanted - matrix @ y) + (u @ matrix) @ y, which is at most the largest
    entry of wanted - matrix @ y, plus high_j y_j where y_j > 0 and low_j y_j where y_j < 0.
    """
    low, high = box
    found = linprog(
        -wanted,
        A_ub=np.vstack([matrix.T, -matrix.T]),
        b_ub=np.concatenate([high, -low]),
        A_eq=np.ones((1, len(matrix))),
        b_eq=[1.0],
        method="highs",
    )
    if found.status == 2:
        return None
    trivial = float(wanted.max())
    if found.status != 0:
        return trivial
    above, below = np.split(-found.ineqlin.marginals, 2)
    y = above - below
    return min(trivial, float((wanted - matrix @ y).max() + (np.where(y > 0, high, low) * y).sum()))
