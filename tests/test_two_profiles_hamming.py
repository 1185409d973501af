"""The least Hamming loss of two profiles: the closed forms, the linear program and a design agree."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.divergence import divergence
from oracles.optimum import optimum
from test_two_profiles import GROUPS, Masses, deltas, pairs, ratios

import mechdesign as md
from mechdesign.closed_form.two_profiles_hamming import two_profiles_hamming

shares = st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)])


@pytest.mark.parametrize("shared", [False, True])
@given(both=pairs(4), ratio=ratios, delta=deltas, share=shares)
def test_it_is_the_optimum_of_the_linear_program(
    both: tuple[Masses, Masses], ratio: Fraction, delta: Fraction, share: Fraction, shared: bool
) -> None:
    m, weights = len(both[0]), (share, 1 - share)
    wrong = [[int(x != y) for y in range(m)] for x in range(m)]
    found = optimum(both, [(0, 1, ratio, delta)], GROUPS[shared], outputs=m, loss=wrong, weights=weights)
    assert two_profiles_hamming(*both, ratio=ratio, delta=delta, weights=weights, shared=shared) == found


@given(pairs(), ratios, deltas)
def test_the_worse_of_the_two_is_the_mean_that_weighs_worst(
    both: tuple[Masses, Masses], ratio: Fraction, delta: Fraction
) -> None:
    """The module's formula for the worst loss, by the minimax theorem: the weights of least help."""
    missed = [divergence(*way, ratio) for way in (both, both[::-1])]
    worst = max(Fraction(0), max(missed) - delta) / (1 + ratio)
    # The largest of a concave, piecewise linear function of the weight is where its two or three pieces meet.
    weights = [Fraction(0), 1 / (1 + ratio), ratio / (1 + ratio), Fraction(1)]
    means = [two_profiles_hamming(*both, ratio=ratio, delta=delta, weights=(w, 1 - w)) for w in weights]
    assert max(means) == worst


def test_nothing_is_asked_without_a_limit() -> None:
    assert two_profiles_hamming([1, 0], [0, 1], epsilon="inf") == 0


@pytest.mark.parametrize("weights", [(0, 0), (-1, 2)])
def test_weights_that_cannot_be_used(weights: tuple[int, int]) -> None:
    with pytest.raises(md.InputError, match=r"weights: expected (two numbers >= 0, not both|a number >= 0, found)"):
        two_profiles_hamming([1, 0], [0, 1], ratio=2, weights=weights)
