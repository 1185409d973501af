"""The same problem in the released distributions q^1..q^k alone: k m variables instead of k d m.

Privacy sees a matrix A^i only through q^i = P_i A^i, and given q^i the best A^i is a transport plan from P_i to q^i.

What the objective adds to the rows of privacy it says itself: see `mechdesign.objective`.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective.base import Cut
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.problem import Problem
from mechdesign.program.cliques import add_cliques, clique_multipliers
from mechdesign.program.program import Program, Rows, add_privacy, privacy_multipliers
from mechdesign.program.quotient import Face, quotient_multipliers, quotient_program
from mechdesign.symmetry.quotient import Quotient


def released_program(
    problem: Problem,
    cuts: Iterable[Cut],
    *,
    level: float | None = None,
    face: Face | None = None,
) -> Program:
    """Return the program over the released distributions; column i m + y is q^i_y.

    It minimises the objective. With a `level`, to which the objective is held, it minimises half the squared distance
    sum_i |q^i - target_i|² from what would be released without privacy. That of classes has a column for each of
    them, and what is known of their `face`: see `quotient_program`.
    """
    if isinstance(problem, Quotient):
        return quotient_program(problem, cuts, level=level, face=face)
    k, m = len(problem.profiles), problem.outputs
    rows = Rows()
    rows.equal(sp.kron(sp.identity(k), np.ones((1, m))), 1.0)
    n = problem.objective.add_released(rows, problem, list(cuts), level)
    cliques, pairs = problem.cover.cliques, problem.independent_pairs
    columns = n + 1 + add_privacy(rows, sp.csr_matrix(sp.identity(k * m)), m, pairs, n + 1)
    columns += add_cliques(rows, cliques, k, m, columns)
    cost, floor = np.zeros(columns), np.zeros(columns)
    floor[n] = -np.inf
    if level is None:
        cost[n] = 1.0
        return rows.program(cost, floor)
    cost[: k * m] = -problem.target_in_doubles.ravel()
    curvature = np.zeros(columns)
    curvature[: k * m] = 1.0
    curvature[n] = 1.0  # the column of the objective is idle here; this pins it to zero
    return rows.program(cost, floor, curvature)


def with_cuts(problem: Problem, program: Program, known: int, fresh: Sequence[Cut], level: float | None) -> Program:
    """Return a program over the released distributions with cuts that come after those `known`, so many.

    It is what `released_program` makes of all cuts; to put rows into it takes a tenth of the time.
    """
    rows = Rows()
    problem.objective.add_released(rows, problem, fresh, level)
    return program.extended(len(problem.profiles) + known, rows.program(program.cost, program.floor))


def released_part(problem: Problem, x: Floats) -> Floats:
    """Return the released distributions within a solution x of the released program."""
    if isinstance(problem, Quotient):
        return x[problem.columns]
    k, m = len(problem.profiles), problem.outputs
    return x[: k * m].reshape(k, m)


def released_point(problem: Problem, program: Program, released: Floats) -> Floats:
    """Return a point of the released program with these released distributions, and nothing else in it."""
    x = np.zeros(len(program.cost))
    places = problem.columns.ravel() if isinstance(problem, Quotient) else np.arange(released.size)
    x[places] = released.ravel()
    return x


def released_multipliers(problem: Problem, program: Program, duals: Floats) -> PrivacyMultipliers:
    """Return the multipliers of the privacy constraints, pair by pair; of classes, see `quotient_multipliers`."""
    if isinstance(problem, Quotient):
        return quotient_multipliers(problem, program, duals)
    cliques, pairs = problem.cover.cliques, problem.independent_pairs
    result = clique_multipliers(program, duals, cliques, problem.outputs)
    for pair, weights in privacy_multipliers(program, duals, problem.outputs, pairs).items():
        result[pair] = result.get(pair, 0.0) + weights
    return result
