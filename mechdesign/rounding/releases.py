"""Exactly private released distributions near a solver's, by the room of `room`.

The total of profile i is N_i times the same integer for all, with N_i the common denominator of its distribution, so
that a plan from the distribution to what is released is integer.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.integers import floors, rounded_to_total
from mechdesign.exact.numbers import over_common
from mechdesign.privacy.cover import violated
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import of_each
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.rounding.room import Flags, keeping, room_for

NOT_PRIVATE = "the solver's answer could not be made exactly private"

ROW_BITS = 62
"""Row totals stay below 2^62 where the profiles' own denominators allow it."""


def private_releases(
    problem: Problem, released: npt.NDArray[Any], moved: Flags, bits: int | None = None
) -> list[Released] | str:
    """Return exact released distributions near `released` that meet every requirement, rounded to so many bits.

    Or why there are none, as where an epsilon is so small that its rational bound makes no room.
    Those of profiles that have not `moved` are their targets, unless the others can then not be private. Profiles that
    must release the same are to be contracted before.
    """
    units, target, of = np.array(problem.counts[1], dtype=object)[:, None], problem.target_counts, problem.part_of
    largest = np.ones(problem.parts, dtype=object)
    np.maximum.at(largest, of, units[:, 0])
    totals = np.array([1 << (bits or own - 1) for own in precisions(problem, largest.tolist())], dtype=object)
    total, needed = totals[of][:, None], needed_outputs(problem, released)
    if problem.kept is not None and moved.any():
        needed &= (target[moved] > 0).any(axis=0)
    clean = released * (released > 0) * needed
    clean = np.where((clean == 0).all(axis=1)[:, None], needed, clean)
    weights = _whole(clean, total)
    kept = target * total
    rounded = np.where(moved[:, None], rounded_to_total(weights, totals[of]), 0)
    low, high = (np.where(moved[:, None], rounded, side) for side in (kept // units, -(-kept // units)))
    chosen = moved
    while True:
        found = room_for(problem.cover, low, high, totals, chosen, of)
        kept_too = found if isinstance(found, str) else _keeping(problem, found, rounded, moved, int(totals[0]), chosen)
        if isinstance(kept_too, str):
            return kept_too
        room, scale = kept_too
        sums = (totals * scale + room.sum(axis=1))[of][:, None]
        still = np.where(moved[:, None], rounded * units, kept) * scale
        table = np.where(chosen[:, None], still + room[of] * units, target * sums)
        exact = list(map(Released, table, (units * sums)[:, 0].tolist()))
        broken = np.isin(of, [of[i] for i in violated(exact, problem.cover)])
        if not broken.any():
            return exact
        if chosen[broken].all():
            return NOT_PRIVATE
        chosen = chosen | broken


def _keeping(
    problem: Problem, room: Exact, rounded: Exact, moved: Flags, total: int, chosen: Flags
) -> tuple[Exact, int] | str:
    """Return the room, with what it takes to keep the overall shares if they are kept, as integers over a number."""
    if problem.kept is None or not chosen.any():
        return room, 1
    targets = np.array(problem.target, dtype=object)
    weights = np.where(moved[:, None], rounded, targets * total)
    found = keeping(problem.kept, room[0], weights, targets, total, chosen)
    if isinstance(found, str):
        return found
    integers, scale = over_common(list(map(Fraction, found.tolist())))
    return np.array([integers], dtype=object), scale


def needed_outputs(problem: Problem, released: npt.NDArray[Any]) -> Flags:
    """Return which outputs some profile of each profile's part releases, or would without privacy, k x m."""
    by_part = np.zeros((problem.parts, problem.outputs), dtype=bool)
    np.logical_or.at(by_part, problem.part_of, (problem.target_in_doubles > 0) | (released > NEAR))
    return np.array(by_part[problem.part_of])


def has_moved(problem: Problem, released: npt.NDArray[Any]) -> Flags:
    """Return which profiles release something else than their target, beyond solvers' errors.

    What is `NEAR` its target is taken to release just that: no edge asks it for noise.
    """
    change = abs(released.astype(np.float64) - problem.target_in_doubles).max(axis=1)
    return np.array(change > NEAR, dtype=bool)


def _whole(values: npt.NDArray[Any], units: Exact) -> Exact:
    """Return probabilities in doubles or rationals as integers over a power of two, rounded down."""
    if values.dtype == np.float64:
        return floors(np.minimum(values, 1.0), units)
    return np.array([[math.floor(value) for value in row] for row in values * units], dtype=object)


def precisions(problem: Problem, denominators: Sequence[int]) -> list[int]:
    """Return how finely to round each part: to `NOTHING` of its smallest probability and epsilon; 62 bits if possible.

    With the denominators, one for each part, these are 62 in all.
    """
    counts, units = problem.counts[0], np.array(problem.counts[1], dtype=object)
    inverses = units // np.where(counts > 0, counts, units[:, None]).min(axis=1) + 1  # may be more than doubles hold
    inverse, least = np.ones(problem.parts, dtype=object), np.ones(problem.parts)
    np.maximum.at(inverse, problem.part_of, inverses)
    epsilons, deltas = ([getattr(edge, side) for edge in problem.required] for side in ("epsilon", "delta"))
    gains = np.maximum(of_each(epsilons, _gain), of_each(deltas, float))
    parts = problem.part_of[[edge.first for edge in problem.required]]
    np.minimum.at(least, parts, np.where(gains > 0, gains, 1.0))
    each = zip(inverse.tolist(), least.tolist(), denominators, strict=True)
    bits = ((math.log2(over) - math.log2(gain * NOTHING), unit) for over, gain, unit in each)
    return [max(math.ceil(math.log2(problem.outputs) + own), ROW_BITS - unit.bit_length()) for own, unit in bits]


def _gain(epsilon: Fraction) -> float:
    return math.tanh(float(min(epsilon, MAX_EPSILON)) / 2)
