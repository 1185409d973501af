"""What follows along paths of edges is never less than what does, however small the deltas are."""

from fractions import Fraction

import pytest

from mechdesign.exact.exponentials import exp_below
from mechdesign.privacy.paths import along_paths
from mechdesign.privacy.requirement import Requirement

F = Fraction


@pytest.mark.parametrize("delta", [F(1, 10), F(1, 10**12), F(1, 10**300), F(5e-324), F(1, 10**400)])
@pytest.mark.parametrize("epsilon", [F(2, 5), F(1), F(2)])
def test_deltas_are_rounded_up(epsilon: Fraction, delta: Fraction) -> None:
    edges = {(n, n + 1): Requirement(n, n + 1, epsilon, delta) for n in range(2)}
    found = along_paths(3, edges)
    assert found is not None
    assert found[0] == 2 * epsilon
    assert delta + exp_below(epsilon) * delta < found[1] < max(10 * delta, F(1, 10**280))
