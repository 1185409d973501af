"""libqif: the channel of least expected loss under metric privacy, its own linear program."""

from importlib import import_module
from typing import Any

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.bench.task import Task
from mechdesign.errors import InputError
from mechdesign.graph.distribution import support
from mechdesign.objective import ExpectedLoss
from mechdesign.stopwatch import Stopwatch


def libqif(task: Task, timed: Stopwatch) -> Floats:
    """Solve for a channel over single values with libqif's default solver.

    Raises
    ------
    InputError
        unless the profiles are single values, the objective is an expected loss, and delta is 0.
    """
    qif: Any = import_module("qif")
    with timed("build"):
        problem = task.problem()
        if not (problem.shared and isinstance(task.objective, ExpectedLoss)) or task.delta:
            raise InputError("libqif minimises the expected loss of a channel over single values, with delta = 0")
        place = [support(masses)[0][0] for masses in problem.exact]
        apart = np.full((problem.outputs, problem.outputs), np.inf)
        np.fill_diagonal(apart, 0.0)
        for edge in problem.required:
            a, b = place[edge.first], place[edge.second]
            apart[a, b] = apart[b, a] = float(edge.epsilon)
        metric, loss = qif.metric.from_distance_matrix(apart), qif.metric.from_distance_matrix(problem.loss)
        prior = problem.weights @ problem.profiles
    with timed("solve"):
        answer = qif.mechanism.d_privacy.min_loss_given_d(prior, problem.outputs, metric, loss)
    return np.asarray(answer)[None]
