import math
from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.graph.profile_graph import profile_graph
from mechdesign.privacy import gaps
from mechdesign.privacy.gaps import hockey_stick, surely_at_most, unmet
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement, requirements

HALF = Fraction(1, 2)


def weights_of(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 10), min_size=size, max_size=size).filter(any)


def as_released(weights: list[int]) -> Released:
    return Released(np.array(weights, dtype=object), sum(weights))


class TestHockeyStick:
    """[HLM] (5): the largest q^i(S) - ratio q^j(S) over all sets S of outputs is that of {y : q^i_y > ratio q^j_y}."""

    @given(st.integers(1, 6).flatmap(lambda m: st.tuples(weights_of(m), weights_of(m))), st.fractions(1, 5))
    def test_it_is_the_worst_of_all_sets(self, pair: tuple[list[int], list[int]], ratio: Fraction) -> None:
        first, second = map(as_released, pair)
        p, q = first.fractions(), second.fractions()
        sets = [chosen for size in range(len(p) + 1) for chosen in combinations(range(len(p)), size)]
        worst = max(sum((p[y] - ratio * q[y] for y in chosen), Fraction(0)) for chosen in sets)
        assert hockey_stick(first, second, ratio) == worst


def graph_with(**attributes: object) -> nx.Graph:
    graph = profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[("a", "b")], categories=[0, 1])
    graph.edges["a", "b"].update(attributes)
    return graph


@pytest.mark.parametrize(
    ("own", "epsilon", "expected"),
    [
        ({}, HALF, (HALF, 0)),
        ({"epsilon": Fraction(2)}, HALF, (Fraction(2), 0)),
        ({"distance": Fraction(3)}, HALF, (Fraction(3, 2), 0)),
        ({"distance": Fraction(3), "epsilon": Fraction(2)}, HALF, (Fraction(2), 0)),  # an own epsilon is in nats
        ({"delta": Fraction(1, 5)}, HALF, (HALF, Fraction(1, 5))),
        ({"delta": Fraction(0)}, HALF, (HALF, 0)),
        ({"epsilon": Fraction(0)}, math.inf, (Fraction(0), 0)),
        ({"distance": Fraction(0)}, math.inf, (Fraction(0), 0)),  # the same point
        ({"distance": Fraction(2)}, math.inf, None),
        ({"epsilon": math.inf}, HALF, None),
        ({}, math.inf, None),
    ],
    ids=str,
)
def test_what_an_edge_requires(own: dict[str, object], epsilon: Fraction, expected: tuple[Fraction, Fraction]) -> None:
    found = requirements(graph_with(**own), epsilon, Fraction(0))
    assert [(edge.epsilon, edge.delta) for edge in found] == ([] if expected is None else [expected])
    assert all(type(edge.epsilon) is Fraction for edge in found)


def test_a_given_delta_is_every_edges_own_unless_replaced() -> None:
    assert requirements(graph_with(), HALF, Fraction(1, 9))[0].delta == Fraction(1, 9)
    assert requirements(graph_with(delta=Fraction(0)), HALF, Fraction(1, 9))[0].delta == 0


def test_positions_follow_the_graph() -> None:
    graph = profile_graph({name: [1] for name in "abc"}, edges=[("c", "a"), ("b", "c")], categories=["x"])
    pairs = {frozenset((edge.first, edge.second)) for edge in requirements(graph, HALF, Fraction(0))}
    assert pairs == {frozenset((0, 2)), frozenset((1, 2))}


def test_both_directions_are_checked() -> None:
    """(1/2, 1/2) against (1, 0): ratio 2 suffices one way, none does the other way."""
    flat, sure = as_released([1, 1]), as_released([1, 0])
    edge = Requirement(0, 1, Fraction(1), Fraction(0))
    assert unmet([flat, flat], [edge]) is None
    assert unmet([flat, sure], [edge]) == (0, 1, edge)
    assert unmet([sure, flat], [edge]) == (1, 0, edge)
    assert unmet([flat, sure], [Requirement(0, 1, Fraction(1), HALF)]) is None


def test_the_last_digit_decides() -> None:
    """Privacy is decided by integers: a weight one too large in 2^60 is refused."""
    unit = 2**60
    edge = Requirement(0, 1, Fraction(0), Fraction(1, unit))
    flat = as_released([unit // 2, unit // 2])
    assert unmet([flat, as_released([unit // 2 + 1, unit // 2 - 1])], [edge]) is None
    assert unmet([flat, as_released([unit // 2 + 2, unit // 2 - 2])], [edge]) is not None


def test_of_many_outputs_every_one_counts() -> None:
    """Also where all of one distribution are alike, so that the pairs differ by their first integer alone."""
    assert gaps.MANY < 120
    uneven, flat = as_released([4] * 60 + [2] * 60 + [0] * 60), as_released([1] * 180)
    enough = Requirement(0, 1, Fraction(0), Fraction(1, 3))
    assert unmet([uneven, flat], [enough]) is None
    short = Requirement(0, 1, Fraction(0), Fraction(1, 3) - Fraction(1, 10**9))
    assert unmet([uneven, flat], [short]) == (0, 1, short)


@pytest.mark.parametrize("digits", [5, 290, 307, 320, 400])
@pytest.mark.parametrize(("ratio", "private"), [(2, True), (3, False)])
def test_probabilities_that_doubles_do_not_hold_are_compared_exactly(digits: int, ratio: int, private: bool) -> None:
    """Both would be 0, or have a digit or two."""
    total = 10**digits
    first, second = (Released(np.array([few, total - few], dtype=object), total) for few in (ratio, 1))
    found = unmet([first, second], [Requirement(0, 1, Fraction(1), Fraction(0))])
    assert (found is None) == private


@pytest.mark.parametrize("epsilon", [1, 650])
def test_what_the_other_never_releases_is_found_however_rare(epsilon: int) -> None:
    total = 10**400
    first, second = (Released(np.array([few, total - few], dtype=object), total) for few in (1, 0))
    assert unmet([first, second], [Requirement(0, 1, Fraction(epsilon), Fraction(0))]) is not None


@pytest.mark.parametrize(
    ("first", "second", "ratio", "sure"),
    [
        (0.5, 0.3, 2.0, True),
        (0.5, 0.25, 2.0, False),  # equal: the rationals may differ by their last digits
        (0.0, 0.0, 2.0, False),  # what both are too small for
        (1e-300, 1.0, 2.0, False),
        (4e-24, 5e-324, 1e300, False),  # a double of one digit
    ],
)
def test_doubles_are_sure_only_of_what_they_hold(first: float, second: float, ratio: float, sure: bool) -> None:
    assert surely_at_most(np.array([first]), np.array([second]), ratio).tolist() == [sure]


@given(st.data(), st.sampled_from([(0, 4096), (100, 4096), (100, 1), (100, 5)]))
def test_the_first_unmet_is_found_however_many_are_looked_at_together(
    data: st.DataObject, sizes: tuple[int, int]
) -> None:
    """Edge by edge, where outputs are many, or all at once: what the divergences say, one after the other."""
    released = [as_released(data.draw(weights_of(3))) for _ in range(4)]
    bounds = st.sampled_from([Fraction(0), HALF, Fraction(2), Fraction(8)]), st.sampled_from([Fraction(0), HALF / 2])
    pairs = data.draw(st.lists(st.sampled_from(list(combinations(range(4), 2))), unique=True))
    required = [Requirement(a, b, *map(data.draw, bounds)) for a, b in pairs]
    expected = None
    for edge in required:
        for a, b in edge.directions():
            if expected is None and hockey_stick(released[a], released[b], edge.ratio_below) > edge.delta:
                expected = (a, b, edge)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gaps, "MANY", sizes[0])
        patch.setattr(gaps, "TOGETHER", sizes[1])
        assert unmet(released, required) == expected
