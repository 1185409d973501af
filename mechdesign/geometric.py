"""Two-sided geometric noise (the discrete Laplace law), drawn exactly: integers alone, no floating point.

P(z) = (1 - q) / (1 + q) q^|z| with q = e^-epsilon, for every whole z. A count that one record changes by at most 1 is
epsilon-differentially private once such noise is added to it. A draw in floating point has not this law, and its gaps
can betray the count; here every draw is a sequence of fair choices among n, from the operating system's randomness.
"""

import secrets
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import exp_below
from mechdesign.exact.text import shown

Below: TypeAlias = Callable[[int], int]
"""A source of randomness: given n, a whole number of 0..n-1, each as likely. Anything but `secrets` is for tests."""


def two_sided_geometric(epsilon: Fraction, below: Below = secrets.randbelow) -> int:
    """Return a whole number z with probability proportional to e^(-epsilon |z|), exactly.

    Raises
    ------
    InputError
        unless epsilon is a positive rational.

    References
    ----------
    Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Algorithm 2,
    arXiv:2004.00010, with t / s = 1 / epsilon.

    Examples
    --------
    >>> import random
    >>> [two_sided_geometric(Fraction(1, 2), random.Random(seed).randrange) for seed in range(8)]
    [-1, 2, 0, 0, 4, 1, -1, 0]
    """
    if not isinstance(epsilon, Fraction | int) or epsilon <= 0:
        raise InputError(f"epsilon: expected a positive rational, found {shown(epsilon)}")
    while (drawn := _attempt(epsilon, below)) is None:
        pass
    return drawn


def _attempt(epsilon: Fraction, below: Below) -> int | None:
    """Return a draw of the law, or None: try again."""
    s, t = epsilon.numerator, epsilon.denominator
    u = below(t)
    if not bernoulli_exp(Fraction(u, t), below):
        return None
    v = 0
    while bernoulli_exp(Fraction(1), below):
        v += 1
    magnitude = (u + t * v) // s  # u + t v, its remainder by t and its quotient, has the ratio e^(-1/t)
    if below(2) == 0:
        return magnitude
    return -magnitude if magnitude else None  # or 0 would come from both signs


def furthest(epsilon: Fraction, miss: Fraction) -> int:
    """Return the least m with P(|Z| > m) <= `miss` for two-sided geometric noise Z.

    P(|Z| > m) = 2 q^(m + 1) / (1 + q), q = e^-epsilon, is at most `miss` if e^(epsilon m) + e^(epsilon (m + 1)) is at
    least 2 / `miss`. Rational bounds of the exponentials from below decide that, so m is never too small.

    Raises
    ------
    InputError
        if `miss` is beyond e^-690.

    Examples
    --------
    >>> furthest(Fraction(1, 2), Fraction(1, 20))
    6
    """
    needed = 2 / miss
    if needed > exp_below(Fraction(690)):
        raise InputError("confidence: so near to 1 that no noise is certain to be within; take less")

    def is_enough(m: int) -> bool:
        return exp_below(epsilon * m) + exp_below(epsilon * (m + 1)) >= needed

    below, enough = -1, 1
    while not is_enough(enough):
        below, enough = enough, 2 * enough
    while enough - below > 1:
        middle = (below + enough) // 2
        below, enough = (below, middle) if is_enough(middle) else (middle, enough)
    return enough


def bernoulli_exp(exponent: Fraction, below: Below = secrets.randbelow) -> bool:
    """Return True with probability e^-exponent, exactly, for a rational exponent >= 0.

    Its chance of going on past the k-th trial is exponent^k / k!, so the parity of where it stops has the
    probability of the alternating series.

    References
    ----------
    Canonne, Kamath and Steinke 2020, Algorithm 1, arXiv:2004.00010.

    Examples
    --------
    >>> bernoulli_exp(Fraction(0))
    True
    """
    whole, rest = divmod(exponent, 1)
    for _ in range(whole):
        if not _at_most_one(Fraction(1), below):
            return False
    return _at_most_one(rest, below)


def _at_most_one(exponent: Fraction, below: Below) -> bool:
    """Return True with probability e^-exponent, for 0 <= exponent <= 1."""
    trial = 1
    while below(exponent.denominator * trial) < exponent.numerator:
        trial += 1
    return trial % 2 == 1
