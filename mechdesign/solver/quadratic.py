"""Convex quadratic programs through Clarabel, to nearly the last digit."""

import clarabel
import numpy as np
import scipy.sparse as sp

from mechdesign.errors import SolverError
from mechdesign.problem import Floats
from mechdesign.program.program import Program

TOLERANCE = 1e-13


def minimise_quadratic(program: Program) -> Floats:
    """Return the minimiser of a program with curvature, found by Clarabel.

    Raises
    ------
    SolverError
        if Clarabel stops without an answer.
    """
    n = len(program.cost)
    curvature = np.zeros(n) if program.curvature is None else program.curvature
    equal = program.lower == program.upper
    below = ~equal & np.isfinite(program.upper)
    bounded = np.isfinite(program.floor)
    matrix = sp.vstack(
        [program.matrix[equal], program.matrix[below], -sp.identity(n, format="csr")[bounded]], format="csc"
    )
    bound = np.concatenate([program.upper[equal], program.upper[below], -program.floor[bounded]])
    cones = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(int(below.sum() + bounded.sum()))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_feas = settings.tol_gap_abs = settings.tol_gap_rel = TOLERANCE
    settings.max_threads = 1
    answer = clarabel.DefaultSolver(
        sp.diags(curvature, format="csc"), program.cost, matrix, bound, cones, settings
    ).solve()
    usable = (
        clarabel.SolverStatus.Solved,
        clarabel.SolverStatus.AlmostSolved,
        clarabel.SolverStatus.InsufficientProgress,
    )
    if answer.status not in usable or answer.r_prim > 1e-8:
        raise SolverError(f"Clarabel stopped without an answer: {answer.status}")
    return np.array(answer.x)
