"""The errors of the posterior mean and median, averaged over the true count and the noise."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.count.laws import DEPTH, Masses, Prior
from mechdesign.count.noise import Noise
from mechdesign.count.quadrature import kinks, pieces
from mechdesign.count.table import Split, Table
from mechdesign.errors import InputError

TIE = 1e-9
"""The mean is the answer if the counts below and above pull it apart by less than this, as a share of both pulls.

So it is where the prior is symmetric about the answer, and, but for far less than doubles resolve, where it is flat far
around.
"""

MOST_BINOMIAL, MOST_LISTED = 10**9, 500_000
"""Records for which the integral takes half a minute or so, if epsilon is at most 10."""


@dataclass(frozen=True)
class Averages:
    """Exact to rounding.

    Attributes
    ----------
    mean, median
        mean absolute errors of the two estimators.
    squared_mean, squared_median
        mean squared errors.
    better
        the probability that the posterior mean is nearer to the truth than the answer is.
    """

    mean: float
    median: float
    squared_mean: float
    squared_median: float
    better: float


def averages(prior: Prior, epsilon: float, noise: Noise) -> Averages:
    """Return the integral of the errors over all answers: Gauss-Legendre between kinks, a formula for the tails.

    Beyond the last kink the posterior stays as it is, and the density falls off like e^{-epsilon |y|}.

    Parameters
    ----------
    prior
        of the count.
    epsilon
        in nats.
    noise
        Laplace; or geometric, where the integral is a sum.

    Raises
    ------
    InputError
        for more than `most_records`.

    Examples
    --------
    >>> from mechdesign.count.prior import prior_of
    >>> averages(prior_of(100, 0.3), 0.1, Noise.LAPLACE)
    Averages(mean=3.39728..., median=3.38794..., squared_mean=18.2908..., squared_median=18.3591..., better=0.760878...)
    """
    check_records(prior, epsilon)
    low, high = _ends(prior, epsilon)
    table = Table(epsilon, *prior.window(low, high, epsilon))
    whole = np.arange(low, high + 1)
    nodes: Iterable[tuple[Floats, Floats]] = [(whole, np.ones(len(whole)))]
    if noise is Noise.LAPLACE:
        nodes = pieces(kinks(table, low, high), epsilon)
    ends = np.array([low, high]), np.full(2, noise.beyond(epsilon))
    total = np.zeros(5)
    for y, weights in chain(nodes, [ends]):
        split = table.split(y)
        total += _given(table, split, sides(table, split, noise)) @ (weights * table.density(split))
    return Averages(*(noise.scale(epsilon) * total).tolist())


def sides(table: Table, split: Split, noise: Noise) -> Floats:
    """Return 1 where the mean is above the answer, -1 where it is below, and 0 where they are the same: see `TIE`.

    For Laplace noise they are the same with probability 0, and either side is returned.
    """
    down, up = table.pulls(split)
    if noise is Noise.LAPLACE:
        return np.where(up < down, -1.0, 1.0)
    return np.where(np.abs(up - down) <= TIE * (up + down), 0.0, np.sign(up - down))


def most_records(prior: Prior, epsilon: float) -> int:
    """Return for how many records, with a prior like this one, errors are found within about a minute.

    The counts that matter number some 20 sqrt(n) for a binomial prior, and n for one that lists its masses; for a large
    epsilon, the pieces of the integral between two of them grow like epsilon.

    Examples
    --------
    >>> from mechdesign.count.prior import prior_of
    >>> most_records(prior_of(100, 0.3), 1), most_records(prior_of(100, 0.3), 100)
    (1000000000, 10000000)
    """
    longer = max(1.0, epsilon / 10)
    return int(MOST_LISTED / longer) if _is_listed(prior) else int(MOST_BINOMIAL / longer**2)


def check_records(prior: Prior, epsilon: float) -> None:
    """Refuse more records than `most_records`.

    Examples
    --------
    >>> from mechdesign.count.prior import prior_of
    >>> check_records(prior_of(10**8, 0.3), 100)
    Traceback (most recent call last):
        ...
    mechdesign.errors.InputError: n: expected at most 10000000 records for errors at epsilon 100, found 100000000
    """
    most = most_records(prior, epsilon)
    if prior.n > most:
        law = " with a prior that is not binomial," if _is_listed(prior) else ","
        raise InputError(f"n: expected at most {most} records for errors at epsilon {epsilon:g}{law} found {prior.n}")


def _is_listed(prior: Prior) -> bool:
    return isinstance(prior, Masses) and len(prior.x) > 1  # a single mass is a count that is known, and quick


def _ends(prior: Prior, epsilon: float) -> tuple[float, float]:
    """Return (low, high): beyond them either all answers mean the same, or there are hardly any."""
    (first, last), (rare, often) = prior.reach(epsilon), prior.reach(0)
    # For a low answer the estimate is at most the mean. So if the answer is below 2 first - mean, the midpoint between
    # answer and estimate is below `first`, the least count that matters: all such answers mean the same.
    low = max(np.floor(2 * first - prior.mean), np.floor(rare - DEPTH / epsilon))
    return float(low), float(min(np.ceil(2 * last - prior.mean), np.ceil(often + DEPTH / epsilon)))


def _given(table: Table, split: Split, side: Floats) -> Floats:
    """Return, for each answer, the five errors; estimates are given as distances from a point, precisely."""
    place = table.quantile(split, 0.5)
    base, mean = _beside(table, split, place)
    median = table.x[place] - base
    spread = table.by_cell(table.left.variance, table.right.variance, split)
    gaps = table.by_cell(table.left.gap, table.right.gap, split)
    between = split.below * split.above * (split.down + split.up + gaps[0] + gaps[1]) ** 2
    variance = split.below * spread[0] + split.above * spread[1] + between
    return np.array(
        [
            _absolute(table, split, base, mean, mean),
            _absolute(table, split, base, median, mean),
            variance,
            variance + (median - mean) ** 2,
            _nearer(table, split, side),
        ]
    )


def _beside(table: Table, split: Split, median: Integers) -> tuple[Floats, Floats]:
    """Return a point for each answer, the median where possible, and how far the mean is above it.

    Nearly all probability may lie at one point, and the error be far below one count: then the mean must be given from
    there. A binomial law has such a point next to the answer, or at its own ends; seen from these nothing cancels.
    """
    last = len(table.x) - 1
    before, after = np.maximum(split.cell - 1, 0), np.minimum(split.cell, last)
    below, above = split.below, split.above
    gap_below, gap_above = table.by_cell(table.left.gap, table.right.gap, split)
    reach_below, reach_above = table.by_cell(table.left.reach, table.right.reach, split)
    width = split.down + split.up
    places = [before, after, np.zeros_like(before), np.full_like(before, last)]
    offsets = [
        above * (width + gap_above) - below * gap_below,
        above * gap_above - below * (width + gap_below),
        below * reach_below + above * (table.x[after] - table.x[0] + gap_above),
        -(above * reach_above + below * (table.x[last] - table.x[before] + gap_below)),
    ]
    chosen = [median == place for place in places]
    base = np.select(chosen, places, before)
    return table.x[base], np.select(chosen, offsets, offsets[0])


def _absolute(table: Table, split: Split, base: Floats, estimate: Floats, mean: Floats) -> Floats:
    """Return E|K - t| = 2 E(t - K)^+ + E K - t, or the same from above, whichever does not cross the answer."""
    place = np.searchsorted(table.x, base + np.floor(estimate), side="right")  # of the first point above the estimate
    beside = np.clip(place - 1, 0, None), np.clip(place, None, len(table.x) - 1)
    gap = table.left.gap[beside[0]], table.right.gap[::-1][beside[1]]
    below = _up_to(table, split, place - 1) * (base - table.x[beside[0]] + estimate + gap[0])
    above = _from(table, split, place) * (table.x[beside[1]] - base - estimate + gap[1])
    return np.where(place <= split.cell, 2 * below + mean - estimate, 2 * above + estimate - mean)


def _nearer(table: Table, split: Split, side: Floats) -> Floats:
    """Return the probability that the count is on the mean's side of halfway between mean and answer."""
    base = table.x[np.maximum(split.cell - 1, 0)]
    halfway = split.down + side * np.maximum(side * table.excess(split), 0.0) / 2
    below = np.searchsorted(table.x, base + np.ceil(halfway), side="left") - 1
    above = np.searchsorted(table.x, base + np.floor(halfway), side="right")
    lower, upper = _up_to(table, split, below), _from(table, split, above)
    return np.where(side < 0, lower, np.where(side > 0, upper, 0.0))


def _up_to(table: Table, split: Split, place: Integers) -> Floats:
    """Return the posterior probability of the points up to x[place], which lie below the answer."""
    logs = np.concatenate(([-np.inf], table.left.log_weight))
    inside = np.minimum(place, split.cell - 1)
    with np.errstate(invalid="ignore"):
        return np.where(inside >= 0, split.below * np.exp(logs[inside + 1] - logs[split.cell]), 0.0)


def _from(table: Table, split: Split, place: Integers) -> Floats:
    """Return the posterior probability of the points from x[place] on, which lie above the answer."""
    logs = np.concatenate((table.right.log_weight[::-1], [-np.inf]))
    inside = np.maximum(place, split.cell)
    with np.errstate(invalid="ignore"):
        return np.where(inside < len(table.x), split.above * np.exp(logs[inside] - logs[split.cell]), 0.0)
