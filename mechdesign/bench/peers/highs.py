"""HiGHS itself, on the textbook program, with its own default tolerances: simplex, interior point, first order."""

import highspy
import numpy as np

from mechdesign.bench.peers.customary import Peer
from mechdesign.bench.task import Task
from mechdesign.errors import SolverError
from mechdesign.problem import Floats
from mechdesign.program.program import Program
from mechdesign.program.transport import transport_program
from mechdesign.stopwatch import Stopwatch


def highs_with(solver: str) -> Peer:
    """Return the peer that runs HiGHS with this value of its option `solver`."""

    def solve(task: Task, timed: Stopwatch) -> Floats:
        with timed("build"):
            problem = task.problem()
            program, layout = transport_program(problem)
        with timed("compile"):
            highs = highs_of(program)
            highs.setOptionValue("solver", solver)
        with timed("solve"):
            highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS: {highs.modelStatusToString(status)}")
        return layout.matrices(problem, np.array(highs.getSolution().col_value))

    return solve


def highs_of(program: Program) -> highspy.Highs:
    """Return HiGHS with a linear program in it."""
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
    highs.passModel(model)
    return highs
