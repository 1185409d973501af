"""Linear programs through HiGHS."""

import highspy
import numpy as np

from mechdesign.errors import SolverError
from mechdesign.problem import Floats
from mechdesign.program.program import Program


def minimise_linear(program: Program) -> tuple[Floats, Floats]:
    """Return a minimiser of a linear program and the multipliers >= 0 of its upper row bounds, found by HiGHS.

    Raises
    ------
    SolverError
        if HiGHS stops without an optimum.
    """
    matrix = program.matrix.tocsc()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = matrix.shape[1], matrix.shape[0]
    model.col_cost_ = program.cost
    model.col_lower_ = program.floor
    model.col_upper_ = np.full(matrix.shape[1], highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = program.lower, program.upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("primal_feasibility_tolerance", 1e-10)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-10)
    highs.setOptionValue("small_matrix_value", 1e-12)
    highs.passModel(model)
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS stopped without an optimum: {highs.modelStatusToString(status)}")
    solution = highs.getSolution()
    return np.array(solution.col_value), np.maximum(0.0, -np.array(solution.row_dual))
