"""The lifted program: that of the released distributions, in one variable for each class of them.

Of a class of profiles one has its rows; equal columns are added up, equal rows are there once.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.base import Cut
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.program.program import Program, Rows
from mechdesign.symmetry.quotient import Quotient


@dataclass(frozen=True, eq=False)
class Face:
    """What all optima have in common: limits that they meet with equality, and classes of probability 0."""

    tight: npt.NDArray[np.bool_]
    empty: npt.NDArray[np.bool_]


TIGHT, LEFT, EMPTY = 1e-9, 1e-6, 1e-8
"""From which share of the largest on a multiplier counts, up to which share of its probabilities a row is tight, and
which share of an output's mean probability 1/m is none. On grids of 49 to 225 points rows that are not tight have
multipliers below 1e-10 of the largest, all others above 1e-9, and leave less than 1e-9; in units of 1/m empty classes
have less than 1e-8, the others more than 1e-6."""


def quotient_program(
    problem: Quotient,
    cuts: Iterable[Cut],
    *,
    level: float | None = None,
    face: Face | None = None,
) -> Program:
    """Return the program over the classes, columns 0, 1, ...; like `released_program`, whose optimum it has.

    With a `face`, what is known of all optima is in it as equations: several times more limits bind at the optimum than
    decide, and to find these anew takes 104 s of processor time on a grid of 15 x 15 points, not 2.
    """
    (r, m), count = problem.columns.shape, len(problem.sizes)
    own = Rows()
    own.equal(sp.kron(sp.identity(r), np.ones((1, m))), 1.0)
    more = problem.objective.add_released(own, problem, list(cuts), level) - r * m
    rows = own.merged(np.concatenate([problem.columns.ravel(), count + np.arange(more + 1)]))
    if face is not None:
        rows.equal(sp.identity(count, format="csr")[face.empty], 0.0)
    n = count + more
    columns = n + 1 + _add_limits(rows, problem, n + 1, face)
    cost, floor = np.zeros(columns), np.zeros(columns)
    floor[n] = -np.inf
    if level is None:
        cost[n] = 1.0
        return rows.program(cost, floor)
    cost[problem.columns.ravel()] = -problem.target_in_doubles.ravel()
    cost[:count] *= problem.sizes
    curvature = np.zeros(columns)
    curvature[:count] = problem.sizes
    curvature[n] = 1.0
    return rows.program(cost, floor, curvature)


def optimal_face(problem: Quotient, released: Floats, privacy: PrivacyMultipliers) -> Face:
    """Return what all optima have in common, by one from within and its multipliers.

    Lemma (complementary slackness). With multipliers lam_r of an optimum of the dual, the loss of any x is the least
    plus sum_r lam_r (what x leaves of row r), and that sum is nothing if x is an optimum. Both rows and multipliers
    count relative to the probabilities in them.
    """
    limits, factors = problem.limits, _factors(problem)
    x = np.zeros(len(problem.sizes))
    x[problem.columns] = released
    weights = privacy[0, 0] * limits.times / factors * x[limits.below]
    left = x[limits.below] - factors * x[limits.above]
    tight = (weights > TIGHT * weights.max(initial=0.0)) & (left <= LEFT * x[limits.below])
    return Face(tight, x * problem.outputs < EMPTY)


def _factors(problem: Quotient) -> Floats:
    """Return e^-epsilon for each limit."""
    factors = np.array([shrink(epsilon) for epsilon, _ in problem.edges.asked])
    return factors[problem.asked_by]


def _add_limits(rows: Rows, problem: Quotient, first_slack: int, face: Face | None) -> int:
    """Add the limits, as `add_privacy` does; return how many slack columns they use."""
    limits, loose = problem.limits, problem.loose_limits
    equal = np.zeros(len(loose), dtype=bool) if face is None else face.tight
    number, factors = np.arange(len(limits.above)), _factors(problem)
    places = np.concatenate([number, number]), np.concatenate([limits.above, limits.below])
    gaps = sp.csr_matrix(
        (np.concatenate([factors, -np.ones(len(number))]), places), shape=(len(number), len(problem.sizes))
    )
    if not loose.all():
        rows.equal(gaps[~loose & equal], 0.0)
        rows.at_most(gaps[~loose & ~equal], 0.0, name="strict")
    if not loose.any():
        return 0
    count = int(loose.sum())
    between = sp.csr_matrix((count, first_slack - gaps.shape[1]))
    block = sp.hstack([gaps[loose], between, -sp.identity(count)], format="csr")
    rows.equal(block[equal[loose]], 0.0)
    rows.at_most(block[~equal[loose]], 0.0, name="loose")
    # How often each class of edges has each of its limits: for one edge of it.
    edges, place = np.unique(limits.edge[loose], return_inverse=True)
    often = limits.times[loose] // problem.times_of_edges[limits.edge[loose]]
    sums = sp.csr_matrix((often, (place, first_slack + np.arange(count))), shape=(len(edges), first_slack + count))
    labels = problem.edges.label[problem.first_edges[edges]]
    allowed = np.array([float(delta) * shrink(epsilon) for epsilon, delta in problem.edges.asked])
    rows.at_most(sums, allowed[labels])
    return count


def quotient_multipliers(problem: Quotient, program: Program, duals: Floats) -> PrivacyMultipliers:
    """Return the multiplier of each limit, for one of those that it stands for, under the one key (0, 0)."""
    limits, loose = problem.limits, problem.loose_limits
    found = np.zeros(len(limits.above))
    for name, chosen in (("strict", ~loose), ("loose", loose)):
        if name in program.blocks:
            found[chosen] = duals[program.blocks[name]]
    return {(0, 0): found * _factors(problem) / limits.times}
