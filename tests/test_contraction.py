"""Profiles that must release the same: made one, rounded as one, and each with what it can reach."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
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


def test_the_mean_of_many_distributions_leaves_no_long_totals() -> None:
    """Its denominator has hundreds of digits here; no profile's own has more than three."""
    rows = [(F(1, n), F(n - 1, n)) for n in range(500, 900)]
    one = contracted(problem(rows, *[(i, i + 1, "0", "0") for i in range(399)]))
    found = rounded(one, np.array([[0.25, 0.75]]))
    assert max(own.total for own in found) < 2**80
