"""Rows of doubles, or of decimals, that are exactly private themselves, near exact rows that are."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.certifier.applied import released_under
from mechdesign.errors import SolverError
from mechdesign.exact.integers import apportioned, shortest
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.extremes import over_one_total
from mechdesign.privacy.gaps import unmet
from mechdesign.privacy.requirement import Requirement
from mechdesign.privacy.stored_rows import Rows
from mechdesign.words import counted

FIRST, LAST = -54, -16
"""The weights of mixing that are tried are powers of two from here to there."""


def in_private_doubles(mechanism: Mechanism, given: Mechanism, private: Callable[[Mechanism], bool]) -> Mechanism:
    """Return a mechanism whose rows are doubles, and which is private as such.

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
    weights, totals = _matrix(mechanism)
    before, sums = _matrix(given)
    same = np.array((weights * sums[:, None] == before * totals[:, None]).all(axis=1), dtype=bool)
    doubles = given.rows.given_doubles
    old = _divided(before, sums) if doubles is None else doubles[given.index[0]]
    plain = np.where(same[:, None], old, _divided(weights, totals))
    mixed = (_divided(*_mixed(weights, totals, -exponent)) for exponent in range(FIRST, LAST + 1))
    return _first_private(mechanism, plain, same, mixed, private, Rows, "doubles")


def in_private_decimals(mechanism: Mechanism, digits: int, private: Callable[[Mechanism], bool]) -> Mechanism:
    """Return a mechanism whose rows are decimals of so many places, of total 1 exactly, and which is private as such.

    Rows are mixed as for doubles, until those of the nearest decimals are private. A row that has so few places, and is
    private as it is beside the others, stays.

    Raises
    ------
    SolverError
        if none are private, as where a probability is so small that decimals hardly hold it.
    """
    weights, totals = _matrix(mechanism)
    steps = 10**digits
    plain = apportioned(weights, steps)
    same = np.array((weights * steps == plain * totals[:, None]).all(axis=1), dtype=bool)
    mixed = (apportioned(_mixed(weights, totals, bits)[0], steps) for bits in range(steps.bit_length(), 0, -1))
    what = f"decimals of {counted(digits, 'place')}"
    return _first_private(mechanism, plain, same, mixed, private, lambda rows: Rows(shortest(rows)), what)


def private_undivided(mechanism: Mechanism, asked: Asked, required: Sequence[Requirement]) -> bool:
    """Return whether doubles, as they stand, meet every requirement, though their rows' totals are 1 only nearly."""
    _, released = released_under(mechanism, asked)
    assert released.given_doubles is not None
    return (
        unmet([over_one_total(list(map(Fraction, row))) for row in released.given_doubles.tolist()], required) is None
    )


def _matrix(mechanism: Mechanism) -> tuple[Exact, Exact]:
    """Return the weights and totals of the one matrix that serves all."""
    weights, totals = (np.array(part[mechanism.index[0]]) for part in (mechanism.weights, mechanism.totals))
    return weights, totals


def _first_private(
    mechanism: Mechanism,
    plain: Any,
    same: Any,
    mixed: Iterable[Any],
    private: Callable[[Mechanism], bool],
    rows_of: Callable[[Any], Rows],
    what: str,
) -> Mechanism:
    """Return the first private one of the plain rows and those mixed more and more, the same ones kept or not."""
    mechanism = replace(mechanism, index=np.broadcast_to(np.arange(len(plain)), mechanism.index.shape))
    if private(candidate := replace(mechanism, rows=rows_of(plain))):
        return candidate
    for rows in mixed:
        for kept in (same, np.zeros_like(same)):
            if private(candidate := replace(mechanism, rows=rows_of(np.where(kept[:, None], plain, rows)))):
                return candidate
    raise SolverError(f"no {what} near the mended rows are exactly private")


def _divided(weights: Exact, totals: Exact) -> Floats:
    return np.array(weights / totals[:, None], dtype=np.float64)


def _mean(weights: Exact, totals: Exact) -> Exact:
    """Return the mean of the rows in integers over 2^256, nearly."""
    parts = weights * 2**256 // (totals * len(weights))[:, None]
    return np.array(parts.sum(axis=0), dtype=object)


def _mixed(weights: Exact, totals: Exact, bits: int) -> tuple[Exact, Exact]:
    """Return (1 - 2^-bits) q + 2^-bits times the mean, as weights and totals."""
    mean = _mean(weights, totals)
    whole = mean.sum()
    numerators = weights * ((2**bits - 1) * whole) + totals[:, None] * mean
    return numerators, totals * (whole * 2**bits)
