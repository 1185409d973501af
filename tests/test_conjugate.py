"""Conjugate gradients for the multipliers: to where rows bind, also where equations have many solutions or none."""

from fractions import Fraction

import numpy as np
import pytest

from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.solver.conjugate import conjugate_step
from mechdesign.solver.dualised import Dualised
from mechdesign.solver.onto_simplex import onto_simplex

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
