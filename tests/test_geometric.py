"""The exact sampler: its law by enumeration of every sequence of choices, and by counting draws."""

import math
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeVar

import pytest
from scipy.stats import chi2

import mechdesign as md
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.geometric import Below, _attempt, bernoulli_exp, two_sided_geometric

Outcome = TypeVar("Outcome")
Choose = Callable[[list[Fraction]], int]
"""Given the probabilities of 0, 1, ...: one of these."""


class Undecided(Exception):
    """The choices so far do not end the draw; `args` are the probabilities of the next."""


def law(draw: Callable[[Choose], Outcome], least: Fraction) -> tuple[dict[Outcome, Fraction], Fraction]:
    """Return what each outcome's probability is at least, and how much is left open: every sequence of choices.

    A sequence less likely than `least` is not followed.
    """
    found: dict[Outcome, Fraction] = {}
    left = Fraction(0)
    for probability, outcome in leaves(draw, [], Fraction(1), least):
        if outcome is None:
            left += probability
        else:
            found[outcome] = found.get(outcome, Fraction(0)) + probability
    return found, left


def leaves(
    draw: Callable[[Choose], Outcome], choices: list[int], probability: Fraction, least: Fraction
) -> Iterator[tuple[Fraction, Outcome | None]]:
    """Yield the ends of the tree of choices that begins with these."""
    ahead = iter(choices)

    def choose(probabilities: list[Fraction]) -> int:
        for choice in ahead:
            return choice
        raise Undecided(*probabilities)

    try:
        yield probability, draw(choose)
    except Undecided as error:
        for choice, part in enumerate(error.args):
            if probability * part < least:
                yield probability * part, None
            else:
                yield from leaves(draw, [*choices, choice], probability * part, least)


def fairly(choose: Choose) -> Below:
    return lambda n: choose([Fraction(1, n)] * n)


@pytest.mark.parametrize("exponent", ["0", "1/3", "1/2", "1", "3/2", "2"])
def test_a_coin_of_e_to_minus_x_by_every_sequence_of_choices(exponent: str) -> None:
    x = Fraction(exponent)
    found, left = law(lambda choose: bernoulli_exp(x, fairly(choose)), Fraction(1, 10**6))
    assert sum(found.values()) + left == 1
    assert left < Fraction(1, 10**4)
    assert found[True] <= 1 / exp_below(x)
    assert 1 / exp_above(x) <= found[True] + left


@pytest.mark.parametrize("epsilon", ["1/2", "1", "3/2", "2", "2/3"])
def test_the_noise_by_every_sequence_of_choices_and_coins(epsilon: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = Fraction(epsilon)

    def attempt(choose: Choose) -> int | str:
        def coin(exponent: Fraction, below: Below) -> bool:
            del below
            chance = Fraction(math.exp(-exponent)).limit_denominator(10**12)  # the coin's own law: the test above
            return choose([1 - chance, chance]) == 1

        monkeypatch.setattr("mechdesign.geometric.bernoulli_exp", coin)
        drawn = _attempt(x, fairly(choose))
        return "again" if drawn is None else drawn

    found, left = law(attempt, Fraction(1, 10**7))
    assert sum(found.values()) + left == 1
    assert left < 1e-5
    accepted = 1 - found.pop("again")
    q = math.exp(-x)
    for z in range(-5, 6):
        right = (1 - q) / (1 + q) * q ** abs(z)
        assert math.isclose(found.get(z, 0) / accepted, right, abs_tol=1e-4)


@pytest.mark.parametrize("epsilon", ["1/10", "0.35", "1", "7/3"])
def test_ten_thousand_draws_have_the_law(epsilon: str) -> None:
    x, number = Fraction(epsilon), 10_000
    below = random.Random(2004_00010).randrange
    drawn = Counter(two_sided_geometric(x, below) for _ in range(number))
    q = math.exp(-x)
    widest = next(k for k in range(1000) if number * q**k / (1 + q) < 10)
    expected = {z: number * (1 - q) / (1 + q) * q ** abs(z) for z in range(-widest + 1, widest)}
    expected |= {side * widest: number * q**widest / (1 + q) for side in (-1, 1)}  # and all beyond
    seen: Counter[int] = Counter()
    for z, times in drawn.items():
        seen[max(-widest, min(widest, z))] += times
    assert math.isclose(sum(expected.values()), number)
    distance = sum((seen[z] - value) ** 2 / value for z, value in expected.items())
    assert 0.001 < chi2.sf(distance, len(expected) - 1) < 0.999


def test_the_randomness_is_that_of_the_operating_system() -> None:
    assert two_sided_geometric.__defaults__ == bernoulli_exp.__defaults__ == (secrets.randbelow,)


def test_tiny_and_huge_epsilons() -> None:
    below = random.Random(5).randrange
    assert two_sided_geometric(Fraction(10**6), below) == 0
    assert abs(two_sided_geometric(Fraction(1, 10**40), below)) > 10**36


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(-1), 0.5, math.inf, "1"])
def test_an_epsilon_that_is_no_positive_rational_is_refused(epsilon: object) -> None:
    with pytest.raises(md.InputError, match="epsilon: expected a positive rational, found"):
        two_sided_geometric(epsilon)  # type: ignore[arg-type]
