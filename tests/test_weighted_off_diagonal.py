"""The largest weighted entry off the diagonal."""

from fractions import Fraction
from typing import Any

import pytest

from mechdesign import InputError, MaxOffDiagonal, WeightedOffDiagonal, design, profile_graph, read_graph

CHAIN = read_graph("categorical-chain")


@pytest.mark.parametrize("arguments", [{}, {"shared": True}, {"delta": "0.02"}])
def test_with_weights_of_1_it_is_the_largest_entry(arguments: dict[str, Any]) -> None:
    weighted = design(CHAIN, epsilon="1/2", objective=WeightedOffDiagonal(), **arguments)
    plain = design(CHAIN, epsilon="1/2", objective=MaxOffDiagonal(), **arguments)
    assert weighted.bound_by == "duality"
    assert abs(weighted.value - plain.value) <= Fraction(1, 10**9)
    assert abs(weighted.bound - plain.bound) <= Fraction(1, 10**9)


def test_categories_that_a_profile_never_has_are_kept() -> None:
    graph = profile_graph(
        {"a": ["1/2", "1/2", 0], "b": ["1/4", "3/4", 0]}, edges=[("a", "b")], categories=["x", "y", "z"]
    )
    result = design(graph, epsilon="1/2", objective=WeightedOffDiagonal([[0, 1, 5], [2, 0, 5], [1, 1, 0]]))
    assert result.mechanism.row("b", "z")[2] == 1


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ([[0, 1, 1, 1]] * 3, "loss: expected one row per category, 4, found 3"),
        (
            [[0, 1, 1]] * 4,
            "weighted-off-diagonal: expected one output for each category, 4, found a table of 3 columns",
        ),
        ([[0, 1, 1, -2]] * 4, "weighted-off-diagonal: expected weights >= 0, found -2 for '1' reported as '4'"),
    ],
)
def test_refused(loss: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        design(CHAIN, epsilon=1, objective=WeightedOffDiagonal(loss))
