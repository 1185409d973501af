"""Intervals around unbiased estimates, of 95 % or another level.

Of each there are two kinds, and what is reported reaches from the lower of the low ends to the higher of the high ones:

- The estimate with 1.96 standard errors to either side.
- All shares from which the estimate is not more than 1.96 standard deviations away, as they would be if that were the
  share (Wilson's interval, where nothing is randomised). For rare categories the first kind does not reach far enough.

The first alone covers in 85 to 98 % of all runs (benchmarks/intervals.py), both together in 94 to 99 %.
"""

from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.exact.numbers import Number, number, parse_share
from mechdesign.release.channels import Channel

LEVEL = Fraction(19, 20)
"""Of intervals, unless another is asked for."""

QUANTILE = NormalDist().inv_cdf(0.975)
"""Of the normal distribution, for intervals of 95 %."""

LEAST_ALPHA = 1e-300
"""Levels nearer to 1 are taken for this far from it: 37 standard errors."""

PSEUDO_COUNTS = 4.0
"""Added to the counts of a variance, spread evenly over the outputs. Tuned on k-ary and geometric mechanisms of ten
categories, 200 to 10,000 rows: without any, intervals of 95 % cover a true share of 0 in 7 % of all runs."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """Unbiased estimates, their standard errors and the ends of their intervals, each (..., categories)."""

    unbiased: Floats
    se: Floats
    low: Floats
    high: Floats


def level_of(level: Number) -> Fraction:
    """Return the level of intervals."""
    return number("level", level, "a number between 0 and 1, such as 0.95 or 95%", above=0, below=1, parse=parse_share)


def alpha_of(level: Fraction) -> float:
    """Return with what probability an interval of this level may miss."""
    return max(float(1 - level), LEAST_ALPHA)


def quantile_of(alpha: float) -> float:
    """Return by how many standard errors an interval reaches to either side that may miss with this probability."""
    return -NormalDist().inv_cdf(alpha / 2)


def intervals(
    channel: Channel,
    counts: Floats,
    *,
    these_rows: bool,
    quantile: float = QUANTILE,
    rows: Floats | None = None,
) -> Intervals:
    """Return the unbiased estimates and their intervals from counts of the outputs (..., outputs).

    Parameters
    ----------
    these_rows
        whether for the shares among the rows at hand; otherwise for the population.
    quantile
        of the law of an estimate; 1.96 for 95 %.
    rows
        (categories,): how many rows that are drawn independently would tell as much, where these are not.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", 1927. Agresti and Coull 1998: four
    pseudo-counts.

    Examples
    --------
    >>> plain = Channel(np.eye(2), np.arange(2))              # nothing is randomised
    >>> found = intervals(plain, np.array([0.0, 10.0]), these_rows=False)
    >>> found.low.round(4), found.high.round(4)
    (array([0.    , 0.7225]), array([0.2775, 1.    ]))
    """
    if rows is None:
        rows = counts.sum(axis=-1, keepdims=True)
    centre, error = unbiased(channel, counts), standard_errors(channel, counts, these_rows=these_rows, rows=rows)
    factor = quantile**2 / rows
    low, high = limits(centre, error, quantile)
    least, most = _not_far(channel, counts, centre, factor, these_rows=these_rows)
    return Intervals(centre, error, np.minimum(low, least), np.maximum(high, most))


def limits(centre: Floats, error: Floats, quantile: float = QUANTILE) -> tuple[Floats, Floats]:
    """Return the ends of 1.96 standard errors to either side, intersected with [0, 1].

    Where nothing would be left, as the estimate is far below 0, the interval is that around 0; above 1, around 1.

    Examples
    --------
    >>> low, high = limits(np.array([0.5, 0.01, -0.9]), np.array([0.1, 0.1, 0.1]))
    >>> low.round(3), high.round(3)
    (array([0.304, 0.   , 0.   ]), array([0.696, 0.206, 0.196]))
    """
    reach = quantile * error
    centre = np.where(centre + reach < 0, 0.0, np.where(centre - reach > 1, 1.0, centre))
    return np.maximum(centre - reach, 0.0), np.minimum(centre + reach, 1.0)


def _not_far(
    channel: Channel, counts: Floats, centre: Floats, factor: Floats, *, these_rows: bool
) -> tuple[Floats, Floats]:
    """Return the ends of {t in [0, 1] : (centre - t)^2 <= factor variance(t)}; the nearer end where it is empty.

    If the share were t, the mean square of the coefficients would be t own + (1 - t) other, where `other` is that of
    the other categories as they seem to be; the variance is this less t^2 (the population), or less t (these rows).
    """
    if channel.categories == 1:
        return np.ones_like(centre), np.ones_like(centre)
    own, least, most = mean_squares(channel)
    shares = smoothed(channel, counts)
    share = shares @ channel.coefficients
    rest = shares @ channel.coefficients**2 - share * own
    other = np.clip(rest / np.maximum(1 - share, 1e-9), least, most)
    slope = own - other - these_rows
    square = 1.0 if these_rows else 1 + factor
    middle = centre + factor * slope / 2
    root = np.sqrt(np.maximum(middle**2 - square * (centre**2 - factor * other), 0.0))
    return np.clip((middle - root) / square, 0.0, 1.0), np.clip((middle + root) / square, 0.0, 1.0)


def mean_squares(channel: Channel) -> tuple[Floats, Floats, Floats]:
    """Return of each category's coefficients the mean square over rows of its own, and the least and largest of others.

    Of several rows of its own, where profiles are mixed, the largest; without other categories, its own.
    """
    squares, belongs = channel.squares, channel.wanted > 0
    own = np.where(belongs, squares, -np.inf).max(axis=0)
    if channel.categories == 1:
        return own, own, own
    return own, np.where(belongs, np.inf, squares).min(axis=0), np.where(belongs, -np.inf, squares).max(axis=0)


def largest_spread(channel: Channel, *, these_rows: bool) -> Floats:
    """Return n times the largest variance (categories,) of the unbiased estimate over all true shares.

    Over rows at hand it is linear in the shares, so largest where all rows are alike. Over a population it is
    t own + (1 - t) other - t^2, where t is the category's share, `own` its row's mean square, `other` the largest of
    the others' rows: largest at t = (own - other) / 2, or at the nearer end of [0, 1].
    """
    own, _, other = mean_squares(channel)
    if channel.categories == 1:
        return np.asarray(np.maximum(own - 1, 0.0))
    if these_rows:
        return np.asarray(np.maximum(np.maximum(own - 1, other), 0.0))
    t = np.clip((own - other) / 2, 0.0, 1.0)
    return np.asarray(t * own + (1 - t) * other - t**2)


def unbiased(channel: Channel, counts: Floats) -> Floats:
    """Return the unbiased estimates (..., categories) from counts of the outputs (..., outputs)."""
    return np.asarray(counts @ channel.coefficients / counts.sum(axis=-1, keepdims=True))


def spread(channel: Channel, shares: Floats, *, these_rows: bool) -> Floats:
    """Return n times the variance of the unbiased estimates from released shares (..., outputs).

    Over rows that are drawn from a population it is of who was asked, and of the noise: the mean square less the square
    of the mean. Over `these_rows` it is of the noise alone: a row of category x adds the variance of its coefficient,
    whose mean is 1 for x and 0 for any other, so the sum is the mean square less the share of the category.
    """
    mean = shares @ channel.coefficients
    return np.asarray(shares @ channel.coefficients**2 - (mean if these_rows else mean**2))


def smoothed(channel: Channel, counts: Floats) -> Floats:
    """Return released shares (..., outputs) from counts with pseudo-counts."""
    added = PSEUDO_COUNTS * channel.possible / channel.possible.sum()
    return np.asarray((counts + added) / (counts.sum(axis=-1, keepdims=True) + PSEUDO_COUNTS))


def standard_errors(channel: Channel, counts: Floats, *, these_rows: bool, rows: Floats | None = None) -> Floats:
    """Return the standard errors (..., categories), from counts with pseudo-counts; of so many rows."""
    variances = spread(channel, smoothed(channel, counts), these_rows=these_rows)
    number = counts.sum(axis=-1, keepdims=True) if rows is None else rows
    return np.asarray(np.sqrt(np.maximum(variances, 0.0) / number))
