"""What a guarantee for estimated profiles is worth for the true ones, from the distance between the two alone."""

import math
from fractions import Fraction

from mechdesign.exact.exponentials import exp_above, parse_ratio
from mechdesign.exact.numbers import Number, number, parse_delta


def delta_within_radius(
    radius: Number, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0
) -> Fraction:
    """Return delta + r (1 + e^epsilon), rounded up and at most 1: what holds if profiles are up to r from those given.

    A mechanism M that is (epsilon, delta)-private for profiles P_i is (epsilon, that)-private for all profiles Q_i
    within total variation r of them. For every set S of outputs, Q_i M(S) <= P_i M(S) + r and P_j M(S) <= Q_j M(S) + r,
    as M(S) is a function of the value between 0 and 1, so that its means differ by the total variation at most. Hence

        Q_i M(S) <= e^epsilon P_j M(S) + delta + r <= e^epsilon Q_j M(S) + delta + r + e^epsilon r.

    It is attained, where the mechanism releases the value itself. `certify` on a graph with bounds says what is needed
    for the mechanism at hand, which is mostly less.

    Parameters
    ----------
    radius
        r, from 0 to 1.
    epsilon, ratio
        what holds for the profiles given, in nats, or exactly as e^epsilon: one of the two.
    delta
        with that epsilon.

    Raises
    ------
    InputError
        unless r is in [0, 1], one of epsilon >= 0 (at most 100,000, or infinite) and ratio >= 1 is given, and delta is
        in [0, 1).

    Examples
    --------
    >>> delta_within_radius("1/50", ratio=2), float(delta_within_radius("1/50", epsilon=1, delta="0.01"))
    (Fraction(3, 50), 0.0843656...)
    """
    r = number("radius", radius)
    number("radius", radius, "a total variation distance from 0 to 1", at_least=0, at_most=1)
    given, factor = parse_delta(delta), parse_ratio(epsilon, ratio, exp_above)
    if factor == math.inf or not r:  # an infinite epsilon requires nothing
        return given
    return min(Fraction(1), given + r * (1 + Fraction(factor)))
