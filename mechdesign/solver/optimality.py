"""What a solver answers to a linear or quadratic program, and how far that is from an optimum."""

from typing import Any, NamedTuple

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.problem import NEAR, near_optimal
from mechdesign.program.program import Program


class Answer(NamedTuple):
    """What minimises a program; multipliers of its rows' upper bounds, of equations with their sign; prices of floors.

    Of a vertex also which columns and rows are basic in it.
    """

    columns: Floats
    multipliers: Floats
    prices: Floats
    basis: Any = None


class Refuted(str):
    """Why there is no answer, with the multipliers that prove it: of rows that no columns meet (Farkas' lemma)."""

    multipliers: Floats


def error_of(program: Program, x: Floats, multipliers: Floats, prices: Floats, share: float = 1.0) -> float:
    """Return how far columns x and multipliers, with the prices of the columns' floors, are from an optimum.

    It is the largest of: how far a row or floor is violated, of which a `share` counts; how far primal and dual value
    are apart, as a share of the value if that is more than 1; and, of a linear program, whose multipliers are to prove
    a bound, how far any column's cost is from what they say. Both values count from the least that the objective has
    without rows: nothing large then cancels.
    """
    curvature = np.zeros(len(x)) if program.curvature is None else program.curvature
    centre = np.divide(-program.cost, curvature, out=np.zeros(len(x)), where=curvature > 0)
    cost, moved = np.where(curvature > 0, 0.0, program.cost), x - centre
    activity, here = program.matrix @ x, program.matrix @ centre
    violated = np.concatenate([activity - program.upper, program.lower - activity, program.floor - x])
    unpaid = program.cost + program.matrix.T @ multipliers - prices if program.curvature is None else np.zeros(1)
    bound = np.where(multipliers > 0, program.upper, program.lower) - here
    used, priced = multipliers != 0, prices > 0
    squares = moved @ (curvature * moved) / 2
    dual = prices[priced] @ (program.floor - centre)[priced] - multipliers[used] @ bound[used] - squares
    primal = cost @ moved + squares
    gap = abs(primal - dual) / max(1.0, abs(primal))
    error = np.concatenate([[0.0, gap], share * violated, abs(unpaid)]).max()
    return float(error) if np.isfinite(error) else np.inf


def error_of_found(program: Program, found: Answer | str, share: float = 1.0) -> float:
    """Return the same of an answer; where there is none, infinity."""
    if isinstance(found, str):
        return np.inf
    return error_of(program, found.columns, found.multipliers, found.prices, share)


def good_error(program: Program, x: Floats) -> float:
    """Return the error up to which no further solver is asked.

    Of a linear program half of what the definition of the design accepts: more would be seen between a design's value
    and its bound. Of a quadratic one, whose rows are of size 1, what is left is corrected with exact residuals.
    """
    if program.curvature is not None:
        return NEAR
    value = abs(float(program.cost @ x))
    return (near_optimal(value) - value) / 2


def is_good(program: Program, answer: Answer) -> bool:
    """Return whether no further solver would be asked."""
    return error_of_found(program, answer) <= good_error(program, answer.columns)
