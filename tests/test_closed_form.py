"""What is asked of a closed form: epsilon in nats, any number, or e^epsilon exactly; one of the two, and checked."""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mechdesign as md
from mechdesign.closed_form.k_ary import symmetric
from mechdesign.closed_form.one_bit_cluster import flip_probability
from mechdesign.closed_form.product_sanitisation import least_error
from mechdesign.exact.exponentials import exp_above, exp_below

ROWS = md.ProductSanitisation(symmetric("abc", Fraction(1, 10)), 3)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "k_ary": lambda **asked: md.k_ary("abc", **asked),
    "optimal_product_sanitisation": lambda **asked: md.optimal_product_sanitisation("abc", **asked),
    "flip_probability": lambda **asked: flip_probability("0.1", 0.7, **asked),
    "least_error": lambda **asked: least_error(3, 2, **asked),
    "delta": lambda **asked: ROWS.delta(**asked),
    "is_private": lambda **asked: ROWS.is_private(**asked),
}
EACH = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


def plain(result: Any) -> Any:
    return result.weights.tolist() if isinstance(result, md.Mechanism) else result


@EACH
@pytest.mark.parametrize("epsilon", [0.5, "0.5", "1/2", Fraction(1, 2), Decimal("0.5"), np.float64(0.5)])
def test_epsilon_is_any_number(function: Callable[..., Any], epsilon: Any) -> None:
    """On the side that each says, by less than 2^-60."""
    found = plain(function(epsilon=epsilon))
    assert found in [plain(function(ratio=bound(Fraction(1, 2)))) for bound in (exp_below, exp_above)]


def test_the_private_side() -> None:
    """Above what the rational below e^epsilon asks nothing is lost: what is made, or claimed, holds."""
    E = exp_below(Fraction(1, 2))
    assert flip_probability(0, 1, epsilon=0.5) == flip_probability(0, 1, ratio=E)
    assert ROWS.delta(epsilon=0.5) == ROWS.delta(ratio=E)
    assert least_error(3, 2, epsilon=0.5) == least_error(3, 2, ratio=exp_above(Fraction(1, 2)))
    assert md.certify(md.k_ary("abc", epsilon=0.5), epsilon=0.5).private
    assert md.certify(md.optimal_product_sanitisation("abc", epsilon=0.5, delta=0.1), epsilon=0.5, delta=0.1).private


@EACH
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, r"expected one of epsilon= \(in nats\) and ratio= \(e\^epsilon, exactly\), found neither"),
        ({"epsilon": 1, "ratio": 3}, "expected one of epsilon= .*, found epsilon=1 and ratio=3"),
        ({"ratio": Fraction(1, 2)}, r"ratio: expected e\^epsilon, a number >= 1, found 0.5; epsilon= takes"),
        ({"ratio": 0}, "ratio: expected"),
        ({"ratio": "x"}, "ratio: expected"),
        ({"ratio": math.inf}, "ratio: expected"),
        ({"epsilon": -0.1}, "epsilon: expected a number >= 0"),
        ({"epsilon": math.nan}, "epsilon: expected a number >= 0"),
        ({"epsilon": "x"}, "epsilon: expected a number >= 0"),
    ],
    ids=str,
)
def test_refuses(function: Callable[..., Any], asked: dict[str, Any], words: str) -> None:
    with pytest.raises(md.InputError, match=words):
        function(**asked)


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) - {"delta"}))
@pytest.mark.parametrize("delta", [1, -0.1, "x"])
def test_refuses_a_delta(name: str, delta: Any) -> None:
    with pytest.raises(md.InputError, match=r"delta: expected a number in \[0, 1\)"):
        FUNCTIONS[name](epsilon=1, delta=delta)


def test_nothing_positional() -> None:
    calls: list[Callable[..., Any]] = [
        *(md.k_ary, md.optimal_product_sanitisation),
        *(lambda first, second, f=f: f(3, 2, second) for f in (least_error, flip_probability)),
        *(lambda first, second, f=f: f(second) for f in (ROWS.delta, ROWS.is_private)),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="positional"):
            call("abc", Fraction(2))


def test_infinite() -> None:
    assert plain(md.k_ary("abc", epsilon="inf")) == np.identity(3).tolist()
    assert flip_probability(0, 1, epsilon="inf") == least_error(3, 2, epsilon="inf") == ROWS.delta(epsilon="inf") == 0
    assert ROWS.is_private(epsilon="inf")


def test_other_arguments_are_numbers_too() -> None:
    assert flip_probability(0.0, 1.0, ratio=3.0) == Fraction(1, 4)
    with pytest.raises(md.InputError, match=r"q: expected a probability, found 1\.5"):
        flip_probability(0, 1.5, ratio=2)
