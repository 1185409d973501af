"""Rational functions of one denominator through exact samples.

The degrees are found modulo a prime, by Euclid's algorithm (Cauchy interpolation), where numbers stay short; then the
coefficients follow from linear equations, exactly. An unlucky prime, or combination, proposes what does not go through
the samples, or does not solve the system: that is found out, and more samples are asked for.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_poly, nmod_poly

PRIME = 2**62 - 57
"""The largest below 2^62."""

SPARE = 2
"""More samples than coefficients: what goes through these too is no accident."""


def through(samples: Sequence[tuple[fmpq, Mapping[int, Any]]]) -> tuple[dict[int, fmpq_poly], fmpq_poly] | None:
    """Return numerators and their denominator through samples (point, values); None if there are too few of them.

    The denominator is that of a random combination: as a rule the least common one.

    Examples
    --------
    >>> samples = [(fmpq(z), {0: fmpq(1, 1 + z), 1: fmpq(z * z, 1 + z)}) for z in range(2, 8)]
    >>> through(samples)
    ({0: 1, 1: x^2}, x + 1)
    """
    chance = random.Random(len(samples))
    unknown = list(samples[0][1])
    factors = [chance.randrange(1, 1000) for _ in unknown]
    points = [z for z, _ in samples]
    mixed = [sum((f * found[one] for f, one in zip(factors, unknown, strict=True)), fmpq(0)) for _, found in samples]
    degrees = _degrees(points, mixed)
    denominator = None if degrees is None else _denominator(points, mixed, *degrees)
    if degrees is None or denominator is None:
        return None
    used = samples[: degrees[0] + 1]
    below = [denominator(z) for z, _ in used]
    numerators = {
        one: _polynomial(points, [found[one] * q for (_, found), q in zip(used, below, strict=True)]) for one in unknown
    }
    return numerators, denominator


def _degrees(points: Sequence[fmpq], values: Sequence[fmpq]) -> tuple[int, int] | None:
    """Return the degrees of numerator and denominator of a rational function through the points, modulo a prime."""
    try:
        xs, ys = ([int(v.p) * pow(int(v.q), -1, PRIME) % PRIME for v in side] for side in (points, values))
        before, now = _modular(xs, ys)
    except (ValueError, ZeroDivisionError):  # a denominator is 0 modulo the prime
        return None
    factor_before, factor = nmod_poly([], PRIME), nmod_poly([1], PRIME)
    while True:
        above, below = max(now.degree(), 0), factor.degree()
        if above + below + 1 + SPARE <= len(points):
            return above, below
        if now.degree() < 0:
            return None
        quotient, rest = divmod(before, now)
        before, now = now, rest
        factor_before, factor = factor, factor_before - quotient * factor


def _modular(xs: Sequence[int], ys: Sequence[int]) -> tuple[nmod_poly, nmod_poly]:
    """Return the polynomial that vanishes at all points, and that with these values there."""
    table = list(ys)
    for order in range(1, len(table)):
        for i in range(len(table) - 1, order - 1, -1):
            table[i] = (table[i] - table[i - 1]) * pow(xs[i] - xs[i - order], -1, PRIME) % PRIME
    nodes, result = nmod_poly([1], PRIME), nmod_poly([], PRIME)
    for x, value in zip(xs, table, strict=True):
        result += nmod_poly([value], PRIME) * nodes
        nodes *= nmod_poly([-x % PRIME, 1], PRIME)
    return nodes, result


def _denominator(points: Sequence[fmpq], values: Sequence[fmpq], above: int, below: int) -> fmpq_poly | None:
    """Return the denominator, with leading coefficient 1, of these degrees; None if there is none.

    numerator(z) - value * (denominator(z) - z^below) = value * z^below.
    """
    n = above + below + 1
    table, side = fmpq_mat(n, n), fmpq_mat(n, 1)
    for i, (z, value) in enumerate(zip(points[:n], values[:n], strict=True)):
        power = fmpq(1)
        for j in range(max(above, below) + 1):
            if j <= above:
                table[i, j] = power
            if j < below:
                table[i, above + 1 + j] = -value * power
            elif j == below:
                side[i, 0] = value * power
            power *= z
    try:
        found = table.solve(side)
    except ZeroDivisionError:
        return None
    return fmpq_poly([*(found[above + 1 + j, 0] for j in range(below)), 1])


def _polynomial(points: Sequence[fmpq], values: Sequence[fmpq]) -> fmpq_poly:
    """Return the polynomial with these values at the first points, by divided differences."""
    table = list(values)
    for order in range(1, len(table)):
        for i in range(len(table) - 1, order - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (points[i] - points[i - order])
    result = fmpq_poly([])
    for i in range(len(table) - 1, -1, -1):
        result = result * fmpq_poly([-points[i], 1]) + fmpq_poly([table[i]])
    return result
