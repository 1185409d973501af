"""Whole tables of integers at once. They are Python integers, of any length, so that nothing can overflow.

Doubles become integers exactly: a double is an integer of 53 bits times a power of two.
"""

from fractions import Fraction

import numpy as np

from mechdesign.arrays import Exact, Floats, Integers

LONGEST = 2**62
"""Rows of integers with totals up to this are kept in 64 bits: their sums, too, stay below 2^63."""


def floors(values: Floats, units: Exact | int) -> Exact:
    """Return floor(value * unit) for finite doubles >= 0, exactly.

    Such a double is m 2^(e - 53) with m of 53 bits: so 53 - e bits of m * unit are dropped, or e - 53 zeros are added.

    Examples
    --------
    >>> floors(np.array([0.5, 1.0]), 10**30).tolist() == [5 * 10**29, 10**30]
    True
    """
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, 53).astype(np.int64).astype(object) * units
    shifts = 53 - exponents.astype(np.int64)
    if shifts.min(initial=0) < 0:
        whole = whole << np.maximum(-shifts, 0).astype(object)
    return np.array(whole >> np.maximum(shifts, 0).astype(object), dtype=object)


def rounded_to_total(weights: Exact | Floats, total: Exact | int) -> Exact:
    """Return each row >= 0 in proportion as integers of a total, rounded down; the largest takes the remainder.

    The total is that of all rows, or each has its own.

    Doubles are the rationals that they are, or 0 if they are below it.

    Examples
    --------
    >>> rounded_to_total(np.array([[2, 1, 1], [1, 1, 1]], dtype=object), 10).tolist()
    [[6, 2, 2], [4, 3, 3]]
    >>> rounded_to_total(np.array([[0.5, 0.25, 0.25]]), 10).tolist()
    [[6, 2, 2]]
    """
    if weights.dtype != object:
        weights = np.array([[Fraction(max(one, 0.0)) for one in row] for row in weights.tolist()], dtype=object)
    totals = np.broadcast_to(np.array(total, dtype=object), len(weights))
    scaled = weights * totals[:, None] // weights.sum(axis=1)[:, None]
    largest = weights.argmax(axis=1)
    scaled[np.arange(len(scaled)), largest] += totals - scaled.sum(axis=1)
    return np.array(scaled, dtype=object)


def apportioned(weights: Exact, total: int) -> Exact:
    """Return each row >= 0 in proportion as integers of a total, less than 1 away: those cut most are rounded up.

    Examples
    --------
    >>> apportioned(np.array([[2, 1, 1], [1, 1, 1]], dtype=object), 10).tolist()
    [[5, 3, 2], [4, 3, 3]]
    """
    sums = weights.sum(axis=1)[:, None]
    whole = weights * total // sums
    for row, cut in zip(whole, weights * total - whole * sums, strict=True):
        row[sorted(range(len(row)), key=lambda place: -cut[place])[: total - sum(row)]] += 1
    return np.array(whole, dtype=object)


def shortest(weights: Exact) -> Exact:
    """Return rows divided by their greatest common divisors, none of them all zero.

    Examples
    --------
    >>> shortest(np.array([[2, 4], [0, 3]], dtype=object)).tolist()
    [[1, 2], [0, 1]]
    """
    return np.array(weights // np.gcd.reduce(weights, axis=1)[:, None], dtype=object)


def shortened(weights: Exact) -> tuple[Integers, bool]:
    """Return rows in about the same proportions in 64 bits, and whether any had to be rounded.

    Those whose total would still be above 2^62 without common divisors are rounded to this total.

    Examples
    --------
    >>> rows, rounded = shortened(np.array([[2**70, 3 * 2**70]], dtype=object))
    >>> rows.tolist(), rounded
    ([[1, 3]], False)
    """
    least = shortest(weights)
    long = np.array(least.sum(axis=1) > LONGEST, dtype=bool)
    result = np.zeros(weights.shape, dtype=np.int64)
    result[~long] = least[~long]
    result[long] = rounded_to_total(least[long], LONGEST)
    return result, bool(long.any())
