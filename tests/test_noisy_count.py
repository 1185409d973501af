"""`count.release`: the law of its answers, what the posterior makes of them, how many are out of range; bad input."""

import math
import random
import secrets
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from scipy.integrate import quad
from scipy.stats import chisquare

import mechdesign as md
from mechdesign import InputError, count
from mechdesign.count import expected_out_of_range, least_out_of_range, most_out_of_range, out_of_range
from mechdesign.geometric import two_sided_geometric


@pytest.mark.slow
@pytest.mark.parametrize(("true", "epsilon"), [(0, "0.35"), (5, 1.0)])
def test_the_law_of_the_answers(true: int, epsilon: str | float) -> None:
    """Were the law right, this would fail once in a thousand million times."""
    runs, ratio = 6000, math.exp(-float(epsilon))
    drawn = Counter(count.release(true, 10, epsilon) - true for _ in range(runs))
    widest = next(k for k in range(100) if runs * ratio**k / (1 + ratio) < 20)
    inner = {z: (1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(1 - widest, widest)}
    seen = [drawn[z] for z in inner] + [sum(drawn[z] for z in drawn if s * z >= widest) for s in (1, -1)]
    expected = [runs * p for p in inner.values()] + [runs * ratio**widest / (1 + ratio)] * 2
    assert chisquare(seen, expected).pvalue > 1e-9


def test_the_posterior_of_the_answers_covers_the_truth_as_often_as_it_says() -> None:
    """The chain whole: counts of the prior, released, and 90 % intervals of the posterior."""
    generator, hits, runs = random.Random(1), 0, 400
    for seed in range(runs):
        true = sum(generator.random() < 0.3 for _ in range(50))
        answer = count.release(true, 50, "1/2", seed_not_for_release=seed)
        low, high = count.posterior(answer, 50, "0.3", "1/2", noise="geometric").interval(0.9)
        hits += low <= true <= high
    assert 0.86 < hits / runs < 0.99  # an interval of whole numbers holds 0.9 or more


def test_the_noise_is_that_of_the_exact_sampler_at_the_exact_epsilon() -> None:
    noise = two_sided_geometric(Fraction(1, 10), random.Random(5).randrange)
    for epsilon in (0.1, "0.1", "1/10", Fraction(1, 10)):
        assert count.release(30, 100, epsilon, seed_not_for_release=5) == 30 + noise


def test_without_a_seed_the_operating_system_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def noted(epsilon: Fraction, below: object) -> int:
        asked.extend((epsilon, below))
        return 7

    monkeypatch.setattr("mechdesign.count.noisy_count.two_sided_geometric", noted)
    assert count.release(3, 10, 1) == 10
    assert asked == [1, secrets.randbelow]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((11, 10, 1), r"count: expected a count in 0\.\.10, found a number"),
        ((-1, 10, 1), r"count: expected a count in 0\.\.10"),
        ((2.5, 10, 1), r"count: expected a count in 0\.\.10"),
        (("many", 10, 1), r"count: expected a count in 0\.\.10, found text"),
        ((1, 0, 1), "n: expected a positive integer"),
        ((1, 10, 0), "epsilon: expected a number > 0"),
        ((1, 10, -1), "epsilon: expected a number > 0"),
        ((1, 10, math.inf), "epsilon: expected a number > 0"),
        ((1, 10, 701), "epsilon: expected a number > 0"),
    ],
)
def test_bad_input(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(md.InputError, match=message):
        count.release(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 11])
@pytest.mark.parametrize("epsilon", [0.01, 0.3, 2.0])
@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_extremes_are_the_extremes(n: int, epsilon: float, noise: str) -> None:
    chances = [out_of_range(a, n, epsilon, noise=noise) for a in range(n + 1)]
    for extreme, (value, places) in (
        (max(chances), most_out_of_range(n, epsilon, noise=noise)),
        (min(chances), least_out_of_range(n, epsilon, noise=noise)),
    ):
        assert value == pytest.approx(extreme, rel=1e-14)
        everywhere = tuple(
            a for a, chance in enumerate(chances) if chance <= extreme * (1 + 1e-14) and chance >= extreme * (1 - 1e-14)
        )
        assert places == everywhere


def test_by_integration() -> None:
    a, n, epsilon = 3, 11, 0.4
    density = lambda z: epsilon / 2 * math.exp(-epsilon * abs(z))  # noqa: E731
    outside = quad(density, -200, -a)[0] + quad(density, n - a, 200)[0]
    assert out_of_range(a, n, epsilon) == pytest.approx(outside, rel=1e-7)


def test_geometric_by_summing() -> None:
    a, n, epsilon = 2, 5, 0.4
    outside = sum(math.tanh(epsilon / 2) * math.exp(-epsilon * abs(y - a)) for y in [*range(-200, 0), *range(6, 200)])
    assert out_of_range(a, n, epsilon, noise="geometric") == pytest.approx(outside, rel=1e-12)


@pytest.mark.parametrize("noise", ["laplace", "geometric"])
def test_on_average(noise: str) -> None:
    masses = [math.comb(12, k) * 0.25**k * 0.75 ** (12 - k) for k in range(13)]
    average = sum(w * out_of_range(k, 12, 0.2, noise=noise) for k, w in enumerate(masses))
    for prior in (0.25, masses):
        assert expected_out_of_range(12, prior, 0.2, noise=noise) == pytest.approx(average, rel=1e-12)


@pytest.mark.parametrize("a", [-1, 11, 2.5, "two", None, math.nan])
def test_bad_counts(a: Any) -> None:
    with pytest.raises(InputError, match=r"a: expected a count in 0\.\.10, found"):
        out_of_range(a, 10, 1)


def test_no_share_outside_of_what_is_no_count() -> None:
    for n, epsilon in ((0, 1), (2.5, 1), (10, 0), (10, math.nan)):
        for function in (most_out_of_range, least_out_of_range):
            with pytest.raises(InputError):
                function(n, epsilon)  # type: ignore[arg-type]
