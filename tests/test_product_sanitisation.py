"""Product sanitisation: [HLM] (18)-(25), Theorems 6-10."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.closed_form.k_ary import k_ary
from mechdesign.closed_form.product_sanitisation import ProductSanitisation, least_error, optimal_product_sanitisation
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.databases import database_graph
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.hlm import distance, expected_changes, least_delta, parent_alpha
from mechdesign.privacy.gaps import hockey_stick

RATIOS = st.fractions(min_value=1, max_value=20, max_denominator=50)
DELTAS = st.fractions(min_value=0, max_value=Fraction(9, 10), max_denominator=50)


def parent_of(weights: list[list[int]]) -> Mechanism:
    rows = [[Fraction(weight, sum(row)) for weight in row] for row in weights]
    return mechanism_from_matrix(np.array(rows, dtype=object))


@st.composite
def parents(draw: st.DrawFn) -> Mechanism:
    m, outputs = draw(st.integers(2, 3)), draw(st.integers(2, 3))
    row = st.lists(st.integers(0, 9), min_size=outputs, max_size=outputs).filter(any)
    return parent_of(draw(st.lists(row, min_size=m, max_size=m)))


class TestInheritance:
    """Theorem 6 and Corollary 3: n rows have exactly the parent's delta."""

    @given(parents(), st.integers(1, 3), RATIOS)
    @settings(max_examples=25)
    def test_delta_of_n_rows_is_the_parents(self, parent: Mechanism, n: int, ratio: Fraction) -> None:
        rows = ProductSanitisation(parent, n)
        graph = database_graph(parent.categories, n)
        assert rows.delta(ratio=ratio) == least_delta(rows.mechanism(), graph, ratio)

    def test_a_million_rows(self) -> None:
        ratio, delta = exp_below(Fraction(1)), Fraction(1, 10**6)
        rows = ProductSanitisation(optimal_product_sanitisation(range(10), ratio=ratio, delta=delta), 10**6)
        assert rows.delta(ratio=ratio) == delta
        assert rows.is_private(ratio=ratio, delta=delta)
        assert not rows.is_private(ratio=ratio, delta=delta - Fraction(1, 10**30))
        assert not rows.is_private(ratio=ratio)
        assert rows.error() == least_error(10, 10**6, ratio=ratio, delta=delta)

    def test_two_differing_rows_are_less_private(self) -> None:
        """Only neighbours have the parent's delta."""
        ratio = Fraction(3)
        both = ProductSanitisation(k_ary("ab", ratio=ratio), 2).mechanism().all_released()
        assert hockey_stick(both[0], both[3], ratio) > 0
        assert hockey_stick(both[0], both[3], ratio**2) == 0


class TestProduct:
    """(18)."""

    @given(parents(), st.integers(1, 2))
    @settings(max_examples=20)
    def test_an_entry_is_the_product_over_the_rows(self, parent: Mechanism, n: int) -> None:
        mechanism = ProductSanitisation(parent, n).mechanism()
        for d in mechanism.inputs:
            rows = [parent.row(value, value) for value in d]  # type: ignore[attr-defined]
            assert mechanism.row(d, d) == tuple(math.prod(row) for row in product(*rows))

    def test_error_is_that_of_the_worst_database(self) -> None:
        rows = ProductSanitisation(parent_of([[3, 1], [1, 1]]), 3)
        changes = expected_changes(rows.mechanism())
        assert rows.error() == max(changes) == changes[-1] == Fraction(3, 2)

    def test_takes_a_designed_parent(self) -> None:
        design = md.design(md.value_graph("abc"), epsilon=1, delta="1/10", objective=md.WorstLoss())
        rows = ProductSanitisation(design.mechanism, 1000)
        assert rows.is_private(epsilon=1, delta="1/10")
        assert rows.error() == 1000 * design.value

    def test_profiles_in_another_order_than_the_values(self) -> None:
        graph = md.profile_graph({"second": [0, 1], "first": [1, 0]}, edges="all", categories=["x", "y"])
        weights = np.array([[9, 1], [4, 6]], dtype=object)
        parent = Mechanism(graph, ("x", "y"), weights, np.array([[0, 1], [0, 1]]))
        rows = ProductSanitisation(parent, 1)
        assert rows.mechanism().row(("x",), ("x",)) == (Fraction(9, 10), Fraction(1, 10))
        assert rows.error() == Fraction(2, 5)

    def test_one_value_tells_nothing(self) -> None:
        assert ProductSanitisation(k_ary(["a"], ratio=2), 5).delta(ratio=1) == 0

    @pytest.mark.parametrize("n", [0, -3, True, 2.0])
    def test_refuses_a_number_of_rows(self, n: int) -> None:
        with pytest.raises(md.InputError, match="n: expected a positive integer"):
            ProductSanitisation(k_ary("ab", ratio=2), n)

    def test_refuses_a_parent_of_uncertain_profiles(self) -> None:
        parent = md.design(md.read_graph("bernoulli-couplet"), epsilon=1).mechanism
        with pytest.raises(md.InputError, match="one profile for each value"):
            ProductSanitisation(parent, 2)

    def test_refuses_a_parent_with_a_value_missing(self) -> None:
        graph = md.profile_graph({"first": [1, 0]}, edges=[], categories=["x", "y"])
        parent = Mechanism(graph, ("x",), np.array([[1]], dtype=object), np.array([[0, 0]]))
        with pytest.raises(md.InputError, match="one profile for each value"):
            ProductSanitisation(parent, 2)

    def test_refuses_the_error_of_other_outputs(self) -> None:
        parent = mechanism_from_matrix([["1/2", "1/2"], ["0", "1"]], inputs="ab", outputs="xy")
        with pytest.raises(md.InputError, match="expected the values"):
            ProductSanitisation(parent, 2).error()

    def test_refuses_to_write_out_too_much(self) -> None:
        with pytest.raises(md.InputError, match=r"2\^11 databases"):
            ProductSanitisation(k_ary("ab", ratio=2), 11).mechanism()


class TestOptimum:
    """Theorem 10, and how far it reaches."""

    @given(st.integers(2, 9), RATIOS, DELTAS)
    def test_entries(self, m: int, ratio: Fraction, delta: Fraction) -> None:
        row = optimal_product_sanitisation(range(m), ratio=ratio, delta=delta).row(0, 0)
        assert row[0] == (ratio + (m - 1) * delta) / (ratio + m - 1)
        assert set(row[1:]) == {(1 - delta) / (ratio + m - 1)}
        assert (row[0] == (ratio + delta) / (ratio + m - 1)) == (m == 2 or delta == 0)

    @pytest.mark.parametrize("m", [2, 3, 4, 5, 7])
    @pytest.mark.parametrize("epsilon", ["0", "1/2", "3/2", "4"])
    def test_is_the_optimum_everywhere(self, m: int, epsilon: str) -> None:
        """Of the 280 points of theory.md 1.2 three eighths: value, bound and only solution are (25)'s."""
        ratio = exp_below(Fraction(epsilon))
        for delta in ("0", "1/20", "1/10", "1/2")[m % 2 :] + ("1/100", "1/4", "9/10")[m % 3 :]:
            design = md.design(md.value_graph(range(m)), epsilon=epsilon, delta=delta, objective=md.WorstLoss())
            expected = least_error(m, 1, ratio=ratio, delta=Fraction(delta))
            assert design.bound <= expected <= design.value <= design.bound * (1 + Fraction(2, 10**9))
            best = optimal_product_sanitisation(range(m), ratio=ratio, delta=Fraction(delta))
            assert all(np.abs(design.mechanism.matrix(x) - best.matrix(x)).max() < 1e-9 for x in range(m))

    @pytest.mark.parametrize(
        ("m", "epsilon", "delta"), [(2, "0", "1/5"), (3, "1/2", "0"), (5, "4", "1/5"), (7, "1/2", "9/10")]
    )
    def test_is_optimal_for_the_uniform_average(self, m: int, epsilon: str, delta: str) -> None:
        design = md.design(md.value_graph(range(m)), epsilon=epsilon, delta=delta, objective=md.ExpectedLoss())
        expected = least_error(m, 1, epsilon=epsilon, delta=delta)
        assert float(design.value) == pytest.approx(float(expected), abs=1e-9)

    @pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 2), (2, 3)])
    @pytest.mark.parametrize(("epsilon", "delta"), [("1", "0"), ("0", "1/20"), ("3", "1/2")])
    def test_is_optimal_among_all_mechanisms_on_databases(self, m: int, n: int, epsilon: str, delta: str) -> None:
        graph = database_graph(range(m), n)
        loss = [[distance(d, a) for a in graph] for d in graph]
        expected = least_error(m, n, epsilon=epsilon, delta=delta)
        for objective in (md.WorstLoss(loss), md.ExpectedLoss(loss)):
            value = md.design(graph, epsilon=epsilon, delta=delta, objective=objective).value
            assert float(value) == pytest.approx(float(expected), abs=1e-9)

    def test_rounds_to_the_private_side(self) -> None:
        ratio = exp_below(Fraction(1))
        alpha = float(parent_alpha(4, ratio=ratio))
        assert alpha == pytest.approx(1 / (math.e + 3), rel=1e-15)
        assert ProductSanitisation(optimal_product_sanitisation("abcd", ratio=ratio), 9).is_private(ratio=ratio)
