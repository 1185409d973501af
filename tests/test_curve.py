"""The privacy curve over multiples of the edges' own epsilons."""

import math
from fractions import Fraction
from typing import Any

import pytest

from mechdesign import (
    InputError,
    certify,
    design,
    mechanism_from_matrix,
    privacy_curve,
    profile_graph,
    read_graph,
    scaled,
)
from mechdesign.exact.numbers import Number

F = Fraction
BOUNDS = {"lower": F(-1, 25), "upper": F(1, 25)}


def test_is_that_of_the_scaled_graph() -> None:
    graph = read_graph("categorical-chain")
    for (_, _, edge), own in zip(graph.edges(data=True), ("0.3", "1.7"), strict=True):
        edge["epsilon"] = own
    mechanism = design(graph, epsilon=1).mechanism
    factors: list[Number] = [0, F(1, 3), 1, 2, math.inf]
    curve = privacy_curve(mechanism, graph, factors, scale_own=True)
    assert [point for point, _, _ in curve] == [0.0, 1 / 3, 1.0, 2.0, math.inf]
    for factor, (_, low, high) in zip(factors, curve, strict=True):
        verdict = certify(mechanism, scaled(graph, factor), epsilon=0)
        assert (low, high) == (verdict.delta if not verdict.private else (0.0, pytest.approx(0, abs=1e-15)))
    assert curve[0][1] > curve[1][1] > 0 == curve[-1][2]


def test_an_epsilon_of_0_stays_whatever_the_factor() -> None:
    graph = read_graph("categorical-chain")
    for (_, _, edge), own in zip(graph.edges(data=True), (0, math.inf), strict=True):
        edge["epsilon"] = own
    identity = mechanism_from_matrix([[int(x == y) for x in range(4)] for y in range(4)], inputs=["1", "2", "3", "4"])
    curve = privacy_curve(identity, graph, [0, 5, math.inf], scale_own=True)
    assert [delta for _, *delta in curve] == [pytest.approx([0.1, 0.1])] * 3


def test_what_a_larger_epsilon_needs_a_smaller_one_needs_too() -> None:
    """Within bounds the sets that are found at one epsilon alone may need less: 0.239 at 0, but 0.298 at 0.05."""
    shares = {"a": [F(3, 12), F(2, 12), F(5, 12), F(2, 12)], "b": [F(8, 31), F(8, 31), F(8, 31), F(7, 31)]}
    graph = profile_graph(shares, edges=[("a", "b")], categories=list("wxyz"))
    for node in graph.nodes.values():
        node.update({key: [p + way for p in node["distribution"]] for key, way in BOUNDS.items()})
    same = mechanism_from_matrix([[int(x == y) for x in range(4)] for y in range(4)], inputs="wxyz", outputs="wxyz")
    ((_, alone, _),) = privacy_curve(same, graph, [0])
    (_, later, _), (_, low, high) = privacy_curve(same, graph, [F(1, 20), 0])
    assert alone < later == low <= high


def test_only_own_epsilons_can_be_scaled() -> None:
    graph = read_graph("categorical-chain")
    graph.edges[next(iter(graph.edges))]["epsilon"] = 1
    identity = mechanism_from_matrix([[int(x == y) for x in range(4)] for y in range(4)], inputs=["1", "2", "3", "4"])
    with pytest.raises(InputError, match="only epsilons of the edges' own can be scaled: 1 of 2 edges have none"):
        privacy_curve(identity, graph, [1], scale_own=True)
    with pytest.raises(InputError, match="every pair of profiles have none"):
        privacy_curve(identity, None, [1], scale_own=True)


@pytest.mark.parametrize("epsilons", [1, "1.5", None])
def test_what_are_no_epsilons_is_refused(epsilons: Any) -> None:
    with pytest.raises(InputError, match=rf"epsilons: expected several numbers, such as \[0, 1\], found {epsilons!r}"):
        privacy_curve([[1, 0], [0, 1]], None, epsilons)
