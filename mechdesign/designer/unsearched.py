"""What can be had without any search: released distributions that need little or nothing more to be private."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse.csgraph import shortest_path

from mechdesign.arrays import Floats
from mechdesign.objective import WorstLoss
from mechdesign.privacy.requirement import epsilons_between
from mechdesign.problem import Problem
from mechdesign.solution import Solution

UNSEARCHED = "without a search"
"""How such rows are found."""


def unsearched(problem: Problem) -> Iterator[Solution]:
    """Yield what noise alone makes private, and one answer for all; of places the better of that and the best remap."""
    answer = _answer(problem)
    constant = np.tile(answer, (len(problem.exact), 1))
    places = problem.is_local and problem.single.all() and all(one.epsilon for one in problem.required)
    if problem.loss is not None and places:
        losses = problem.profiles @ problem.loss
        found = _remapped(problem, losses), constant
        least = min(found, key=lambda one: _value(problem, (one * losses).sum(axis=1)))
        yield Solution(0.0, least, way=UNSEARCHED)
        return
    yield _with_matrices(problem, problem.target_in_doubles, np.identity(problem.outputs)[problem.free])
    yield _with_matrices(problem, constant, np.tile(answer, (len(problem.free), 1)))


def _with_matrices(problem: Problem, released: Floats, matrix: Floats) -> Solution:
    count = 1 if problem.shared else len(problem.exact)
    return Solution(0.0, released, np.broadcast_to(matrix, (count, *matrix.shape)), way=UNSEARCHED)


def _answer(problem: Problem) -> Floats:
    """Return one distribution for all: the output of least loss; without a loss, or where shares are kept, the mean."""
    if problem.loss is None or problem.kept is not None:
        weights = problem.weights if problem.weights.any() else None
        return np.array(np.average(problem.target_in_doubles, axis=0, weights=weights))
    losses = (problem.profiles @ problem.loss).T
    least = np.argmin([_value(problem, one) for one in losses])
    return np.array(np.arange(problem.outputs) == least, dtype=float)


def _value(problem: Problem, losses: Floats) -> float:
    """Return the objective, a loss, of each profile's mean loss."""
    return float(losses.max() if isinstance(problem.objective, WorstLoss) else problem.weights @ losses)


def _remapped(problem: Problem, losses: Floats) -> Floats:
    """Return the exponential mechanism of the epsilons along edges, with its best remap."""
    apart = epsilons_between(problem.required, len(problem.exact))
    answers = np.exp(-shortest_path(apart, method="D") / 2)
    answers /= answers.sum(axis=1, keepdims=True)
    best = ((answers * problem.weights[:, None]).T @ losses).argmin(axis=1)
    return np.array(answers @ np.identity(problem.outputs)[best])
