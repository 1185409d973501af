"""Maximum likelihood: no other shares are likelier, and the duality gap says so; closed forms where there are any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.arrays import Floats
from mechdesign.release import shares
from mechdesign.release.channels import Channel
from mechdesign.release.shares import SHORT, SHORT_PER_ROW, likeliest


def k_ary(size: int, ratio: float) -> Channel:
    rows = np.ones((size, size)) + (ratio - 1) * np.eye(size)
    return Channel(rows / rows.sum(axis=1, keepdims=True), np.arange(size))


def decaying(size: int, rate: float) -> Channel:
    place = np.arange(size)
    rows = np.exp(-rate * np.abs(place[:, None] - place))
    return Channel(rows / rows.sum(axis=1, keepdims=True), place)


def log_likelihood(channel: Channel, counts: Floats, unknowns: Floats) -> float:
    seen = counts > 0
    return float(counts[seen] @ np.log((unknowns @ channel.matrix)[seen]))


@st.composite
def problems(draw: st.DrawFn) -> tuple[Channel, Floats, Floats]:
    """A matrix with zeros and equal rows, counts, and some other shares."""
    rows, outputs = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    weights = draw(
        st.lists(st.lists(st.integers(0, 6), min_size=outputs, max_size=outputs), min_size=rows, max_size=rows)
    )
    matrix = np.array(weights, dtype=np.float64) + np.eye(rows, outputs)
    matrix[matrix.sum(axis=1) == 0] = 1.0
    counts = np.array(draw(st.lists(st.integers(0, 1_000), min_size=outputs, max_size=outputs)), dtype=np.float64)
    counts[matrix.sum(axis=0) == 0] = 0
    if not counts.any():
        counts[np.flatnonzero(matrix.sum(axis=0))[0]] = 1
    others = np.array(draw(st.lists(st.integers(0, 10), min_size=rows, max_size=rows)), dtype=np.float64) + 1e-3
    return Channel(matrix / matrix.sum(axis=1, keepdims=True), np.arange(rows)), counts, others / others.sum()


@given(problems())
def test_no_shares_are_likelier(problem: tuple[Channel, Floats, Floats]) -> None:
    channel, counts, others = problem
    found = likeliest(channel, counts)
    assert found.gap <= SHORT
    assert found.unknowns.min() >= 0
    assert found.unknowns.sum() == pytest.approx(1, abs=1e-12)
    slack = 1e-9 * counts.sum()  # rounding of a sum of as many logarithms
    assert log_likelihood(channel, counts, others) <= log_likelihood(channel, counts, found.unknowns) + SHORT + slack


@pytest.mark.parametrize("start", [[-0.5, 1.5], [0.0, 1.0]])
def test_a_start_that_is_impossible_is_none(start: list[float]) -> None:
    """Shares below 0, or under which what was seen cannot be."""
    plain = Channel(np.eye(2), np.arange(2))
    assert likeliest(plain, np.array([3.0, 1.0]), np.array(start)).unknowns == pytest.approx([0.75, 0.25])


@pytest.mark.parametrize("rows", [1e6, 1e9, 1e12, 1e15])
@pytest.mark.parametrize("channel", [k_ary(3, 3.0), k_ary(40, 2.0), decaying(20, 0.2), decaying(60, 0.1)])
@pytest.mark.parametrize("absent", [1, 3, 7])
def test_it_ends_whatever_the_number_of_rows(channel: Channel, absent: int, rows: float) -> None:
    """Shares on the boundary and within; up to 1e15 rows, the gap for each row is what doubles can tell."""
    size = len(channel.matrix)
    shares = np.where(np.arange(size) % absent == 0, 1.0, 0.0)
    released = shares / shares.sum() @ channel.matrix
    noise = np.random.default_rng(1).standard_normal(size) * np.sqrt(released / rows)
    found = likeliest(channel, np.rint(rows * np.maximum(released + noise, 0)))
    assert found.gap <= max(SHORT, SHORT_PER_ROW * rows * 1.001)
    assert found.rounds <= 20


def test_without_newton_steps_the_update_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def cycles(*_arguments: object) -> None:
        raise RuntimeError

    channel, counts = k_ary(4, 3.0), np.array([500.0, 300.0, 150.0, 50.0])
    best = likeliest(channel, counts)
    monkeypatch.setattr(shares, "nnls", cycles)
    found = likeliest(channel, counts)
    assert found.rounds > best.rounds
    assert found.unknowns == pytest.approx(best.unknowns, abs=0.01)
