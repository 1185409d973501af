"""Stage 1 of values with an expected loss where most pairs are required: by the blocks of single outputs.

An interior point, see `output_blocks`, goes on until the rows that bind show a vertex, see `output_trees`. Nearly
always it is the only optimum, so that no other is nearer to the profiles.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.objective import ExpectedLoss
from mechdesign.objective.multipliers import Multipliers
from mechdesign.privacy.requirement import epsilons_between
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.tolerances import MOST_PROJECTED
from mechdesign.solution import Solution
from mechdesign.solver.geometric_remap import vertex_of
from mechdesign.solver.output_blocks import Search
from mechdesign.solver.output_system import Point
from mechdesign.solver.output_trees import vertex_near
from mechdesign.solver.stopping import offer

BY_OUTPUTS = "program by outputs"

LEAST_ENTRIES = 20_000
"""Pairs, both ways, times outputs, from which on this is quicker than other ways: those of 28 places."""

MOST_OTHERWISE, MOST_ENTRIES = 20_000_000, 216_000_000
"""Those of 271 places, up to which other ways may find what this one does not; those of 600, which take 6 GB."""


def suits(problem: Problem) -> bool:
    """Return whether a problem is solved here: of single values with an expected loss, most pairs of them required."""
    k = len(problem.exact)
    if not isinstance(problem.objective, ExpectedLoss) or not problem.is_local or not problem.requires_most_pairs:
        return False
    if not LEAST_ENTRIES <= entries(problem) <= MOST_ENTRIES or problem.cover.cliques:
        return False
    strict = all(not one.delta and one.epsilon > NEAR for one in problem.required)
    return problem.has_single_values and strict and 4 * len(problem.independent_pairs) >= k * (k - 1)


def entries(problem: Problem) -> int:
    """Return how many pairs there might be, both ways, times outputs."""
    return len(problem.exact) ** 2 * problem.outputs


def solve_by_outputs(problem: Problem) -> Solution | str:
    """Return an optimum with its multipliers, and whether it is the only one; if not, also with what `closest` takes.

    If none is found, return why.
    """
    assert problem.loss is not None
    losses = problem.weights * problem.loss[problem.profiles.argmax(axis=1)].T
    floor = losses.min(axis=0)
    unit = (losses - floor).max() or 1.0
    costs, looked, unique = (losses - floor) / unit, NEAR ** (1 / 3), False
    search = Search(costs, np.exp(-epsilons_between(problem.independent_pairs, len(problem.exact))))
    for point in search.points():
        offer(problem, partial(_solution, costs, floor, unit, search.best), gap=search.best.gap)
        if point.gap < looked:
            looked, vertex = point.gap / 10, vertex_near(costs, point)
            if vertex is not None:
                best, unique = vertex
                break
    else:
        if search.failure:
            return search.failure
        best = search.best
    found = replace(_solution(costs, floor, unit, best), canonical=unique)
    searched = not unique and problem.profiles.size <= MOST_PROJECTED
    return replace(found, vertex=vertex_of(problem, found)) if searched else found


def _solution(costs: Floats, floor: Floats, unit: float, point: Point) -> Solution:
    """Return a point as a solution, where losses are the `costs`, in a `unit`, above the least of each profile."""
    proof = _without_small(costs, point)
    m, k = costs.shape
    y, pair = np.divmod(proof.rows.numbers, k * k)
    used, place = np.unique(pair, return_inverse=True)
    z = np.zeros((len(used), m))
    z[place, y] = proof.z * proof.rows.factor * unit
    multipliers = Multipliers({divmod(one, k): row for one, row in zip(used.tolist(), z, strict=True)})
    value = float(((costs * unit + floor) * point.v).sum())
    return Solution(value, point.v.T.copy(), multipliers=multipliers, way=BY_OUTPUTS)


def _without_small(costs: Floats, point: Point) -> Point:
    """Return it without the multipliers that prove next to nothing: a hundredth of the gap at most."""
    worth = max(NOTHING, 1.01 * point.gap)
    for share in 10.0 ** np.arange(-4, -18, -1.0):
        large = point.z > share * point.z.max()
        fewer = replace(point, rows=point.rows.only(large), z=point.z[large]).judged(costs)
        if fewer.gap < worth:
            return fewer
    return point
