"""The least largest off-diagonal entry for two profiles, in closed form, for any number of categories.

Theorem. Let P and R be the distributions of two neighbours over m categories, E = e^epsilon. The least t for which
matrices with no entry off the diagonal above t are (epsilon, delta)-private is the largest, over both orders of the two
and all proper sets S of outputs that are not empty, of

    (P(S) - E R(S) - delta) / ((m - |S|) P(S) + E |S| (1 - R(S))),

or 0 if that is negative.

Necessary: each x in S goes to each of the m - |S| outputs outside with probability t at most, so that the first profile
keeps q(S) >= P(S) - t (m - |S|) P(S); the other gains r(S) <= R(S) + t |S| (1 - R(S)); and q(S) <= E r(S) + delta.

Sufficient: with t, a profile reaches the q with q(S) <= P(S) + t |S| (1 - P(S)) for all S. The right side is
submodular, so the least of w.q over these is the sum of those over the level sets of w. A certificate that no private
pair is reached consists of weights lam, mu >= 0, lam mu = 0, of q <= E r and of r <= E q; with s = lam - mu, the
weights of q rise with s and those of r fall with it. So both least values split over the level sets of s, each of which
is the condition above for one S in one order. With delta, the weights are on sets, uncrossed to a chain for each order;
where both chains have an output, taking it out of both lowers no side's weights, so they may be disjoint, and delta
times the total weight splits in the same way.

For two categories this is below the flip of the corrected Observation 9 of [GC], `flip_probability`, since each profile
has its own matrix, whose rows may differ in how much they keep: with p = 0.8, r = 0.3 and E = 1.3, 22/87 against 22/59.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.numbers import Number, over_common, parse_delta, parse_number


class Asked(NamedTuple):
    """What a pair asks for: the level t, and the set S of outputs by which it does."""

    level: Fraction
    outputs: tuple[int, ...]


def two_profiles(
    p: Sequence[Number],
    r: Sequence[Number],
    *,
    epsilon: Number | None = None,
    ratio: Number | None = None,
    delta: Number = 0,
) -> Fraction:
    """Return the least largest off-diagonal entry of mechanisms private for two neighbouring profiles.

    With `ratio` it is the optimum itself. With `epsilon`, a rational below e^epsilon stands for it, so that the result
    is above the optimum by 2^-60 of it or so, and is enough.

    Parameters
    ----------
    p, r
        two distributions over the same m categories, of total 1 exactly.
    epsilon, ratio
        what is asked in nats, or exactly as e^epsilon: one of the two.
    delta
        in [0, 1).

    Raises
    ------
    InputError
        unless the distributions are as long and have total 1, one of epsilon >= 0 and ratio >= 1 is given, and delta
        is in [0, 1).

    References
    ----------
    A theorem of this project, proved in `mechdesign.closed_form.two_profiles`; it solves [GC] Geumlek and Chaudhuri
    2019, arXiv:1903.09084, (5) for two profiles, as Observation 9 does (4).

    Examples
    --------
    >>> two_profiles(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], ratio="3/2")
    Fraction(1, 17)
    """
    first, second = ([parse_number(mass) for mass in masses] for masses in (p, r))
    for name, masses in (("p", first), ("r", second)):
        if min(masses, default=Fraction(0)) < 0 or sum(masses) != 1:
            raise InputError(f"{name}: expected probabilities of total 1, exactly; give them as text or Fractions")
    if len(first) != len(second):
        raise InputError(f"expected distributions over the same categories, found {len(first)} and {len(second)}")
    E, allowed = parse_ratio(epsilon, ratio), parse_delta(delta)
    if not isinstance(E, Fraction):  # infinite
        return Fraction(0)
    return max(asked_by(first, second, E, allowed).level, asked_by(second, first, E, allowed).level)


def asked_by(p: Sequence[Fraction], r: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> Asked:
    """Return what q(S) <= ratio r(S) + delta asks of two profiles, exactly: one order of the theorem.

    By Dinkelbach's method: at a given t the best set of size s has the largest P(y) (1 - t (m - s)) - E R(y) (1 - t s).

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> asked_by([Fraction(1), Fraction(0)], [half, half], Fraction(1), Fraction(0))
    Asked(level=Fraction(1, 3), outputs=(0,))
    """
    m, unit = len(p), math.lcm(ratio.denominator, delta.denominator)
    shares, total = over_common([*p, *r], "the probabilities of two profiles")
    weights = [share * unit for share in shares[:m]]
    others = [share * int(ratio * unit) for share in shares[m:]]  # times E
    lost, full = int(delta * unit) * total, int(ratio * unit) * total
    best = Asked(Fraction(0), ())
    while True:
        last = best
        for size in range(1, m):
            outputs = _heaviest(weights, others, size, last.level)
            mass, other = sum(weights[y] for y in outputs), sum(others[y] for y in outputs)
            if mass > other + lost:
                level = Fraction(mass - other - lost, (m - size) * mass + size * (full - other))
                best = max(best, Asked(level, outputs))
        if best.level == last.level:
            return last


def _heaviest(weights: Sequence[int], others: Sequence[int], size: int, level: Fraction) -> tuple[int, ...]:
    """Return the set of this size that is the best at t = `level`."""
    kept = level.denominator - level.numerator * (len(weights) - size)
    let_in = level.denominator - level.numerator * size
    worth = [weight * kept - other * let_in for weight, other in zip(weights, others, strict=True)]
    return tuple(sorted(sorted(range(len(worth)), key=worth.__getitem__)[-size:]))
