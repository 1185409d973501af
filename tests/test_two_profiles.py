"""What two profiles ask for: the closed form, all sets tried, the linear program and a design agree."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.optimum import optimum

from mechdesign import InputError, two_profiles
from mechdesign.closed_form.one_bit_cluster import flip_probability
from mechdesign.closed_form.two_profiles import asked_by

Masses = list[Fraction]


@st.composite
def pairs(draw: st.DrawFn, most: int = 5) -> tuple[Masses, Masses]:
    m = draw(st.integers(1, most))
    both = []
    for _ in range(2):
        weights = draw(st.lists(st.integers(0, 9), min_size=m, max_size=m).filter(any))
        both.append([Fraction(weight, sum(weights)) for weight in weights])
    return both[0], both[1]


ratios = st.fractions(1, 5, max_denominator=20)
deltas = st.sampled_from([Fraction(0), Fraction(1, 50), Fraction(1, 4)])


GROUPS = {False: [[0], [1]], True: [[0, 1]]}


@pytest.mark.parametrize("shared", [False, True])
@given(both=pairs(4), ratio=ratios, delta=deltas)
def test_it_is_the_optimum_of_the_linear_program(
    both: tuple[Masses, Masses], ratio: Fraction, delta: Fraction, shared: bool
) -> None:
    found = optimum(both, [(0, 1, ratio, delta)], GROUPS[shared], outputs=len(both[0]))
    assert two_profiles(*both, ratio=ratio, delta=delta, shared=shared) == found


@given(st.fractions(0, 1, max_denominator=20), st.fractions(0, 1, max_denominator=20), ratios, deltas)
def test_one_matrix_for_two_categories_is_observation_9(
    p: Fraction, r: Fraction, ratio: Fraction, delta: Fraction
) -> None:
    flip = flip_probability(p, r, ratio=ratio, delta=delta)
    assert two_profiles([p, 1 - p], [r, 1 - r], ratio=ratio, delta=delta, shared=True) == flip


def test_two_categories_ask_for_less_than_a_flip() -> None:
    """Observation 9's flip is 22/59: one probability for both values."""
    assert two_profiles(["0.8", "0.2"], ["0.3", "0.7"], ratio="1.3") == Fraction(22, 87)


def test_the_best_set_need_not_be_of_the_largest_ratios() -> None:
    p, r = ([Fraction(x, 20) for x in masses] for masses in ([1, 10, 9], [0, 9, 11]))
    assert asked_by(p, r, Fraction(1), Fraction(0)).outputs == (0, 1)
    assert two_profiles(p, r, ratio=1) == optimum([p, r], [(0, 1, Fraction(1), Fraction(0))], [[0], [1]], outputs=3)


def test_nothing_is_asked_without_a_limit() -> None:
    assert two_profiles([1, 0], [0, 1], epsilon="inf") == 0


def test_floats_are_the_decimals_that_they_print_as() -> None:
    exactly = two_profiles(["0.5", "0.5"], ["0.1", "0.9"], epsilon=1)
    assert two_profiles([0.5, 0.5], [0.1, 0.9], epsilon=1) == exactly
    assert two_profiles([0.5, 0.5], [np.float64(0.1), np.float64(0.9)], epsilon=1) == exactly


def test_floats_whose_decimals_have_another_total_are_what_they_are() -> None:
    assert two_profiles([0.7, 1 - 0.7], [0.5, 0.5], epsilon=1) == two_profiles(
        [Fraction(0.7), 1 - Fraction(0.7)], [0.5, 0.5], epsilon=1
    )


@pytest.mark.parametrize(
    ("p", "r", "how", "words"),
    [
        ([0.1, 0.2], [1, 0], {"ratio": 2}, "p: expected probabilities of total 1"),
        ([1, 0], ["-1", 2], {"ratio": 2}, "r: expected probabilities of total 1"),
        ([], [1], {"ratio": 2}, "p: expected probabilities of total 1"),
        ([1], [1, 0], {"ratio": 2}, "over the same categories, found 1 and 2"),
        ([1, 0], [0, 1], {}, "expected one of epsilon= .* and ratio="),
        ([1, 0], [0, 1], {"ratio": "0.5"}, "ratio: expected"),
        ([1, 0], [0, 1], {"ratio": 2, "delta": 1}, "expected a number"),
        ([0.5, 0.5], [0.1, 0.9], {"epsilon": -1}, "epsilon: expected a number >= 0"),
    ],
)
def test_what_cannot_be_used(p: list[object], r: list[object], how: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        two_profiles(p, r, **how)  # type: ignore[arg-type]
