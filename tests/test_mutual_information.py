"""Mutual information: rate-distortion in closed form, and scipy where privacy binds."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from mechdesign import InputError, MutualInformation, SolverError, WorstLoss, design, profile_graph, read_graph
from mechdesign.arrays import Floats

CHAIN = read_graph("categorical-chain")


@pytest.mark.parametrize(("k", "loss"), [(2, "0.11"), (4, "0.3"), (5, "0.8")])
def test_rate_distortion_of_k_like_values(k: int, loss: str) -> None:
    """ln k - h(D) - D ln(k - 1) for D <= 1 - 1/k."""
    graph = profile_graph({"all": [f"1/{k}"] * k}, edges=[], categories=range(k))
    result = design(graph, epsilon=1, objective=MutualInformation(loss))
    D = float(loss)
    expected = math.log(k) + D * math.log(D) + (1 - D) * math.log(1 - D) - D * math.log(k - 1)
    assert float(result.value) == pytest.approx(expected, abs=1e-8)
    assert float(result.bound) == pytest.approx(expected, abs=1e-8)
    assert result.bound_by == "solver"
    assert float(WorstLoss().costs(result.mechanism)[0]) <= D + 1e-9


def test_two_by_two_where_privacy_binds() -> None:
    P = np.array([[0.3, 0.7], [0.8, 0.2]])
    graph = profile_graph(dict(enumerate([["0.3", "0.7"], ["0.8", "0.2"]])), edges=[(0, 1)], categories=["no", "yes"])

    def matrices(z: Floats) -> Floats:
        return np.array([[[1 - z[0], z[0]], [z[1], 1 - z[1]]], [[1 - z[2], z[2]], [z[3], 1 - z[3]]]])

    def said(z: Floats) -> float:
        joint = P[:, :, None] * matrices(z)
        return float((joint * np.log(joint / (P[:, :, None] * joint.sum(axis=1, keepdims=True)))).sum() / 2)

    def room(z: Floats) -> Floats:
        q = np.einsum("ix,ixy->iy", P, matrices(z))
        losses = np.array([P[0] @ z[:2], P[1] @ z[2:]])
        return np.concatenate([math.exp(0.5) * q[0] - q[1], math.exp(0.5) * q[1] - q[0], 0.3 - losses])

    bounds = [(1e-9, 1 - 1e-9)] * 4
    starts = np.random.default_rng(2).uniform(0.05, 0.5, (6, 4))
    rule: Any = {"type": "ineq", "fun": room}
    found = [minimize(said, one, bounds=bounds, constraints=rule, options={"ftol": 1e-12}) for one in starts]
    best = min(float(one.fun) for one in found if room(one.x).min() >= -1e-8)
    result = design(graph, epsilon="1/2", objective=MutualInformation("0.3"))
    assert float(result.value) == pytest.approx(best, abs=1e-6)


def test_categories_that_a_profile_never_has_are_kept() -> None:
    graph = profile_graph({"a": ["1/2", "1/2", 0]}, edges=[], categories=["x", "y", "z"])
    assert design(graph, epsilon=1, objective=MutualInformation("0.1")).mechanism.row("a", "z")[2] == 1


def test_another_loss() -> None:
    least = design(CHAIN, epsilon=1, objective=WorstLoss("absolute"))
    result = design(CHAIN, epsilon=1, objective=MutualInformation("0.2", lambda x, y: abs(int(x) - int(y))))
    losses = WorstLoss("absolute").costs(result.mechanism)
    assert max(map(float, losses)) <= 0.2 + 1e-9
    assert result.value < MutualInformation(1).value(least.mechanism)
    assert MutualInformation(1, "absolute").needs_order()
    assert not MutualInformation(1).needs_order()


def test_more_than_can_be_had() -> None:
    with pytest.raises(SolverError, match="no private mechanism meets the constraints"):
        design(CHAIN, epsilon="1/10", objective=MutualInformation("0.01"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MutualInformation("little"), "MutualInformation: at_most: expected a number such as"),
        (lambda: MutualInformation(1, "hammer"), 'loss: expected "hamming", .*, a table or a function, found'),
        (
            lambda: design(CHAIN, epsilon=1, objective=MutualInformation(1, [[0, 1]] * 4)),
            "expected one output for each category, 4, found a loss of 2 columns",
        ),
    ],
)
def test_refused(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make()
