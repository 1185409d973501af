import math
from fractions import Fraction

import pytest
from oracles.divergence import assert_private

from mechdesign import InputError, MaxOffDiagonal, k_ary, value_graph
from mechdesign.closed_form.k_ary import off_diagonal

F = Fraction


@pytest.mark.parametrize(
    ("m", "epsilon", "delta"),
    [(2, 1, "0"), (3, 1, "0"), (5, 1, "0.01"), (5, F(1, 2), "0.1"), (4, 2, "0.001"), (3, 0, "0.05")],
)
def test_it_is_private_and_no_more_than_that(m: int, epsilon: Fraction, delta: str) -> None:
    """[HLM] (21) at its boundary; the digits stand among the paper's."""
    mechanism, graph = k_ary(range(m), epsilon=epsilon, delta=delta), value_graph(range(m))
    assert_private(mechanism, graph, F(epsilon), F(delta))
    kept, told = mechanism.row(0, 0)[0], mechanism.row(0, 0)[1]
    assert kept + (m - 1) * told == 1
    assert float(kept - told * math.exp(epsilon)) == pytest.approx(float(delta), abs=1e-15)


def test_the_diagonal_counts_delta_once_per_other_value() -> None:
    assert k_ary("abc", ratio=Fraction(2), delta=Fraction(1, 10)).row("a", "a")[0] == Fraction(22, 40)


def test_one_value_is_told() -> None:
    assert off_diagonal(1, Fraction(3)) == 0
    assert k_ary(["a"], ratio=3).row("a", "a") == (Fraction(1),)
    assert MaxOffDiagonal().value(k_ary(["a"], ratio=3)) == 0


def test_delta_outside() -> None:
    with pytest.raises(InputError, match="delta"):
        k_ary("ab", ratio=2, delta=Fraction(1))
