"""Multipliers improved step by step: to the closest distributions that meet the rows, and never for the worse."""

from fractions import Fraction

import numpy as np
import pytest

from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.solver import ascent as module
from mechdesign.solver.ascent import Ascent
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
