"""The full program in every matrix entry, through HiGHS: method "highs", and whatever shares one matrix."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.objective.multipliers import Multipliers
from mechdesign.problem import Problem
from mechdesign.program.program import Minimise, Program, privacy_multipliers
from mechdesign.program.transport import Layout, entry_weights, transport_program
from mechdesign.solution import Solution
from mechdesign.solver.clarabel import minimise_quadratic
from mechdesign.solver.highs import minimise_linear

HIGHS: tuple[Minimise, ...] = (minimise_linear, partial(minimise_linear, solver="ipx"))
"""The simplex method; where it finds no optimum, the interior-point method, whose answer is moved to a vertex."""


def solve_full(problem: Problem, ways: Sequence[Minimise] = HIGHS) -> Solution:
    """Return an optimum of the textbook program, [GC] (5), with its multipliers: the first that one of the ways finds.

    Raises
    ------
    SolverError
        if none stops at an optimum.
    """
    program, layout = transport_program(problem)
    return solution_of(problem, program, layout, *first_answer(program, ways))


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
    privacy = privacy_multipliers(program, duals, problem.outputs, problem.required)
    weights = duals[program.blocks["objective"]]
    return problem.objective.multipliers(privacy, weights, partial(entry_weights, problem, layout))


def solve_shared(problem: Problem) -> Solution:
    """Return an optimum as `solve_full` does; by Clarabel where HiGHS finds none."""
    return solve_full(problem, (*HIGHS, minimise_quadratic))


def first_answer(program: Program, ways: Sequence[Minimise]) -> tuple[Floats, Floats]:
    """Return the answer of the first of several ways to solve a program that finds one.

    Raises
    ------
    SolverError
        if none does.
    """
    for minimise in ways[:-1]:
        try:
            return minimise(program)
        except SolverError:
            pass
    return ways[-1](program)


def released_by(problem: Problem, matrices: Floats) -> Floats:
    """Return q^i = P_i A^i, k x m."""
    each = np.broadcast_to(matrices, (len(problem.profiles), *matrices.shape[1:]))
    return np.array(np.einsum("ix,ixy->iy", problem.profiles, each))
