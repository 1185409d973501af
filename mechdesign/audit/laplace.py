"""Laplace laws of any centre and scale: tails, quantiles, and how far two of them are apart.

A law of scale 0 is the point mass at its centre. Everything broadcasts.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.audit.divergence import hockey_stick, log_quotient
from mechdesign.errors import InputError
from mechdesign.exact.text import shown

CANCELS = 1e-4
"""Where d/b2 and epsilon agree to this, relatively, their difference is taken exactly."""


def laplace_delta(mu1: Any, b1: Any, mu2: Any, b2: Any, epsilon: Any) -> Any:
    """Return the least delta with which Lap(mu1, b1) is within e^epsilon of Lap(mu2, b2): sup_S P(S) - e^epsilon Q(S).

    One way only: the larger of both orders is what privacy needs. The error is below 1e-15 (1 + epsilon), and relative,
    below 1e-12, but for where delta falls to 0.

    Parameters
    ----------
    mu1, b1, mu2, b2
        centre and scale, >= 0, of each.
    epsilon
        in nats, >= 0; at infinity what remains is the mass of P where Q has none.

    Raises
    ------
    InputError
        on a scale or an epsilon that is negative, or anything not a number.

    References
    ----------
    [SM] Sarathy and Muralidhar 2009, Bilbao: there these two laws are compared by their tails at one response.

    Examples
    --------
    >>> round(float(laplace_delta(0.3, 0.1, 0, 0.1, 2)), 9)      # 1 - exp(-1/2)
    0.39346934
    >>> laplace_delta([0, 0], [1, 2], 0, [2, 1], 0.5).round(6)
    array([0.030849, 0.151633])
    """
    mu1, b1, mu2, b2, epsilon = _numbers(mu1=mu1, b1=b1, mu2=mu2, b2=b2, epsilon=epsilon)
    with np.errstate(all="ignore"):
        distance = np.abs(mu1 - mu2)
        finite = np.where(np.isinf(epsilon), 0, epsilon)
        excess = _excess(mu1, mu2, b2, finite)
        delta = np.where(np.isinf(epsilon), 0, hockey_stick(distance / b1, excess, log_quotient(b2, b1), finite))
    points = (b1 == 0) | (b2 == 0)
    return np.where(points, ~((b1 == b2) & (mu1 == mu2)), delta)[()]


def laplace_epsilon(mu1: Any, b1: Any, mu2: Any, b2: Any) -> Any:
    """Return the largest log ratio of the densities of Lap(mu1, b1) and Lap(mu2, b2), one way; infinite for b1 > b2.

    Parameters
    ----------
    mu1, b1, mu2, b2
        centre and scale, >= 0, of each.

    Raises
    ------
    InputError
        on a negative scale, or anything not a number.

    Notes
    -----
    It is |mu1 - mu2|/b for equal scales, ln(b2/b1) + |mu1 - mu2|/b2 for b1 < b2.

    Examples
    --------
    >>> float(laplace_epsilon(3, 2, 0, 2)), float(laplace_epsilon(0, 2, 0, 1)), float(laplace_epsilon(0, 1, 0, 2))
    (1.5, inf, 0.6931471805599453)
    """
    mu1, b1, mu2, b2 = _numbers(mu1=mu1, b1=b1, mu2=mu2, b2=b2)
    with np.errstate(all="ignore"):
        most = log_quotient(b2, b1) + np.abs(mu1 - mu2) / b2
    same = (b1 == b2) & (mu1 == mu2)
    return np.where(same, 0, np.where((b1 > b2) | (b1 == 0) | (b2 == 0), np.inf, most))[()]


def laplace_quantile(u: Any, mu: Any = 0, b: Any = 1) -> Any:
    """Return the u-quantile of Lap(mu, b), `Laplace^-1(u, mu, b)` in Sarathy and Muralidhar 2009.

    Parameters
    ----------
    u
        in (0, 1).
    mu, b
        centre, and scale >= 0.

    Raises
    ------
    InputError
        if u is outside (0, 1), or a scale negative.

    Examples
    --------
    >>> round(float(laplace_quantile(0.75, 0, 1.4946149425)), 6)
    1.035988
    """
    u, mu, b = _numbers(u=u, mu=mu, b=b)
    if not np.all((u > 0) & (u < 1)):
        raise InputError(f"u: expected a number in (0, 1), found {shown(_first(u, ~((u > 0) & (u < 1))))}")
    return (mu - b * np.sign(u - 0.5) * np.log(2 * np.minimum(u, 1 - u)))[()]


def laplace_log_tail(distance: Any, b: Any) -> Any:
    """Return ln P[Y >= mu + distance] for Y ~ Lap(mu, b).

    Parameters
    ----------
    distance
        from the centre, of either sign.
    b
        scale, >= 0.

    Raises
    ------
    InputError
        on a negative scale, or anything not a number.

    Examples
    --------
    >>> import math
    >>> round(math.exp(laplace_log_tail(1.035988, 1.4946149425)), 6)
    0.25
    """
    distance, b = _numbers(distance=distance, b=b)
    with np.errstate(all="ignore"):
        z = np.where((b == 0) & (distance == 0), -np.inf, distance / b)  # a point mass is at its centre
    return standard_log_tail(z)[()]


def standard_log_tail(z: Floats) -> Floats:
    """Return ln P[Z >= z] for Laplace noise Z of scale 1."""
    return np.where(z > 0, -z - np.log(2), np.log1p(-np.exp(np.minimum(z, 0)) / 2))


def _excess(mu1: Floats, mu2: Floats, b2: Floats, epsilon: Floats) -> Floats:
    """Return |mu1 - mu2|/b2 - epsilon, exactly rounded where it cancels."""
    excess = np.asarray(np.abs(mu1 - mu2) / b2 - epsilon)
    for place in map(tuple, np.argwhere((np.abs(excess) < CANCELS * epsilon) & (b2 > 0))):
        centre1, centre2, scale, allowed = (Fraction(float(part[place])) for part in (mu1, mu2, b2, epsilon))
        excess[place] = float(abs(centre1 - centre2) / scale - allowed)
    return excess


def _numbers(**arguments: Any) -> list[Floats]:
    """Return the arguments as arrays of one shape; scales and epsilon must be >= 0, all but epsilon finite."""
    arrays = []
    for name, value in arguments.items():
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{name}: expected numbers, found {shown(value)}") from None
        low, high = (0 if name[0] in "be" else -np.inf), (np.inf if name == "epsilon" else np.finfo(float).max)
        wrong = ~((array >= low) & (array > -np.inf) & (array <= high))
        if wrong.any():
            kind = "a number >= 0" if low == 0 else "a finite number"
            raise InputError(f"{name}: expected {kind}, found {shown(_first(array, wrong))}")
        arrays.append(array)
    try:
        return [array.copy() for array in np.broadcast_arrays(*arrays)]
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(arguments, arrays, strict=True))
        raise InputError(f"expected arrays that broadcast, found shapes {shapes}") from None


def _first(array: Floats, chosen: Any) -> float:
    return float(np.atleast_1d(array)[np.atleast_1d(chosen)][0])
