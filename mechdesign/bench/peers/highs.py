"""HiGHS itself, on the textbook program, with its own default tolerances: simplex, interior point, first order."""

import highspy
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.bench.peers.customary import Peer
from mechdesign.bench.task import Task
from mechdesign.errors import SolverError
from mechdesign.program.transport import transport_program
from mechdesign.solver.highs import highs_of
from mechdesign.stopwatch import Stopwatch


def highs_with(solver: str) -> Peer:
    """Return the peer that runs HiGHS with this value of its option `solver`."""

    def solve(task: Task, timed: Stopwatch) -> Floats:
        with timed("build"):
            problem = task.problem()
            program, layout = transport_program(problem)
        with timed("compile"):
            highs = highs_of(program, least_coefficient=1e-9)  # its default
            highs.setOptionValue("solver", solver)
        with timed("solve"):
            highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS: {highs.modelStatusToString(status)}")
        return layout.matrices(problem, np.array(highs.getSolution().col_value))

    return solve
