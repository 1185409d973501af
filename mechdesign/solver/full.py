"""The full program in every matrix entry, through HiGHS: method "highs", and whatever shares one matrix."""

from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.objective.multipliers import Multipliers
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem
from mechdesign.program.compiler import kept_multipliers, privacy_multipliers
from mechdesign.program.program import Program
from mechdesign.program.transport import Layout, entry_weights, transport_program
from mechdesign.solution import Solution
from mechdesign.solver.minimise import Wanted, minimise
from mechdesign.solver.stopping import accuracy_for


def solve_full(problem: Problem) -> Solution:
    """Return an optimum of the textbook program, [GC] (5), with its multipliers; of one matrix also as a vertex.

    Raises
    ------
    SolverError
        if no solver finds one.
    """
    program, layout = transport_program(problem)
    found = minimise(program, Wanted.VERTEX, accuracy=accuracy_for(problem))
    solution = solution_of(problem, program, layout, found.columns, found.multipliers)
    return replace(solution, vertex=found) if problem.shared else solution


def solution_of(problem: Problem, program: Program, layout: Layout, x: Floats, duals: Floats | None) -> Solution:
    """Return an answer to the textbook program as a solution; without multipliers if `duals` is None."""
    matrices = layout.matrices(problem, x)
    multipliers = None if duals is None else _multipliers(problem, program, layout, duals)
    return Solution(
        float(program.cost @ x),
        released_by(problem, matrices),
        matrices,
        multipliers,
        program=lambda: program,
        columns=x,
        way="textbook program",
    )


def _multipliers(problem: Problem, program: Program, layout: Layout, duals: Floats) -> Multipliers:
    asked = Inequalities.of(problem.required, problem.outputs)
    privacy = privacy_multipliers(program, duals, problem.required, asked)
    weights = duals[program.blocks["objective"]]
    found = problem.objective.multipliers(privacy, weights, partial(entry_weights, problem, layout))
    return replace(found, kept=kept_multipliers(program, duals))


def released_by(problem: Problem, matrices: Floats) -> Floats:
    """Return q^i = P_i A^i, k x m."""
    each = np.broadcast_to(matrices, (len(problem.profiles), *matrices.shape[1:]))
    return np.array(np.einsum("ix,ixy->iy", problem.profiles, each))
