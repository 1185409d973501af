"""Exactly private released distributions near a solver's, by the room of `room`.

The total of profile i is N_i times the same integer for all, with N_i the common denominator of its distribution, so
that a plan from the distribution to what is released is integer.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.integers import floors, rounded_to_total
from mechdesign.exact.numbers import over_common
from mechdesign.privacy.cover import met
from mechdesign.privacy.released import Released
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.rounding.room import Flags, keeping, room_for

ROW_BITS = 62
"""Row totals stay below 2^62 where the profiles' own denominators allow it."""


def private_releases(
    problem: Problem, released: npt.NDArray[Any], moved: Flags, bits: int | None = None
) -> list[Released]:
    """Return exact released distributions near `released` that meet every requirement, rounded to so many bits.

    Those of profiles that have not `moved` are their targets, unless the others can then not be private. Profiles that
    must release the same are to be contracted before.

    Raises
    ------
    SolverError
        if an epsilon is so small that its rational bound makes no room.
    """
    units, target = np.array(problem.counts[1], dtype=object)[:, None], problem.target_counts
    total = 1 << (bits or precision(problem, max(problem.counts[1])) - 1)
    needed = needed_outputs(problem, released)
    if problem.kept is not None and moved.any():
        needed &= (target[moved] > 0).any(axis=0)
    clean = released * (released > 0) * needed
    clean[(clean == 0).all(axis=1)] = needed
    weights = _whole(clean, total)
    kept = target * total
    rounded = np.where(moved[:, None], rounded_to_total(weights, total), 0)
    low, high = (np.where(moved[:, None], rounded, side) for side in (kept // units, -(-kept // units)))
    for chosen in (moved, np.ones_like(moved)):
        room = room_for(problem.cover, low, high, total, chosen)
        room, scale = _keeping(problem, room, rounded, moved, total, chosen)
        sums = total * scale + int(room.sum())
        still = np.where(moved[:, None], rounded * units, kept) * scale
        table = np.where(chosen[:, None], still + room * units, target * sums)
        exact = [Released(row, unit * sums) for row, unit in zip(table, problem.counts[1], strict=True)]
        if met(exact, problem.cover):
            return exact
    raise SolverError("the solver's answer could not be made exactly private")


def _keeping(
    problem: Problem, room: Exact, rounded: Exact, moved: Flags, total: int, chosen: Flags
) -> tuple[Exact, int]:
    """Return the room, with what it takes to keep the overall shares if they are kept, as integers over a number."""
    if problem.kept is None or not chosen.any():
        return room, 1
    targets = np.array(problem.target, dtype=object)
    weights = np.where(moved[:, None], rounded, targets * total)
    found = keeping(problem.kept, room, weights, targets, total, chosen).tolist()
    integers, scale = over_common(list(map(Fraction, found)))
    return np.array(integers, dtype=object), scale


def needed_outputs(problem: Problem, released: npt.NDArray[Any]) -> Flags:
    """Return which outputs some profile releases, or would without privacy."""
    return np.array((problem.target_in_doubles > 0).any(axis=0) | (released > NEAR).any(axis=0), dtype=bool)


def has_moved(problem: Problem, released: npt.NDArray[Any]) -> Flags:
    """Return which profiles release something else than their target, beyond solvers' errors.

    What is `NEAR` its target is taken to release just that: no edge asks it for noise.
    """
    change = abs(released.astype(np.float64) - problem.target_in_doubles).max(axis=1)
    return np.array(change > NEAR, dtype=bool)


def _whole(values: npt.NDArray[Any], unit: int) -> Exact:
    """Return probabilities in doubles or rationals as integers over a power of two, rounded down."""
    if values.dtype == np.float64:
        return floors(np.minimum(values, 1.0), unit)
    return np.array([[math.floor(value * unit) for value in row] for row in values], dtype=object)


def precision(problem: Problem, denominator: int) -> int:
    """Return how finely to round: to `NOTHING` of the smallest probability and epsilon; 62 bits in all if possible."""
    counts, units = problem.counts
    smallest = min(Fraction(int(row[row > 0].min()), unit) for row, unit in zip(counts, units, strict=True))
    gains = [max(math.tanh(float(min(edge.epsilon, MAX_EPSILON)) / 2), float(edge.delta)) for edge in problem.required]
    least = min((gain for gain in gains if gain > 0), default=1.0)
    inverse = smallest.denominator // smallest.numerator + 1  # may be more than doubles hold
    needed = math.ceil(math.log2(problem.outputs) + math.log2(inverse) - math.log2(least * NOTHING))
    return max(needed, ROW_BITS - denominator.bit_length())
