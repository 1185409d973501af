"""Linear and convex quadratic programs through Clarabel, an interior-point solver, to nearly the last digit."""

from collections.abc import Sequence

import clarabel
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.program.program import Program

CLARABEL_TOLERANCE = 1e-13

"""Feasibility, and gap of a linear program, that Clarabel is asked for; it rarely gets there, see `GOOD_ERROR`."""

FACTORISATIONS = ((1e-10, False), (1e-10, True), (1e-12, True), (1e-8, True))
"""Regularisation of the linear systems, and whether their solutions are refined, tried in order until the error is
good. Where every column has curvature, refinement only costs time and iterations, so that the first way is for these
programs alone. Clarabel's own, the last, is the most robust, but leaves violations of up to 1e-7 where masses are tiny
or the set of optima is thin. Design extreme 118 needs the first way, extreme 962 the third, extreme 293
the last."""

GOOD_ERROR = 1e-11
"""An answer is good if no constraint is violated by more, and primal and dual values are no farther apart. At 1e-8
the nearest design of extreme 962 is lost."""

MOST_ERROR = 1e-8
"""The best answer found is taken if its error, of the same kind, is at most this; otherwise there is none. At 1e-10
design "counting 8 worst-loss absolute 5 0 shared" loses its nearest design; above, rounding would have too much to
mend."""

NO_ANSWER = 1e-3
"""With an error above this the program has no answer, and another factorisation would only say so again. Design extreme
175 meets it, and has its answer from a stricter problem."""

COARSE_FACTOR = 100
"""Where an `accuracy` is asked for, errors may be so many times larger than it: Clarabel's own measure is relative."""

DISTANCE_GAP = 1e-18
"""Gap between primal and dual that is asked for when a squared distance is minimised in a small program. A distance
|q - q*|² within a gap g of the least determines q only to about the square root of g, here to 1e-9."""

DISTANCE_COLUMNS, DISTANCE_GROWTH = 100, 2.2
"""Rounding errors add up over the columns, so that in large programs the gap above is out of reach. From so many
columns on, the gap asked for grows with this power of their number. On a ring of 150 profiles and 40 categories the
last solve takes 27 iterations in place of 34 without growth, and the answer moves by 1e-11; with a power of 3 by
1e-9."""

MOST_ITERATIONS = 130
"""Where rounding errors keep Clarabel from the gap asked for, more iterations do not help."""


def minimise_quadratic(
    program: Program,
    accuracy: float = 0.0,
    good: float = GOOD_ERROR,
    factorisations: Sequence[tuple[float, bool]] | None = None,
) -> tuple[Floats, Floats]:
    """Return the minimiser of a program and the multipliers >= 0 of its upper row bounds, found by Clarabel.

    It is as accurate as Clarabel can be by these `factorisations`, or all, where errors up to `good` suffice; with an
    `accuracy`, only to that, in less time.

    Raises
    ------
    SolverError
        if Clarabel stops without an answer.
    """
    n = len(program.cost)
    curvature = np.zeros(n) if program.curvature is None else program.curvature
    # Relative to its unconstrained minimum the objective is small, and so are its rounding errors.
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
    settings.tol_feas = max(CLARABEL_TOLERANCE, accuracy)
    settings.max_iter = MOST_ITERATIONS
    squared = DISTANCE_GAP * max(1.0, n / DISTANCE_COLUMNS) ** DISTANCE_GROWTH
    settings.tol_gap_abs = settings.tol_gap_rel = max(
        accuracy, CLARABEL_TOLERANCE if program.curvature is None else squared
    )
    quadratic, matrix = sp.diags(curvature, format="csc"), matrix.tocsc()
    best, least = None, max(MOST_ERROR, COARSE_FACTOR * accuracy)
    for regularisation, refined in factorisations or FACTORISATIONS:
        if not refined and not (curvature > 0).all():
            continue
        settings.static_regularization_constant, settings.iterative_refinement_enable = regularisation, refined
        answer = clarabel.DefaultSolver(quadratic, cost, matrix, bound, cones, settings).solve()
        # Clarabel's own residual is relative to the size of x, which idle columns can make huge.
        excess = matrix @ np.array(answer.x) - bound
        excess[:equalities] = abs(excess[:equalities])
        gap = abs(answer.obj_val - answer.obj_val_dual)  # nan if there is no answer, as then is the error
        error = float(np.max(np.append(excess, gap), initial=0.0))
        if error <= least:
            best, least = answer, error
        if least <= max(good, COARSE_FACTOR * accuracy) or not error < NO_ANSWER:
            break
    if best is None:
        raise SolverError(f"Clarabel stopped without an answer: {answer.status}")
    multipliers = np.zeros(len(program.upper))
    multipliers[below] = np.maximum(0.0, best.z[equalities : equalities + below.sum()])
    return centre + np.array(best.x), multipliers
