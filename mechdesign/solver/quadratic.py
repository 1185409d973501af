"""Linear and convex quadratic programs through Clarabel, an interior-point solver, to nearly the last digit."""

import clarabel
import numpy as np
import scipy.sparse as sp

from mechdesign.errors import SolverError
from mechdesign.problem import Floats
from mechdesign.program.program import Program

TOLERANCE = 1e-13

SQUARED = 1e-18
"""Gap asked for of a squared distance, whose minimiser is known to the root of it only; large ones end at ENOUGH."""

ENOUGH = 35
"""Iterations after which the rest of a squared distance is rounding."""


def minimise_quadratic(program: Program) -> tuple[Floats, Floats]:
    """Return the minimiser of a program and the multipliers >= 0 of its upper row bounds, found by Clarabel.

    Raises
    ------
    SolverError
        if Clarabel stops without an answer.
    """
    n = len(program.cost)
    curvature = np.zeros(n) if program.curvature is None else program.curvature
    # Measured from the unconstrained minimiser the objective is small, and so is what rounding does to it.
    centre = np.divide(-program.cost, curvature, out=np.zeros(n), where=curvature > 0)
    cost = np.where(curvature > 0, 0.0, program.cost)
    equal = program.lower == program.upper
    below = ~equal & np.isfinite(program.upper)
    floor = np.isfinite(program.floor)
    matrix = sp.vstack([program.matrix[equal], program.matrix[below], -sp.identity(n, format="csr")[floor]])
    bound = np.concatenate([program.upper[equal], program.upper[below], -program.floor[floor]])
    bound -= matrix @ centre
    cones = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(int(below.sum() + floor.sum()))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_feas = TOLERANCE
    settings.tol_gap_abs = settings.tol_gap_rel = TOLERANCE if program.curvature is None else SQUARED
    settings.max_iter = settings.max_iter if program.curvature is None else ENOUGH
    quadratic = sp.diags(curvature, format="csc")
    answer = clarabel.DefaultSolver(quadratic, cost, matrix.tocsc(), bound, cones, settings).solve()
    status = clarabel.SolverStatus
    ended = (status.Solved, status.AlmostSolved, status.InsufficientProgress, status.MaxIterations)
    if answer.status not in ended or answer.r_prim > 1e-8:
        raise SolverError(f"Clarabel stopped without an answer: {answer.status}")
    multipliers = np.zeros(len(program.upper))
    multipliers[below] = np.maximum(0.0, answer.z[equal.sum() : equal.sum() + below.sum()])
    return centre + np.array(answer.x), multipliers
