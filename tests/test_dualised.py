"""The rows of the canonical stage: test_projection.py asks what they say; that some are added changes no other."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.solver.dualised import Dualised

PROFILES = np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6], [0.3, 0.4, 0.3], [0.25, 0.5, 0.25]])
EDGES = [Requirement(0, 1, Fraction(1, 2), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
MOVED = PROFILES[[1, 0, 3, 2]].T  # what each profile releases, outputs first


def test_multipliers_stay_with_their_rows_as_others_are_added() -> None:
    held = Dualised(PROFILES, list(both_ways(EDGES)), 0.05)
    held.add_violated(MOVED, 0.2, math.inf)
    few = len(held.multipliers)
    held.multipliers, before = np.ones(few), held.excess(MOVED)
    assert len(held.add_violated(MOVED, 0.0, 0.0)) > few > 0
    assert held.excess(MOVED)[held.multipliers == 1] == pytest.approx(before)
    assert len(held.add_violated(MOVED, 0.0, 0.0)) == 0


def test_those_of_some_profiles_alone_are_what_they_are_without_the_others() -> None:
    """Profile 3 has no edge to the others; each profile has a level and a threshold of its own."""
    levels, chosen = np.array([0.05, 0.04, 0.03, 0.02]), np.array([True, True, True, False])
    held = Dualised(PROFILES, list(both_ways(EDGES)), levels)
    new = held.add_violated(MOVED, np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    assert set(new.tolist()) == {0, 1, 2}
    held.add_violated(MOVED, 0.0, 0.0)
    held.multipliers = np.linspace(1.0, 2.0, len(held.bound))
    part = held.only(chosen)
    alone = Dualised(PROFILES[:3], list(both_ways(EDGES)), levels[:3])
    alone.add_violated(MOVED[:, :3], 0.0, 0.0)
    assert sorted(part.excess(MOVED[:, :3])) == pytest.approx(sorted(alone.excess(MOVED[:, :3])))
    assert part.pulled(part.multipliers) == pytest.approx(held.pulled(held.multipliers)[:, :3])
    assert len(part.add_violated(MOVED[:, :3], 0.0, 0.0)) == 0
