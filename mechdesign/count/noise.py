"""The noise on a count: its law, and what may be asked of it."""

import math
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, gammainc

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import number, parse_number
from mechdesign.exact.text import shown
from mechdesign.words import word_of

LEAST_EPSILON = 1e-70
"""For less, the fourth powers of the noise, and so the spread of squared errors, would overflow."""


class Noise(StrEnum):
    """What is added to the count; both keep it epsilon-private.

    At a whole answer both say the same of the count: their weights there differ by a constant factor.
    """

    LAPLACE = "laplace"  # density (epsilon / 2) e^{-epsilon |z|}, [ND] (1)
    GEOMETRIC = "geometric"  # P(z) = tanh(epsilon / 2) e^{-epsilon |z|} for whole z

    def scale(self, epsilon: float) -> float:
        """Return the factor of e^{-epsilon |z|}.

        Examples
        --------
        >>> Noise.LAPLACE.scale(0.5)
        0.25
        """
        return epsilon / 2 if self is Noise.LAPLACE else math.tanh(epsilon / 2)

    def beyond(self, epsilon: float) -> float:
        """Return the integral, or the sum, of e^{-epsilon z} over z > 0.

        Examples
        --------
        >>> Noise.LAPLACE.beyond(0.5)
        2.0
        """
        return 1 / epsilon if self is Noise.LAPLACE else 1 / math.expm1(epsilon)

    def outside(self, epsilon: float) -> float:
        """Return P(z < -m) e^{epsilon m}, the same for every whole m >= 0.

        Examples
        --------
        >>> Noise.LAPLACE.outside(0.5)
        0.5
        """
        return 0.5 if self is Noise.LAPLACE else 1 / (1 + math.exp(epsilon))

    def mean_size(self, epsilon: float) -> float:
        """Return E|z|: 1 / epsilon, or 1 / sinh(epsilon).

        Examples
        --------
        >>> Noise.LAPLACE.mean_size(0.1)
        10.0
        """
        return 1 / epsilon if self is Noise.LAPLACE else 1 / math.sinh(epsilon)

    def variance(self, epsilon: float) -> float:
        """Return E z^2: 2 / epsilon^2, or 1 / (2 sinh^2(epsilon / 2)).

        Examples
        --------
        >>> Noise.LAPLACE.variance(0.5)
        8.0
        """
        return 2 / epsilon**2 if self is Noise.LAPLACE else 0.5 / math.sinh(epsilon / 2) ** 2

    def capped(self, epsilon: float, caps: Floats) -> Floats:
        """Return E min(z, c)^2 over z > 0, for each whole cap c >= 0.

        Examples
        --------
        >>> 2 * Noise.LAPLACE.capped(0.5, np.array([0.0, 1e9]))
        array([0., 8.])
        """
        if self is Noise.LAPLACE:
            return np.asarray(gammainc(2, epsilon * caps)) / epsilon**2
        # The sum of (2z - 1) P(noise >= z) for z = 1..c.
        chance, ratio = -math.expm1(-epsilon), math.exp(-epsilon)
        weighted = betainc(2, np.maximum(caps, 1), chance) / chance**2
        plain = -np.expm1(-epsilon * caps) / chance
        return np.where(caps > 0, ratio * (2 * weighted - plain) / (1 + ratio), 0.0)

    def draws(self, epsilon: float, runs: int, generator: np.random.Generator) -> Floats:
        """Return `runs` draws."""
        if self is Noise.LAPLACE:
            return generator.laplace(scale=1 / epsilon, size=runs)
        # The whole part of an exponential variable is geometric; numpy's own geometric draws stop at 2^63.
        sizes = np.floor(generator.exponential(1 / epsilon, (2, runs)))
        return np.asarray(sizes[0] - sizes[1])


def parse_noise(noise: str) -> Noise:
    """Return the noise of that name.

    Raises
    ------
    InputError
        if there is none.

    Examples
    --------
    >>> parse_noise("laplace") is Noise.LAPLACE
    True
    """
    return word_of(Noise, "noise", noise)


def parse_count_epsilon(epsilon: object, least: float = 0.0) -> float:
    """Return epsilon as a double.

    Raises
    ------
    InputError
        unless it is a number > 0, at least `least` and at most 700.

    Examples
    --------
    >>> parse_count_epsilon("1/10")
    0.1
    """
    from_least = f", at least {least:g}" if least else ""
    expected = f"a number > 0 (in nats){from_least} and at most {MAX_EPSILON}"
    above_zero = parse_number(max(least, math.ulp(0.0)))  # of less the double is 0
    return float(number("epsilon", epsilon, expected, at_least=above_zero, at_most=MAX_EPSILON))


def parse_answers(y: npt.ArrayLike, noise: Noise) -> Floats:
    """Return noisy answers as an array of doubles.

    Raises
    ------
    InputError
        naming the first answer that is not a finite number, or with geometric noise not whole.

    Examples
    --------
    >>> parse_answers([1, 2.5], Noise.LAPLACE)
    array([1. , 2.5])
    """
    try:
        answers = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"answer: expected a number or an array of numbers, found {shown(y)}") from None
    wrong = ~np.isfinite(answers)
    expected = "a finite number,"
    if noise is Noise.GEOMETRIC and not wrong.any():
        wrong, expected = answers != np.floor(answers), "a whole number, as geometric noise gives,"
    if wrong.any():
        first = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(wrong)))
        place = f" {', '.join(map(str, first))}" if answers.ndim else ""
        raise InputError(f"answer{place}: expected {expected} found {shown(float(np.atleast_1d(answers)[first]))}")
    return answers
