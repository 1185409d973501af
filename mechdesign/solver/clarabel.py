"""Linear and convex quadratic programs through Clarabel, an interior-point solver, to nearly the last digit."""

import clarabel
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.program.program import Program

TOLERANCE = 1e-13

FACTORISATIONS = ((1e-10, False), (1e-10, True), (1e-12, True), (1e-8, True))
"""Regularisation, and whether solutions are refined, tried in order. Where every column has curvature, refinement only
costs time and iterations; the others need it. Clarabel's own, the last, is the most robust, but leaves violations of up
to 1e-7 where masses are tiny or the optimal face is thin."""

GOOD, ACCEPTABLE, HOPELESS = 1e-11, 1e-8, 1e-3
"""Errors (of a constraint, or between primal and dual): enough; the most an answer may have; the program has none."""

LAX = 100
"""The errors may be so many times what was asked for, where accuracy does not matter."""

SQUARED, COLUMNS = 1e-18, 100
"""Gap asked for of a squared distance, whose minimiser is known to the root of it only, with so many columns. Rounding
adds up: of larger programs less is asked, by more than the square of their size."""

ITERATIONS = 130
"""Clarabel's limit; where rounding is in the way of the gap asked for, more of them do not help."""


def minimise_quadratic(program: Program, accuracy: float = 0.0, good: float = GOOD) -> tuple[Floats, Floats]:
    """Return the minimiser of a program and the multipliers >= 0 of its upper row bounds, found by Clarabel.

    As accurate as it can be, but errors up to `good` are enough; or to `accuracy`, in less time.

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
    equalities, others = int(equal.sum()), int(below.sum() + floor.sum())
    cones = [clarabel.ZeroConeT(equalities), clarabel.NonnegativeConeT(others)]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1  # more do not help, and components may go in parallel
    settings.tol_feas = max(TOLERANCE, accuracy)
    settings.max_iter = ITERATIONS
    squared = min(1e-12, SQUARED * max(1.0, n / COLUMNS) ** 2.2)
    settings.tol_gap_abs = settings.tol_gap_rel = max(accuracy, TOLERANCE if program.curvature is None else squared)
    quadratic, matrix = sp.diags(curvature, format="csc"), matrix.tocsc()
    best, least = None, max(ACCEPTABLE, LAX * accuracy)
    for regularisation, refined in FACTORISATIONS[0 if (curvature > 0).all() else 1 :]:
        settings.static_regularization_constant, settings.iterative_refinement_enable = regularisation, refined
        answer = clarabel.DefaultSolver(quadratic, cost, matrix, bound, cones, settings).solve()
        # Clarabel's own residual is relative to the size of x, which idle columns can make huge.
        excess = matrix @ np.array(answer.x) - bound
        excess[:equalities] = abs(excess[:equalities])
        gap = abs(answer.obj_val - answer.obj_val_dual)  # nan if there is no answer, as then is the error
        error = float(np.max(np.append(excess, gap), initial=0.0))
        if error <= least:
            best, least = answer, error
        if least <= max(good, LAX * accuracy) or not error < HOPELESS:
            break
    if best is None:
        raise SolverError(f"Clarabel stopped without an answer: {answer.status}")
    multipliers = np.zeros(len(program.upper))
    multipliers[below] = np.maximum(0.0, best.z[equalities : equalities + below.sum()])
    return centre + np.array(best.x), multipliers
