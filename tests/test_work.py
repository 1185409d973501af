"""How many inequalities decide whether a mechanism is private, with each kind of sufficient sets of [HLM]."""

from fractions import Fraction

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
from mechdesign.closed_form.exponential import exponential_mechanism
from mechdesign.graph.databases import database_graph


class TestWork:
    """Example 2 and the number of checks."""

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
