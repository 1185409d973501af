"""Multipliers improved step by step: to the closest distributions that meet the rows, and never for the worse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.solver.ascent import onto_simplex

numbers = st.floats(-3, 3, allow_subnormal=False)

columns = st.integers(1, 6).flatmap(lambda m: st.lists(st.lists(numbers, min_size=m, max_size=m), min_size=1))


@given(columns, st.sampled_from([-5.0, 0.0, 0.25, 7.0]))
def test_the_closest_distribution_has_one_shift_for_what_is_above_it(points: list[list[float]], shift: float) -> None:
    """The conditions of optimality, which no other distribution meets."""
    table = np.array(points).T
    closest, shifts = onto_simplex(table, np.full(table.shape[1], shift))
    assert closest.min() >= 0
    assert closest.sum(axis=0) == pytest.approx(1, abs=1e-14)
    moved = closest - table
    assert np.where(closest > 0, moved, -shifts) == pytest.approx(-np.broadcast_to(shifts, table.shape), abs=1e-14)
    assert (moved >= -shifts - 1e-14).all()


def test_a_distribution_is_its_own_projection() -> None:
    table = np.array([[0.5, 0.0], [0.25, 1.0], [0.25, 0.0]])
    assert (onto_simplex(table, np.zeros(2))[0] == table).all()
