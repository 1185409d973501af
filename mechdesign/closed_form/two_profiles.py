"""The least largest off-diagonal entry for two profiles, in closed form, for any number of categories.

Theorem 1, a matrix for each. Let P and R be the distributions of two neighbours over m categories, E = e^epsilon. The
least t for which matrices with no entry off the diagonal above t are (epsilon, delta)-private is the largest, over both
orders of the two and all proper sets S of outputs that are not empty, of

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

Theorem 2, one matrix for both. With u = P - E R, U_s the sum of the s largest u(y) > 0, and N the sum of all -u(y) > 0,
the least t is the largest, over both orders and all s, of

    (U_s - delta) / ((m - s) U_s + s N),

or 0 if that is negative.

Necessary: a set S of outputs with u > 0 keeps u(S) (1 - t (m - |S|)), and gains no less than -t |S| N.

Sufficient: t <= 1/m will do, since U_s <= N. Let v = R - E P. A certificate that no such matrix is private consists of
weights lam, mu >= 0 on the outputs for which the least values of the rows, min sum_y A(x, y) (lam(y) u(x) + mu(y) v(x))
for row x, add up to more than delta (max lam + max mu). Since u + v <= 0, lowering lam(y) and mu(y) alike lowers no
row, so lam mu = 0. Let A = {u > 0}. Where lam exceeds a level on the outputs S of A and Q outside A, what this layer of
lam adds to the rows' sum by its part on Q is at most |Q| t u(S) from the rows of A, -|u(x)| (1 - t (m - |Q|)) from
each row x of Q, and -|Q| t |u(x)| from each other: together |Q| t (u(S) - N) - |u|(Q) (1 - t m) <= 0, so that it may be
left out. Then lam is 0 outside A and, in the same way, mu outside {v > 0}; the least values split over the level sets
of the two, each of which is the condition above for one set in one order; of its size, that of the largest u is worst.

For two categories theorem 2 is the corrected Observation 9 of [GC], `flip_probability`; theorem 1 is below it, since
each profile has its own matrix: with p = 0.8, r = 0.3 and E = 1.3, 22/87 against 22/59.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from mechdesign.errors import InputError
from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number, over_common, parse_delta, parse_entry, parse_number


class Asked(NamedTuple):
    """What a pair asks for: the level t, and the set S of outputs by which it does."""

    level: Fraction
    outputs: tuple[int, ...]


@with_flags
def two_profiles(
    p: Sequence[Number],
    r: Sequence[Number],
    *,
    epsilon: Number | None = None,
    ratio: Number | None = None,
    delta: Number = 0,
    shared: bool = False,
) -> Fraction:
    """Return the least largest off-diagonal entry of mechanisms private for two neighbouring profiles.

    With `ratio` it is the optimum itself. With `epsilon`, a rational below e^epsilon stands for it, so that the result
    is above the optimum by 2^-60 of it or so, and is enough.

    Parameters
    ----------
    p, r
        two distributions over the same m categories, of total 1 exactly; floats are the decimals that they print
        as, or, if these have another total, just what they are.
    epsilon, ratio
        what is asked in nats, where more than 700 counts as 700, or exactly as e^epsilon: one of the two.
    delta
        in [0, 1).
    shared
        one matrix for both profiles; otherwise each has its own.

    Raises
    ------
    InputError
        unless the distributions are as long and have total 1, one of epsilon >= 0 and ratio >= 1 is given, and delta
        is in [0, 1).

    References
    ----------
    Theorems of this project, proved in `mechdesign.closed_form.two_profiles`; they solve [GC] Geumlek and Chaudhuri
    2019, arXiv:1903.09084, (5) for two profiles, as Observation 9 does (4).

    Examples
    --------
    >>> two_profiles(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], ratio="3/2")
    Fraction(1, 17)
    >>> two_profiles(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], ratio="3/2", shared=True)
    Fraction(1, 7)
    """
    asked = checked_pair(p, r, epsilon, ratio, delta)
    if asked is None:
        return Fraction(0)
    first, second, E, allowed = asked
    by = _asked_of_one_matrix if shared else asked_by
    return max(by(first, second, E, allowed).level, by(second, first, E, allowed).level)


def checked_pair(
    p: Sequence[Number], r: Sequence[Number], epsilon: Number | None, ratio: Number | None, delta: Number
) -> tuple[list[Fraction], list[Fraction], Fraction, Fraction] | None:
    """Return two distributions, a rational e^epsilon or one below it, and delta; None where epsilon is infinite.

    Raises
    ------
    InputError
        as `two_profiles` says.
    """
    E, allowed = parse_ratio(epsilon, ratio), parse_delta(delta)
    first, second = _distribution("p", p), _distribution("r", r)
    if len(first) != len(second):
        raise InputError(f"expected distributions over the same categories, found {len(first)} and {len(second)}")
    return (first, second, E, allowed) if isinstance(E, Fraction) else None


def _distribution(name: str, given: Sequence[Number]) -> list[Fraction]:
    """Return probabilities of total 1: floats are the decimals that they print as, or else what they are."""
    for parse in (parse_number, parse_entry):
        masses = [parse(mass) for mass in given]
        if min(masses, default=Fraction(0)) >= 0 and sum(masses) == 1:
            return masses
    raise InputError(f"{name}: expected probabilities of total 1, exactly; give them as text or Fractions")


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


def _asked_of_one_matrix(p: Sequence[Fraction], r: Sequence[Fraction], ratio: Fraction, delta: Fraction) -> Asked:
    """Return what q(S) <= ratio r(S) + delta asks of one matrix: one order of theorem 2."""
    m, above = len(p), [mass - ratio * other for mass, other in zip(p, r, strict=True)]
    positive = sorted((y for y in range(m) if above[y] > 0), key=above.__getitem__, reverse=True)
    against = -sum((u for u in above if u < 0), Fraction(0))
    best, total = Asked(Fraction(0), ()), Fraction(0)
    for size, y in enumerate(positive, 1):
        total += above[y]
        if total > delta:
            level = (total - delta) / ((m - size) * total + size * against)
            best = max(best, Asked(level, tuple(sorted(positive[:size]))))
    return best


def _heaviest(weights: Sequence[int], others: Sequence[int], size: int, level: Fraction) -> tuple[int, ...]:
    """Return the set of this size that is the best at t = `level`."""
    kept = level.denominator - level.numerator * (len(weights) - size)
    let_in = level.denominator - level.numerator * size
    worth = [weight * kept - other * let_in for weight, other in zip(weights, others, strict=True)]
    return tuple(sorted(sorted(range(len(worth)), key=worth.__getitem__)[-size:]))
