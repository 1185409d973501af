"""Linear programs through HiGHS: to a vertex, or from within."""

from collections.abc import Mapping, Sequence

import highspy
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.program.program import Program
from mechdesign.solution import Inner
from mechdesign.solver.clarabel import minimise_quadratic

MANY_ROWS = 1_500
"""Up to so many rows Clarabel is the quicker and the more accurate; beyond, HiGHS takes a fraction of its time: without
it design "ring 80x20 max-off-diagonal none 0.5 0" takes 4.7 s of processor time, not 0.8 s."""

HIGHS_TOLERANCE = 1e-10
"""Violation of constraints and reduced costs that HiGHS may leave: the least that it allows."""

IPM_TOLERANCE = 1e-11
"""Relative gap at which its interior-point method stops; there is no crossover, so that this is what is left. Values
and bounds are to agree to 1e-9; the designs of benchmarks/ablate.py do at 1e-8 too."""

INSIDE: dict[str, str | float] = {
    "solver": "ipx", "run_crossover": "off", "presolve": "off", "ipm_optimality_tolerance": IPM_TOLERANCE,
}  # fmt: skip
"""HiGHS' options for its interior-point method without crossover; presolve would take longer than what it saves."""

LEAST_COEFFICIENT = 1e-12
"""HiGHS takes smaller coefficients for zero: the least that it allows."""

MAGNIFIED = 2.0**17
"""By what factor the correction makes residuals larger: it reduces errors of 1e-10 to 1e-15, nearly what doubles
hold. With 2^21 in its place the nearest design of extreme 58 is lost; 2^13 serves as well."""

PIVOT_THRESHOLD = 0.5
"""Threshold of the correction's pivots, the most careful that HiGHS allows: with its own, 0.1, multipliers of a count's
long chain of rows were off by 1e-8."""


def minimise_inside(program: Program) -> tuple[Floats, Floats]:
    """Return a minimiser in the middle of the optimal face, with multipliers: interior point, no crossover to a vertex.

    Cuts found from there go deeper than cuts found from a vertex, and a few rounds of them suffice.

    Raises
    ------
    SolverError
        if the solver stops without an optimum.
    """
    return minimise_quadratic(program) if len(program.upper) <= MANY_ROWS else minimise_linear(program, **INSIDE)


def inner_optimum(program: Program) -> Inner:
    """Return an optimum of a linear program from within the set of all, with all multipliers.

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum.
    """
    x, duals = _answer(_careful(program, INSIDE))
    return Inner(x, -duals)


def minimise_linear(program: Program, **options: str | float) -> tuple[Floats, Floats]:
    """Return a minimiser of a linear program and the multipliers >= 0 of its upper row bounds, found by HiGHS.

    `options` are HiGHS' own.

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum.
    """
    highs = _careful(program, options)
    x, duals = _answer(highs)
    if highs.getBasis().valid:
        x, duals = _magnified(program, highs, x, duals)
    return x, np.maximum(0.0, -duals)


def _careful(program: Program, options: Mapping[str, str | float]) -> highspy.Highs:
    highs = highs_of(program)
    highs.setOptionValue("primal_feasibility_tolerance", HIGHS_TOLERANCE)
    highs.setOptionValue("dual_feasibility_tolerance", HIGHS_TOLERANCE)
    for name, value in options.items():
        highs.setOptionValue(name, value)
    return highs


def _answer(highs: highspy.Highs) -> tuple[Floats, Floats]:
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS stopped without an optimum: {highs.modelStatusToString(status)}")
    solution = highs.getSolution()
    return np.array(solution.col_value), np.array(solution.row_dual)


def _magnified(program: Program, highs: highspy.Highs, x: Floats, duals: Floats) -> tuple[Floats, Floats]:
    """Return an answer corrected where it is off by HiGHS' tolerances: iterative refinement.

    The correction solves the same program with what is left of bounds and costs, times `MAGNIFIED`, from the basis
    found on: the tolerances are then so much smaller. For this the rows' activities are columns too.

    References
    ----------
    Gleixner, Steffy, Wolter, Iterative refinement for linear programming, INFORMS Journal on Computing 28 (2016).
    """
    here = np.concatenate([x, program.matrix @ x])
    lower = np.concatenate([program.floor, program.lower]) - here
    upper = np.concatenate([np.full(len(x), highspy.kHighsInf), program.upper]) - here
    model = _model(sp.hstack([program.matrix, -sp.identity(len(duals))], format="csc"))
    model.col_cost_ = np.concatenate([program.cost - program.matrix.T @ duals, duals]) * MAGNIFIED
    model.col_lower_, model.col_upper_ = lower * MAGNIFIED, upper * MAGNIFIED
    model.row_lower_ = model.row_upper_ = np.zeros(len(duals))
    basis = highs.getBasis()
    basis.col_status = [*basis.col_status, *basis.row_status]
    basis.row_status = [highspy.HighsBasisStatus.kLower] * len(duals)
    highs.passModel(model)
    highs.setBasis(basis)
    highs.setOptionValue("solver", "simplex")  # the others would not go on from the basis
    highs.setOptionValue("factor_pivot_threshold", PIVOT_THRESHOLD)
    try:
        change, duals_change = _answer(highs)
    except SolverError:
        return x, duals
    return x + change[: len(x)] / MAGNIFIED, duals + duals_change / MAGNIFIED


def highs_of(
    program: Program,
    *,
    least_coefficient: float = LEAST_COEFFICIENT,
    columns: Sequence[str] = (),
    rows: Sequence[str] = (),
) -> highspy.Highs:
    """Return HiGHS, silent, with a linear program in it, names too if given; it takes smaller coefficients for zero."""
    model = _model(program.matrix.tocsc())
    model.col_cost_ = program.cost
    model.col_lower_, model.col_upper_ = program.floor, np.full(len(program.cost), highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = program.lower, program.upper
    model.col_names_, model.row_names_ = list(columns), list(rows)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("small_matrix_value", least_coefficient)
    highs.passModel(model)
    return highs


def _model(matrix: sp.csc_matrix) -> highspy.HighsLp:
    """Return a linear program with this matrix, without costs and bounds yet."""
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    return model
