"""Counts and other values on a path: the geometric mechanism followed by the best remap of each of its outputs.

Where the profiles are single values and the edges a path, each requiring q^i_y <= e^epsilon q^j_y, let G(r, i) be the
product of e^-epsilon over the edges between i and r, and beta >= 0 the weights with sum_r beta_r G(r, i) = 1 for all i.
The mechanism that answers r with probability beta_r G(r, i) is private: for equal epsilons it is the geometric one,
with what falls outside at the ends. Of any loss, for any prior w, each answer r is then best read as the y with the
least c_r = sum_i w_i l(i, y) G(r, i).

Ghosh, Roughgarden and Sundararajan proved that for losses that grow with the distance nothing private is better. Here
that is not relied on. The u with sum_i u_i G(r, i) = c_r for all r, which are given by a tridiagonal matrix, are
multipliers of "the rows sum to 1"; those of privacy follow, for each output y, from a recurrence along the path; and
together they prove a bound, whatever the loss. Where the value is above it, another solver has to do.

For the worst value's loss the remaps are random, and the prior is part of the answer: see `worst_remap`.

References
----------
Ghosh, Roughgarden and Sundararajan 2009, "Universally utility-maximizing privacy mechanisms", Theorem 1.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.objective.multipliers import Multipliers
from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.problem import NEAR, Problem
from mechdesign.program.released_program import released_program
from mechdesign.program.tolerances import VIOLATION
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.highs import HIGHS_TOLERANCE
from mechdesign.solver.on_path import OnPath, proved
from mechdesign.solver.worst_remap import read_for_worst


@dataclass(frozen=True, eq=False)
class Remap:
    """The geometric mechanism's best remap, an optimum.

    Attributes
    ----------
    solution
        with the multipliers that show that.
    unique
        whether it is known to be the only optimum, which then is the design.
    """

    solution: Solution
    unique: bool


def solve_path(problem: Problem) -> Remap | None:
    """Return the geometric mechanism's best remap; None where that is no optimum, or does not apply.

    It applies to an expected or a worst loss of values on a path, each edge with delta = 0.
    """
    objective = problem.objective
    if any(one.delta for one in problem.required) or not isinstance(objective, ExpectedLoss | WorstLoss):
        return None
    found = None if problem.shared or problem.kept is not None else values_on_path(problem)
    if found is None:
        return None
    order, losses, steps = found.order, found.losses, found.steps
    worst = read_for_worst(steps, losses) if isinstance(objective, WorstLoss) else None
    if worst is not None:
        path, value, released = worst.path, worst.value, worst.released
    else:
        path = OnPath(steps, losses, problem.weights[order])
        value, released = path.value, path.released()
    multipliers = path.multipliers()
    off = abs(value - proved(steps, path.losses, multipliers))
    if not off <= NEAR * abs(value) + VIOLATION * abs(path.losses).max():
        return None  # nor where doubles do not hold what is to be proved
    back = np.argsort(order)
    privacy = {(order[i], order[j]): weights for (i, j), weights in multipliers.items()}
    profiles = None if worst is None else worst.weights[back]
    solution = Solution(
        value, released[back], multipliers=Multipliers(privacy, profiles=profiles), way="geometric mechanism"
    )
    return Remap(solution, worst is None and path.unique())


@dataclass(frozen=True, eq=False)
class ValuesOnPath:
    """Different single values whose edges form a path.

    Attributes
    ----------
    order
        the n profiles, along the path.
    losses
        n x m: of each value, in this order.
    steps, deltas
        n - 1: e^-epsilon and delta of each edge.
    """

    order: list[int]
    losses: Floats
    steps: Floats
    deltas: Floats


def values_on_path(problem: Problem) -> ValuesOnPath | None:
    """Return the values of a loss along their path; None if they form none, or doubles take a factor for 0 or 1."""
    order = _path(problem.required, len(problem.exact))
    values = [np.flatnonzero(profile) for profile in problem.profiles]
    alone = all(len(value) == 1 for value in values) and len({int(value[0]) for value in values}) == len(values)
    if order is None or not alone or problem.loss is None:
        return None
    edges = {pair: one for one in problem.required for pair in one.directions()}
    along = [edges[pair] for pair in pairwise(order)]
    steps = np.exp(-np.array([float(one.epsilon) for one in along]))
    if not ((steps > 0) & (steps < 1)).all():
        return None
    losses = problem.loss[[int(values[i][0]) for i in order]]
    deltas = np.array([float(one.delta) for one in along])
    return ValuesOnPath(order, losses, steps, deltas)


def vertex_of(problem: Problem, optimum: Solution) -> Minimum:
    """Return an optimum and its multipliers as those of the released program, as `closest` takes them.

    The multiplier of "a profile's distribution sums to 1" is the least price of its outputs, with the sign turned; that
    of a delta the largest of its edge's. Slacks are what is exceeded. Where all are made of HiGHS' answer, small ones
    are off by its tolerance.
    """
    program, (k, m), asked = released_program(problem, ()), optimum.released.shape, problem.inequalities
    assert optimum.multipliers is not None
    multipliers = np.zeros(len(program.upper))
    weights = optimum.multipliers.profiles
    multipliers[program.blocks["objective"]] = 1.0 if weights is None else weights
    privacy, nothing = optimum.multipliers.privacy, np.zeros(m)
    rows = [privacy.get((a, b), nothing) for a, b, _ in both_ways(problem.independent_pairs)]
    of_rows = np.concatenate(rows) / asked.factors
    for name, chosen in (("strict", ~asked.loose), ("loose", asked.loose)):
        if name in program.blocks:
            multipliers[program.blocks[name]] = of_rows[chosen]
    if "deltas" in program.blocks:
        multipliers[program.blocks["deltas"]] = of_rows.reshape(-1, m).max(axis=1)[asked.loose_edges]
    slacks = np.maximum(0.0, asked.gaps(optimum.released.ravel()))[asked.loose]
    prices = (program.matrix.T @ multipliers)[: k * m].reshape(k, m)
    multipliers[:k] = -prices.min(axis=1)
    return Minimum(np.concatenate([optimum.released.ravel(), [optimum.value], slacks]), multipliers, HIGHS_TOLERANCE)


def _path(required: Sequence[Requirement], profiles: int) -> list[int] | None:
    """Return the profiles in the order of the path that the requirements form; None if they form none."""
    if len(required) != profiles - 1:
        return None
    near: list[list[int]] = [[] for _ in range(profiles)]
    for one in required:
        near[one.first].append(one.second)
        near[one.second].append(one.first)
    ends = [i for i, others in enumerate(near) if len(others) == 1]
    if len(ends) != 2:
        return None
    order, last = [ends[0]], -1
    while onwards := [j for j in near[order[-1]] if j != last]:
        if len(onwards) > 1:
            return None
        last = order[-1]
        order.append(onwards[0])
    return order if len(order) == profiles else None
