"""The left inverse: unbiased in exact arithmetic, of least variance, and it says what is not determined."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.release.channels import LARGEST_BIAS, Channel, channel_of
from mechdesign.release.intervals import spread

F = Fraction


@st.composite
def rows_of(draw: st.DrawFn) -> list[list[Fraction]]:
    """Exact rows, as many outputs as categories or more."""
    categories = draw(st.integers(1, 4))
    outputs = draw(st.integers(categories, 6))
    weights = draw(
        st.lists(
            st.lists(st.integers(0, 9), min_size=outputs, max_size=outputs), min_size=categories, max_size=categories
        )
    )
    own = draw(st.integers(1, 30))
    for x, row in enumerate(weights):
        row[x] += own
    return [[F(weight, sum(row)) for weight in row] for row in weights]


@given(rows_of(), st.data())
def test_unbiased_in_exact_arithmetic(rows: list[list[Fraction]], data: st.DataObject) -> None:
    """The mean of the estimate is the share, whatever the shares: off by no more than the coefficients' rounding."""
    channel = Channel(np.array(rows, dtype=np.float64), np.arange(len(rows)))
    weights = data.draw(st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows)).filter(any))
    shares = [F(weight, sum(weights)) for weight in weights]
    released = [
        sum((share * row[y] for share, row in zip(shares, rows, strict=True)), F(0)) for y in range(len(rows[0]))
    ]
    for x in np.flatnonzero(channel.determined):
        mean = sum((mass * F(float(c)) for mass, c in zip(released, channel.coefficients[:, x], strict=True)), F(0))
        assert abs(mean - shares[x]) <= 2 * LARGEST_BIAS
    if exact_rank(rows) < len(rows):
        assert not channel.determined.all()


def exact_rank(rows: list[list[Fraction]]) -> int:
    left, rank = [list(row) for row in rows], 0
    for y in range(len(rows[0])):
        pivot = next((i for i in range(rank, len(left)) if left[i][y]), None)
        if pivot is None:
            continue
        left[rank], left[pivot] = left[pivot], left[rank]
        for i in range(rank + 1, len(left)):
            factor = left[i][y] / left[rank][y]
            left[i] = [a - factor * b for a, b in zip(left[i], left[rank], strict=True)]
        rank += 1
    return rank


@given(rows_of(), st.lists(st.integers(-5, 5), min_size=6, max_size=6))
def test_no_other_left_inverse_has_less_variance(rows: list[list[Fraction]], step: list[int]) -> None:
    """Under equally frequent rows; every other differs by what the matrix maps to 0."""
    matrix = np.array(rows, dtype=np.float64)
    channel = Channel(matrix, np.arange(len(rows)))
    if not channel.determined.all():
        return
    mean = matrix.mean(axis=0)
    nothing = np.array(step[: matrix.shape[1]], dtype=np.float64)
    nothing = nothing - channel.coefficients @ (matrix @ nothing)
    assert matrix @ nothing == pytest.approx(np.zeros(len(rows)), abs=1e-6)
    for c in channel.coefficients.T:
        assert mean @ c**2 <= mean @ (c + nothing) ** 2 + 1e-6 * (1 + mean @ c**2)


def test_a_mix_is_determined_where_one_estimator_serves_all() -> None:
    """Two profiles with different rows; the third output alone tells of the third category, for both."""
    matrices: dict[str, Any] = {
        "a": [["3/4", "1/4", 0], ["1/4", "3/4", 0], [0, 0, 1]],
        "b": [["1/2", "1/2", 0], ["1/2", "1/2", 0], [0, 0, 1]],
    }
    graph = md.profile_graph({name: ["1/3", "1/3", "1/3"] for name in matrices}, edges=[], categories=["x", "y", "z"])
    weights = np.array([[int(F(p) * 4) for p in row] for rows in matrices.values() for row in rows], dtype=object)
    mechanism = md.Mechanism(graph, ("x", "y", "z"), weights, np.arange(6).reshape(2, 3))
    mix = channel_of(mechanism)
    assert mix.categories == 3
    assert mix.determined.tolist() == [False, False, True]


def test_variances_against_all_outcomes() -> None:
    """Of one row: the population's variance is that over categories and noise; that of the noise alone is less."""
    matrix = np.array([[0.75, 0.25], [0.25, 0.75]])
    channel = Channel(matrix, np.arange(2))
    shares = np.array([0.9, 0.1])
    c = channel.coefficients[:, 0]
    whole = shares @ matrix @ c**2 - 0.9**2
    noise = sum(share * (row @ c**2 - (row @ c) ** 2) for share, row in zip(shares, matrix, strict=True))
    assert spread(channel, shares @ matrix, these_rows=False)[0] == pytest.approx(whole)
    assert spread(channel, shares @ matrix, these_rows=True)[0] == pytest.approx(noise)
    assert whole == pytest.approx(noise + 0.9 * 0.1)
