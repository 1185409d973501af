"""Refinement: an answer that nearly meets its program comes to meet it to many more digits, by exact residuals."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from answered import answered
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.arrays import Exact, Floats
from mechdesign.program.program import Program
from mechdesign.rounding.refinement import BITS, refined
from mechdesign.rounding.room import Flags

F = Fraction
LEFT = F(1, 10**17)
"""Of a violation of 1e-8 two corrections, each to nearly 1e-10 of it, leave less than this."""


def program(rows: Any, lower: Any, upper: Any, floor: Any, **more: Any) -> Program:
    low, high, least = (np.array(side, dtype=float) for side in (lower, upper, floor))
    matrix = sp.csr_matrix(np.array(rows, dtype=float))
    cost = np.zeros(matrix.shape[1])
    return Program(cost, matrix, low, high, least, more.get("curvature"), more.get("blocks", {}))


def on_a_grid(values: Floats) -> Floats:
    """Return values as multiples of 2^-8."""
    return np.array(np.round(values * 2**8) / 2**8, dtype=np.float64)


@st.composite
def nearly_met(draw: st.DrawFn) -> tuple[Program, Floats, Flags]:
    """A program that a point meets, the point with errors of up to 1e-8 where it is free, and what is fixed.

    All numbers are multiples of 2^-8, so that doubles hold what the point comes to exactly.
    """
    columns, rows = draw(st.integers(2, 8)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    matrix = on_a_grid(rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.8))
    matrix[np.arange(rows), np.arange(rows) % columns] = 1.0
    point = on_a_grid(rng.random(columns) * (rng.random(columns) < 0.7))
    fixed = rng.random(columns) < 0.2
    equal = (np.arange(rows) < (~fixed).sum() / 2) & (rng.random(rows) < 0.5)
    room = np.where(rng.random(rows) < 0.5, 0.0, on_a_grid(rng.random(rows)))
    one = program(matrix, np.where(equal, matrix @ point, -np.inf), matrix @ point + room * ~equal, np.zeros(columns))
    errors = rng.normal(size=columns) * 10.0 ** rng.integers(-16, -8)
    return one, np.where(fixed, point, point + errors), fixed


def exactly(x: Exact) -> list[Fraction]:
    return [F(int(value), 2**BITS) for value in x]


def violation(one: Program, x: list[Fraction], fixed: Flags) -> Fraction:
    """Return the most by which rows with a free column, and floors of free columns, are violated; in rationals."""
    worst = F(0)
    matrix = one.matrix.toarray()
    for row, low, high in zip(matrix, one.lower, one.upper, strict=True):
        if not row[~fixed].any():
            continue
        activity = sum((F(float(entry)) * value for entry, value in zip(row, x, strict=True)), F(0))
        worst = max(worst, *(F(float(side)) - activity for side in (low,) if np.isfinite(side)), F(0))
        worst = max(worst, *(activity - F(float(side)) for side in (high,) if np.isfinite(side)), F(0))
    floored = np.isfinite(one.floor) & ~fixed
    floors = (F(float(floor)) - value for floor, value, yes in zip(one.floor, x, floored, strict=True) if yes)
    return max(worst, *floors, F(0))


@given(nearly_met())
def test_rows_are_met_to_many_more_digits_and_what_is_held_stays(drawn: tuple[Program, Floats, Flags]) -> None:
    one, x, fixed = drawn
    kept = refined(one, x, fixed=fixed, margin=0.0)
    if kept is None:  # what is fixed, in doubles, may leave no room at all
        assert fixed.any()
        return
    after = exactly(answered(kept))
    before = violation(one, [F(float(value)) for value in x], fixed)
    assert violation(one, after, fixed) <= max(LEFT, before * LEFT)
    assert all(F(float(value)) == own for value, own, no in zip(x, after, fixed, strict=True) if no)
    change = max(abs(own - F(float(value))) for value, own in zip(x, after, strict=True))
    assert change <= 10**6 * before


@pytest.mark.parametrize("margin", [2.0**-20, 2.0**-30])
def test_limits_are_met_with_a_margin_but_for_the_objective(margin: float) -> None:
    """x0 <= 1/2 is a limit of privacy, x1 <= 1/2 the level to which the objective is fixed."""
    blocks = {"objective": slice(1, 2), "privacy": slice(0, 1)}
    one = program([[1, 0], [0, 1]], [-np.inf] * 2, [0.5, 0.5], [0, 0], blocks=blocks)
    limit, level = exactly(answered(refined(one, np.array([0.5, 0.5]), fixed=np.zeros(2, dtype=bool), margin=margin)))
    assert F(margin) * (1 - F(1, 10**12)) <= F(1, 2) - limit <= F(margin) * (1 + F(1, 10**6))
    assert abs(level - F(1, 2)) <= F(margin) / 10**5


def test_where_no_point_meets_the_rows_there_is_none() -> None:
    """x0 + x1 = 1 and x0 + x1 <= 1/2; and where what is fixed leaves no room."""
    one = program([[1, 1], [1, 1]], [1, -np.inf], [1, 0.5], [0, 0])
    why = refined(one, np.array([0.5, 0.5]), fixed=np.zeros(2, dtype=bool), margin=0.0)
    assert isinstance(why, str)
    assert "PrimalInfeasible" in why
    one = program([[1, 1]], [-np.inf], [0.5], [0, 0])
    assert isinstance(refined(one, np.array([0.75, 0.5]), fixed=np.array([True, False]), margin=0.0), str)
