"""Stage 1 of values with an expected loss where most pairs are required: by the blocks of single outputs.

An interior point, see `output_blocks`, goes on until the rows that bind show a vertex, see `output_trees`. Nearly
always it is the only optimum, so that no other is nearer to the profiles.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse.csgraph import shortest_path

from mechdesign.arrays import Floats
from mechdesign.objective import ExpectedLoss
from mechdesign.objective.multipliers import Multipliers
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.tolerances import MOST_PROJECTED
from mechdesign.solution import Solution
from mechdesign.solver.geometric_remap import vertex_of
from mechdesign.solver.output_blocks import Cone, Point, Search, gap_of
from mechdesign.solver.output_trees import vertex_near
from mechdesign.solver.stopping import offer

BY_OUTPUTS = "program by outputs"

LEAST_ENTRIES = 20_000
"""Pairs, both ways, times outputs, from which on this is quicker than other ways: those of 28 places."""

MOST_ENTRIES = 20_000_000
"""Those of 271 places: eight such tables take 1.3 GB."""

SLOPE = 0.45
"""Share of each epsilon that the exponential mechanism has with which the search starts, less than half."""


def suits(problem: Problem) -> bool:
    """Return whether a problem is solved here: of single values with an expected loss, most pairs of them required."""
    k = len(problem.exact)
    if not isinstance(problem.objective, ExpectedLoss) or not problem.is_local or 4 * len(problem.required) < k * k:
        return False
    if not LEAST_ENTRIES <= k * k * problem.outputs <= MOST_ENTRIES or problem.cover.cliques:
        return False
    strict = all(not one.delta and one.epsilon > NEAR for one in problem.required)
    return bool(problem.single.all() and strict and 4 * len(problem.independent_pairs) >= k * (k - 1))


def solve_by_outputs(problem: Problem) -> Solution:
    """Return an optimum with its multipliers, and whether it is the only one; if not, also with what `closest` takes.

    Raises
    ------
    SolverError
        if no optimum is found.
    """
    assert problem.loss is not None
    losses = problem.weights * problem.loss[problem.profiles.argmax(axis=1)].T
    floor = losses.min(axis=0)
    unit = (losses - floor).max() or 1.0
    costs, apart = (losses - floor) / unit, _epsilons(problem)
    cone, looked, unique = Cone(np.exp(-apart), problem.outputs), 1.0, False
    for point in Search(costs, cone, _start(problem, apart)).points():
        offer(problem, partial(_solution, costs, floor, unit, cone, point), gap=point.gap)
        if point.gap < looked:
            looked, vertex = point.gap / 2, vertex_near(costs, cone, point)
            if vertex is not None:
                point, unique = vertex
                break
    found = replace(_solution(costs, floor, unit, cone, point), canonical=unique)
    searched = not unique and problem.profiles.size <= MOST_PROJECTED
    return replace(found, vertex=vertex_of(problem, found)) if searched else found


def _solution(costs: Floats, floor: Floats, unit: float, cone: Cone, point: Point) -> Solution:
    """Return a point as a solution, where losses are the `costs`, in a `unit`, above the least of each profile."""
    z = _without_small(costs, cone, point) * unit
    ends = np.argwhere((z > 0).any(axis=0)).tolist()
    multipliers = Multipliers({(a, b): z[:, a, b] * cone.factors[a, b] for a, b in ends})
    value = float(((costs * unit + floor) * point.v).sum())
    return Solution(value, point.v.T.copy(), multipliers=multipliers, way=BY_OUTPUTS)


def _epsilons(problem: Problem) -> Floats:
    """Return the epsilon of each pair, infinite where nothing is required."""
    apart = np.full((len(problem.exact), len(problem.exact)), np.inf)
    for one in problem.independent_pairs:
        apart[one.first, one.second] = apart[one.second, one.first] = float(one.epsilon)
    return apart


def _start(problem: Problem, apart: Floats) -> Floats:
    """Return what lies well within the cone: the exponential mechanism, uniform on outputs that are nobody's value."""
    result = np.ones((problem.outputs, len(apart)))
    result[np.array(problem.free)[problem.profiles.argmax(axis=1)]] = np.exp(-SLOPE * shortest_path(apart, method="D"))
    return np.array(result / result.sum(axis=0))


def _without_small(costs: Floats, cone: Cone, point: Point) -> Floats:
    """Return the multipliers without those that prove next to nothing."""
    z = point.z * cone.required
    most, worth = z.max(), max(NOTHING, 2 * point.gap)
    for share in 10.0 ** np.arange(-4, -18, -1.0):
        fewer = np.where(z > share * most, z, 0.0)
        if gap_of(costs, cone, point.v, fewer) < worth:
            return fewer
    return z
