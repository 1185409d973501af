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
