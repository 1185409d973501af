"""A program from outside, run as a command: it reads the textbook program as MPS and writes a solution file."""

from mechdesign.arrays import Floats
from mechdesign.bench.task import Task
from mechdesign.program.transport import transport_program
from mechdesign.solver.command import answer_of
from mechdesign.stopwatch import Stopwatch


def outside(task: Task, timed: Stopwatch) -> Floats:
    """Return what the task's command answers; to solve includes to start it, and to write and read the files."""
    with timed("build"):
        problem = task.problem()
        program, layout = transport_program(problem)
    with timed("solve"):
        x, _ = answer_of(problem, program, layout, task.command)
    return layout.matrices(problem, x)
