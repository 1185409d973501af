"""Intervals that are proved to be wide enough: against exact tails, and hardly wider than need be."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from mechdesign.graph.from_table.count_ranges import interval_outward, tail_above


def masses(trials: int, chance: Fraction) -> list[Fraction]:
    return [math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]


CHANCES = st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**6), max_denominator=10**6)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))), CHANCES)
def test_tails_are_bounded_from_above_and_closely(place: tuple[int, int], chance: Fraction) -> None:
    """Exactly, by adding up the whole law; only far from the tail, where nobody looks, the bound is 1."""
    successes, trials = place
    tail = sum(masses(trials, chance)[successes:])
    found = tail_above(successes, trials, chance)
    assert found >= tail
    if (trials - successes) * chance < (successes + 1) * (1 - chance):
        assert found <= tail * (1 + Fraction(1, 10**20))


def test_the_bound_holds_for_large_numbers() -> None:
    for trials, successes in ((9, 4), (40, 30), (600, 290), (1_500, 600)):
        for chance in (Fraction(1, 3), Fraction(2, 5)):
            exact = sum(masses(trials, chance)[successes:])
            assert exact <= tail_above(successes, trials, chance) <= exact * (1 + Fraction(1, 10**20))


@given(st.integers(0, 80).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(1, 12))
def test_each_end_is_out_far_enough_by_the_exact_tail(place: tuple[int, int], digits: int) -> None:
    """P[at least so many] at the lower end and P[at most so many] at the upper one are miss / 2 at most."""
    successes, trials = place
    miss = Fraction(1, 10**digits)
    lower, upper = interval_outward(successes, trials, miss)
    assert 0 <= lower <= Fraction(successes, max(trials, 1)) <= upper <= 1 or not trials
    assert lower == 0 or sum(masses(trials, lower)[successes:]) <= miss / 2
    assert upper == 1 or sum(masses(trials, upper)[: successes + 1]) <= miss / 2
    unit = Fraction(1, 10 ** (len(str(trials)) + 1))
    assert (lower / unit).denominator == (upper / unit).denominator == 1
    if successes and lower + 2 * unit < 1:
        assert sum(masses(trials, lower + 2 * unit)[successes:]) > miss / 2


@pytest.mark.parametrize("chance", [Fraction(0), Fraction(1, 50), Fraction(1, 3), Fraction(1)])
@pytest.mark.parametrize("trials", [1, 7, 40])
def test_coverage_over_all_samples(trials: int, chance: Fraction) -> None:
    """The defining property: for whatever truth, the intervals that miss it have probability `miss` at most."""
    miss = Fraction(1, 20)
    intervals = [interval_outward(k, trials, miss) for k in range(trials + 1)]
    outside = [not lower <= chance <= upper for lower, upper in intervals]
    assert sum(mass for mass, is_missed in zip(masses(trials, chance), outside, strict=True) if is_missed) <= miss


@pytest.mark.parametrize("trials", [10**4, 10**6, 10**8, 10**10])
@pytest.mark.parametrize("share", [0, 10, 3_333, 9_990, 10_000])
def test_intervals_of_large_samples_are_scipys_but_for_the_last_digit(trials: int, share: int) -> None:
    successes, miss = trials * share // 10_000, Fraction(1, 400)
    lower, upper = map(float, interval_outward(successes, trials, miss))
    ends = (
        0.0 if not successes else float(beta.ppf(0.00125, successes, trials - successes + 1)),
        1.0 if successes == trials else float(beta.ppf(0.99875, successes + 1, trials - successes)),
    )
    assert lower <= ends[0] + 1e-12
    assert upper >= ends[1] - 1e-12
    assert upper - lower <= (ends[1] - ends[0]) * 1.002 + 1e-12


def test_without_records_anything_is_possible() -> None:
    assert interval_outward(0, 0, Fraction(1, 20)) == (Fraction(0), Fraction(1))


@pytest.mark.parametrize("guess", [float("nan"), 0.9, 1.0, -1.0, 0.0])
def test_a_wrong_guess_of_scipys_does_no_harm(monkeypatch: pytest.MonkeyPatch, guess: float) -> None:
    monkeypatch.setattr("scipy.special.betaincinv", lambda *_: guess)
    interval_outward.cache_clear()
    lower, _ = interval_outward(30, 50, Fraction(1, 20))
    interval_outward.cache_clear()
    assert lower == 0 or sum(masses(50, lower)[30:]) <= Fraction(1, 40)
