"""Against the optimal product sanitisation: [HLM] Theorem 10 on values and on databases."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from test_databases import shuffled

import mechdesign as md
from mechdesign.closed_form.product_sanitisation import least_error
from mechdesign.exact.exponentials import exp_above
from mechdesign.papers.hlm import hamming_mechanism, least_base

SHAPES = [(2, 1), (4, 1), (2, 2), (3, 2), (2, 3)]


def graph_of(m: int, n: int) -> Any:
    return md.value_graph(range(m)) if n == 1 else md.database_graph(range(m), n)


@pytest.mark.parametrize(("m", "n"), SHAPES)
@pytest.mark.parametrize(("epsilon", "delta"), [("1", "0"), ("0.5", "0.1"), ("0", "0.3")])
def test_the_optimal_one_loses_nothing(m: int, n: int, epsilon: str, delta: str) -> None:
    graph = graph_of(m, n)
    best = md.ProductSanitisation(md.optimal_product_sanitisation(range(m), epsilon=epsilon, delta=delta), n)
    mechanism = best.parent if n == 1 else best.mechanism()
    found = md.compare_with_optimal_product(mechanism, graph, epsilon=epsilon, delta=delta)
    assert found is not None
    assert found.rows == n
    assert found.error == best.error()
    E = exp_above(Fraction(epsilon))
    assert found.optimal_below == n * (m - 1) * (1 - Fraction(delta)) / (E + m - 1)
    assert 0 <= found.lost < Fraction(1, 10**15)


def test_the_worst_database_counts() -> None:
    """A parent that changes one value more than the other, by hand: (a, a) has 2 x 1/4, (b, b) has 2 x 1/2."""
    parent = md.mechanism_from_matrix([["3/4", "1/4"], ["1/2", "1/2"]], inputs="ab")
    found = md.compare_with_optimal_product(
        md.ProductSanitisation(parent, 2).mechanism(), md.database_graph("ab", 2), epsilon=2
    )
    assert found is not None
    assert found.error == 1
    assert found.lost == 1 - least_error(2, 2, epsilon=2)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("renamed", [True, False])
def test_whatever_the_order_and_the_names(seed: int, renamed: bool) -> None:
    """A design on the shuffled graph, and a foreign matrix in the order of its categories; three orders as a sample."""
    graph = shuffled(md.database_graph(["no", "yes"], 2), seed, renamed=renamed)
    designed = md.design(graph, epsilon=1, delta="0.1", objective=md.WorstLoss("rows")).mechanism
    matrix = np.array([[float(p) for p in designed.row(next(iter(graph)), x)] for x in designed.categories])
    foreign = md.mechanism_from_matrix(matrix, inputs=designed.categories)
    for mechanism in (designed, foreign):
        found = md.compare_with_optimal_product(mechanism, graph, epsilon=1, delta="0.1")
        assert found is not None
        assert float(found.error) == pytest.approx(0.484094558, abs=1e-9)
        assert abs(found.lost) < Fraction(1, 10**8)


def test_profiles_in_another_order_than_the_categories() -> None:
    graph = md.profile_graph({"second": [0, 1], "first": [1, 0]}, edges="all", categories=["x", "y"])
    mechanism = md.design(graph, epsilon=1, objective=md.WorstLoss()).mechanism
    foreign = md.mechanism_from_matrix([["1", "0"], ["1/4", "3/4"]], inputs=["x", "y"])
    assert md.compare_with_optimal_product(mechanism, graph, epsilon=1) is not None
    found = md.compare_with_optimal_product(foreign, graph, epsilon=1)
    assert found is not None
    assert found.error == Fraction(1, 4)


def test_where_it_does_not_apply() -> None:
    graph = md.database_graph("ab", 2)
    mechanism = hamming_mechanism("ab", 2, least_base(2, epsilon=1))
    assert md.compare_with_optimal_product(mechanism, graph, epsilon=1) is not None
    fewer = md.database_graph("ab", 2)
    fewer.remove_edge(("a", "a"), ("a", "b"))
    assert md.compare_with_optimal_product(mechanism, fewer, epsilon=1) is None
    assert md.compare_with_optimal_product(mechanism, md.database_graph("ab", 1), epsilon=1) is None
    silent = mechanism.then([[1]] * 4, outputs=["silence"])
    assert md.compare_with_optimal_product(silent, graph, epsilon=1) is None
    chain = md.read_graph("categorical-chain")
    assert md.compare_with_optimal_product(md.design(chain, epsilon=1).mechanism, chain, epsilon=1) is None


@pytest.mark.parametrize("epsilon", ["700", "99999", "1e6", "1e400", "inf"])
def test_a_large_epsilon(epsilon: str) -> None:
    identity = md.mechanism_from_matrix(np.identity(3))
    found = md.compare_with_optimal_product(identity, epsilon=epsilon)
    assert found is not None
    assert found.error == 0 <= found.optimal_below < Fraction(1, 10**300)


def test_bad_input() -> None:
    with pytest.raises(md.InputError, match="expected a Mechanism"):
        md.compare_with_optimal_product([[1]], epsilon=1)  # type: ignore[arg-type]
    with pytest.raises(md.InputError, match="epsilon"):
        md.compare_with_optimal_product(md.k_ary("ab", ratio=2), epsilon=-1)
    with pytest.raises(md.InputError, match="delta"):
        md.compare_with_optimal_product(md.k_ary("ab", ratio=2), epsilon=1, delta=1)
