"""Entry by entry to exact privacy, without moving farther than the solver's own errors."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import ExpectedLoss, MaxOffDiagonal
from mechdesign.privacy import Requirement, unmet
from mechdesign.problem import Problem
from mechdesign.rounding.difference_constraints import feasible_table
from mechdesign.rounding.mixing import nearest
from mechdesign.solver.structured import solve_structured

F = Fraction
ZERO = Fraction(0)


def problem(k: int, d: int, seed: int, *, complete: bool, epsilon: Fraction, delta: Fraction = ZERO) -> Problem:
    counts = np.random.default_rng(seed).integers(1, 100, (k, d))
    profiles = [[F(int(count), int(row.sum())) for count in row] for row in counts]
    pairs = [(a, b) for b in range(k) for a in range(b)] if complete else [(a, a + 1) for a in range(k - 1)]
    edges = tuple(Requirement(a, b, epsilon, delta) for a, b in pairs)
    return Problem(profiles, edges, ExpectedLoss() if delta else MaxOffDiagonal(), np.ones(k) / k, False)


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("delta", ["0", "1/20"])
@pytest.mark.parametrize("epsilon", ["1/1000", "1/2", "2"])
@given(seed=st.integers(0, 2**32), size=st.integers(-13, -8))
def test_an_optimum_with_errors_becomes_private_nearby(
    epsilon: str, delta: str, complete: bool, seed: int, size: int
) -> None:
    asked = problem(6, 4, 1, complete=complete, epsilon=F(epsilon), delta=F(delta))
    optimum = OPTIMA.setdefault((epsilon, delta, complete), solve_structured(asked).released)
    noise = 10.0**size * np.random.default_rng(seed).uniform(-1, 1, optimum.shape)
    guess = optimum + noise - noise.mean(axis=1, keepdims=True)
    found = nearest(asked, guess, 1.0)
    if found is None:  # no room within the rows: rare, and repair takes over
        assert epsilon == "1/1000"
        return
    assert unmet(found, asked.required) is None
    for one in found:
        assert sum(one.weights) == one.total
        assert min(one.weights) >= 0
    change = np.array([one.fractions() for one in found], dtype=float) - guess
    assert np.abs(change).max() <= 100 * 10.0**size


OPTIMA: dict[tuple[str, str, bool], np.ndarray[tuple[int, ...], np.dtype[np.float64]]] = {}


def test_what_is_too_far_is_left_to_repair() -> None:
    asked = problem(6, 4, 1, complete=False, epsilon=F(1, 2))
    optimum = solve_structured(asked).released
    assert nearest(asked, asked.profiles, 1e-9) is None
    assert nearest(asked, (optimum + asked.profiles) / 2, 1e-9) is None
    assert nearest(asked, optimum, 1e-9) is not None


def test_profiles_that_need_not_move_stay_exactly() -> None:
    """The first profile is fixed, so its neighbour has to come within e^epsilon of it, and no farther."""
    asked = problem(3, 4, 1, complete=False, epsilon=F(1, 2))
    optimum = solve_structured(asked).released
    target = asked.target
    optimum[0] = np.array(target[0], dtype=float)
    fixed = np.array([True, False, False])
    table = feasible_table(asked, optimum, fixed, 2**60)
    assert table is not None
    assert list(table[0]) == [mass * 2**60 for mass in target[0]]
    for y in range(4):
        assert table[1][y] <= asked.required[0].ratio_below * table[0][y]
        assert table[0][y] <= asked.required[0].ratio_below * table[1][y]
