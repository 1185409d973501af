"""Rows of doubles that are exactly private themselves, near exact rows that are."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import SolverError
from mechdesign.mechanism.doubles import DoubleRows
from mechdesign.mechanism.mechanism import Mechanism

FIRST, LAST = -54, -16
"""The weights of mixing that are tried are powers of two from here to there."""


def in_private_doubles(mechanism: Mechanism, given: Mechanism, private: Callable[[Mechanism], bool]) -> Mechanism:
    """Return a mechanism whose rows are doubles, divided by their exact totals, and which is private as such.

    Rounding breaks limits that bind. So rows are mixed with the mean of all of them, first those alone that differ from
    the given ones, by a little more each time, until their nearest doubles are private. A row that is as given stays
    the doubles that it was, if it was doubles.

    Parameters
    ----------
    given
        the mechanism that was mended; both have one matrix for all profiles.
    private
        decides, exactly.

    Raises
    ------
    SolverError
        if none are private, as where a probability is so small that doubles hardly hold it.
    """
    weights, totals = (np.array(part[mechanism.index[0]]) for part in (mechanism.weights, mechanism.totals))
    mechanism = replace(mechanism, index=np.broadcast_to(np.arange(len(weights)), mechanism.index.shape))
    before, sums = (np.array(part[given.index[0]]) for part in (given.weights, given.totals))
    same = np.array((weights * sums[:, None] == before * totals[:, None]).all(axis=1), dtype=bool)
    old = given.rows.doubles[given.index[0]] if isinstance(given.rows, DoubleRows) else _divided(before, sums)
    plain = np.where(same[:, None], old, _divided(weights, totals))
    if private(candidate := replace(mechanism, rows=DoubleRows(plain))):
        return candidate
    mean = _mean(weights, totals)
    for exponent in range(FIRST, LAST + 1):
        mixed = _mixed(weights, totals, mean, -exponent)
        for kept in (same, np.zeros_like(same)):
            rows = DoubleRows(np.where(kept[:, None], plain, mixed))
            if private(candidate := replace(mechanism, rows=rows)):
                return candidate
    raise SolverError("no doubles near the mended rows are exactly private")


def _divided(weights: Exact, totals: Exact) -> Floats:
    return np.array(weights / totals[:, None], dtype=np.float64)


def _mean(weights: Exact, totals: Exact) -> Exact:
    """Return the mean of the rows in integers over 2^256, nearly."""
    parts = weights * 2**256 // (totals * len(weights))[:, None]
    return np.array(parts.sum(axis=0), dtype=object)


def _mixed(weights: Exact, totals: Exact, mean: Exact, bits: int) -> Floats:
    """Return the nearest doubles of (1 - 2^-bits) q + 2^-bits times the mean."""
    whole = mean.sum()
    numerators = weights * ((2**bits - 1) * whole) + totals[:, None] * mean
    return _divided(numerators, totals * (whole * 2**bits))
