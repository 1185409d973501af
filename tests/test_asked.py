"""Who is protected from whom: counted by hand, and what follows along paths held against what is released."""

from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.privacy.asked import Asked, Protected, Source, protected
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.paths import MOST_STEPS
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import AllPairs, Requirement

HALF, ONE, NONE = Fraction(1, 2), Fraction(1), Fraction(0)


def edge(i: int, j: int, epsilon: Fraction = HALF, delta: Fraction = NONE) -> Requirement:
    return Requirement(i, j, epsilon, delta)


class TestWords:
    @pytest.mark.parametrize(
        ("profiles", "required", "words"),
        [
            (1, [], "no pair, as there is one profile"),
            (2, [edge(0, 1)], "the only pair of profiles"),
            (2, [], "0 of 1 pair of profiles; nothing is proved of the other"),
            (3, [edge(0, 1), edge(1, 2)], "2 of 3 pairs of profiles; for the other epsilon 1 follows along paths"),
            (6, [edge(0, 1), edge(2, 3), edge(4, 5)], "3 of 15 pairs of profiles; nothing is proved of the others"),
            (
                4,
                [edge(0, 1), edge(1, 2), edge(2, 3)],
                "3 of 6 pairs of profiles; for the others epsilon 1.5 follows along paths",
            ),
            (
                5,
                [edge(0, 1), edge(1, 2)],
                "2 of 10 pairs of profiles; for 1 other epsilon 1 follows along paths; "
                "nothing is proved of the other 7",
            ),
            (3, AllPairs(3, HALF, NONE), "all 3 pairs of profiles"),
        ],
    )
    def test_they_say_how_many_of_how_many_and_what_follows(
        self, profiles: int, required: list[Requirement], words: str
    ) -> None:
        assert protected(profiles, required).words() == words

    def test_a_delta_along_a_path_is_more_than_the_sum(self) -> None:
        found = protected(3, [edge(0, 1, ONE, Fraction(1, 100)), edge(1, 2, ONE, Fraction(1, 100))])
        assert found.words() == "2 of 3 pairs of profiles; for the other epsilon 2, delta 0.0372 follows along paths"

    def test_nothing_is_said_of_an_epsilon_beyond_the_work_that_is_done(self) -> None:
        chain = [edge(i, i + 1) for i in range(MOST_STEPS // 500)]
        found = protected(len(chain) + 1, chain)
        assert (found.asked, found.apart, found.epsilon) == (len(chain), 0, None)
        assert found.words() == "600 of 180,300 pairs of profiles; for the others no limit is stated"

    def test_where_a_delta_of_1_would_follow_no_epsilon_is_said(self) -> None:
        found = protected(3, [edge(0, 1, Fraction(5), HALF), edge(1, 2, Fraction(5), HALF)])
        assert (found.through, found.epsilon, found.delta) == (1, None, None)


class TestCounts:
    def test_a_delta_of_1_asks_for_nothing(self) -> None:
        assert protected(2, [edge(0, 1, HALF, ONE)]) == Protected(1, 0)

    def test_an_infinite_epsilon_asks_for_nothing(self) -> None:
        graph = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[("a", "b")], categories=["x", "y"])
        graph.edges["a", "b"]["epsilon"] = float("inf")
        assert Asked(graph).protected(HALF, NONE).asked == 0

    def test_every_pair_of_a_graph_has_no_limits_of_its_own(self) -> None:
        graph = md.read_graph("categorical-chain")
        found = Asked(graph).every()
        assert (found.edges, found.source, len(found.requirements(HALF, NONE))) == (3, Source.EVERY_PAIR, 3)
        assert found.graph().number_of_edges() == 3


@given(st.integers(0, 10**6))
def test_what_is_said_to_follow_does_follow(seed: int) -> None:
    """Of random laws, with the least deltas that their edges allow: checked by the divergence of the two ends."""
    rng = np.random.default_rng(seed)
    laws = [Released(np.array(rng.integers(1, 9, 3).tolist(), dtype=object), 1) for _ in range(4)]
    laws = [Released(law.weights, int(sum(law.weights))) for law in laws]
    tree = nx.random_labeled_tree(4, seed=seed)
    required = []
    for a, b in tree.edges:
        epsilon = Fraction(int(rng.integers(0, 3)), 4)
        ratio = Fraction(float(np.exp(float(epsilon))))
        needed = max(hockey_stick(laws[a], laws[b], ratio), hockey_stick(laws[b], laws[a], ratio))
        required.append(edge(a, b, epsilon, needed + Fraction(1, 10**12)))
    found = protected(4, required)
    if found.epsilon is None or found.delta is None:
        return
    ratio = Fraction(float(np.exp(float(found.epsilon)))) + Fraction(1, 10**12)
    for a, b in combinations(range(4), 2):
        if not tree.has_edge(a, b):
            assert hockey_stick(laws[a], laws[b], ratio) <= found.delta
            assert hockey_stick(laws[b], laws[a], ratio) <= found.delta


@given(st.integers(1, 8), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 5)), max_size=12))
def test_paths_are_the_shortest_and_every_pair_is_counted_once(
    profiles: int, drawn: list[tuple[int, int, int]]
) -> None:
    """Against networkx: who is joined, and how far apart in epsilons added up."""
    graph = nx.empty_graph(profiles)
    required = [edge(i, j, Fraction(cost, 3)) for i, j, cost in drawn if i != j and max(i, j) < profiles]
    for one in required:
        there = graph.get_edge_data(one.first, one.second, {"epsilon": one.epsilon})["epsilon"]
        graph.add_edge(one.first, one.second, epsilon=min(there, one.epsilon))
    far = dict(nx.all_pairs_dijkstra_path_length(graph, weight="epsilon"))
    pairs = list(combinations(range(profiles), 2))
    through = [far[i][j] for i, j in pairs if j in far[i] and not graph.has_edge(i, j)]
    found = protected(profiles, required)
    assert (found.pairs, found.asked, found.through) == (len(pairs), graph.number_of_edges(), len(through))
    assert found.apart == sum(j not in far[i] for i, j in pairs)
    assert found.epsilon == (max(through) if through else None)
