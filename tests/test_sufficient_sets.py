"""Sufficient sets: they decide as all sets do."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.certifier.sufficient_sets import (
    cells,
    corollary_1_sets,
    hamming_set,
    holds_on,
    larger_set,
    subsets,
    work,
)
from mechdesign.closed_form.exponential import exponential_mechanism
from mechdesign.graph.databases import database_graph
from mechdesign.papers.hlm import hamming_mechanism
from mechdesign.privacy.gaps import excess, hockey_stick, worst_set
from mechdesign.privacy.released import Released

RATIOS = st.fractions(min_value=1, max_value=5, max_denominator=10)
DELTAS = st.fractions(min_value=0, max_value=1, max_denominator=20)


def released(*weights: int) -> Released:
    return Released(np.array(weights, dtype=object), sum(weights))


@st.composite
def pairs(draw: st.DrawFn, least: int = 0) -> tuple[Released, Released]:
    """Two distributions over the same few outputs; small weights make ties, and zeros where allowed."""
    size = draw(st.integers(1, 6))
    weights = st.lists(st.integers(least, 6), min_size=size, max_size=size).filter(any)
    return released(*draw(weights)), released(*draw(weights))


class TestOneSetDecides:
    """max_A P(A) - E P'(A) is attained on A*(E)."""

    @given(pairs(), RATIOS)
    def test_has_the_largest_excess(self, pair: tuple[Released, Released], ratio: Fraction) -> None:
        everything = tuple(range(len(pair[0].weights)))
        largest = max(excess(*pair, ratio, outputs) for outputs in [(), *subsets(everything)])
        assert excess(*pair, ratio, worst_set(*pair, ratio)) == largest == hockey_stick(*pair, ratio)


class TestTheorem2:
    """The subsets of A_dd' decide, for every epsilon and delta."""

    @given(pairs(), RATIOS, DELTAS)
    def test_decides_as_all_sets_do(self, pair: tuple[Released, Released], ratio: Fraction, delta: Fraction) -> None:
        everything = subsets(tuple(range(len(pair[0].weights))))
        own = subsets(larger_set(*pair))
        assert holds_on(own, *pair, ratio, delta) == holds_on(everything, *pair, ratio, delta)

    @given(pairs())
    def test_ties_belong_to_neither(self, pair: tuple[Released, Released]) -> None:
        first, second = pair
        one, other = larger_set(first, second), larger_set(second, first)
        assert not set(one) & set(other)
        ties = [p == q for p, q in zip(first.fractions(), second.fractions(), strict=True)]
        assert len(one) + len(other) + sum(ties) == len(ties)


class TestCells:
    """Theorem 3 and Corollary 1."""

    @given(pairs(), RATIOS, DELTAS)
    def test_a_cell_decides_for_its_subsets(
        self, pair: tuple[Released, Released], ratio: Fraction, delta: Fraction
    ) -> None:
        for cell in cells(*pair).values():
            assert holds_on([cell], *pair, ratio, delta) == holds_on(subsets(cell), *pair, ratio, delta)

    @given(pairs())
    def test_cells_part_the_larger_set(self, pair: tuple[Released, Released]) -> None:
        parts = cells(*pair)
        assert sorted(position for cell in parts.values() for position in cell) == list(larger_set(*pair))
        assert list(parts) == sorted(parts)
        for ratio, cell in parts.items():
            for position in cell:
                p, q = (one.fractions()[position] for one in pair)
                assert q == 0 if ratio == math.inf else p == ratio * q

    @given(pairs(), RATIOS)
    def test_decide_for_delta_0(self, pair: tuple[Released, Released], ratio: Fraction) -> None:
        assert holds_on(corollary_1_sets(*pair), *pair, ratio) == (hockey_stick(*pair, ratio) == 0)

    def test_refuse_a_positive_delta(self) -> None:
        with pytest.raises(md.InputError, match="delta: expected 0"):
            corollary_1_sets(released(2, 1), released(1, 2), delta=Fraction(1, 100))
        with pytest.raises(md.InputError, match=r"\[0, 1\)"):
            corollary_1_sets(released(2, 1), released(1, 2), delta=Fraction(-1))

    def test_equal_distributions_have_none(self) -> None:
        assert corollary_1_sets(released(1, 2), released(2, 4)) == []
        assert holds_on([], released(1, 2), released(2, 4), Fraction(1))


class TestHammingSet:
    """Corollary 2."""

    @pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 2), (4, 2)])
    def test_is_the_larger_set_and_its_only_cell(self, m: int, n: int) -> None:
        z = Fraction(2, 5)
        mechanism = hamming_mechanism(range(m), n, z)
        by_database = dict(zip(mechanism.profiles, mechanism.all_released(), strict=True))
        for pair in database_graph(range(m), n).edges:
            for d, other in (pair, pair[::-1]):
                own = hamming_set(d, other, mechanism.outputs)  # type: ignore[arg-type]
                assert cells(by_database[d], by_database[other]) == {1 / z: own}
                assert len(own) == m ** (n - 1)

    @pytest.mark.parametrize(("d", "other"), [("ab", "ab"), ("ab", "ba"), ("ab", "bbc"), ("ab", "b")])
    def test_refuses_databases_that_are_no_neighbours(self, d: str, other: str) -> None:
        with pytest.raises(md.InputError, match="in one row"):
            hamming_set(d, other, ["aa", "ab"])


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
