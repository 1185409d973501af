"""Exactly private distributions near a solver's for the classes of a problem: one integer for each class.

Of a class all pairs get the same weight, so that an edge asks the same of any two of its classes wherever they meet:
the limits are looked at once each. Room is made as in `room`, by as much for every output that is released at all.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.exact.exponentials import exp_below
from mechdesign.privacy.cover import met
from mechdesign.privacy.gaps import surely_at_most
from mechdesign.privacy.released import Released
from mechdesign.problem import Problem
from mechdesign.rounding.releases import NOT_PRIVATE, needed_outputs, precisions
from mechdesign.rounding.room import TOO_SMALL, Flags
from mechdesign.symmetry.equitable import first_places


def releases_by_classes(problem: Problem, released: npt.NDArray[Any], moved: Flags) -> list[Released] | str:
    """Return exact released distributions of all profiles that meet every limit, near those of the representatives.

    Or why there are none, as where an epsilon is so small that its rational bound makes no room.
    """
    assert problem.alike is not None
    (bits,) = precisions(problem, [max(problem.counts[1])])
    total = 1 << bits - 1
    needed = needed_classes(problem, released)
    weights, totals = _rounded(problem, released, moved, needed, total)
    rows = np.zeros(len(weights), dtype=np.int64)
    rows[problem.variables] = np.arange(len(problem.variables))[:, None]
    most = _room(problem, weights, totals, rows, needed, total)
    if isinstance(most, str):
        return most
    for room in (0, most):
        more = weights * total + room * totals[rows] * needed
        sums = more[problem.variables].sum(axis=1)
        found = _spread(problem, more, sums)
        if _met(problem, more, sums, rows) and (not problem.alike.implied or met(found, problem.whole.cover)):
            return found
    return NOT_PRIVATE


def needed_classes(problem: Problem, released: npt.NDArray[Any]) -> Flags:
    """Return which classes are of outputs that some profile of all releases, or would without privacy."""
    assert problem.alike is not None
    classes, here = problem.alike.classes, np.zeros(len(problem.sizes), dtype=bool)
    here[problem.variables] = needed_outputs(problem, released)
    outputs = np.atleast_1d(here[classes].any(axis=0))
    return np.array(outputs[first_places(classes) % problem.outputs] | here, dtype=bool)


def _rounded(
    problem: Problem, released: npt.NDArray[Any], moved: Flags, needed: Flags, total: int
) -> tuple[Exact, Exact]:
    """Return the weight of each class, and the total of each profile's row; targets are exact where nothing moves.

    Each total is a multiple of the common denominator of the profile's own distribution, as transport plans need it.
    """
    weights, totals = np.zeros(len(problem.sizes), dtype=object), []
    counts, units = problem.target_counts, problem.counts[1]
    kept = needed[problem.variables]
    clean = released * (released > 0) * kept
    clean[(clean == 0).all(axis=1)] = 1  # all outputs, of an answer that is nonsense
    for i, (row, moves, unit) in enumerate(zip(problem.variables, moved.tolist(), units, strict=True)):
        for y, c in enumerate(row.tolist()):
            weights[c] = math.floor(Fraction(clean[i, y]) * int(kept[i, y]) * total) * unit if moves else counts[i, y]
        common = math.gcd(*weights[row]) // unit or 1 if moves else 1
        weights[np.unique(row)] //= common
        totals.append(int(sum(weights[row])))
    return weights, np.array(totals, dtype=object)


def _spread(problem: Problem, weights: Exact, totals: Exact) -> list[Released]:
    alike, units = problem.alike, problem.counts[1]
    assert alike is not None
    common = [
        math.gcd(total // unit, *weights[row])
        for row, total, unit in zip(problem.variables, totals, units, strict=True)
    ]
    return [
        Released(weights[row] // common[i], totals[i] // common[i])
        for row, i in zip(alike.classes, alike.group.tolist(), strict=True)
    ]


def _room(
    problem: Problem, weights: Exact, totals: Exact, rows: npt.NDArray[np.int64], needed: Flags, total: int
) -> int | str:
    """Return how much has to be added to all outputs, in units of `total`, so that every limit is met."""
    room = 0
    for gap, _, _, ratio, delta in _exceeded(problem, weights, totals, rows):
        if not delta:
            if ratio <= 1:
                return TOO_SMALL
            room = max(room, math.ceil(total * gap / (ratio - 1)))
    outputs = int(needed[problem.variables[0]].sum())
    beyond: dict[int, tuple[Fraction, Fraction, Fraction]] = {}
    for gap, edge, often, ratio, delta in _exceeded(problem, weights, totals, rows):
        if delta and (left := gap - (ratio - 1) * room / total) > 0:
            above = beyond.get(edge, (Fraction(0),) * 3)[0]
            beyond[edge] = above + often * left, ratio, delta
    for above, ratio, delta in beyond.values():
        left = above - delta * (1 + Fraction(room * outputs, total))
        if left > 0:
            room += math.ceil(total * left / (ratio - 1 + delta * outputs))
    return room


def _exceeded(problem: Problem, weights: Exact, totals: Exact, rows: npt.NDArray[np.int64]) -> Any:
    """Yield for each limit that doubles do not show to be met its gap, edge, how often it has it, ratio and delta."""
    asked = problem.inequalities
    often = asked.often
    shares = (weights / totals[rows]).astype(float)
    ratios = [exp_below(epsilon) for epsilon, _ in asked.asked]
    each = np.array(list(map(float, ratios)))[asked.asked_by]
    occurs = np.array(weights[asked.above] > 0, dtype=bool)
    doubtful = occurs & ~surely_at_most(shares[asked.above], shares[asked.below], each)
    for one in np.flatnonzero(doubtful).tolist():
        a, b, label = asked.above[one], asked.below[one], asked.asked_by[one]
        ratio, (_, delta) = ratios[label], asked.asked[label]
        gap = Fraction(int(weights[a]), int(totals[rows[a]])) - ratio * Fraction(int(weights[b]), int(totals[rows[b]]))
        if gap > 0:
            yield gap, int(asked.edge[one]), int(often[one]), ratio, delta


def _met(problem: Problem, weights: Exact, totals: Exact, rows: npt.NDArray[np.int64]) -> bool:
    """Return whether every limit is met, exactly."""
    above: dict[int, Fraction] = {}
    deltas: dict[int, Fraction] = {}
    for gap, edge, often, _, delta in _exceeded(problem, weights, totals, rows):
        if not delta:
            return False
        above[edge], deltas[edge] = above.get(edge, Fraction(0)) + gap * often, delta
    return all(excess <= deltas[edge] for edge, excess in above.items())
