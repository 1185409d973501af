"""Exact lower bounds of linear models, by the weak duality of `bound`: any multipliers prove one.

It is exact for the coefficients at hand, which are doubles.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.certificate.bound import BOUND_UNIT, Bound, Rows, allowed, gains, least, of_profile
from mechdesign.certificate.weights import PrivacyWeights, Weights
from mechdesign.exact.numbers import over_common
from mechdesign.objective.affine import Affine
from mechdesign.objective.by_model import Model
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.objective.multipliers import FINENESS, PrivacyMultipliers, integers


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

    privacy: PrivacyMultipliers
    pieces: Floats
    limits: Sequence[Floats]


def model_bound(problem: ModelProblem, multipliers: ModelMultipliers) -> Bound:
    """Return what multipliers in doubles prove, once they are made exact: no mechanism has a smaller objective.

    Parameters
    ----------
    problem
        of a linear model, see `Model.is_linear`.
    multipliers
        any; the better they are, the higher is the bound.
    """
    d, possible = problem.d, problem.allowed
    privacy = PrivacyWeights.of_pairs(problem.required, multipliers.privacy, d, Fraction(1))
    parts = gains(privacy, np.ones(len(problem.groups) * d, dtype=np.int64))
    of_privacy = (parts[0] + parts[1]).reshape(-1, d)
    prices = np.zeros(possible.size, dtype=object)
    total = _priced(problem.model, multipliers, prices) - allowed(privacy)
    tables: list[list[Rows]] = [[dict(enumerate(table))] for table in prices.reshape(possible.shape)]
    for group, gain, masses in zip(problem.groups, of_privacy, problem.exact, strict=True):
        counts, unit = over_common(masses, "a distribution")
        tables[group].append(of_profile(np.array(counts, dtype=object), unit, gain))
    total += sum(map(least, tables, possible))
    return Bound(Fraction(total, BOUND_UNIT), Weights(privacy, None, None))


def _priced(model: Model, multipliers: ModelMultipliers, prices: Exact) -> int:
    """Add the weighted rows of the objective and of the constraints to the prices of the entries; return constants."""
    assert model.pieces is not None
    total = _weighted(model.pieces, _of_total_1(_exact(multipliers.pieces)), prices)
    for limit, weights in zip(model.linear, multipliers.limits, strict=True):
        nu = _exact(weights)
        if limit.equation:
            nu = [above - below for above, below in zip(nu, _exact(-weights), strict=True)]
        total += _weighted(limit.rows, nu, prices)
    return total


def _exact(weights: Floats) -> list[int]:
    """Return weights as integers over FINENESS, in place of negative ones 0."""
    result = [0] * len(weights)
    for (place,), weight in integers(weights, Fraction(1)):
        result[place] = weight
    return result


def _of_total_1(weights: list[int]) -> list[int]:
    """Return weights over FINENESS in proportion to these, of total 1 exactly; the first takes what rounding leaves."""
    total = sum(weights)
    shares = [weight * FINENESS // total for weight in weights] if total else [0] * len(weights)
    return [shares[0] + FINENESS - sum(shares), *shares[1:]]


def _weighted(rows: Affine, weights: Sequence[int], prices: Exact) -> int:
    """Add weighted rows to the prices of the entries, and return their weighted constants."""
    constant = 0
    for weight, cells, start in zip(weights, rows.rows(weights), rows.constants, strict=True):
        if weight:
            constant += math.floor(weight * Fraction(float(start)) * FINENESS)
            for column, value in cells:
                prices[column] += weight * value.numerator * FINENESS // value.denominator
    return constant
