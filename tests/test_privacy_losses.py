"""Losses on a grid: bounds from above and from below of what full tables say exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import binom

from mechdesign.exact.exponentials import log_bounds
from mechdesign.papers.gc_losses import product
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.needed import needed
from mechdesign.privacy.released import Released
from mechdesign.release.privacy_losses import FINEST, Losses, at_least, losses_of

F = Fraction
DELTAS = [F(1, 10), F(1, 1000), F(1, 10**7)]


def law(*weights: int) -> Released:
    return Released(np.array(weights, dtype=object), sum(weights))


def table(one: Released, times: int) -> Released:
    """Return the distribution of so many independent releases, multiplied out."""
    masses: tuple[Fraction, ...] = (F(1),)
    for _ in range(times):
        masses = product(masses, one.fractions())
    common = math.lcm(*(mass.denominator for mass in masses))
    return Released(np.array([int(mass * common) for mass in masses], dtype=object), common)


def both(first: Released, second: Released, times: int, delta: Fraction, cells: int = 512) -> tuple[Losses, Losses]:
    """Return the losses of so many releases, bounded from below and from above."""
    spare = float(delta) * 1e-6 / times
    low, high = (
        losses_of(first, second, above=above, cells=cells, spare=spare).times(times, cells=cells, spare=spare)
        for above in (False, True)
    )
    return low, high


@st.composite
def laws(draw: st.DrawFn) -> tuple[Released, Released]:
    """Two laws with outputs of the same, very different and infinite ratios."""
    size = draw(st.integers(1, 4))
    weights = st.integers(0, 8) | st.sampled_from([0, 1, 10**6])
    one, other = (draw(st.lists(weights, min_size=size, max_size=size).filter(any)) for _ in range(2))
    return law(*one), law(*other)


@settings(max_examples=20)
@given(laws(), st.integers(1, 3), st.sampled_from(DELTAS))
@example((law(0, 1), law(1, 1)), 1, F(1, 10))
@example((law(0, 1), law(1, 10**6)), 1, F(1, 10**7))
def test_between_them_is_what_the_table_says(pair: tuple[Released, Released], times: int, delta: Fraction) -> None:
    low, high = both(*pair, times, delta)
    first, second = (table(one, times) for one in pair)
    ratio = needed(first, second, delta).ratio
    exact = (math.inf, math.inf) if ratio is None else log_bounds(ratio)
    assert low.epsilon(delta) <= exact[1]
    assert high.epsilon(delta) >= exact[0]
    # Losses are moved by steps; masses are off by what doubles know of a loss, over the step, and by what is spared;
    # infinite losses add up.
    apart = (times + 3) * high.step + times * 2.0 ** (FINEST - 50) + float(delta) * 1e-6 + high.infinite - low.infinite
    for epsilon in {0.0, 0.75, *(one for one in exact if one < math.inf)}:
        true = hockey_stick(first, second, F(math.exp(epsilon)))
        assert low.delta(epsilon) <= true + F(1, 10**14)  # of e^epsilon in doubles
        assert high.delta(epsilon) >= true - F(1, 10**14)
        assert high.delta(epsilon) - low.delta(epsilon) <= apart


@pytest.mark.parametrize(("times", "close"), [(3, 2e-3), (10, 2e-3), (100, 1e-4), (1_000, 1e-4)])
def test_randomised_response_is_a_binomial(times: int, close: float) -> None:
    """How often the truth is told is binomial, and the loss (2 successes - n) ln 3."""
    successes, step = np.arange(times + 1), math.log(3)
    masses = binom.pmf(successes, times, 0.75)

    def excess(epsilon: float) -> float:
        gaps = np.minimum(epsilon - (2 * successes - times) * step, 0)
        return float(masses @ -np.expm1(gaps)) - 1e-6

    exact = brentq(excess, 0, times * step, xtol=1e-12)
    low, high = both(law(3, 1), law(1, 3), times, F(1, 10**6), cells=2048)
    assert low.epsilon(F(1, 10**6)) <= exact * (1 + 1e-10)
    assert exact * (1 - 1e-10) <= high.epsilon(F(1, 10**6)) <= exact * (1 + close)


@settings(max_examples=15)
@given(laws(), st.integers(1, 3))
def test_coarser_is_wider(pair: tuple[Released, Released], times: int) -> None:
    for losses, sign in zip(both(*pair, times, F(1, 1000)), (-1, 1), strict=True):
        coarse = losses.coarsened(losses.exponent + 3)
        for epsilon in (0.0, 0.3, 2.0):
            assert (
                sign * coarse.delta(epsilon) >= sign * losses.delta(epsilon) - 1e-12
            )  # rounding outward of more terms


@settings(max_examples=15)
@given(laws(), laws())
def test_one_law_for_several(one: tuple[Released, Released], other: tuple[Released, Released]) -> None:
    """Also of several releases together."""
    each = [losses_of(*pair, above=True, cells=256, spare=0.0) for pair in (one, other)]
    together = at_least(each, cells=256)
    for times in (1, 3):
        bound = together.times(times, cells=256, spare=0.0)
        for law_ in each:
            single = law_.coarsened(together.exponent).times(times, cells=256, spare=0.0).coarsened(bound.exponent)
            for epsilon in (0.0, 0.5, 3.0):
                assert bound.delta(epsilon) >= single.delta(epsilon) * (1 - 1e-9)


def test_laws_that_share_nothing() -> None:
    low, high = both(law(1, 0), law(0, 1), 2, F(1, 2))
    assert (low.infinite, high.infinite) == pytest.approx((1.0, 2.0))
    assert low.epsilon(F(1, 2)) == high.epsilon(F(1, 2)) == math.inf


def test_very_small_masses_stay_on_their_side() -> None:
    """Far below what doubles can multiply: raised from above, left out from below."""
    low, high = both(law(1, 10**200), law(10**200, 1), 4, F(1, 100))
    for losses in (low, high):
        kept = losses.masses[losses.masses > 0]
        assert kept.min() >= 1e-160
    assert low.delta(0.0) <= high.delta(0.0)


def test_laws_that_lie_far_apart_share_one_grid() -> None:
    """One loss each, ln 10^6 and its opposite: without a limit, billions of cells between them."""
    laws = [
        losses_of(*pair, above=True, cells=64, spare=0.0) for pair in ((law(1, 0), law(1, 10**6)), (law(2), law(2)))
    ]
    found = at_least(laws, cells=64)
    assert len(found.masses) <= 64
    assert found.delta(1.0) >= 1 - math.e / (10**6 + 1) - 1e-12
