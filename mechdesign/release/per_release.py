"""Which epsilon each of several releases may have, so that all of them together keep one."""

import math
from fractions import Fraction

import numpy as np

from mechdesign.exact.exponentials import exp_above
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon, whole
from mechdesign.release.composed_neighbours import MOST_RELEASES
from mechdesign.release.composition import compose

DIGITS = 4
"""To which the epsilon of one release is found, where delta helps."""
LEAST, MOST = Fraction(1, 10**300), 700
"""Epsilons between which more than the share is looked for."""


def epsilon_per_release(releases: int, *, epsilon: Number, delta: Number = 0) -> Epsilon:
    """Return an epsilon that each release may have, with delta 0, so that all together keep an epsilon and a delta.

    It is enough whatever the mechanisms are: of all of them with one epsilon, randomised response of two values tells
    most, however often it is used. At delta 0 it is the equal share of epsilon, exactly, and no more would be enough;
    at a larger delta it is the largest decimal, to four digits of the share, at which `compose` proves that of
    randomised response, if that is more than the share.

    Parameters
    ----------
    releases
        how many there are, each of new data that is independent of the others; or of the same data, if profiles are
        single values.
    epsilon, delta
        of all releases together, epsilon in nats.

    Raises
    ------
    InputError
        unless releases is an integer from 1 to 1,000,000, epsilon >= 0 or infinite, and delta in [0, 1).

    References
    ----------
    Kairouz, Oh and Viswanath, "The Composition Theorem for Differential Privacy", arXiv:1311.0776.

    Examples
    --------
    >>> epsilon_per_release(12, epsilon=1), float(epsilon_per_release(365, epsilon=1, delta="1e-6"))
    (Fraction(1, 12), 0.012434)
    """
    total, allowed = parse_epsilon(epsilon), parse_delta(delta)
    n = whole("releases", releases, at_most=MOST_RELEASES)
    if total == math.inf:
        return total
    share = Fraction(total) / n
    if not allowed or n == 1 or not LEAST <= share < MOST:
        return share
    step = Fraction(10) ** (math.floor(math.log10(share)) - DIGITS + 1)
    enough, too_much = math.floor(share / step), math.ceil(min(total, MOST) / step) + 1  # in steps
    while too_much - enough > 1:
        middle = (enough + too_much) // 2
        if _together(middle * step, n, allowed) <= total:
            enough = middle
        else:
            too_much = middle
    return max(share, enough * step)


def _together(epsilon: Fraction, releases: int, delta: Fraction) -> float:
    """Return an upper bound of what so many uses of randomised response need, in nats."""
    odds = exp_above(epsilon)
    kept, other = odds / (1 + odds), 1 / (1 + odds)
    coin = np.array([[kept, other], [other, kept]], dtype=object)
    return compose(coin, releases=releases, delta=delta).epsilon[1]
