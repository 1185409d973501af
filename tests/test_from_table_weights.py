"""Graphs from weighted samples: exact weighted shares, bounds at effective numbers of records, bad weights."""

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import beta

import mechdesign as md
from mechdesign.graph.from_table.count_ranges import Range, interval_outward, tail_above
from mechdesign.graph.from_table.distinct import distinct
from mechdesign.graph.from_table.row_weights import WeightColumn
from mechdesign.graph.uncertainty import uncertainty_of

RECORDS: dict[str, Any] = {"job": ["a"] * 40 + ["b"] * 30, "use": ["x"] * 30 + ["y"] * 10 + ["x"] * 20 + ["y"] * 10}
WEIGHTS = [1 + (7 * row) % 5 for row in range(70)]


def made(weights: Any = None, **options: Any) -> nx.Graph:
    frame = RECORDS if weights is None else RECORDS | {"w": weights}
    asked: dict[str, Any] = {"confidence": "0.95", "categories": ["x", "y", "z"]} | options
    asked |= {} if weights is None else {"weight": "w"}
    return md.graph_from_table(frame, profile="job", value="use", **asked)


def profiles_of(graph: nx.Graph) -> list[Any]:
    keys = ("distribution", "lower", "upper", "count", "weight")
    return [[node.get(key) for key in keys] for node in graph.nodes.values()]


@pytest.mark.parametrize("options", [{}, {"weigh_by_count": True}, {"confidence": None}, {"smoothing": 1}])
def test_unit_weights_change_nothing(options: dict[str, Any]) -> None:
    assert profiles_of(made([1] * 70, **options)) == profiles_of(made(**options))


def test_bounds_are_beta_quantiles_at_kishs_effective_number() -> None:
    """By Korn and Graubard: Beta(x, n - x + 1) and Beta(x + 1, n - x) at n = (sum w)^2 / sum w^2 and x = n p."""
    node, weights = made(WEIGHTS).nodes["a"], np.array(WEIGHTS[:40], float)
    n = weights.sum() ** 2 / (weights**2).sum()
    assert node["effective"] == pytest.approx(n)
    for share, low, high in zip(node["distribution"], node["lower"], node["upper"], strict=True):
        x, tail = n * float(share), 0.05 / 6 / 2
        ends = (beta.ppf(tail, x, n - x + 1) if x else 0.0, beta.ppf(1 - tail, x + 1, n - x))
        assert ends[0] - 0.002 <= float(low) <= ends[0] + 1e-9
        assert ends[1] - 1e-9 <= float(high) <= ends[1] + 0.002
    assert uncertainty_of(node).holds(node["distribution"])


def test_a_design_effect_is_so_many_times_fewer_records() -> None:
    four = made(design_effect=4).nodes["a"]
    assert (four["lower"][1], four["upper"][1]) == interval_outward(Fraction(5, 2), Fraction(10), Fraction(1, 20) / 6)
    assert four["effective"] == 10
    assert profiles_of(made(design_effect=1)) == profiles_of(made())
    assert made(WEIGHTS, design_effect=2).nodes["b"]["effective"] == 15


def test_the_graph_says_that_it_is_an_approximation() -> None:
    graph = made(WEIGHTS)
    said = graph.graph["made"]
    assert (said["weight"], said["records"]) == ("w", 70)
    assert said["confidence"]["guarantee"].startswith("with probability about 95 % over the sample")
    assert "Korn and Graubard's" in said["confidence"]["intervals"]
    assert graph.nodes["a"]["count"] == 40
    assert made(design_effect="1.5").graph["made"]["design_effect"] == "1.5"


def test_effective_records_are_rounded_outward() -> None:
    found = Range(1, 2, 4, 5).times(Fraction(1, 3))
    ends = (found.least, found.most, found.least_others, found.most_others)
    assert [end * 10**6 for end in ends] == [333_333, 666_667, 1_333_333, 1_666_667]


@given(
    st.fractions(Fraction(1, 10), 60),
    st.fractions(Fraction(1, 10), 60),
    st.fractions(Fraction(1, 50), Fraction(49, 50)),
)
def test_tails_of_numbers_that_are_not_whole(successes: Fraction, others: Fraction, chance: Fraction) -> None:
    bound, true = (
        tail_above(successes, successes + others, chance),
        betainc(float(successes), float(others) + 1, float(chance)),
    )
    assert float(bound) >= true * (1 - 1e-9)
    if chance * (successes + others + 1) < successes + 1:
        assert float(bound) <= true * (1 + 1e-9) + 1e-300


def test_rows_are_counted_across_batches() -> None:
    batches = [pa.record_batch({"v": ["x", "y"], "w": [1.5, -2.0]}), pa.record_batch({"v": ["x"] * 9, "w": [-2.0] * 9})]
    rows = distinct(batches, ["v"], WeightColumn("w"))
    assert rows.faults == [
        "column 'w': expected a weight >= 0, found a negative number in rows 2, 3, 4, 5, 6 and 5 more"
    ]
    whole = distinct([pa.record_batch({"v": ["x", "y", "x"], "w": ["1,5", "2", "0,1"]})], ["v"], WeightColumn("w"))
    assert whole.weights == [(Fraction(8, 5), Fraction(9, 4) + Fraction(1, 100)), (2, 4)]
