"""The discrete exponential mechanism, its rational weights, and the graph of databases."""

import math
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.closed_form.exponential import exponential_mechanism, exponential_weight
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.exact.numbers import Number
from mechdesign.graph.databases import MAX_DATABASES, check_database_count, database_graph
from mechdesign.papers.hlm import distance

UTILITIES = st.fractions(min_value=-50, max_value=50, max_denominator=1000)


class TestWeight:
    """e^u to the nearest rational of 64 significant bits."""

    @given(UTILITIES)
    def test_no_other_number_of_64_bits_is_nearer(self, utility: Fraction) -> None:
        weight = exponential_weight(utility)
        low, high = exp_below(abs(utility), bits=200), exp_above(abs(utility), bits=200)
        truth = low if utility >= 0 else 1 / high
        odd = weight.numerator // (weight.numerator & -weight.numerator)
        assert odd.bit_length() <= 64
        # Half a unit in the last place is at most 2^-64 of the number.
        assert abs(weight - truth) <= truth / 2**64 + (high - low)

    @given(UTILITIES, UTILITIES)
    def test_keeps_the_order(self, u: Fraction, v: Fraction) -> None:
        assert (u < v) == (exponential_weight(u) < exponential_weight(v))

    def test_takes_text_and_extremes(self) -> None:
        assert exponential_weight("-1/2") == exponential_weight(-0.5)
        assert exponential_weight(-100_000) * exponential_weight(100_000) == pytest.approx(1, abs=1e-18)
        assert exponential_weight(1, bits=4) == Fraction(11, 4)  # 2.75, between 2.5 and 3

    @pytest.mark.parametrize("utility", ["much", math.inf, math.nan, 100_001, "-100001", True])
    def test_refuses(self, utility: float | str) -> None:
        with pytest.raises(md.InputError, match="expected a number"):
            exponential_weight(utility)


class TestMechanism:
    """[HLM] (7)."""

    def test_is_the_formula(self) -> None:
        def utility(d: int, a: int) -> Fraction:
            return Fraction(-((d - a) ** 2), 3)

        mechanism = exponential_mechanism(range(4), range(5), lambda d, a: exponential_weight(utility(d, a)))
        for d in range(4):
            total = sum(math.exp(utility(d, a)) for a in range(5))
            expected = [math.exp(utility(d, a)) / total for a in range(5)]
            assert mechanism.matrix(d)[d].tolist() == pytest.approx(expected, rel=1e-14)
            assert sum(mechanism.row(d, d)) == 1

    @given(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=2, max_size=4))
    @settings(max_examples=30)
    def test_is_private_at_twice_the_sensitivity(self, utility: list[list[int]]) -> None:
        """McSherry and Talwar's guarantee, in powers of one base."""
        base = Fraction(3, 2)
        mechanism = exponential_mechanism(range(len(utility)), range(3), lambda d, a: base ** utility[d][a])
        rows = [released.fractions() for released in mechanism.all_released()]
        for (one, u), (other, v) in combinations(zip(rows, utility, strict=True), 2):
            sensitivity = max(abs(x - y) for x, y in zip(u, v, strict=True))
            assert all(p <= base ** (2 * sensitivity) * q for p, q in zip(one, other, strict=True))
            assert all(q <= base ** (2 * sensitivity) * p for p, q in zip(one, other, strict=True))

    def test_lists_every_weight_that_is_not_positive(self) -> None:
        weights: dict[str, Number] = {"aa": 0, "ab": "x", "ba": -1, "bb": 1}
        with pytest.raises(md.InputError) as caught:
            exponential_mechanism(["a", "b"], ["a", "b"], lambda d, a: weights[d + a])
        assert caught.value.faults == [
            "weight('a', 'a'): expected a positive number, found 0",
            "weight('a', 'b'): expected a positive number, found 'x'",
            "weight('b', 'a'): expected a positive number, found -1",
        ]

    def test_refuses_no_outputs(self) -> None:
        with pytest.raises(md.InputError, match="shape"):
            exponential_mechanism(["a"], [], lambda d, a: 1)


class TestDatabaseGraph:
    """[HLM] §2.1."""

    @pytest.mark.parametrize(("m", "n"), [(2, 1), (2, 3), (3, 2), (5, 2)])
    def test_neighbours_differ_in_one_row(self, m: int, n: int) -> None:
        graph = database_graph(range(m), n)
        assert len(graph) == m**n
        assert graph.number_of_edges() == n * (m - 1) * m**n // 2
        assert {frozenset(edge) for edge in graph.edges} == {
            frozenset(pair) for pair in combinations(graph, 2) if distance(*pair) == 1
        }

    def test_one_row_is_the_graph_of_local_privacy(self) -> None:
        local = md.value_graph("abc")
        assert {(a[0], b[0]) for a, b in database_graph("abc", 1).edges} == set(local.edges)

    @pytest.mark.parametrize("n", [14, 10**9, 10**100])
    def test_points_to_the_product_form(self, n: int) -> None:
        with pytest.raises(md.InputError, match=r"ProductSanitisation\(parent, n\)"):
            database_graph("ab", n)

    def test_stops_above_ten_thousand(self) -> None:
        check_database_count(range(100), 2, MAX_DATABASES)
        with pytest.raises(md.InputError, match=r"101\^2 databases"):
            database_graph(range(101), 2)

    @pytest.mark.parametrize("n", [0, -1, True, 1.5, "2"])
    def test_refuses_a_number_of_rows(self, n: int) -> None:
        with pytest.raises(md.InputError, match="n: expected a positive integer"):
            database_graph("ab", n)

    @pytest.mark.parametrize("values", ["", "a", "aba"])
    def test_refuses_values(self, values: str) -> None:
        with pytest.raises(md.InputError, match="at least two different"):
            database_graph(values, 2)
