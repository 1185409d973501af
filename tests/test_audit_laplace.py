"""The divergence of two Laplace laws, against its definition in decimals of many digits."""

import itertools
import math
import random
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from typing import TypeAlias

import numpy as np
import pytest

from mechdesign import InputError
from mechdesign.audit import laplace_delta, laplace_epsilon, laplace_log_tail, laplace_quantile

Case: TypeAlias = tuple[float, float, float, float, float]
PRECISE = Context(prec=120, Emax=MAX_EMAX, Emin=MIN_EMIN)
CLAIMS = (13.312333333333333, 1.4946149425287356), (10.323103448275862, 0.05773399014778325)


def defined(case: Case) -> Decimal:
    """Return int (P - e^epsilon Q)^+, by masses of the intervals between kinks and crossings."""
    with localcontext(PRECISE):
        mu1, b1, mu2, b2, epsilon = map(Decimal, case)
        ratio = epsilon.exp()

        def log_ratio(y: Decimal) -> Decimal:
            return (b2 / b1).ln() - abs(y - mu1) / b1 + abs(y - mu2) / b2

        cuts = {mu1, mu2}
        for side1, side2 in itertools.product((1, -1), repeat=2):
            if slope := side2 / b2 - side1 / b1:
                cuts.add((epsilon - (b2 / b1).ln() - side1 * mu1 / b1 + side2 * mu2 / b2) / slope)
        ends = [Decimal("-inf"), *sorted(cuts), Decimal("inf")]
        total = Decimal(0)
        for low, high in itertools.pairwise(ends):
            inside = high - b1 if low.is_infinite() else low + b1 if high.is_infinite() else (low + high) / 2
            if log_ratio(inside) > epsilon:
                total += _mass(low, high, mu1, b1) - ratio * _mass(low, high, mu2, b2)
        return total


def _mass(low: Decimal, high: Decimal, mu: Decimal, b: Decimal) -> Decimal:
    if low < mu < high:
        return 1 - _tail(mu - low, b) - _tail(high - mu, b)
    near, far = sorted((abs(low - mu), abs(high - mu)))
    return _tail(near, b) - _tail(far, b)


def _tail(distance: Decimal, b: Decimal) -> Decimal:
    return Decimal(0) if distance.is_infinite() else (-distance / b).exp() / 2


def cases() -> Iterator[Case]:
    """Scales equal, nearly equal, and of any ratio; shifts and epsilons of any size; shifts just at the threshold."""
    rng = random.Random(4)
    for _ in range(400):
        b1 = 10 ** rng.choice((-300, -6, 0, 6, 290)) * rng.uniform(1, 9)
        b2 = b1 * rng.choice((1, 1 + rng.choice((-1, 1)) * 10 ** rng.uniform(-15, -1), 10 ** rng.uniform(-8, 8)))
        d = rng.choice((b1, b2)) * rng.choice((0, 10 ** rng.uniform(-17, 3)))
        mu2 = rng.choice((0.0, rng.gauss(0, d)))
        mu1 = mu2 + rng.choice((-1, 1)) * d
        at = abs(mu1 - mu2) / b2
        yield (
            mu1,
            b1,
            mu2,
            b2,
            rng.choice((0.0, 10 ** rng.uniform(-20, 2.5), rng.uniform(0, 4), at if at < 700 else 1.0)),
        )


@pytest.mark.slow
def test_definition() -> None:
    for case in cases():
        true, found = defined(case), float(laplace_delta(*case))
        assert abs(Decimal(found) - true) <= Decimal("1e-15") * (1 + Decimal(case[4])), case
        if true > Decimal("1e-300"):  # relative, but for the last digits of a margin that cancels
            assert abs(Decimal(found) / true - 1) < Decimal("1e-11"), case


def test_largest_log_ratio() -> None:
    whole, rest = CLAIMS
    assert laplace_epsilon(*whole, *rest) == math.inf
    assert round(float(laplace_epsilon(*rest, *whole)), 6) == 5.253778
    assert laplace_delta(*rest, *whole, laplace_epsilon(*rest, *whole)) < 1e-15
    assert laplace_delta(*rest, *whole, laplace_epsilon(*rest, *whole) * (1 - 1e-6)) > 0


@pytest.mark.parametrize("epsilon", [0, 1, math.inf])
def test_point_masses(epsilon: float) -> None:
    assert laplace_delta(1, 0, 1, 0, epsilon) == laplace_epsilon(1, 0, 1, 0) == 0
    for pair in ((0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 0, 0)):
        assert laplace_delta(*pair, epsilon) == 1
        assert laplace_epsilon(*pair) == math.inf


def test_symmetries() -> None:
    rng = np.random.default_rng(0)
    mu1, mu2, shift = rng.normal(size=(3, 200))
    b1, b2 = rng.exponential(size=(2, 200))
    delta = laplace_delta(mu1, b1, mu2, b2, 0.3)
    assert np.allclose(delta, laplace_delta(-mu1, b1, -mu2, b2, 0.3), rtol=1e-13)
    assert np.allclose(delta, laplace_delta(mu1 + shift, b1, mu2 + shift, b2, 0.3), rtol=1e-9)
    assert np.allclose(laplace_delta(mu1, b1, mu2, b2, 0), laplace_delta(mu2, b2, mu1, b1, 0), rtol=1e-12)
    curve = laplace_delta(mu1, b1, mu2, b2, np.linspace(0, 9, 50)[:, None])
    assert (np.diff(curve, axis=0) <= 0).all()


def test_broadcasting() -> None:
    assert laplace_delta(np.zeros((3, 1)), [1, 2], 0, 1, 1).shape == (3, 2)
    assert laplace_epsilon([0, 1], 1, 0, 1).tolist() == [0, 1]
    assert np.shape(laplace_delta(0, 1, 0, 2, 1)) == ()


def test_quantile_and_tail_are_inverse() -> None:
    u = np.array([1e-300, 1e-9, 0.3, 0.5, 0.75, 0.9999, 1 - 1e-15])
    assert np.allclose(np.exp(laplace_log_tail(laplace_quantile(u, 0, 3), 3)), 1 - u, rtol=1e-12, atol=0)
    assert round(float(laplace_quantile(0.9999, 10.323103448275862, 0.05773399014778325)), 6) == 10.814835
    assert laplace_quantile(0.5, 7, 3) == 7


def test_tail_of_a_point_mass() -> None:
    assert laplace_log_tail([-1, 0, 1], 0).tolist() == [0, 0, -math.inf]
    assert laplace_log_tail(1e6, 1) == -1e6 - math.log(2)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((0, -1, 0, 1, 1), "b1"),
        ((0, 1, 0, math.nan, 1), "b2"),
        ((0, 1, 0, math.inf, 1), "b2"),
        ((math.nan, 1, 0, 1, 1), "mu1"),
        ((0, 1, math.inf, 1, 1), "mu2"),
        ((0, 1, 0, 1, -1), "epsilon"),
        ((0, 1, 0, 1, math.nan), "epsilon"),
        ((0, 1, 0, 1, "x"), "epsilon"),
        (([0, 1], [1, 2, 3], 0, 1, 1), "broadcast"),
        ((0, [1, -2], 0, 1, 1), "-2"),
    ],
)
def test_bad_input(arguments: tuple[object, ...], name: str) -> None:
    with pytest.raises(InputError, match=name):
        laplace_delta(*arguments)


@pytest.mark.parametrize("u", [0, 1, -0.1, [0.5, 2], math.nan])
def test_bad_quantile(u: object) -> None:
    with pytest.raises(InputError, match="u: expected"):
        laplace_quantile(u)
