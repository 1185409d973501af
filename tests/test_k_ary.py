from fractions import Fraction

import pytest
from oracles.divergence import assert_private

from mechdesign import InputError, MaxOffDiagonal, WorstLoss, design, k_ary, value_graph
from mechdesign.closed_form.k_ary import off_diagonal
from mechdesign.exact.exponentials import exp_below
from mechdesign.objective import value_of


@pytest.mark.parametrize(
    ("m", "epsilon", "delta", "alpha", "diagonal"),
    [  # [HLM] (21) at its boundary
        (2, 1, "0", 0.268941421370, 0.731058578630),
        (3, 1, "0", 0.211941557617, 0.576116884766),
        (5, 1, "0.01", 0.147359105390, 0.410563578440),
        (5, Fraction(1, 2), "0.1", 0.159328095133, 0.362687619467),
        (4, 2, "0.001", 0.096158880122, 0.711523359633),
        (3, 0, "0.05", 19 / 60, 11 / 30),
    ],
)
def test_published_values(m: int, epsilon: Fraction, delta: str, alpha: float, diagonal: float) -> None:
    mechanism = k_ary(range(m), epsilon=epsilon, delta=delta)
    assert mechanism.matrix(0)[0, 1] == pytest.approx(alpha, abs=1e-12)
    assert mechanism.matrix(0)[0, 0] == pytest.approx(diagonal, abs=1e-12)
    assert_private(mechanism, value_graph(range(m)), Fraction(epsilon), Fraction(delta))


@pytest.mark.parametrize("delta", ["0", "0.01", "0.3"])
@pytest.mark.parametrize("epsilon", ["0", "0.5", "2"])
@pytest.mark.parametrize("m", [2, 3, 5])
def test_no_mechanism_has_less_worst_error(m: int, epsilon: str, delta: str) -> None:
    """[HLM] Theorem 10, with (eps, delta): the least worst error is (m - 1)(1 - delta)/(e^eps + m - 1)."""
    ratio = exp_below(Fraction(epsilon))
    best = design(value_graph(range(m)), epsilon=epsilon, delta=delta, objective=WorstLoss())
    formula = value_of(WorstLoss(), k_ary(range(m), ratio=ratio, delta=Fraction(delta)))
    assert formula == (m - 1) * (1 - Fraction(delta)) / (ratio + m - 1)
    assert float(best.value) == pytest.approx(float(formula), rel=1e-9)


def test_the_diagonal_counts_delta_once_per_other_value() -> None:
    assert k_ary("abc", ratio=Fraction(2), delta=Fraction(1, 10)).row("a", "a")[0] == Fraction(22, 40)


def test_one_value_is_told() -> None:
    assert off_diagonal(1, Fraction(3)) == 0
    assert k_ary(["a"], ratio=3).row("a", "a") == (Fraction(1),)
    assert value_of(MaxOffDiagonal(), k_ary(["a"], ratio=3)) == 0


def test_delta_outside() -> None:
    with pytest.raises(InputError, match="delta"):
        k_ary("ab", ratio=2, delta=Fraction(1))
