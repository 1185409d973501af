"""The rows among some profiles: what they say is the same, with the other rows held."""

from fractions import Fraction

import numpy as np
import pytest

from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.solver.ascent import Ascent
from mechdesign.solver.dualised import Dualised

EDGES = [Requirement(i, i + 1, Fraction(1, 2), Fraction(0)) for i in range(4)]
PROFILES = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.8, 0.1, 0.1], [0.2, 0.2, 0.6], [0.5, 0.4, 0.1]])


def held() -> Dualised:
    rows = Dualised(PROFILES, list(both_ways(EDGES)), 0.3)
    rows.add_violated(rows.targets, 0.0, 0.0)
    rows.multipliers = np.linspace(0.01, 0.1, len(rows.multipliers))
    return rows


def test_they_touch_these_profiles_alone() -> None:
    rows, some = held(), np.array([1, 2, 3])
    part, which = rows.among(some)
    touched = (rows.matrix.toarray() != 0).reshape(-1, 3, 5).any(axis=1)
    assert which.tolist() == np.flatnonzero(~touched[:, [0, 4]].any(axis=1)).tolist()
    assert 0 < len(which) < len(rows.multipliers)
    released = PROFILES[::-1].T
    assert part.excess(released[:, some]) == pytest.approx(rows.excess(released)[which])


def test_their_multipliers_pull_as_in_the_whole() -> None:
    rows, some = held(), np.array([1, 2, 3])
    part, which = rows.among(some)
    other = np.linspace(0.2, 0.1, len(which))
    whole = rows.multipliers.copy()
    whole[which] = other
    assert part.pulled(other) == pytest.approx(rows.pulled(whole)[:, some])


def test_steps_for_a_part_settle_the_part() -> None:
    """From there the other rows are all that is left."""
    rows = held()
    part, which = rows.among(np.array([1, 2]))
    ascent = Ascent(part, np.zeros(2))
    before = ascent.unsettled
    ascent.climb(300)
    assert before > 1e-3
    assert ascent.unsettled < 1e-9
    rows.multipliers[which] = part.multipliers
    rest = Ascent(rows, np.zeros(5)).rest
    assert rest[which].max() < 1e-8 < rest.max()
