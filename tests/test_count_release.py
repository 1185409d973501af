"""`count.release`: the law of its answers, what the posterior makes of them, and bad input."""

import math
import random
import secrets
from collections import Counter
from fractions import Fraction

import pytest
from scipy.stats import chisquare

import mechdesign as md
from mechdesign import count
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
