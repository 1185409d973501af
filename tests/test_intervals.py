"""Intervals: Wilson's where nothing is randomised, never crossed, and they cover as often as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.arrays import Floats
from mechdesign.release.channels import Channel
from mechdesign.release.intervals import QUANTILE, intervals, largest_spread, limits, spread


def channel_of(rows: object) -> Channel:
    matrix = np.array(rows, dtype=np.float64)
    return Channel(matrix / matrix.sum(axis=1, keepdims=True), np.arange(len(matrix)))


COIN = channel_of([[3, 1], [1, 3]])


def test_wilson_where_nothing_is_randomised() -> None:
    """The upper end at no success in n is z^2 / (n + z^2)."""
    plain = channel_of(np.eye(3))
    found = intervals(plain, np.array([0.0, 50.0, 150.0]), these_rows=False)
    assert found.high[0] >= QUANTILE**2 / (200 + QUANTILE**2) - 1e-12
    middle, n = 50 / 200, 200
    root = QUANTILE * (middle * (1 - middle) / n + QUANTILE**2 / (4 * n**2)) ** 0.5
    ends = [(middle + QUANTILE**2 / (2 * n) + side * root) / (1 + QUANTILE**2 / n) for side in (-1, 1)]
    assert found.low[1] <= ends[0] + 1e-12
    assert found.high[1] >= ends[1] - 1e-12
    assert (found.low[1], found.high[1]) == pytest.approx(ends, abs=0.01)


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=3, max_size=3),
    st.lists(st.integers(0, 300), min_size=4, max_size=4).filter(any),
    st.booleans(),
)
def test_never_crossed_and_around_the_unbiased_estimate(rows: list[list[int]], counts: list[int], these: bool) -> None:
    channel = channel_of(np.array(rows) + 20 * np.eye(3, 4) + 1)
    found = intervals(channel, np.array(counts, dtype=np.float64), these_rows=these)
    assert (found.low >= 0).all()
    assert (found.low <= found.high).all()
    assert (found.high <= 1).all()
    held = np.clip(found.unbiased, 0, 1)
    assert (found.low <= held + 1e-12).all()
    assert (held <= found.high + 1e-12).all()


@pytest.mark.parametrize(
    ("centre", "low", "high"),
    [(-0.5, 0.0, 0.196), (1.5, 0.804, 1.0), (-0.1, 0.0, 0.096), (0.5, 0.304, 0.696), (1.1, 0.904, 1.0)],
)
def test_an_empty_intersection_is_the_interval_around_the_nearer_end(centre: float, low: float, high: float) -> None:
    found = limits(np.array([centre]), np.array([0.1]))
    assert (float(found[0][0]), float(found[1][0])) == pytest.approx((low, high), abs=1e-3)


def simulated(channel: Channel, shares: Floats, rows: int, these: bool) -> Floats:
    """Return how often the intervals cover each share, in 4,000 runs."""
    rng = np.random.default_rng(7)
    people = rng.multinomial(rows, shares, 4_000)
    counts = sum(rng.multinomial(people[:, x], row) for x, row in enumerate(channel.matrix))
    found = intervals(channel, np.asarray(counts, dtype=np.float64), these_rows=these)
    true = people / rows if these else shares
    return np.asarray(((found.low <= true + 1e-12) & (true <= found.high + 1e-12)).mean(axis=0))


@pytest.mark.parametrize("these", [False, True])
@pytest.mark.parametrize("rows", [200, 2_000])
@pytest.mark.parametrize("size", [4, 20])
def test_coverage(size: int, rows: int, these: bool) -> None:
    """Shares of 0 and rare ones included; with a standard error of .0035, .93 is six of them below .95."""
    channel = channel_of(np.ones((size, size)) + 10 * np.eye(size))
    shares = np.array([0.9, 0.08, 0.02, *[0.0] * (size - 3)])
    assert simulated(channel, shares, rows, these).min() >= 0.93


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3),
    st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any),
)
def test_no_shares_spread_more(rows: list[list[int]], weights: list[int]) -> None:
    channel = channel_of(np.array(rows) + 20 * np.eye(3))
    released = np.array(weights) / sum(weights) @ channel.matrix
    for these in (False, True):
        assert (spread(channel, released, these_rows=these) <= largest_spread(channel, these_rows=these) + 1e-9).all()


def test_the_largest_spread_is_reached() -> None:
    """Of the coin: (1.5, -.5) with mean squares 7/4 and 3/4, so at the share 1/2."""
    assert largest_spread(COIN, these_rows=False) == pytest.approx(spread(COIN, np.array([0.5, 0.5]), these_rows=False))
    assert largest_spread(COIN, these_rows=True) == pytest.approx([0.75, 0.75])


def test_one_category_has_nothing_to_tell() -> None:
    alone = channel_of([[1, 1]])
    assert largest_spread(alone, these_rows=False) == pytest.approx([0.0])
    found = intervals(alone, np.array([3.0, 5.0]), these_rows=False)
    assert (found.low[0], found.high[0]) == pytest.approx((1.0, 1.0))
