"""Exact lower bounds of objectives that are the largest of linear functions, under linear constraints.

Let the objective be the largest of c_r · A + d_r, with constraints G_k · A + h_k <= 0 (or = 0), and let mu_r >= 0 be of
total 1, nu_k >= 0 (of any sign for an equation), lam(a,b,y) >= 0 as in `bound.py`, with g_i(y) as there. Any private A
that meets the constraints then has an objective of at least

    sum_r mu_r d_r + sum_k nu_k h_k - sum_(a,b) delta max_y lam(a,b,y)
        + sum over the rows (matrix, x) of min_y [ sum_r mu_r c_r + sum_k nu_k G_k + sum_i P_i(x) g_i(y) ],

where the last sum is over the profiles that use the matrix, and the minimum over entries that are not forced to be 0.
This is exact for the coefficients at hand, which are doubles; it is rounded down over BOUND_UNIT.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.certificate.bound import BOUND_UNIT, FINENESS
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.graph.distribution import support
from mechdesign.objective.affine import Affine
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.objective.multipliers import integers
from mechdesign.privacy.requirement import both_ways


@dataclass(frozen=True, eq=False)
class ModelMultipliers:
    """Multipliers of a linear model as a solver gives them, in doubles.

    Attributes
    ----------
    privacy
        lam: (a, b) -> weights of q^a_y <= e^epsilon q^b_y (+ its part of delta), for each y.
    pieces
        mu, before it is divided by its total: weights of the linear functions of which the objective is the largest.
    limits
        nu: for each linear constraint the weights of its rows.
    """

    privacy: Mapping[tuple[int, int], Floats]
    pieces: Floats
    limits: Sequence[Floats]

    def exact_privacy(self) -> dict[tuple[int, int, int], int]:
        """Return lam as the bound uses it: (a, b, y) -> an integer over FINENESS, where not 0."""
        return {
            (*pair, y): weight
            for pair, weights in self.privacy.items()
            for y, weight in enumerate(_exact(np.maximum(weights, 0.0)))
            if weight
        }


def model_bound(problem: ModelProblem, multipliers: ModelMultipliers) -> Fraction:
    """Return what multipliers in doubles prove, once they are made exact: no mechanism has a smaller objective.

    Parameters
    ----------
    problem
        of a linear model, see `Model.is_linear`.
    multipliers
        any; the better they are, the higher is the bound.
    """
    d, model, allowed = problem.d, problem.model, problem.allowed
    prices = [0] * allowed.size  # all are integers over BOUND_UNIT, rounded down
    assert model.pieces is not None
    proved = _weighted(model.pieces, _of_total_1(_exact(np.maximum(multipliers.pieces, 0.0))), prices)
    for limit, weights in zip(model.linear, multipliers.limits, strict=True):
        nu = _exact(np.maximum(weights, 0.0))
        if limit.equation:
            nu = [above - below for above, below in zip(nu, _exact(np.maximum(-weights, 0.0)), strict=True)]
        proved += _weighted(limit.rows, nu, prices)
    gains = [[0] * d for _ in problem.groups]
    for a, b, edge in both_ways(problem.required):
        if edge.epsilon <= MAX_EPSILON:  # beyond it e^epsilon is not bounded from above, and does not matter
            lam = _exact(np.maximum(multipliers.privacy[a, b], 0.0))
            proved += math.floor(-edge.delta * max(lam) * FINENESS)
            ratio = math.ceil(exp_above(edge.epsilon) * FINENESS)
            for y, weight in enumerate(lam):
                gains[a][y] += weight * FINENESS
                gains[b][y] -= weight * ratio
    for group, own, masses in zip(problem.groups, gains, problem.exact, strict=True):
        for x, mass in support(masses):
            for y, gain in enumerate(own, (group * d + x) * d):
                prices[y] += mass.numerator * gain // mass.denominator
    for row, possible in enumerate(allowed.reshape(-1, d)):
        proved += min(prices[row * d + y] for y in range(d) if possible[y])
    return Fraction(proved, BOUND_UNIT)


def _exact(weights: Floats) -> list[int]:
    """Return weights >= 0 as integers over FINENESS."""
    result = [0] * len(weights)
    for (place,), weight in integers(weights, Fraction(1)):
        result[place] = weight
    return result


def _of_total_1(weights: list[int]) -> list[int]:
    """Return weights over FINENESS in proportion to these, of total 1 exactly; the first takes what rounding leaves."""
    total = sum(weights)
    shares = [weight * FINENESS // total for weight in weights] if total else [0] * len(weights)
    return [shares[0] + FINENESS - sum(shares), *shares[1:]]


def _weighted(rows: Affine, weights: Sequence[int], prices: list[int]) -> int:
    """Add weighted rows to the prices of the entries, and return their weighted constants."""
    constant = 0
    for weight, cells, own in zip(weights, rows.rows(weights), rows.constants, strict=True):
        if weight:
            constant += math.floor(weight * Fraction(float(own)) * FINENESS)
            for column, value in cells:
                prices[column] += weight * value.numerator * FINENESS // value.denominator
    return constant
