"""How the shares of two groups differ: estimates with intervals, or bounds."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.release.estimates import Estimate
from mechdesign.release.shares import Shares


def group_differences(one: Shares, other: Shares) -> Iterator[Estimate]:
    """Yield for each category what is known of one group's share less another's.

    Bounds reach from the ends of one group's share to those of the other's, each of which may miss half as often.
    """
    pairs = zip(one.estimates, other.estimates, _covariances(one, other).tolist(), strict=True)
    wide = [replace(group, alpha=group.alpha / 2) for group in (one, other)]
    for x, (first, second, covariance) in enumerate(pairs):
        known = _known(first, second, covariance)
        if first.bounded or second.bounded:
            (low, high), (least, most) = (group.ends(x) for group in wide)
            ends = low - most, high - least
        else:
            ends = _apart(first, second, covariance)
        likely = known[0]
        if likely is not None:
            ends = min(ends[0], likely), max(ends[1], likely)
        yield Estimate(*known, *ends, first.bounded or second.bounded)


def _covariances(one: Shares, other: Shares) -> Floats:
    """Return the covariances of the groups' unbiased estimates; the mechanism's noise has none."""
    if one.these_rows:
        return np.zeros(one.channel.categories)
    return one.sample.covariance(other.sample, one.channel.coefficients, other.channel.coefficients)


def _known(one: Estimate, two: Estimate, covariance: float) -> tuple[float | None, float | None, float | None]:
    """Return the likeliest and the unbiased difference with its standard error; None where a share has none."""
    if one.estimate is None or two.estimate is None:
        return None, None, None
    first, second = (np.array([each.estimate, each.unbiased]) for each in (one, two))
    likely, unbiased = (first - second).tolist()
    return likely, unbiased, max(0.0, _square(one) + _square(two) - 2 * covariance) ** 0.5


def _square(one: Estimate) -> float:
    return (one.se or 0.0) ** 2


def _apart(one: Estimate, two: Estimate, covariance: float) -> tuple[float, float]:
    """Return the ends of the interval of a difference, from those of the two shares and their covariance.

    References
    ----------
    Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17,
    1998, method 10. Zou and Donner, "Construction of confidence limits about effect measures", Statistics in Medicine
    27, 2008: with covariances.
    """
    errors = (_square(one) * _square(two)) ** 0.5
    correlation = min(1.0, max(-1.0, covariance / errors)) if errors else 0.0
    first, second = (min(max(each.unbiased or 0.0, each.low), each.high) for each in (one, two))

    def reach(up: float, down: float) -> float:
        return float(max(0.0, up**2 + down**2 - 2 * correlation * up * down) ** 0.5)

    difference = first - second
    low = difference - reach(first - one.low, two.high - second)
    return max(-1.0, low), min(1.0, difference + reach(one.high - first, second - two.low))
