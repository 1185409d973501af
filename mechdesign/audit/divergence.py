"""The hockey-stick divergence of two Laplace laws, in numbers of which none cancels.

P = Lap(mu1, b1) is compared with Q = Lap(mu2, b2), d = |mu1 - mu2|. Their log ratio, in nats,

    l(y) = ln(b2/b1) - |y - mu1|/b1 + |y - mu2|/b2,

is linear but for kinks at the centres, and delta(epsilon) = int (P - e^epsilon Q)^+ = E_P (1 - e^(epsilon - l))^+.
At P's centre l exceeds epsilon by m = ln(b2/b1) + d/b2 - epsilon. With E(x) = 1 - e^-x and t = ln(b2/b1):

    b1 = b2   delta = E(m/2) for m > 0, else 0.
    b1 > b2   P has the heavier tails, so l is unbounded and delta > 0 for every epsilon. Beyond the point y where
              l = epsilon a tail contributes P(tail) (1 - b2/b1), since there e^epsilon Q(tail) = P(tail) b2/b1.
    b1 < b2   l is largest at P's centre, so delta = 0 for m <= 0. Otherwise l falls by u at the distance
              b1 a u from it on the one side, a = b2/(b2-b1), and b1 a' u on the other, a' = b2/(b1+b2), up to Q's
              centre and with a again beyond. By parts delta = int_0^m e^-(m-u) P(l > max l - u) du, a sum of
              J(x; a) = int_0^x e^-(x-u) E(a u) du, all terms positive.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from mechdesign.arrays import Floats

NODES, WEIGHTS = (part / 2 for part in np.polynomial.legendre.leggauss(12))
LEAST, MOST = 1e-300, 1e300
"""Ratios of scales are kept between these; beyond, no double tells the difference."""


def hockey_stick(shift: Any, excess: Any, log_ratio: Any, epsilon: Any) -> Floats:
    """Return delta(epsilon) of P over Q, elementwise.

    Parameters
    ----------
    shift
        |mu1 - mu2| / b1.
    excess
        |mu1 - mu2| / b2 - epsilon: given apart, since it decides, and cancels.
    log_ratio
        t = ln(b2/b1); 0 exactly where the scales are equal.
    epsilon
        in nats, >= 0 and finite.

    References
    ----------
    theory.md 4.3; the source of the question is [SM], whose two laws have different scales.

    Examples
    --------
    >>> hockey_stick([1, 0, 0], [0.5, -1, -1], [0, -np.log(2), np.log(2)], [0.5, 1, 1]).round(6)
    array([0.221199, 0.09197 , 0.      ])
    """
    r, e, t, epsilon = np.broadcast_arrays(*(np.asarray(part, float) for part in (shift, excess, log_ratio, epsilon)))
    with np.errstate(all="ignore"):  # every branch is computed everywhere; np.where takes the right ones
        m = t + e
        equal = _rise(np.maximum(m, 0) / 2)
        other = np.where(t < 0, _wider(r, m, t, epsilon), _narrower(r, m, t, epsilon))
        return np.asarray(np.minimum(np.where(t == 0, equal, other), 1))


def log_quotient(first: Any, second: Any, over: Callable[[Any, Any], Any] = np.divide) -> Floats:
    """Return ln(first / second), elementwise, also where the ratio is near 1, or beyond doubles.

    Parameters
    ----------
    first, second
        numbers >= 0, doubles or long integers.
    over
        divides them: of long integers `quotients`.

    Examples
    --------
    >>> log_quotient([1 + 2**-50, 1e200, 1e-200], [1, 1e-200, 1e200])
    array([ 8.88178420e-16,  9.21034037e+02, -9.21034037e+02])
    """
    first, second = np.broadcast_arrays(np.asarray(first), np.asarray(second))
    with np.errstate(all="ignore"):
        apart, ratio = over(first - second, second), over(first, second)
        logs = np.asarray(np.where(np.abs(apart) < 0.5, np.log1p(apart), np.log(ratio)))
    beyond = np.asarray(((ratio < LEAST) | (ratio > MOST)) & (first > 0) & (second > 0), dtype=bool)
    for place in map(tuple, np.argwhere(beyond)):
        logs[place] = math.log(first[place]) - math.log(second[place])
    return logs


def _wider(r: Floats, m: Floats, t: Floats, epsilon: Floats) -> Floats:
    """Return delta where b1 > b2: two tails, or the side away from Q's centre and the tail beyond it."""
    share = -np.expm1(t)  # 1 - b2/b1
    steep = np.maximum(1 / np.expm1(-t), LEAST)  # b2/(b1-b2): in a tail l rises by x at the distance b1 steep x
    far = share / 2 * np.exp(-(r + (epsilon - t + r) * steep))
    inside = np.where(t > -30, m * expit(t), r - (epsilon - t) * np.exp(t))  # from l = epsilon to P's centre, over b1
    near = np.where(m > 0, _rise(inside - np.log1p(-share / 2)), share / 2 * np.exp(m * steep))
    return np.asarray(far + near)


def _narrower(r: Floats, m: Floats, t: Floats, epsilon: Floats) -> Floats:
    """Return delta where b1 < b2: an interval about P's centre, which may reach beyond Q's."""
    m = np.maximum(m, 0)
    beyond = np.maximum(t - r - epsilon, 0)  # l - epsilon at Q's centre
    within = np.minimum(m, r * (1 + np.exp(-t)))  # by how much l falls, at most, from P's centre to Q's
    away, towards = np.clip(1 / np.expm1(t), LEAST, MOST), np.maximum(expit(-t), LEAST)  # a - 1 and 1 - a'
    side = _integral(m, 1 + away, away)
    other = np.exp(-beyond) * _integral(within, 1 - towards, towards)
    other += _rise(r) * _rise(beyond) + np.exp(-r) * _integral(beyond, 1 + away, away)
    return np.asarray((side + other) / 2)


def _integral(x: Floats, a: Floats, gap: Floats) -> Floats:
    """Return J(x; a) = int_0^x e^-(x-u) E(a u) du, with gap = |a - 1|: its closed form cancels where a x is small."""
    closed = _rise(x) - np.exp(-np.minimum(a, 1) * x) * _rise(gap * x) / gap
    summed = sum(w * np.exp(-x * v) * _rise(a * x * (1 - v)) for v, w in zip(NODES + 0.5, WEIGHTS, strict=True))
    return np.asarray(np.where(a * x <= 1, x * summed, closed))


def _rise(x: Floats) -> Floats:
    """Return E(x) = 1 - e^-x."""
    return np.asarray(-np.expm1(-x))
