"""The best mechanism on a grid: it is private for the rounded query, and Laplace noise is no better."""

import math
import random
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from test_audit_query import DEFINED

from mechdesign import InputError, certify
from mechdesign.audit import QUERIES, best_on_grid


@pytest.mark.parametrize(("query", "points"), [("mean", 9), ("sum", 7), ("max", 6), ("median", 8), ("variance", 7)])
def test_better_than_laplace(query: str, points: int) -> None:
    best = best_on_grid(query, n=4, bounds=(1, 3), epsilon="1/2", points=points)
    assert best.bound <= best.error < best.clamped < best.laplace
    assert best.laplace == QUERIES[query].global_sensitivity(4, Fraction(2)) * 2
    assert certify(best.design.mechanism, best.design.graph, epsilon="1/2").private


@pytest.mark.parametrize(("points", "fits"), [(4, False), (6, False), (7, True), (8, False), (13, True)])
def test_a_step_that_divides_the_sensitivity(points: int, fits: bool) -> None:
    best = best_on_grid("mean", n=6, bounds=(0, 12), epsilon=1, points=points)
    assert (best.step, best.sensitivity) == (Fraction(12, points - 1), Fraction(2))
    assert best.fitting == list(range(7, 102, 6))
    assert (points in best.fitting) == (best.reach * best.step == best.sensitivity) == fits


@pytest.mark.parametrize("query", ["mean", "sum", "median", "variance", "min"])
def test_neighbours_round_to_values_within_reach(query: str) -> None:
    rng = random.Random(3)
    best = best_on_grid(query, n=4, bounds=(0, 1), epsilon=1, points=8)
    low, step = best.values[0], best.values[1] - best.values[0]
    for _ in range(300):
        database = [Fraction(rng.choice((0, 1, rng.random()))) for _ in range(4)]
        answers = DEFINED[query](database), DEFINED[query]([*database[:3], Fraction(rng.choice((0, 1, rng.random())))])
        first, second = (math.floor((answer - low) / step + Fraction(1, 2)) for answer in answers)
        assert abs(first - second) <= best.reach
        assert {first, second} <= set(range(8))


def test_errors_over_all_answers() -> None:
    best = best_on_grid("mean", n=3, bounds=(0, 3), epsilon=1, points=5)
    values = np.array([float(value) for value in best.values])
    answers = (np.arange(300_000) + 0.5) / 100_000  # evenly over [0, 3]
    place = np.floor(answers / 0.75 + 0.5).astype(int)
    released = np.array([best.design.mechanism.matrix(label)[i] for i, label in enumerate(best.design.graph)])
    moved = (released[place] * np.abs(values - answers[:, None])).sum(axis=1)
    assert float(best.rounded) == pytest.approx(moved.mean(), rel=1e-9)


def test_clamped_error_is_that_of_clamped_draws() -> None:
    best = best_on_grid("mean", n=3, bounds=(0, 3), epsilon=1, points=4)
    values = np.array([float(value) for value in best.values])
    noise = np.random.default_rng(1).laplace(scale=float(best.laplace), size=(400_000, 1))
    errors = np.abs(np.clip(values + noise, 0, 3) - values).mean(axis=1)
    assert abs(errors.mean() - best.clamped) < 5 * errors.std() / math.sqrt(len(errors))
    anywhere = np.random.default_rng(2).uniform(0, 3, size=noise.shape)
    errors = np.abs(np.clip(anywhere + noise, 0, 3) - anywhere)
    assert abs(errors.mean() - best.clamped_anywhere) < 5 * errors.std() / math.sqrt(len(errors))


@pytest.mark.parametrize("epsilon", [1e-100, 1e-17, 1e-12, 1e-6, 0.01, 0.2499, 0.25, 0.2501, 1, 40, 1e100])
def test_clamped_error_of_wide_and_narrow_noise(epsilon: float) -> None:
    best = best_on_grid("mean", n=4, bounds=(0, 8), epsilon=epsilon, points=2)
    with localcontext(Context(prec=400)):
        scale = Decimal(2) / Decimal(epsilon)
        width, kept = 8 / scale, (-8 / scale).exp()
        assert best.clamped == pytest.approx(float(scale * (1 - kept) / 2), rel=1e-14, abs=0)
        assert best.clamped_anywhere == pytest.approx(float(scale * (1 - (1 - kept) / width)), rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"query": "count"}, "query"),
        ({"query": "mode"}, "query"),
        ({"n": 2}, "n: expected an integer, at least 3"),
        ({"n": 3.5}, "n: expected"),
        ({"n": 10**400}, "n: expected .* at most 1e100"),
        ({"bounds": (1, 0)}, "bounds"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": "inf"}, "epsilon"),
        ({"epsilon": "1e-400"}, "epsilon"),
        ({"points": 1}, "points"),
        ({"points": 102}, "points"),
        ({"points": True}, "points"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"query": "mean", "n": 4, "bounds": (0, 1), "epsilon": 1, "points": 3} | options
    with pytest.raises(InputError, match=message):
        best_on_grid(**arguments)
