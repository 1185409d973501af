"""Multipliers improved step by step: to the closest distributions that meet the rows, and never for the worse."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.solver import ascent as module
from mechdesign.solver.ascent import Ascent, conjugate_step, onto_simplex
from mechdesign.solver.dualised import Dualised

PROFILES = np.array([[0.7, 0.2, 0.1], [0.2, 0.2, 0.6]])


def begun() -> Ascent:
    rows = Dualised(PROFILES, list(both_ways([Requirement(0, 1, Fraction(1, 2), Fraction(0))])), 1.0)
    rows.add_violated(rows.targets, 0.0, 1.0)
    return Ascent(rows, np.zeros(2))


def test_without_multipliers_the_targets_are_released() -> None:
    ascent = begun()
    assert ascent.released == pytest.approx(PROFILES.T, abs=1e-15)
    assert ascent.unsettled == pytest.approx(ascent.rows.excess(PROFILES.T).max())


def test_climbing_comes_near_and_a_polish_ends_it() -> None:
    ascent = begun()
    begin = ascent.unsettled
    ascent.climb(20)
    near = ascent.unsettled
    ascent.polish(10)
    assert begin > 0.1 > near > 1e-9
    assert ascent.unsettled < 1e-14
    assert (ascent.rows.multipliers > 0).all()


def test_a_step_for_the_worse_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "conjugate_step", lambda rows, released, steps: -1e9 * rows.multipliers)
    ascent = begun()
    ascent.climb(20)
    before, released = ascent.rows.multipliers, ascent.released
    ascent.polish(10)
    assert (ascent.rows.multipliers == before).all()
    assert (ascent.released == released).all()


STEPS = 50

MUCH, LITTLE = [0.7, 0.2, 0.1], [0.2, 0.2, 0.6]


def held(profiles: list[list[float]], edges: list[tuple[int, int]], violated: float = 0.0) -> Dualised:
    """The rows of privacy that are violated by more than that, with small multipliers; cuts allow all at t = 1."""
    required = [Requirement(i, j, Fraction(1, 2), Fraction(0)) for i, j in edges]
    rows = Dualised(np.array(profiles), list(both_ways(required)), 1.0)
    rows.add_violated(rows.targets, violated, 1.0)
    rows.multipliers = np.full(len(rows.multipliers), 0.001)
    return rows


@pytest.mark.parametrize(
    ("profiles", "edges", "count"),
    [
        ([MUCH, LITTLE], [(0, 1)], 2),
        ([MUCH, LITTLE, MUCH, LITTLE], [(0, 1), (1, 2), (2, 3), (3, 0)], 8),  # any three edges imply the fourth
    ],
    ids=["edge", "square"],
)
def test_the_rows_then_bind(profiles: list[list[float]], edges: list[tuple[int, int]], count: int) -> None:
    rows = held(profiles, edges)
    before, shifts = onto_simplex(rows.pulled(rows.multipliers), np.zeros(len(profiles)))
    assert len(rows.multipliers) == count
    assert abs(rows.excess(before)).min() > 1e-3
    step = conjugate_step(rows, before, STEPS)
    after, _ = onto_simplex(rows.pulled(rows.multipliers + step), shifts)
    assert abs(rows.excess(after)).max() < 1e-13
    assert (rows.multipliers + step).min() > 0


def test_where_no_distributions_do_a_multiplier_ends_at_0() -> None:
    """Were all rows to bind, each profile would release e^(1/2) times what the other does."""
    rows = held([MUCH, LITTLE], [(0, 1)], violated=-1.0)
    assert len(rows.multipliers) == 6
    step = conjugate_step(rows, rows.targets, STEPS)
    assert (rows.multipliers + step).min() == pytest.approx(0, abs=1e-12)


def test_rows_without_a_multiplier_get_none() -> None:
    rows = held([MUCH, LITTLE], [(0, 1)])
    rows.multipliers[0] = 0.0
    step = conjugate_step(rows, rows.targets, STEPS)
    assert step[0] == 0
    assert step[1] != 0


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
