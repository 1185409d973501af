"""The exact errors of every estimate: against theory.md, against integrals done differently, against simulation."""

import math
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from decimally import exact_better, exact_median_errors
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from mechdesign import InputError
from mechdesign.count import Beta, Errors, errors, least_error, posterior_mean, posterior_median, simulated_errors
from mechdesign.count.laws import masses_of
from mechdesign.count.prior import prior_of
from mechdesign.count.quadrature import kinks
from mechdesign.count.table import Table


def better(n: int, p: float, epsilon: float) -> float:
    """Return P(|B(y) - K| < |y - K|) count by count, from the sign changes of |y - k| - |B(y) - k| on a grid."""
    reach, total = math.ceil(40 / epsilon), 0.0
    near = np.geomspace(1e-12, 0.01, 400)  # for large epsilon they come in pairs close to whole numbers
    unit = np.union1d(np.linspace(0, 1, 401)[1:], np.concatenate((near, 1 - near)))
    grid = (np.arange(-reach, reach)[:, None] + unit).ravel()
    for k in range(n + 1):
        if binom.pmf(k, n, p) > 1e-14:
            y = k + grid
            nearer = np.abs(y - k) > np.abs(posterior_mean(y, n, p, epsilon) - k)
            changes = np.flatnonzero(nearer[:-1] != nearer[1:])
            low, high = y[changes], y[changes + 1]
            for _ in range(45):
                middle = (low + high) / 2
                same = (np.abs(middle - k) > np.abs(posterior_mean(middle, n, p, epsilon) - k)) == nearer[changes]
                low, high = np.where(same, middle, low), np.where(same, high, middle)
            ends = np.concatenate(([-np.inf], high - k, [np.inf]))
            up_to = np.where(ends < 0, np.exp(-epsilon * np.abs(ends)) / 2, 1 - np.exp(-epsilon * np.abs(ends)) / 2)
            which = np.concatenate((nearer[changes], nearer[-1:]))
            total += float(binom.pmf(k, n, p) * np.diff(up_to)[which].sum())
    return total


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p", "epsilon"), [(1, 0.3, 1.0), (12, 0.1, 0.5), (20, 0.4, 18.0)])
def test_probability_another_way(n: int, p: float, epsilon: float) -> None:
    assert errors(n, p, epsilon).probability_better == pytest.approx(better(n, p, epsilon), abs=1e-10)


def test_where_four_zeros_lie_close_together() -> None:
    """Those of B(y) - y near 300: by the midpoint rule, which looks for none of them."""
    n, p, epsilon = 1000, 0.3, 2.0
    h = 2e-4
    total = 0.0
    for m in range(220, 380):
        y = m + (np.arange(5_000) + 0.5) * h
        k = np.arange(m - 9, m + 11)[:, None]
        nearer = np.abs(posterior_mean(y, n, p, epsilon) - k) < np.abs(y - k)
        total += float((binom.pmf(k, n, p) * epsilon / 2 * np.exp(-epsilon * np.abs(y - k)) * nearer).sum() * h)
    assert total == pytest.approx(errors(n, p, epsilon).probability_better, abs=6e-6)


PRIORS = [
    (4, 0.3, 0.2),
    (4, [0.5, 0.0, 0.0, 0.25, 0.25], 0.7),
    (6, Beta(0.5, 2), 1.5),
    (3, 0.999, 5.0),
    (2, 0.5, 20.0),
]


@pytest.mark.parametrize(("n", "p", "epsilon"), PRIORS)
def test_integrals_another_way(n: int, p: Any, epsilon: float) -> None:
    """Every error as an integral of its definition, count by count."""
    prior = prior_of(n, p)
    x, log_ratios = prior.window(-1, n + 1, epsilon)
    masses = masses_of(log_ratios)
    far = n + 35 / epsilon
    steps = np.arange(-far, far, min(0.5, 0.5 / epsilon))
    breaks = np.union1d(kinks(Table(epsilon, *prior.window(-far, far, epsilon)), -far, far), steps)
    places, weights = np.polynomial.legendre.leggauss(7)
    halves = np.diff(breaks)[:, None] / 2
    y = (breaks[:-1, None] + halves * (1 + places)).ravel()
    density = (halves * weights).reshape(-1, 1) * epsilon / 2 * np.exp(-epsilon * np.abs(y[:, None] - x)) * masses

    def average(estimate: Any, power: int) -> float:
        return float((density * np.abs(estimate(y)[:, None] - x) ** power).sum())

    estimates = {
        "naive": lambda y: y,
        "clipped": lambda y: np.clip(y, 0, n),
        "mean": lambda y: posterior_mean(y, n, p, epsilon),
        "median": lambda y: posterior_median(y, n, p, epsilon),
        "constant": lambda y: 0 * y + prior.mean,
    }
    found = errors(n, p, epsilon)
    for name, estimate in estimates.items():
        for power, kind in ((1, found.absolute), (2, found.squared)):
            assert asdict(kind)[name] == pytest.approx(average(estimate, power), rel=1e-8), (name, power)


@pytest.mark.parametrize("epsilon", [0.05, 0.9, 6.0])
def test_geometric_by_summing(epsilon: float) -> None:
    n, p = 9, 0.35
    k, masses = np.arange(n + 1), binom.pmf(np.arange(n + 1), n, p)
    y = np.arange(-math.ceil(45 / epsilon), n + math.ceil(45 / epsilon) + 1)[:, None]
    weights = masses * math.tanh(epsilon / 2) * np.exp(-epsilon * np.abs(y - k))
    after = weights / weights.sum(axis=1, keepdims=True)
    mean = (after @ k)[:, None]
    median = (np.cumsum(after, axis=1) < 0.5).sum(axis=1)[:, None]
    found = errors(n, p, epsilon, noise="geometric")
    estimates = {"naive": y, "clipped": np.clip(y, 0, n), "mean": mean, "median": median, "constant": n * p + 0 * y}
    for name, estimate in estimates.items():
        assert asdict(found.absolute)[name] == pytest.approx((weights * np.abs(estimate - k)).sum(), rel=1e-9)
        assert asdict(found.squared)[name] == pytest.approx((weights * (estimate - k) ** 2).sum(), rel=1e-9)
    assert found.probability_better == pytest.approx((weights * (np.abs(mean - k) < np.abs(y - k))).sum(), rel=1e-9)
    assert found.optimal == pytest.approx(found.absolute.median, rel=1e-14)


@pytest.mark.parametrize(
    "weights",
    [
        [math.comb(4, k) for k in range(5)],
        [math.comb(60, k) for k in range(61)],
        [1] * 61,
        [1, 2] * 25,
        [1, 2, 2] * 17,
        [1] * 20 + [3] * 20,
        [1, 0, 0] * 12 + [1],
        [2, 0, 1, 0, 2],
        [5, 1, 0, 0, 1, 5, 3],
    ],
)
@pytest.mark.parametrize("epsilon", [0.5, 2.0, 5.0])
def test_sides_of_nearly_symmetric_laws(weights: list[int], epsilon: float) -> None:
    """Laws that are symmetric, or nearly so: B(y) is taken for y, as documented."""
    n, masses = len(weights) - 1, [weight / sum(weights) for weight in weights]
    exact = pytest.approx(exact_better(weights, epsilon), abs=1e-14)
    assert errors(n, masses, epsilon, noise="geometric").probability_better == exact
    if weights == [1] * (n + 1):
        assert errors(n, Beta(1, 1), epsilon, noise="geometric").probability_better == exact
    if weights == [math.comb(n, k) for k in range(n + 1)]:
        assert errors(n, 0.5, epsilon, noise="geometric").probability_better == exact


def test_a_triple_zero() -> None:
    """B(y) - y touches 0 at 1/2 as it crosses it."""
    mean = 1 / (1 + math.exp(2))
    assert errors(1, 0.5, 2).probability_better == pytest.approx((math.exp(-1) + math.exp(-2 * mean)) / 2, abs=1e-14)


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
@pytest.mark.parametrize(
    ("n", "p", "epsilon"),
    [
        (4, 0.5, 1.0),
        (100, Beta(1, 1), 1.0),
        (1, 0.5, 0.5),
        (100, 0.01, 0.1),
        (1000, 0.3, 3.0),
        (50, Beta(2, 5), 0.3),
        (2, [0.25, 0.0, 0.75], 1.0),
    ],
)
def test_simulation_agrees(n: int, p: Any, epsilon: float, noise: str) -> None:
    found = _flat(errors(n, p, epsilon, noise=noise))
    simulation = simulated_errors(n, p, epsilon, runs=20_000, seed=5, noise=noise)
    simulated, allowed = _flat(simulation.found), _flat(simulation.standard_errors)
    for name, value in found.items():
        assert abs(value - simulated[name]) <= 4.5 * allowed[name] + 1e-9, name


def _flat(found: Errors) -> dict[str, float]:
    numbers = {"optimal": found.optimal, "better": found.probability_better}
    squared = {f"{name}^2": value for name, value in asdict(found.squared).items()}
    return numbers | asdict(found.absolute) | squared


SMALL = st.floats(-285, math.log10(0.5)).map(lambda power: Fraction(repr(10**power)))
CHANCES = st.tuples(SMALL, st.booleans()).map(lambda drawn: 1 - drawn[0] if drawn[1] else drawn[0])
LEVELS = st.floats(-3, 2.8).map(lambda power: 10**power)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(1, 6), CHANCES, LEVELS)
def test_errors_far_below_one_count(n: int, p: Fraction, epsilon: float) -> None:
    """Of p within 1e-285 of 0 or 1, and for noise that hardly ever changes the count: each to its own last digits."""
    laplace, geometric = exact_median_errors(n, p, epsilon)
    found = errors(n, p, epsilon)
    assert found.absolute.median == pytest.approx(laplace, rel=1e-11, abs=1e-297)
    assert found.optimal == pytest.approx(geometric, rel=1e-11, abs=1e-297)


@pytest.mark.slow
@settings(max_examples=35)
@given(st.integers(1, 200), CHANCES, LEVELS)
def test_the_ladder_for_any_chance(n: int, p: Fraction, epsilon: float) -> None:
    found, slack = errors(n, p, epsilon), 1 + 1e-10
    absolute, squared = found.absolute, found.squared
    assert absolute.naive * slack >= absolute.clipped
    assert min(absolute.clipped, absolute.mean, absolute.constant) * slack >= absolute.median
    assert absolute.median * slack >= found.optimal > 0
    assert min(asdict(squared).values()) * slack >= squared.mean
    assert squared.constant == pytest.approx(float(n * p * (1 - p)), rel=1e-10)


@pytest.mark.parametrize("p", [0, 1])
def test_known_count(p: int) -> None:
    found = errors(10, p, 0.5)
    zero = (found.absolute.mean, found.absolute.median, found.absolute.constant, found.squared.mean, found.optimal)
    assert zero == (0, 0, 0, 0, 0)
    assert found.probability_better == pytest.approx(1, abs=1e-14)
    assert found.absolute.naive == 2
    assert found.absolute.clipped == pytest.approx(1 - math.exp(-5), rel=1e-12)


@pytest.mark.slow
def test_a_million_records() -> None:
    found = errors(10**6, 0.3, 0.1)
    assert found.absolute.naive > found.absolute.mean > found.absolute.median > found.optimal > 9.9
    assert found.squared.constant == pytest.approx(210_000, rel=1e-10)
    small = errors(10**6, 0.3, 1e-4)
    assert small.absolute.mean == pytest.approx(small.absolute.constant, rel=1e-2)


def test_flat_prior() -> None:
    """theory.md ERR-0.8: with no prior information, P(better) = 1 / (1 + e^{-epsilon/2})."""
    assert errors(10**5, 0.5, 4.0).probability_better == pytest.approx(1 / (1 + math.exp(-2)), abs=1e-3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"runs": 1}, "runs: expected an integer from 2 to 10,000,000, found 1"),
        ({"runs": 10**10}, "runs: expected an integer from 2 to 10,000,000, found 10000000000"),
        ({"runs": 2.5}, "runs: expected"),
        ({"seed": -1}, "seed: expected an integer >= 0"),
    ],
)
def test_bad_simulations(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        simulated_errors(10, 0.5, 1, **arguments)


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
@pytest.mark.parametrize("epsilon", [1e-12, 1e-15, 1e-17, 1e-70])
def test_hardly_an_answer(epsilon: float, noise: str) -> None:
    """For epsilon = 0 the clipped answer is 0 or n."""
    for n, prior, square in ((10, 0.3, (2.1 + 9 + 2.1 + 49) / 2), (10, Beta(1, 1), 35), (1, [0.5, 0.5], 0.5)):
        found = errors(n, prior, epsilon, noise=noise)
        assert found.absolute.clipped == pytest.approx(n / 2, rel=1e-10)
        assert found.squared.clipped == pytest.approx(square, rel=1e-10)
        assert found.absolute.mean == pytest.approx(found.absolute.constant, rel=1e-10)
        assert found.probability_better == pytest.approx(1, rel=1e-10)
    simulated = simulated_errors(10, 0.3, epsilon, runs=2000, noise=noise)
    assert simulated.found.probability_better == 1
    for name, power in (("absolute", 1), ("squared", 2)):
        naive, error = (
            getattr(part, name).naive * epsilon**power for part in (simulated.found, simulated.standard_errors)
        )
        assert abs(naive - power) < 4.5 * error


@pytest.mark.parametrize("epsilon", [1e-71, "1e-300", 5e-324])
def test_less_than_an_answer(epsilon: Any) -> None:
    for function in (errors, least_error, simulated_errors):
        with pytest.raises(InputError, match="at least 1e-70 and at most 700, found"):
            function(10, 0.3, epsilon)


@pytest.mark.parametrize(
    ("n", "prior", "epsilon", "words"),
    [
        (10**9 + 1, 0.5, 1, "at most 1000000000 records for errors at epsilon 1, found 1000000001"),
        (10**12, 0.5, 1e-4, "at most 1000000000 records"),
        (10**6, 0.5, 700, "at most 204081 records for errors at epsilon 700, found 1000000"),
        (
            10**6,
            Beta(1, 1),
            1,
            "at most 500000 records for errors at epsilon 1 with a prior that is not binomial, found",
        ),
        (10**5, Beta(1, 1), 100, "at most 50000 records"),
        (10**12 + 1, 0, 1, "at most 1000000000000 records, found 1000000000001"),
    ],
)
def test_too_many_records(n: int, prior: Any, epsilon: float, words: str) -> None:
    for function in (errors, least_error, simulated_errors):
        with pytest.raises(InputError, match=f"n: expected {words}"):
            function(n, prior, epsilon)


def test_a_known_count_of_many() -> None:
    assert errors(10**9, 0, 0.5).optimal == 0


def test_bad_input() -> None:
    for n, p, epsilon in ((0, 0.5, 1), (10, 2, 1), (10, 0.5, 0), (10, 0.5, math.nan)):
        with pytest.raises(InputError):
            errors(n, p, epsilon)
        with pytest.raises(InputError):
            least_error(n, p, epsilon)
