"""Linear programs through HiGHS: to a vertex, or from within."""

import highspy
import numpy as np

from mechdesign.errors import SolverError
from mechdesign.problem import Floats
from mechdesign.program.program import Program
from mechdesign.solver.quadratic import minimise_quadratic

MANY_ROWS = 1_500
"""Up to so many rows Clarabel is the quicker and the more accurate; beyond, HiGHS takes a fraction of its time."""


def minimise_inside(program: Program) -> tuple[Floats, Floats]:
    """Return a minimiser in the middle of the optimal face, with multipliers: interior point, no crossover to a vertex.

    Cuts found from there go deeper than cuts found from a vertex, and a few rounds of them suffice.

    Raises
    ------
    SolverError
        if the solver stops without an optimum.
    """
    if len(program.upper) <= MANY_ROWS:
        return minimise_quadratic(program)
    # Presolve would take longer than what it saves.
    return minimise_linear(program, solver="ipx", run_crossover="off", presolve="off", ipm_optimality_tolerance=1e-11)


def minimise_linear(program: Program, **options: str | float) -> tuple[Floats, Floats]:
    """Return a minimiser of a linear program and the multipliers >= 0 of its upper row bounds, found by HiGHS.

    `options` are HiGHS' own.

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum.
    """
    highs = highs_of(program)
    highs.setOptionValue("primal_feasibility_tolerance", 1e-10)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-10)
    for name, value in options.items():
        highs.setOptionValue(name, value)
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS stopped without an optimum: {highs.modelStatusToString(status)}")
    solution = highs.getSolution()
    return np.array(solution.col_value), np.maximum(0.0, -np.array(solution.row_dual))


def highs_of(program: Program, *, least_coefficient: float = 1e-12) -> highspy.Highs:
    """Return HiGHS, silent, with a linear program in it; it takes smaller coefficients for zero."""
    matrix = program.matrix.tocsc()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = matrix.shape[1], matrix.shape[0]
    model.col_cost_ = program.cost
    model.col_lower_, model.col_upper_ = program.floor, np.full(matrix.shape[1], highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = program.lower, program.upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("small_matrix_value", least_coefficient)
    highs.passModel(model)
    return highs
