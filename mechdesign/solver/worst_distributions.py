"""Profiles known only within bounds: cutting planes over the worst distributions of each set.

A cut is a distribution P of one profile's set, for one output y: h_y >= P A_y, or g_y <= P A_y. The worst P for given
matrices are found for all profiles and outputs at once, by sorting. At interior points few rounds of cuts are needed:
one or two on rings of 20 or 50 profiles and 20 categories with bounds of 0.005 around each probability. (The compact
form, in which the sets' own duals are columns, takes a single solve of three times as many rows: 5 s there in place of
1 s.) Rounds end when the matrices themselves meet the requirements, whatever h and g are;
if they do not end, the last answer is taken as it is, and rounding makes it private, at some cost.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.objective.multipliers import Multipliers
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem, near_optimal
from mechdesign.program.compiler import kept_multipliers
from mechdesign.program.program import Program
from mechdesign.program.robust import Sets, WorstCuts, robust_multipliers, robust_program
from mechdesign.program.tolerances import MOST_ROUNDS, VIOLATION
from mechdesign.program.transport import Layout, entry_weights
from mechdesign.solution import Solution
from mechdesign.solver.full import released_by
from mechdesign.solver.minimise import minimise
from mechdesign.solver.stopping import accuracy_for, offer
from mechdesign.stopwatch import announce

MOST_ENTRIES = 1_000
"""In larger programs the nearest design is not looked for: its rounds, some twenty, would take several times as long
as all the rest."""


def solve_robust(problem: Problem) -> Solution:
    """Return an optimum in every matrix entry, private for every distribution in the sets, with its multipliers.

    Raises
    ------
    SolverError
        if the solver stops without an optimum.
    """
    layout = Layout.of(problem)
    return _optimum(problem, layout, *_with_cuts(problem, layout, _first_matrices(problem)))


def _optimum(problem: Problem, layout: Layout, program: Program, x: Floats, duals: Floats, cuts: WorstCuts) -> Solution:
    privacy, worst = robust_multipliers(problem, program, duals, cuts)
    weights = duals[program.blocks["objective"]]
    found = problem.objective.multipliers(privacy, weights, partial(entry_weights, problem, layout))
    found = replace(found, worst=worst, kept=kept_multipliers(program, duals))
    return _solution(problem, layout, x, float(program.cost @ x), found)


def canonical_robust(problem: Problem, optimum: Solution) -> Solution | None:
    """Return the nearest design: its nominal released distributions are closest to the targets.

    To be exact, the one with the least sum_i |q^i - target_i|² + TIDY sum of squares of the distorting entries, which
    is unique. None in large programs.
    """
    assert optimum.matrices is not None
    layout = Layout.of(problem)
    if layout.entries > MOST_ENTRIES:
        return None
    level = near_optimal(optimum.value)
    _, x, _, _ = _with_cuts(problem, layout, optimum.matrices, level)
    return replace(_solution(problem, layout, x, level, None), way="nearest, held")


def _solution(problem: Problem, layout: Layout, x: Floats, value: float, multipliers: Multipliers | None) -> Solution:
    matrices = layout.matrices(problem, x)
    return Solution(value, released_by(problem, matrices), matrices, multipliers, way="cuts of worst distributions")


def _first_matrices(problem: Problem) -> Floats:
    return np.identity(problem.outputs)[problem.free][None]


def _with_cuts(
    problem: Problem, layout: Layout, near: Floats, level: float | None = None
) -> tuple[Program, Floats, Floats, WorstCuts]:
    """Return the last relaxation, its solution, multipliers and cuts; it starts with those of matrices `near` it."""
    sets = Sets.of(problem)
    asked = Inequalities.of(problem.required, problem.outputs, least=problem.target_in_doubles.size)
    cuts, _ = _worst(sets, _first_matrices(problem))
    if level is not None:
        cuts = cuts.joined(_worst(sets, near)[0])
    for number in range(MOST_ROUNDS):
        stage = "solve" if level is None else "canonical"
        announce(f"{stage}, round {number + 1}: {len(cuts.cells)} worst distributions")
        program = robust_program(problem, layout, cuts, level=level)
        found = minimise(program, accuracy=accuracy_for(problem) if level is None else 0.0)
        x, duals = found.columns, found.multipliers
        deeper, extremes = _worst(sets, layout.matrices(problem, x))
        bounds = x[layout.entries + 1 :][: extremes.size].reshape(extremes.shape)
        missed = np.concatenate([extremes[0] - bounds[0], bounds[1] - extremes[1]]) > VIOLATION
        if not missed.any() or asked.excess(extremes.ravel()) <= VIOLATION or number + 1 == MOST_ROUNDS:
            break
        if level is None:
            offer(problem, partial(_optimum, problem, layout, program, x, duals, cuts))
        cuts = cuts.joined(WorstCuts(deeper.cells[missed], deeper.masses[missed]))
    return program, x, duals, cuts


def _worst(sets: Sets, matrices: Floats) -> tuple[WorstCuts, Floats]:
    """Return the worst distribution for each cell, and the largest and least released there, 2 x k m."""
    k, d = sets.nominal.shape
    each = np.broadcast_to(matrices, (k, *matrices.shape[1:]))
    masses = np.stack([sets.worst(each), sets.worst(-each)])
    extremes = np.einsum("siyx,ixy->siy", masses, each).reshape(2, -1)
    return WorstCuts(np.arange(extremes.size), masses.reshape(-1, d)), extremes
