"""Linear functions read out of cvxpy expressions, held against what cvxpy says of them at random points."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import cvxpy as cp
import numpy as np
import pytest

from mechdesign.objective.affine import affine_of, linear_parts, pieces_of

A, B = cp.Variable((3, 3)), cp.Variable((3, 3))
W = np.arange(9.0).reshape(3, 3) - 4
RANDOM = np.random.default_rng(5)


def put() -> list[Fraction]:
    """Give the variables random values; return them in the order of the columns."""
    A.value, B.value = RANDOM.normal(size=(2, 3, 3))
    return [Fraction(entry) for entry in np.concatenate([A.value.ravel(), B.value.ravel()]).tolist()]


@pytest.mark.parametrize(
    "expression",
    [
        A[0, 1] - 2 * B[2, 0] + 7,
        cp.sum(cp.multiply(W, A)) - cp.trace(B @ W),
        W[1] @ A - 0.3 * (W[0] @ B),
        cp.vec(A.T, order="F") - cp.hstack([B[0], B[1], B[2]]),
        A - B,
        cp.Constant(3.0),
    ],
    ids=str,
)
def test_affine_expressions(expression: Any) -> None:
    rows = affine_of(expression, [A, B])
    entries = put()
    expected = np.ravel(np.asarray(expression.value), order="F")
    assert [float(value) for value in rows.at(entries)] == pytest.approx(expected, abs=1e-12)
    assert [-value for value in rows.at(entries)] == rows.negative().at(entries)


@pytest.mark.parametrize(
    "expression",
    [
        cp.max(cp.multiply(W, A)),
        cp.maximum(cp.max(A), cp.sum(B) - 1, 0.25),
        cp.max(cp.hstack([cp.max(A), 3 * cp.max(B)])),
        cp.norm_inf(A[0] - B[0]),
        cp.abs(cp.sum(A) - 3) + cp.sum(B) - 2,
        -2 * cp.min(cp.vstack([A[0], B[1]])),
        5 - cp.minimum(A[0, 0], cp.min(B)),
        cp.max(cp.abs(A - B) + W),
        cp.sum(A),
    ],
    ids=str,
)
def test_largest_of_linear_functions(expression: Any) -> None:
    pieces = pieces_of(expression, [A, B])
    assert pieces is not None
    for _ in range(5):
        assert float(max(pieces.at(put()))) == pytest.approx(float(expression.value), abs=1e-12)


@pytest.mark.parametrize(
    "expression",
    [
        lambda: cp.sum_squares(A),
        lambda: cp.max(A) + cp.max(B),
        lambda: cp.sum(cp.abs(A)),
        lambda: cp.max(cp.maximum(A[0], 0) + cp.sum(B) * np.ones(3) + cp.abs(A[1])),
        lambda: cp.max(cp.max(A, axis=1) + B[0]),
        lambda: cp.max(cp.max(A) + B[0]),  # every sum of an entry of A and one of B: not written out
        lambda: -cp.entr(A[0, 0]),
        lambda: cp.abs(cp.max(A)),
    ],
)
def test_others_are_not_taken_for_it(expression: Callable[[], Any]) -> None:
    assert linear_parts(expression()) is None
