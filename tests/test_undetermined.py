"""Bounds of what is not determined: boxes that hold, linear programs with closed forms, whatever the solver says."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from mechdesign.arrays import Floats
from mechdesign.release import undetermined
from mechdesign.release.channels import Channel
from mechdesign.release.undetermined import ALPHA, bounds, chernoff, clopper_pearson, largest_above

BLIND = Channel(np.array([[0.8, 0.2], [0.3, 0.7], [0.3, 0.7]]), np.arange(3))


def box(low: list[float], high: list[float]) -> tuple[Floats, Floats]:
    return np.array(low), np.array(high)


@pytest.mark.parametrize("counts", [[0, 10, 30], [200, 0, 0], [1, 1, 998]])
def test_clopper_and_pearson(counts: list[int]) -> None:
    """As scipy has it, at a third of 5 %."""
    low, high = clopper_pearson(np.array(counts, dtype=np.float64))
    for count, *ends in zip(counts, low, high, strict=True):
        wanted = binomtest(count, sum(counts)).proportion_ci(1 - ALPHA / len(counts), method="exact")
        assert ends == pytest.approx([wanted.low, wanted.high], abs=1e-9)


def test_boxes_hold_what_is_true() -> None:
    rng = np.random.default_rng(3)
    shares = np.array([0.7, 0.25, 0.05, 0.0])
    counts = rng.multinomial(200, shares, 4_000).astype(np.float64)
    for boxes in (clopper_pearson, chernoff):
        low, high = boxes(counts)
        assert ((low <= shares) & (shares <= high)).all(axis=1).mean() >= 0.95


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=2, max_size=5),
    st.lists(st.integers(0, 9), min_size=5, max_size=5),
    st.integers(0, 40),
)
def test_whatever_fits_lies_within(rows: list[list[int]], weights: list[int], width: int) -> None:
    matrix = np.array(rows, dtype=np.float64) + 0.5
    channel = Channel(matrix / matrix.sum(axis=1, keepdims=True), np.arange(len(matrix)))
    true = (np.array(weights[: len(matrix)]) + 1e-3) / (np.array(weights[: len(matrix)]) + 1e-3).sum()
    released = true @ channel.matrix
    here = np.maximum(released - width / 100, 0), np.minimum(released + width / 100 + 1e-9, 1)
    for x, share in enumerate(true):
        found = bounds(channel, here, x)
        assert found.low - 1e-9 <= share <= found.high + 1e-9


@pytest.mark.parametrize("multipliers", [[0.0, 0.0], [-1.0, 0.5], [7.0, -3.0]])
def test_a_solver_that_is_wrong_cannot_make_it_too_narrow(
    monkeypatch: pytest.MonkeyPatch, multipliers: list[float]
) -> None:
    wanted, here = np.array([0.0, 1.0, 0.0]), box([0.5, 0.4], [0.6, 0.5])
    true = largest_above(BLIND.matrix, here, wanted)

    def wrong(*_arguments: Any, **_options: Any) -> SimpleNamespace:
        marginals = np.concatenate([np.minimum(multipliers, 0), -np.maximum(multipliers, 0)])
        return SimpleNamespace(status=0, ineqlin=SimpleNamespace(marginals=marginals))

    monkeypatch.setattr(undetermined, "linprog", wrong)
    found = largest_above(BLIND.matrix, here, wanted)
    assert found is not None
    assert true is not None
    assert found >= true - 1e-12


def test_a_solver_that_gives_up_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undetermined, "linprog", lambda *_a, **_o: SimpleNamespace(status=4))
    assert largest_above(BLIND.matrix, box([0.5, 0.4], [0.6, 0.5]), np.array([0.0, 1.0, 0.0])) == 1.0
