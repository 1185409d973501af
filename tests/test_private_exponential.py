"""The exponential mechanism on a graph: private exactly, scaled as far as its argument allows, and further if asked."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from command import faults_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import profile_graphs, tables

import mechdesign as md
from mechdesign.certifier.sufficient_sets import work
from mechdesign.closed_form.private_exponential import MOST_ENTRIES, sensitivities
from mechdesign.graph.distribution import support
from mechdesign.papers.hlm import hamming_mechanism, least_base


def scale_of(mechanism: md.Mechanism) -> float:
    return float(mechanism.notes["scale"])


def differences(graph: nx.Graph, table: Any) -> list[tuple[float, float]]:
    """Return for each edge its epsilon at 1 and the range by which its values' utilities differ, by the definition."""
    found = []
    for a, b, attributes in graph.edges(data=True):
        values = [[x for x, _ in support(graph.nodes[end]["distribution"])] for end in (a, b)]
        ranges = [np.ptp(np.subtract(table[x], table[y])) for x, y in product(*values)]
        found.append((float(attributes.get("epsilon", attributes.get("distance", 1))), float(max(ranges))))
    return found


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_it_is_private_exactly_at_the_scale_of_the_definition(data: st.DataObject) -> None:
    graph = data.draw(profile_graphs(own=True))
    d = len(graph.graph["categories"])
    table = data.draw(tables(d, data.draw(st.integers(2, 4))))
    limits = [epsilon / apart for epsilon, apart in differences(graph, table) if apart and epsilon < math.inf]
    if not limits:
        with pytest.raises(md.InputError, match="nothing limits how far"):
            md.private_exponential(graph, table, epsilon=1)
        return
    mechanism = md.private_exponential(graph, table, epsilon=1)
    assert md.certify(mechanism, graph, epsilon=1).private
    one_sum = len({tuple(sorted(np.subtract(row, max(row)))) for row in table}) == 1
    assert scale_of(mechanism) >= min(limits) * (1 - 1e-12)
    assert one_sum or scale_of(mechanism) == pytest.approx(min(limits))
    tight = md.private_exponential(graph, table, epsilon=1, tight=True)
    assert md.certify(tight, graph, epsilon=1).private
    assert scale_of(tight) >= scale_of(mechanism)


@pytest.mark.parametrize("n", [1, 2])
def test_the_hamming_utility_needs_no_factor_of_two(n: int) -> None:
    """[HLM], Theorem 4: gamma is epsilon for delta 0, and this is the Hamming mechanism, up to rounding."""
    graph = md.database_graph("abc", n)
    table = [[-sum(x != y for x, y in zip(a, b, strict=True)) for b in graph] for a in graph]
    mechanism = md.private_exponential(graph, table, epsilon="0.7")
    assert scale_of(mechanism) == pytest.approx(0.7)
    wanted = hamming_mechanism("abc", n, least_base(3, epsilon="0.7"))
    assert np.abs(mechanism.matrix(next(iter(graph))) - wanted.matrix(next(iter(graph)))).max() < 1e-15


@pytest.mark.parametrize("epsilon", ["1e-30", "1e-3", "1", "40"])
def test_the_margin_covers_what_rounding_takes(epsilon: str) -> None:
    """At the largest scale, also where e^epsilon is hardly more than 1; nothing else is to spare for this utility."""
    graph = md.value_graph("ab")
    mechanism = md.private_exponential(graph, [[0, -1], [-1, 0]], epsilon=epsilon)
    verdict = md.certify(mechanism, graph, epsilon=epsilon)
    assert verdict.private
    assert verdict.epsilon[1] >= float(Fraction(epsilon)) * (1 - 1e-15)


def test_distances_and_own_epsilons_count() -> None:
    graph = md.value_graph([0, 1, 3], metric=lambda x, y: abs(x - y))
    assert scale_of(md.private_exponential(graph, lambda x, y: -abs(x - y), epsilon=1)) == pytest.approx(0.5)
    graph.edges[0, 1]["epsilon"] = Fraction(1, 10)
    assert scale_of(md.private_exponential(graph, lambda x, y: -abs(x - y), epsilon=1)) == pytest.approx(0.05)


def test_tight_makes_use_of_what_is_to_spare() -> None:
    graph = md.counting_graph(5)
    usual, tight = (
        md.private_exponential(graph, lambda x, y: -abs(x - y), epsilon=1, tight=tight) for tight in (False, True)
    )
    assert md.certify(usual, graph, epsilon=1).epsilon[1] < 0.7
    assert md.certify(tight, graph, epsilon=1).epsilon[0] > 1 - 1e-5
    with_delta = md.private_exponential(graph, lambda x, y: -abs(x - y), epsilon=1, delta="0.1", tight=True)
    assert md.certify(with_delta, graph, epsilon=1, delta="0.1").private
    assert scale_of(with_delta) > scale_of(tight)


def test_nothing_is_raised_without_end() -> None:
    """Utilities that differ a little, and not in what is best: any scale would nearly do."""
    mechanism = md.private_exponential(md.value_graph("ab"), [[0, -1000], [0, -1001]], epsilon=1, tight=True)
    assert scale_of(mechanism) <= 512


def test_an_epsilon_of_zero_makes_all_alike() -> None:
    for tight in (False, True):
        mechanism = md.private_exponential(md.value_graph("ab"), [[0, -1], [-1, 0]], epsilon=0, tight=tight)
        assert set(mechanism.row("a", "a")) == {Fraction(1, 2)}


def test_profiles_within_bounds_may_have_any_value() -> None:
    """The nominal profiles never have the third value; the true ones may."""
    graph = md.profile_graph({"a": [1, 0, 0], "b": [0, 1, 0]}, edges="all", categories=["x", "y", "z"])
    table = [[0, -1, -1], [-1, 0, -1], [-9, -9, 0]]
    usual = scale_of(md.private_exponential(graph, table, epsilon=1))
    graph.nodes["a"]["radius"] = Fraction(1, 10)
    assert scale_of(md.private_exponential(graph, table, epsilon=1)) < usual / 4


def test_outputs_of_a_table_that_is_not_square() -> None:
    graph = md.value_graph("ab")
    assert md.private_exponential(graph, [[0, 1, 2], [2, 1, 0]], epsilon=1).outputs == (0, 1, 2)
    assert md.private_exponential(graph, [[0, 1], [1, 0]], epsilon=1, outputs=["u", "v"]).outputs == ("u", "v")
    function = md.private_exponential(graph, lambda x, y: int(x == y), epsilon=1, outputs=["b", "c"])
    assert function.row("b", "b")[0] > function.row("b", "b")[1]


def test_ratios_tie_as_utilities_do() -> None:
    """[HLM], Corollary 2: on {a : a_i = d_i} the ratio is one number. Rounding each weight made several of it."""
    graph = md.database_graph("ab", 3)
    table = [[-sum(x != y for x, y in zip(a, b, strict=True)) for b in graph] for a in graph]
    mechanism = md.private_exponential(graph, table, epsilon="0.3")
    counted = work(mechanism, graph)
    assert counted.corollary_1 == counted.pairs == 24


@pytest.mark.parametrize("highest", [16, 17])
def test_low_powers_of_one_number_or_numbers_of_80_bits(highest: int) -> None:
    """Both are private exactly, and at all that epsilon allows."""
    graph = md.value_graph("ab")
    mechanism = md.private_exponential(graph, [[0, -1, -highest], [-1, 0, -highest]], epsilon="1e-7")
    verdict = md.certify(mechanism, graph, epsilon="1e-7")
    assert verdict.private
    assert verdict.epsilon[1] == pytest.approx(1e-7, rel=1e-9)


def test_huge_utilities_are_compared_exactly() -> None:
    table = np.array([[0, -(10**30), 1 - 10**30], [0, -(10**30), -(10**30)]], dtype=object)
    assert sensitivities(table).tolist() == [[0, 1], [1, 0]]


GRAPH = md.value_graph("ab")


@pytest.mark.parametrize(
    ("utility", "options", "fault"),
    [
        ([[0, 1]], {}, "utility: expected a table of 2 rows, one for each category, and at least one column, found"),
        ([[0, 1], [1]], {}, "utility: expected a table of 2 rows"),
        ([[], []], {}, "utility: expected a table of 2 rows"),
        ([[0, "good"], [math.nan, 0]], {}, "utility, row 0, column 1: expected a number such as 0.3"),
        ([[0, 1], [0, 1]], {}, "utility: no edge of a finite epsilon joins values whose utilities differ"),
        ([[0, 1], [1, 0]], {"epsilon": "inf"}, "utility: no edge of a finite epsilon"),
        ([[0, 1], [1, 0]], {"epsilon": -1}, "epsilon: expected a number >= 0 (in nats) or inf, found -1"),
        ([[0, 1], [1, 0]], {"outputs": ["a"]}, "outputs: expected 2, one for each column, found 1"),
        ([[0, 1], [1, 0]], {"outputs": ["a", "a"]}, "outputs"),
        ([[0, 1], [1, 0]], {"delta": "0.1"}, "delta: expected 0 without tight, found 0.1; only then is use made of it"),
        ([[0, 10**7], [1, 10**7]], {}, "utility: scaled it spans 1e+07, expected at most 100000"),
        (lambda *_: 0, {"outputs": range(MOST_ENTRIES)}, "too large: the mechanism would have 500,000 entries"),
        (np.zeros((2, MOST_ENTRIES)), {}, "too large: the mechanism would have 500,000 entries"),
    ],
)  # fmt: skip
def test_what_is_refused(utility: Any, options: dict[str, Any], fault: str) -> None:
    assert faults_of(md.private_exponential, GRAPH, utility, **{"epsilon": 1, **options})[0].startswith(fault)


def test_tight_is_refused_where_profiles_are_known_within_bounds() -> None:
    graph = md.value_graph("ab")
    graph.nodes["a"]["radius"] = Fraction(1, 10)
    with pytest.raises(md.InputError, match="tight: goes with profiles that are known exactly"):
        md.private_exponential(graph, [[0, 1], [1, 0]], epsilon=1, tight=True)
