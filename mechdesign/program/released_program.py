"""The program in the released distributions q^1..q^k alone: k m variables instead of k d m, or one for each class.

Privacy sees a matrix A^i only through q^i = P_i A^i, and given q^i the best A^i is a transport plan from P_i to q^i.

What the objective adds to the rows of privacy it says itself: see `mechdesign.objective`. Which q^i_y are one variable,
the problem's map says: their columns are added up.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Entries, Floats
from mechdesign.objective.base import Cut
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.problem import Problem
from mechdesign.program.compiler import (
    add_cliques,
    add_kept,
    clique_multipliers,
    compiled,
    differences,
    privacy_multipliers,
    privacy_weights,
)
from mechdesign.program.program import Program, RowBuilder

Flags: TypeAlias = npt.NDArray[np.bool_]


def released_program(
    problem: Problem,
    cuts: Iterable[Cut],
    *,
    level: float | None = None,
) -> Program:
    """Return the program over the variables of the problem's map, columns 0, 1, ...

    It minimises the objective. With a `level`, to which the objective is held, it minimises half the squared distance
    sum_i |q^i - target_i|² from what would be released without privacy.
    """
    (k, m), count, asked = problem.variables.shape, len(problem.sizes), problem.inequalities
    rows = RowBuilder()
    rows.equal(Entries(k, np.repeat(np.arange(k), m), np.arange(k * m), np.ones(k * m)), 1.0)
    rows, n = _with_objective(rows, problem, list(cuts), level)
    if problem.kept is not None:
        add_kept(rows, problem.kept, sp.identity(count, format="csr"))
    columns = n + 1 + add_cliques(rows, problem.cover.cliques, m, n + 1)
    nearest = None
    if level is not None:
        target = np.zeros(count)
        target[problem.variables] = problem.target_in_doubles
        nearest = -target * problem.sizes, problem.sizes.astype(np.float64)
    gaps = differences(asked.factors, asked.above, asked.below)
    return compiled(rows, gaps, asked, columns, n, nearest=nearest)


def _with_objective(
    rows: RowBuilder, problem: Problem, cuts: Sequence[Cut], level: float | None
) -> tuple[RowBuilder, int]:
    """Return rows over all q^i_y, with those of the objective, as rows over the variables; and its column."""
    more = problem.objective.add_released(rows, problem, cuts, level) - problem.variables.size
    count = len(problem.sizes)
    return rows.merged(np.concatenate([problem.variables.ravel(), count + np.arange(more + 1)])), count + more


def with_cuts(problem: Problem, program: Program, earlier: int, fresh: Sequence[Cut], level: float | None) -> Program:
    """Return a program over the released distributions with cuts that come after so many `earlier` ones.

    It is what `released_program` makes of all cuts; to put rows into it takes a tenth of the time.
    """
    rows, _ = _with_objective(RowBuilder(), problem, fresh, level)
    return program.extended(len(problem.profiles) + earlier, rows.program(program.cost, program.floor))


def released_part(problem: Problem, x: Floats) -> Floats:
    """Return the released distributions within a solution x of the released program, k x m."""
    return x[problem.variables]


def released_point(problem: Problem, program: Program, released: Floats) -> Floats:
    """Return a point of the released program with these released distributions, and nothing else in it."""
    x = np.zeros(len(program.cost))
    x[problem.variables] = released
    return x


def parts_of(first: int, program: Program, profiles: Flags, loose: Flags) -> tuple[Flags, Flags]:
    """Return the rows of these profiles' losses and of these slacks, and their own columns, from `first` on."""
    rows, entries = np.zeros(len(program.upper), dtype=bool), abs(program.matrix)
    own = (np.arange(len(program.cost)) >= first) & (program.cost == 0)
    if profiles.any():
        rows[program.blocks["objective"]] = profiles
        rows |= entries @ ((entries.T @ rows > 0) & own) > 0
    if loose.any():
        rows[program.blocks["loose"]] = loose
    return rows, (entries.T @ rows > 0) & own


def released_multipliers(problem: Problem, program: Program, duals: Floats) -> PrivacyMultipliers:
    """Return the multipliers of the privacy constraints, pair by pair.

    Of classes one for each inequality, under the one key (0, 0).
    """
    asked = problem.inequalities
    if problem.alike is not None:
        return {(0, 0): privacy_weights(program, duals, asked)}
    result = clique_multipliers(program, duals, problem.cover.cliques, problem.outputs)
    for pair, weights in privacy_multipliers(program, duals, problem.independent_pairs, asked).items():
        result[pair] = result.get(pair, 0.0) + weights
    return result
