"""How many inequalities decide whether a mechanism is private, with each kind of sufficient sets of [HLM]."""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.certifier.sufficient_sets import (
    corollary_1_sets,
    larger_set,
    subsets,
)
from mechdesign.certifier.work import work
from mechdesign.closed_form import exponential_mechanism, exponential_weight
from mechdesign.graph.databases import database_graph
from mechdesign.papers.hlm import hamming_mechanism
from mechdesign.papers.hlm_sets import l1


def example_2(norm: Callable[[Any], float], scale: str) -> tuple[md.Mechanism, nx.Graph]:
    """Return u(d, a) = -scale ||d - a|| on two rows of {0, 1, 2}."""
    graph = database_graph(range(3), 2)
    weight = {}
    for d in graph:
        for a in graph:
            length = norm([abs(x - y) for x, y in zip(d, a, strict=True)])
            weight[d, a] = exponential_weight(-Fraction(scale) * Fraction(length))
    return exponential_mechanism(list(graph), list(graph), lambda d, a: weight[d, a]), graph


class TestWork:
    """Example 2 and the number of checks."""

    @pytest.mark.parametrize("scale", ["1/10", "1/2", "1", "2", "5"])
    def test_example_2(self, scale: str) -> None:
        """ERR-2.1: 24 and 12, not 21 and 15, at every scale."""
        counts = work(*example_2(sum, scale))
        assert counts.pairs == 36
        assert counts.sizes == {3: 24, 6: 12}
        assert counts.every_subset == 36 * 510 == 18_360
        assert counts.theorem_2 == 24 * 7 + 12 * 63 == 924

    def test_example_2_in_powers_of_one_base(self) -> None:
        graph = database_graph(range(3), 2)
        mechanism = exponential_mechanism(list(graph), list(graph), lambda d, a: Fraction(1, 3) ** l1(d, a))
        assert work(mechanism, graph).sizes == {3: 24, 6: 12}

    @pytest.mark.parametrize(
        ("norm", "scale", "sizes"),
        [
            (lambda x: math.hypot(*x), "1/2", {3, 6}),
            (lambda x: math.hypot(*x), "1", {3, 6}),
            (lambda x: math.hypot(*x), "1/10", {3, 4, 5, 6}),
            (max, "1", {2, 3, 4, 5, 6}),
            (lambda x: sum(map(bool, x)), "1", {3}),
        ],
    )
    def test_other_norms(self, norm: Callable[[Any], float], scale: str, sizes: set[int]) -> None:
        counts = work(*example_2(norm, scale))
        assert set(counts.sizes) == sizes
        # Swapping the two rows moves every ordered pair and keeps its |A|: 21 and 15 are impossible.
        assert all(count % 2 == 0 for count in counts.sizes.values())

    def test_hamming_utility_needs_252_checks_by_theorem_2(self) -> None:
        counts = work(hamming_mechanism(range(3), 2, Fraction(1, 2)), database_graph(range(3), 2))
        assert (counts.theorem_2, counts.corollary_1) == (252, 36)

    def test_without_strictness(self) -> None:
        """Counting ties in, 12 and 24: 1,596 checks; the printed numbers lie between."""
        mechanism, graph = example_2(sum, "1")
        by_database = dict(zip(mechanism.profiles, mechanism.all_released(), strict=True))
        ordered = [(d, other) for edge in graph.edges for d, other in (edge, edge[::-1])]
        sizes = Counter(9 - len(larger_set(by_database[other], by_database[d])) for d, other in ordered)
        assert sizes == {3: 12, 6: 24}
        assert sum(count * (2**size - 1) for size, count in sizes.items()) == 1596

    @given(st.integers(2, 3), st.integers(1, 2), st.data())
    @settings(max_examples=20)
    def test_counts_what_there_is_to_check(self, m: int, n: int, data: st.DataObject) -> None:
        graph = database_graph(range(m), n)
        weights = st.lists(st.integers(1, 5), min_size=m**n, max_size=m**n)
        rows = {d: data.draw(weights) for d in graph}
        outputs = list(range(m**n))
        mechanism = exponential_mechanism(list(graph), outputs, lambda d, a: rows[d][a])
        by_database = dict(zip(graph, mechanism.all_released(), strict=True))
        ordered = [(by_database[d], by_database[other]) for edge in graph.edges for d, other in (edge, edge[::-1])]
        counts = work(mechanism, graph)
        assert counts.pairs == len(ordered) == n * (m - 1) * m**n
        assert counts.theorem_2 == sum(len(list(subsets(larger_set(*pair)))) for pair in ordered)
        assert counts.corollary_1 == sum(len(corollary_1_sets(*pair)) for pair in ordered)
        assert sum(counts.sizes.values()) == counts.pairs

    def test_refuses_a_mechanism_for_other_profiles(self) -> None:
        with pytest.raises(md.InputError, match="expected the graph's categories"):
            work(md.k_ary("ab", ratio=Fraction(2)), md.value_graph("acd"))

    def test_one_matrix_serves_profiles_of_a_graph(self) -> None:
        """They were missing in the mechanism, whose profiles are its values."""
        chain = md.read_graph("categorical-chain")
        counts = work(md.k_ary(chain.graph["categories"], ratio=2), chain)
        assert (counts.pairs, counts.every_subset) == (4, 4 * (2**4 - 2))

    def test_without_a_graph_every_pair_counts(self) -> None:
        mechanism = md.k_ary("abc", ratio=2)
        assert work(mechanism) == work(mechanism, md.value_graph("abc"))
        assert work(mechanism).pairs == 6

    def test_what_would_take_too_long_is_refused(self) -> None:
        mechanism = md.k_ary(range(200), ratio=2)
        with pytest.raises(md.InputError, match="too large: the workload of 7,960,000 outputs of ordered pairs"):
            work(mechanism)
