"""The least Hamming loss for two profiles, in closed form, for any number of categories.

Let P and R be the distributions of two neighbours, E = e^epsilon, u = P - E R, v = R - E P, and U and V the sums of
their positive parts less delta, or 0: by how much the two miss (epsilon, delta)-privacy.

Theorem 1, a matrix for each. Shares alpha and beta of the two profiles that are changed suffice if and only if
alpha + E beta >= U and beta + E alpha >= V. So the least mean loss is that of a corner of this polygon, and the least
loss of the worse of the two is max(U, V) / (1 + E).

Necessary: on A = {u > 0}, q(A) >= P(A) - alpha, r(A) <= R(A) + beta and q(A) <= E r(A) + delta. Sufficient: what P can
become by changing the share alpha are the q with q(S) <= min(1, P(S) + alpha) for all S that are not empty. The right
side is submodular, so the argument of `mechdesign.closed_form.two_profiles` holds: a certificate that no private pair
can be reached splits into sets, and for S it asks that P(S) - alpha <= E (R(S) + beta) + delta.

Theorem 2, one matrix for both. With c = w P + (1 - w) R, the least mean loss is the largest, over lam, mu >= 0, of

    lam U + mu V - sum of max(0, lam |u(x)| + mu |v(x)| - c(x)) over all x with u(x) > 0 or v(x) > 0
                 - sum of max(0, max(lam |u(x)|, mu |v(x)|) - c(x)) over all others.

By duality it is the largest, over weights lam, mu >= 0 on the outputs with lam mu = 0, of the sum over all rows x of
min_y (c(x) [y != x] + lam(y) u(x) + mu(y) v(x)), less delta (max lam + max mu). Each row's term is no larger than with
lam = max lam on all of {u > 0}, mu = max mu on all of {v > 0}, and 0 elsewhere: that is the expression above.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from mechdesign.closed_form.two_profiles import checked_pair
from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number, number

Line = tuple[Fraction, Fraction, Fraction]
"""The points (lam, mu) with a lam + b mu = c."""


@with_flags
def two_profiles_hamming(
    p: Sequence[Number],
    r: Sequence[Number],
    *,
    epsilon: Number | None = None,
    ratio: Number | None = None,
    delta: Number = 0,
    weights: tuple[Number, Number] = (1, 1),
    shared: bool = False,
) -> Fraction:
    """Return the least mean probability of a change in mechanisms private for two neighbouring profiles.

    With `ratio` it is the optimum itself. With `epsilon`, a rational below e^epsilon stands for it, so that the result
    is above the optimum by 2^-60 of it or so, and is enough.

    Parameters
    ----------
    p, r
        two distributions over the same m categories, of total 1 exactly, read as by `two_profiles`.
    epsilon, ratio
        what is asked in nats, where more than 700 counts as 700, or exactly as e^epsilon: one of the two.
    delta
        in [0, 1).
    weights
        how much each profile counts in the mean; not both 0.
    shared
        one matrix for both profiles, in time m^3; otherwise each has its own.

    Raises
    ------
    InputError
        as for `two_profiles`, and unless the weights are at least 0 and not both 0.

    References
    ----------
    Theorems of this project, proved in `mechdesign.closed_form.two_profiles_hamming`.

    Examples
    --------
    >>> two_profiles_hamming([1, 0], [0, 1], ratio=3), two_profiles_hamming([1, 0], [0, 1], ratio=3, shared=True)
    (Fraction(1, 4), Fraction(1, 4))
    """
    asked = checked_pair(p, r, epsilon, ratio, delta)
    first, second = (number("weights", weight, at_least=0) for weight in weights)
    if not first + second:
        raise InputError("weights: expected two numbers >= 0, not both 0")
    if asked is None:
        return Fraction(0)
    share = first / (first + second)
    return _of_one_matrix(*asked, share) if shared else _of_two(*asked, share)


def _of_two(P: Sequence[Fraction], R: Sequence[Fraction], E: Fraction, delta: Fraction, w: Fraction) -> Fraction:
    U, V = _missed(P, R, E, delta), _missed(R, P, E, delta)
    corners = [(max(U, V / E), Fraction(0)), (Fraction(0), max(V, U / E))]
    if E > 1:
        corners.append(((E * V - U) / (E**2 - 1), (E * U - V) / (E**2 - 1)))
    return min(w * alpha + (1 - w) * beta for alpha, beta in corners if min(alpha, beta) >= 0)


def _missed(P: Sequence[Fraction], R: Sequence[Fraction], E: Fraction, delta: Fraction) -> Fraction:
    """Return by how much P(S) exceeds E R(S) + delta for the worst S, or 0."""
    return max(Fraction(0), sum(max(Fraction(0), p - E * r) for p, r in zip(P, R, strict=True)) - delta)


def _of_one_matrix(P: Sequence[Fraction], R: Sequence[Fraction], E: Fraction, delta: Fraction, w: Fraction) -> Fraction:
    U, V = _missed(P, R, E, delta), _missed(R, P, E, delta)
    both: list[Line] = []  # |u(x)|, |v(x)| and c(x)
    either: list[Line] = []
    for p, r in zip(P, R, strict=True):
        u, v = p - E * r, r - E * p
        (both if max(u, v) > 0 else either).append((abs(u), abs(v), w * p + (1 - w) * r))
    lines = [(Fraction(1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(1), Fraction(0)), *both]
    for u, v, c in either:
        lines += [(u, Fraction(0), c), (Fraction(0), v, c), (u, -v, Fraction(0))]
    zero = Fraction(0)
    return max(
        lam * U
        + mu * V
        - sum((max(zero, lam * u + mu * v - c) for u, v, c in both), zero)
        - sum((max(zero, lam * u - c, mu * v - c) for u, v, c in either), zero)
        for lam, mu in _crossings(lines)
    )


def _crossings(lines: Sequence[Line]) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield where two of the lines cross with lam, mu >= 0: where a piecewise linear function may be largest."""
    for (a, b, c), (d, e, f) in combinations(set(lines), 2):
        if determinant := a * e - b * d:
            lam, mu = (c * e - b * f) / determinant, (a * f - c * d) / determinant
            if min(lam, mu) >= 0:
                yield lam, mu
