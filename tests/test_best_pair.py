"""What the best pair of profiles asks for: never more than the optimum, and by all pairs tried."""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import profile_graphs

from mechdesign import design, read_graph
from mechdesign.closed_form import best_pair as module
from mechdesign.closed_form.best_pair import best_pair
from mechdesign.closed_form.two_profiles import asked_by
from mechdesign.exact.exponentials import exp_above
from mechdesign.privacy.requirement import Requirement, requirements


def distributions(graph: nx.Graph) -> list[Sequence[Fraction]]:
    return [attributes["distribution"] for attributes in graph.nodes.values()]


def over_all_pairs(graph: nx.Graph, required: Sequence[Requirement]) -> float:
    """By shortest paths of networkx, delta = 0."""
    joined = nx.Graph()
    for one in required:
        joined.add_edge(one.first, one.second, weight=one.epsilon)
    best, exact = Fraction(0), distributions(graph)
    for i, lengths in nx.all_pairs_dijkstra_path_length(joined):
        for j, length in lengths.items():
            if i != j:
                best = max(best, asked_by(exact[i], exact[j], exp_above(Fraction(length)), Fraction(0)).level)
    return float(best)


@given(profile_graphs(), st.fractions(0, 2, max_denominator=20), st.sampled_from([1, 2, 10**6]))
def test_it_is_the_best_of_all_pairs(graph: nx.Graph, epsilon: Fraction, together: int) -> None:
    """However many are looked at together."""
    required = requirements(graph, epsilon, Fraction(0))
    required = [one for one in required if one.delta == 0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", together)
        patch.setattr(module, "PAIRS", together)
        found = best_pair(distributions(graph), required)
    assert float(found.level) == pytest.approx(over_all_pairs(graph, required), rel=1e-9, abs=1e-15)


@given(profile_graphs(), st.fractions(0, 2, max_denominator=20), st.sampled_from(["0", "0.01", "0.2"]))
def test_it_is_a_bound(graph: nx.Graph, epsilon: Fraction, delta: str) -> None:
    made = design(graph, epsilon=epsilon, delta=delta)
    assert made.pair_bound is not None
    assert made.pair_bound <= made.value
    assert made.pair_bound <= made.bound + Fraction(2, 10**9)


@pytest.mark.parametrize("name", ["categorical-chain", "hobbies", "counting-10", "departure-by-carrier"])
def test_it_is_the_optimum_of_shipped_graphs(name: str) -> None:
    made = design(read_graph(name), epsilon="0.5")
    assert made.pair_bound is not None
    assert made.bound - made.pair_bound <= Fraction(2, 10**9)


def test_deltas_add_up_on_the_way() -> None:
    masses = [[Fraction(x, 10), Fraction(10 - x, 10)] for x in (1, 5, 9)]
    chain = [Requirement(i, i + 1, Fraction(1, 10), Fraction(1, 20)) for i in range(2)]
    pair = best_pair(masses, chain)
    lost = Fraction(1, 20) * (1 + exp_above(Fraction(1, 10)))
    expected = asked_by(masses[0], masses[2], exp_above(Fraction(1, 5)), lost)
    assert len(pair.path) == 3
    assert pair.level == expected.level


@pytest.mark.parametrize("epsilon", [Fraction(701), Fraction(690)])
def test_a_very_large_epsilon_asks_for_next_to_nothing(epsilon: Fraction) -> None:
    masses = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    level = best_pair(masses, [Requirement(0, 1, epsilon, Fraction(0))]).level
    assert 0 <= level <= np.exp(-690) * 2


def coins(*shares: str) -> list[list[Fraction]]:
    return [[Fraction(share), 1 - Fraction(share)] for share in shares]


def chain(*asked: tuple[str, str]) -> list[Requirement]:
    return [Requirement(i, i + 1, Fraction(epsilon), Fraction(delta)) for i, (epsilon, delta) in enumerate(asked)]


@pytest.mark.parametrize(
    ("masses", "required", "path"),
    [
        (coins("2/3", "4/9", "2/7", "7/8"), chain(("2/5", "0"), ("1/5", "0"), ("1", "1/5")), (0, 1, 2)),
        (coins("1", "5/6", "1/10", "10/11"), chain(("1/5", "0"), ("3/10", "1/5"), ("1/5", "2/5")), (2, 1, 0)),
        (coins("1/7", "2/5", "3/4", "4/7"), chain(("3/10", "1/10"), ("3/5", "0"), ("9/2", "0")), (2, 1, 0)),
        (coins("7/10", "3/7", "9/14", "1"), chain(("4/5", "0"), ("9/10", "0"), ("1/5", "1/5")), (2, 3)),
    ],
)
def test_deltas_on_the_way_decide(
    masses: list[list[Fraction]], required: list[Requirement], path: tuple[int, ...]
) -> None:
    """Without some of the deltas, or of what they are multiplied by, another pair would seem to ask for more."""
    assert best_pair(masses, required).path == path


def test_a_pair_near_the_length_beyond_which_none_is_looked_for() -> None:
    """The best edge asks for 0.1546: pairs up to ln(1 + 1/0.1546) = 2.01 apart may ask for more. One does, at 1.1."""
    masses, required = coins("4/13", "2/3", "1"), chain(("1/2", "1/10"), ("3/5", "0"))
    edge = best_pair(masses[1:], [Requirement(0, 1, Fraction(3, 5), Fraction(0))])
    found = best_pair(masses, required)
    assert math.log1p(1 / edge.level) / 2 < Fraction(11, 10)
    assert found.path == (0, 1, 2)
    assert found.level > edge.level
