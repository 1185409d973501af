"""An optimum that was found without a program, with its multipliers, as one of the program: see `closest`."""

import numpy as np

from mechdesign.privacy.requirement import both_ways
from mechdesign.problem import Problem
from mechdesign.program.released_program import released_program
from mechdesign.solution import Minimum, Solution


def minimum_of(problem: Problem, optimum: Solution) -> Minimum:
    """Return an optimum and its multipliers as those of the released program of a loss, without cliques or deltas.

    The multiplier of "a profile's distribution sums to 1" is the least price of its outputs, with the sign turned.
    """
    program, (k, m) = released_program(problem, ()), optimum.released.shape
    assert optimum.multipliers is not None
    multipliers = np.zeros(len(program.upper))
    weights = optimum.multipliers.profiles
    multipliers[program.blocks["objective"]] = 1.0 if weights is None else weights
    rows = [optimum.multipliers.privacy[a, b] for a, b, _ in both_ways(problem.independent_pairs)]
    multipliers[program.blocks["strict"]] = np.concatenate(rows) / problem.inequalities.factors
    prices = (program.matrix.T @ multipliers)[: k * m].reshape(k, m)
    multipliers[:k] = -prices.min(axis=1)
    return Minimum(np.append(optimum.released.ravel(), optimum.value), multipliers)
