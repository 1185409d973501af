"""How often a noisy count is out of range: [ND] (2), Theorem 1, and ERR-0.1."""

import math
from typing import Any

import pytest
from scipy.integrate import quad

from mechdesign import InputError
from mechdesign.count import expected_out_of_range, least_out_of_range, most_out_of_range, out_of_range


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


def test_bad_input() -> None:
    for n, epsilon in ((0, 1), (2.5, 1), (10, 0), (10, math.nan)):
        for function in (most_out_of_range, least_out_of_range):
            with pytest.raises(InputError):
                function(n, epsilon)  # type: ignore[arg-type]
