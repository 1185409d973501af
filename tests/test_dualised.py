"""The rows of the canonical stage: what they say, when they are added, and that their steps are safe."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.solver.dualised import Dualised

LEVEL = 0.05
PROFILES = np.array([[0.6, 0.3, 0.1], [0.1, 0.3, 0.6], [0.3, 0.4, 0.3], [0.25, 0.5, 0.25]])
EDGES = [Requirement(0, 1, Fraction(1, 2), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
MOVED = PROFILES[[1, 0, 3, 2]].T  # what each profile releases, outputs first


def rows() -> Dualised:
    return Dualised(PROFILES, list(both_ways(EDGES)), LEVEL)


def excesses() -> list[float]:
    """Every row in its own words, over its length: those of privacy, then every set of every profile."""
    found = []
    for i, j, requirement in both_ways(EDGES):
        shrink = math.exp(-requirement.epsilon)
        found += [(shrink * MOVED[y, i] - MOVED[y, j]) / math.hypot(1, shrink) for y in range(3)]
    for i, P in enumerate(PROFILES):
        for size in (1, 2):
            sets = [list(chosen) for chosen in combinations(range(3), size)]
            most = max(sets, key=lambda S: MOVED[S, i].sum() - P[S].sum() - LEVEL * size * (1 - P[S].sum()))
            above = MOVED[most, i].sum() - P[most].sum() - LEVEL * size * (1 - P[most].sum())
            found.append(above / math.sqrt(size))
    return found


def test_the_rows_that_are_violated_are_added_once() -> None:
    held = rows()
    violated = sorted(excess for excess in excesses() if excess > 1e-9)
    assert held.add_violated(MOVED, 1e-9, 1e-9) == len(violated) > 5
    assert sorted(held.excess(MOVED)) == pytest.approx(violated, abs=1e-15)
    held.multipliers = np.arange(1.0, 1 + len(violated))
    assert held.add_violated(MOVED, 1e-9, 1e-9) == 0


def test_multipliers_stay_with_their_rows_as_others_are_added() -> None:
    held = rows()
    held.add_violated(MOVED, 0.2, math.inf)
    few = len(held.multipliers)
    held.multipliers, before = np.ones(few), held.excess(MOVED)
    assert held.add_violated(MOVED, 0.0, 0.0) > few > 0
    assert held.excess(MOVED)[held.multipliers == 1] == pytest.approx(before)


def test_at_a_higher_level_a_cut_allows_more() -> None:
    held = rows()
    held.add_violated(MOVED, math.inf, 0.0)
    before = held.excess(MOVED)
    held.raise_level(2 * LEVEL)
    assert (held.excess(MOVED) < before).all()


def test_steps_are_safe() -> None:
    """The matrix of the dual problem, scaled by them, has no eigenvalue above 1: a gradient step cannot overshoot."""
    held = rows()
    held.add_violated(MOVED, 0.0, 0.0)
    matrix = held.matrix.toarray()
    assert (matrix**2).sum(axis=1) == pytest.approx(1)
    scaled = np.sqrt(held.step)[:, None] * matrix
    assert 0.5 < np.linalg.eigvalsh(scaled @ scaled.T).max() <= 1 + 1e-12


def test_a_profile_has_the_scores_of_the_rows_it_is_in() -> None:
    held = rows()
    held.add_violated(MOVED, 0.0, 0.0)
    entries = (held.matrix.toarray() != 0).reshape(-1, 3, 4).any(axis=1)
    scores = np.arange(1.0, 1 + len(entries))
    assert held.touched(scores) == pytest.approx(scores @ entries)


def test_profiles_near_others() -> None:
    assert [rows().near(np.array([0]), edges).tolist() for edges in range(3)] == [[0], [0, 1], [0, 1, 2]]
