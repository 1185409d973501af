"""Exactly private distributions near a solver's for the classes of a problem: one integer for each class.

Of a class all pairs get the same weight, so that an edge asks the same of any two of its classes wherever they meet:
the limits are checked once each. Room is made by mixing, as in `mixing`.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.distribution import support
from mechdesign.privacy.cover import met
from mechdesign.privacy.gaps import surely_at_most
from mechdesign.privacy.released import Released
from mechdesign.rounding.mixing import MOVED_ALONE_UP_TO, UNMOVED, etas, precision
from mechdesign.symmetry.equitable import first_places
from mechdesign.symmetry.quotient import Quotient

Weights = tuple[Exact, Exact]
"""The weight of each class, and the total of each profile's row."""


def repaired_by_classes(problem: Quotient, released: Floats) -> list[Released]:
    """Return exact released distributions of all profiles that meet every limit, near those of the representatives.

    Raises
    ------
    SolverError
        if no mixing weight will do.
    """
    first = first_places(problem.columns)
    target = np.array(problem.target, dtype=object)
    needed: npt.NDArray[np.bool_] = np.array((target > 0) | (released > UNMOVED)).ravel()[first]
    columns: npt.NDArray[np.bool_] = np.atleast_1d(needed[problem.classes].any(axis=0))
    outputs = first_places(problem.classes) % problem.outputs
    clean = np.where(columns[outputs] & (released.ravel()[first] > 0), released.ravel()[first], 0.0)
    common = [Fraction(int(columns[y]), int(columns.sum())) for y in outputs]
    moved = np.array(abs(clean[problem.columns] - target.astype(float)).max(axis=1) > UNMOVED)
    bits = precision(problem, max(_denominators(problem))) - 1
    for everyone in (False, True):
        for eta in etas():
            if eta > MOVED_ALONE_UP_TO and not everyone:
                break
            mixed = [Fraction(x) * (1 - eta) + u * eta for x, u in zip(clean.tolist(), common, strict=True)]
            exact = _rounded(problem, mixed, moved | everyone, bits)
            if _met(problem, exact):
                found = _spread(problem, exact)
                if not problem.implied or met(found, problem.whole.cover):
                    return found
    raise SolverError("the solver's answer could not be made exactly private")


def _spread(problem: Quotient, exact: Weights) -> list[Released]:
    weights, totals = exact
    return [Released(weights[row], totals[i]) for row, i in zip(problem.classes, problem.group.tolist(), strict=True)]


def _denominators(problem: Quotient) -> list[int]:
    return [math.lcm(*(mass.denominator for _, mass in support(masses))) for masses in problem.exact]


def _rounded(problem: Quotient, mixed: Sequence[Fraction], chosen: npt.NDArray[np.bool_], bits: int) -> Weights:
    """Round each class; those of a profile that is not `chosen` keep its target exactly.

    Each total is a multiple of the common denominator of the profile's own distribution, as transport plans need it.
    """
    weights = np.zeros(len(problem.sizes), dtype=object)
    totals = []
    for row, target, moves, unit in zip(problem.columns, problem.target, chosen, _denominators(problem), strict=True):
        if moves:
            for c in set(row.tolist()):
                weights[c] = math.floor(mixed[c] * 2**bits) * unit
        else:
            for c, mass in zip(row.tolist(), target, strict=True):
                weights[c] = int(mass * unit)
        common = math.gcd(*weights[row]) // unit or 1
        weights[np.unique(row)] //= common
        totals.append(int(sum(weights[row])))
    return weights, np.array(totals, dtype=object)


def _met(problem: Quotient, exact: Weights) -> bool:
    """Return whether every limit is met, exactly."""
    limits, loose = problem.limits, problem.loose_limits
    weights, totals = exact
    group = np.zeros(len(weights), dtype=np.int64)
    group[problem.columns] = np.arange(len(problem.columns))[:, None]
    shares = (weights / totals[group]).astype(float)
    ratios = [exp_below(epsilon) for epsilon, _ in problem.edges.asked]
    each = np.array(list(map(float, ratios)))[problem.asked_by]
    occurs = np.array(weights[limits.above] > 0, dtype=bool)
    doubtful = occurs & ~surely_at_most(shares[limits.above], shares[limits.below], each)
    above: dict[int, Fraction] = {}
    for limit in np.flatnonzero(doubtful).tolist():
        a, b, ratio = limits.above[limit], limits.below[limit], ratios[problem.asked_by[limit]]
        gap = weights[a] * (totals[group[b]] * ratio.denominator) - weights[b] * (totals[group[a]] * ratio.numerator)
        if gap <= 0:
            continue
        if not loose[limit]:
            return False
        edge = int(limits.edge[limit])
        often = int(limits.times[limit]) // int(problem.times_of_edges[edge])
        above[edge] = above.get(edge, Fraction(0)) + Fraction(
            gap * often, totals[group[a]] * totals[group[b]] * ratio.denominator
        )
    deltas = [problem.edges.asked[label][1] for label in problem.edges.label[problem.first_edges].tolist()]
    return all(excess <= deltas[edge] for edge, excess in above.items())
