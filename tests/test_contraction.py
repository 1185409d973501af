"""Profiles that must release the same: made one, rounded as one, and each with what it can reach."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import deltas, distributions

from mechdesign import MaxOffDiagonal
from mechdesign.arrays import Floats
from mechdesign.privacy.gaps import unmet
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.rounding.contraction import Contracted, contracted
from mechdesign.rounding.releases import has_moved, private_releases

F = Fraction


def problem(rows: Sequence[Sequence[Fraction]], *edges: tuple[int, int, str, str]) -> Problem:
    required = tuple(Requirement(a, b, F(epsilon), F(delta)) for a, b, epsilon, delta in edges)
    return Problem(rows, required, MaxOffDiagonal(), np.arange(1.0, len(rows) + 1), False)


def rounded(one: Contracted, mean: Floats) -> list[Released]:
    return one.each(private_releases(one.problem, mean, has_moved(one.problem, mean)))


HALVES = [(F(n, 12), F(12 - n, 12)) for n in (1, 2, 3, 4, 5)]


def test_chains_of_epsilon_zero_are_one_profile() -> None:
    whole = problem(HALVES, (0, 1, "0", "0"), (3, 1, "0", "0"), (2, 3, "1", "0"), (2, 4, "0", "1/10"))
    one = contracted(whole)
    assert one.groups == [[0, 1, 3], [2], [4]]
    assert list(one.problem.exact) == [[F(7, 36), F(29, 36)], [F(1, 4), F(3, 4)], [F(5, 12), F(7, 12)]]
    assert one.problem.weights.tolist() == [7, 3, 5]
    asked = {(r.first, r.second, r.epsilon, r.delta) for r in one.problem.required}
    assert asked == {(0, 1, F(1), F(0)), (1, 2, F(0), F(1, 10))}
    released = np.array([[0.1, 0.9], [0.2, 0.8], [0.5, 0.5], [0.6, 0.4], [1.0, 0.0]])
    assert one.mean(released) == pytest.approx(np.array([[0.3, 0.7], [0.5, 0.5], [1.0, 0.0]]))


def test_what_nobody_must_share_stays_as_it_is() -> None:
    whole = problem(HALVES, (0, 1, "1/10", "0"), (1, 2, "0", "1/10"))
    one = contracted(whole)
    assert one.groups == [[0], [1], [2], [3], [4]]
    assert list(map(tuple, one.problem.exact)) == HALVES
    assert one.problem.required == whole.required


def test_edges_between_the_same_two_groups_are_all_kept_but_for_copies() -> None:
    edges = (0, 1, "0", "0"), (2, 3, "0", "0"), (0, 2, "1", "0"), (1, 3, "1", "0"), (3, 0, "2", "0"), (0, 1, "1", "0")
    found = contracted(problem(HALVES, *edges)).problem.required
    assert sorted((r.first, r.second, r.epsilon) for r in found if 2 not in (r.first, r.second)) == [
        (0, 1, F(1)),
        (0, 1, F(2)),
    ]


@given(st.lists(distributions(3), min_size=4, max_size=4), deltas(), st.integers(0, 2**32))
def test_rounded_as_one_all_are_private(rows: list[tuple[Fraction, ...]], delta: Fraction, seed: int) -> None:
    """And each total allows an integer plan from the profile's own distribution."""
    whole = problem(rows, (0, 1, "0", "0"), (1, 2, "0", "0"), (2, 3, "1/2", str(delta)), (0, 3, "1", "0"))
    guess = whole.profiles + 1e-3 * np.random.default_rng(seed).normal(size=(4, 3))
    one = contracted(whole)
    found = rounded(one, one.mean(guess))
    assert unmet(found, whole.required) is None
    assert found[0].fractions() == found[1].fractions() == found[2].fractions()
    for masses, own in zip(rows, found, strict=True):
        assert sum(own.weights) == own.total
        assert all((mass * own.total).denominator == 1 for mass in masses)


def test_the_mean_of_what_a_solver_found_is_released() -> None:
    whole = problem([(F(2, 10), F(3, 10), F(4, 10), F(1, 10))] * 2, (0, 1, "0", "0"))
    common = np.array([0.3, 0.25, 0.25, 0.2])
    one = contracted(whole)
    found = rounded(one, one.mean(common + 1e-10 * np.arange(8).reshape(2, 4)))
    assert np.array(found[1].fractions(), dtype=float) == pytest.approx(common, abs=1e-8)


def test_the_mean_of_many_distributions_leaves_no_long_totals() -> None:
    """Its denominator has hundreds of digits here; no profile's own has more than three."""
    rows = [(F(1, n), F(n - 1, n)) for n in range(500, 900)]
    one = contracted(problem(rows, *[(i, i + 1, "0", "0") for i in range(399)]))
    found = rounded(one, np.array([[0.25, 0.75]]))
    assert max(own.total for own in found) < 2**80
