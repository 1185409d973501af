"""`epsilon_per_release`: enough for the worst mechanism there is, and no more would be; the same from the command."""

import json
from fractions import Fraction
from math import comb, exp

import pytest
from command import run

import mechdesign as md
from mechdesign.release.composition import INDEPENDENT


def spent(epsilon: float, releases: int, total: float) -> float:
    """Return the delta of so many uses of randomised response, by the formula of Kairouz, Oh and Viswanath."""
    logs = [(epsilon * n, total + epsilon * (releases - n), comb(releases, n)) for n in range(releases + 1)]
    return sum(c * max(0.0, exp(over) - exp(under)) for over, under, c in logs) / (1 + exp(epsilon)) ** releases


@pytest.mark.parametrize(
    ("releases", "total", "delta"), [(2, 1, "0.3"), (12, 1, "0.01"), (52, 2, "1e-6"), (100, 1, "1e-3")]
)
def test_it_is_enough_and_hardly_more_would_be(releases: int, total: int, delta: str) -> None:
    each = float(md.epsilon_per_release(releases, epsilon=total, delta=delta))
    assert each > total / releases
    assert spent(each, releases, total) <= float(delta) < spent(1.02 * each, releases, total)


@pytest.mark.parametrize(
    ("releases", "total", "delta", "each"),
    [
        (12, 1, 0, "1/12"),
        (1, 2, "0.1", "2"),
        (3, 0, "0.1", "0"),
        (3, 90_000, "0.1", "30000"),
        (2, "1e-400", "0.1", "5e-401"),
    ],
)
def test_elsewhere_it_is_the_equal_share(releases: int, total: object, delta: object, each: str) -> None:
    assert md.epsilon_per_release(releases, epsilon=total, delta=delta) == Fraction(each)  # type: ignore[arg-type]


def test_the_command() -> None:
    line = ("compose", "--releases", "365", "--together", "1", "--delta", "1e-6")
    status, out, _ = run(*line)
    assert status == 0
    assert out.splitlines()[1].startswith("Each of 365 releases may have epsilon 0.012434 at delta 0: all together")
    found = json.loads(run(*line, "--json")[1])
    assert Fraction(found["epsilon_each_exact"]) == Fraction("0.012434")
    assert found["sentence"].endswith("if data are independent between releases, or profiles are single values.")
    assert [words.startswith(INDEPENDENT) for words in found["warnings"]] == [True]
    assert "epsilon 0.0833333 (rounded down)" in run("compose", "--releases", "12", "--together", "1").out
    for more in ((), ("--together", "1", "--epsilon", "1"), ("--together", "1", "--parallel")):
        status, _, error = run("compose", *more)
        assert (status, "MECHANISM: expected one or more" in error) == (2, True)
