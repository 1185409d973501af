"""Columns that equations determine leave a program; what is left says the same."""

import numpy as np
import pytest
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.program.presolve import presolved
from mechdesign.program.program import Program
from mechdesign.solver.minimise import minimise


def random_rows(seed: int, n: int = 12) -> tuple[sp.csr_matrix, Floats, Floats, Floats]:
    """Return rows that a point >= 0 meets, those of equations too, most of one or two columns, and the point."""
    draw = np.random.default_rng(seed)
    point = draw.random(n)
    rows = np.zeros((14, n))
    for row, size in zip(rows, draw.choice([1, 2, 2, 2, 3, 6], 14), strict=True):
        row[draw.choice(n, size, replace=False)] = draw.uniform(0.2, 2, size) * draw.choice([-1, 1], size)
    rows[:3] = np.where(rows[:3] != 0, 1.0, 0.0)
    activity = rows @ point
    equal = draw.random(14) < 0.5
    return (
        sp.csr_matrix(rows),
        np.where(equal, activity, -np.inf),
        np.where(equal, activity, activity + draw.random(14)),
        point,
    )


@pytest.mark.parametrize("seed", range(20))
def test_the_closest_point_is_the_same(seed: int) -> None:
    matrix, lower, upper, point = random_rows(seed)
    n = len(point)
    target, weights, floor = 2 * point[::-1] - 0.5, np.ones(n), np.zeros(n)
    expected = minimise(Program(-target, matrix, lower, upper, floor, weights, {})).columns
    left = presolved(matrix, lower, upper)
    assert left.matrix.shape[1] < n
    assert not ((left.lower == left.upper) & (np.diff(left.matrix.indptr) <= 2)).any()
    program = left.closest(floor, target, weights, None)
    found = left.shift + left.expansion @ (minimise(program).columns if len(program.cost) else np.zeros(0))
    np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_the_columns_that_stand_for_a_point_are_known_if_it_meets_the_rows(seed: int) -> None:
    matrix, lower, upper, point = random_rows(seed)
    left = presolved(matrix, lower, upper)
    z = left.known(point)
    assert z is not None
    np.testing.assert_allclose(left.expansion @ z + left.shift, point, atol=1e-9)


def test_no_row_of_one_column_leaves_nothing_of_what_is_known() -> None:
    """Of 1e-12 z <= -1e-13, which an answer violates by next to nothing, z <= -0.1 would follow, and z >= 0."""
    rows, upper = sp.csr_matrix([[1e-12], [1.0]]), np.array([-1e-13, 0.75])
    left, known = presolved(rows, np.full(2, -np.inf), upper), np.array([0.25])
    assert left.known(known) == known
    assert left.known(np.ones(1)) is None
    program = left.closest(np.zeros(1), np.ones(1), np.ones(1), known)
    np.testing.assert_allclose(minimise(program).columns, known, atol=1e-9)


def test_one_column_is_left_of_a_chain_of_more_than_32_bits_hold_pairs_of() -> None:
    n = 50_000
    matrix = sp.diags_array([1.0, -1.0], offsets=[0, 1], shape=(n - 1, n), format="csr")
    left = presolved(sp.csr_matrix(matrix), np.zeros(n - 1), np.zeros(n - 1))
    assert left.expansion.shape == (n, 1)
    assert (left.expansion.data == 1).all()
