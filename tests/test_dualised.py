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
    assert held.add_violated(MOVED, 0.0, 0.0) > few > 0
    assert held.excess(MOVED)[held.multipliers == 1] == pytest.approx(before)
    assert held.add_violated(MOVED, 0.0, 0.0) == 0
