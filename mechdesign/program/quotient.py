"""The lifted program: that of the released distributions, in one variable for each class of them.

Of a class of profiles one has its rows; equal columns are added up, equal rows are there once.
"""

from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.base import Cut
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.program.program import Program, Rows
from mechdesign.symmetry.quotient import Quotient


def quotient_program(
    problem: Quotient,
    cuts: Iterable[Cut],
    *,
    level: float | None = None,
) -> Program:
    """Return the program over the classes, columns 0, 1, ...; like `released_program`, whose optimum it has."""
    (r, m), count = problem.columns.shape, len(problem.sizes)
    own = Rows()
    own.equal(sp.kron(sp.identity(r), np.ones((1, m))), 1.0)
    more = problem.objective.add_released(own, problem, list(cuts), level) - r * m
    rows = own.merged(np.concatenate([problem.columns.ravel(), count + np.arange(more + 1)]))
    n = count + more
    columns = n + 1 + _add_limits(rows, problem, n + 1)
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


def _factors(problem: Quotient) -> Floats:
    """Return e^-epsilon for each limit."""
    factors = np.array([shrink(epsilon) for epsilon, _ in problem.edges.asked])
    return factors[problem.asked_by]


def _add_limits(rows: Rows, problem: Quotient, first_slack: int) -> int:
    """Add the limits, as `add_privacy` does; return how many slack columns they use."""
    limits, loose = problem.limits, problem.loose_limits
    number, factors = np.arange(len(limits.above)), _factors(problem)
    places = np.concatenate([number, number]), np.concatenate([limits.above, limits.below])
    gaps = sp.csr_matrix(
        (np.concatenate([factors, -np.ones(len(number))]), places), shape=(len(number), len(problem.sizes))
    )
    if not loose.all():
        rows.at_most(gaps[~loose], 0.0, name="strict")
    if not loose.any():
        return 0
    count = int(loose.sum())
    between = sp.csr_matrix((count, first_slack - gaps.shape[1]))
    rows.at_most(sp.hstack([gaps[loose], between, -sp.identity(count)]), 0.0, name="loose")
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
