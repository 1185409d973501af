"""scipy.optimize.linprog on the textbook program."""

import numpy as np
from scipy.optimize import linprog

from mechdesign.arrays import Floats
from mechdesign.bench.task import Task
from mechdesign.errors import SolverError
from mechdesign.program.transport import transport_program
from mechdesign.stopwatch import Stopwatch


def scipy_linprog(task: Task, timed: Stopwatch) -> Floats:
    """Solve the textbook program with scipy's default method."""
    with timed("build"):
        problem = task.problem()
        program, layout = transport_program(problem)
        equal = program.lower == program.upper
        above, totals = program.matrix[~equal], program.matrix[equal]
        bounds = np.column_stack([program.floor, np.full(len(program.floor), np.inf)])
    with timed("solve"):
        answer = linprog(program.cost, above, program.upper[~equal], totals, program.upper[equal], bounds)
    if not answer.success:
        raise SolverError(f"scipy: {answer.message}")
    return layout.matrices(problem, answer.x)
