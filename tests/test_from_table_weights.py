"""Graphs from weighted samples: exact weighted shares, bounds at effective numbers of records, bad weights."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from command import faults_of, run
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


def test_only_ratios_of_weights_count() -> None:
    assert profiles_of(made([2 * w for w in WEIGHTS])) == profiles_of(made(WEIGHTS))
    assert profiles_of(made([f"{w}.50" for w in WEIGHTS])) == profiles_of(made([w + 0.5 for w in WEIGHTS]))


def test_whole_weights_have_the_shares_of_repeated_rows() -> None:
    repeated = {
        name: [one for one, w in zip(cells, WEIGHTS, strict=True) for _ in range(w)] for name, cells in RECORDS.items()
    }
    many = md.graph_from_table(repeated, profile="job", value="use", categories=["x", "y", "z"])
    weighted = made(WEIGHTS, confidence=None)
    assert [n["distribution"] for n in weighted.nodes.values()] == [n["distribution"] for n in many.nodes.values()]


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


def test_noised_counts_go_with_a_design_effect() -> None:
    declared: dict[str, Any] = {"noise": 20, "profiles": ["a", "b", "c"]}
    narrow, wide = made(**declared), made(design_effect=2, **declared)
    assert wide.nodes["a"]["upper"][1] > narrow.nodes["a"]["upper"][1]
    assert "effective" not in wide.nodes["a"]
    assert wide.graph["made"]["confidence"]["guarantee"].startswith("with probability about 95 % over the noise and")


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
    if float(chance) < 0.7 * float(successes / (successes + others)):
        assert float(bound) <= true * 1.2 + 1e-300


def test_whole_numbers_as_fractions_are_the_same() -> None:
    assert tail_above(Fraction(7), Fraction(20), Fraction(1, 5)) == tail_above(7, 20, Fraction(1, 5))


@pytest.mark.parametrize(
    ("weight", "fault"),
    [
        (-1, "column 'w': expected a weight >= 0, found a negative number in row 3"),
        (None, "column 'w': expected a weight >= 0, found none in row 3"),
        ("NA", "column 'w': expected a weight >= 0, found none in row 3"),
        (float("nan"), "column 'w': expected a weight >= 0, found none in row 3"),
        ("many", "column 'w': expected a weight >= 0, found no number in row 3"),
        (float("inf"), "column 'w': expected a weight >= 0, found no number in row 3"),
        ([1], "column 'w': expected a weight >= 0, found no number in row 3"),
    ],
)
def test_what_is_no_weight_is_named_by_its_row(weight: Any, fault: str) -> None:
    assert faults_of(made, [1, 1, weight] + [1] * 67) == [fault]


def test_rows_are_counted_across_batches() -> None:
    batches = [pa.record_batch({"v": ["x", "y"], "w": [1.5, -2.0]}), pa.record_batch({"v": ["x"] * 9, "w": [-2.0] * 9})]
    rows = distinct(batches, ["v"], WeightColumn("w"))
    assert rows.faults == [
        "column 'w': expected a weight >= 0, found a negative number in rows 2, 3, 4, 5, 6 and 5 more"
    ]
    whole = distinct([pa.record_batch({"v": ["x", "y", "x"], "w": ["1,5", "2", "0,1"]})], ["v"], WeightColumn("w"))
    assert whole.weights == [(Fraction(8, 5), Fraction(9, 4) + Fraction(1, 100)), (2, 4)]


@pytest.mark.parametrize(
    ("weights", "options", "fault"),
    [
        (
            WEIGHTS,
            {"noise": 1, "profiles": ["a", "b"]},
            "weight: with noise a person would change a count by as much as their weight, which nothing bounds; give"
            " weight_limit=, the largest weight that counts, chosen without a look at these records",
        ),
        (WEIGHTS, {"count": "w"}, "weight: a row with a weight is one record; give either weight or count"),
        (None, {"design_effect": 0.5}, "design_effect: expected a number >= 1, such as 1.5, found 0.5"),
        (None, {"design_effect": 2, "confidence": None}, "design_effect: widens bounds; give a confidence too"),
        (
            None,
            {"design_effect": 2, "of": "table", "noise": 1, "profiles": ["a", "b"]},
            "design_effect: of the table's own profiles its records are no sample; leave it out",
        ),
        ([0] * 40 + [1] * 30, {}, "a: no weight; leave this profile out, or give a smoothing > 0"),
    ],
)
def test_what_does_not_go_with_weights(weights: Any, options: dict[str, Any], fault: str) -> None:
    assert any(one.replace("'", "").startswith(fault.replace("'", "")) for one in faults_of(made, weights, **options))


def test_a_kept_weight_is_warned_of(tmp_path: Path) -> None:
    table, mechanism = tmp_path / "survey.csv", tmp_path / "m.json"
    table.write_text("use,w\nx,1\ny,2\n")
    md.write_mechanism(md.design(made(WEIGHTS, confidence=None), epsilon=1, shared=True).mechanism, mechanism)
    assert json.loads(mechanism.read_text())["weight_column"] == "w"
    asked = ("sanitise", str(mechanism), str(table), "--value", "use", "-o", str(tmp_path / "out.csv"))
    assert "weights" not in run(*asked).out
    assert "w is kept, beside each value: it has the weights that the profiles" in run(*asked, "--keep", "w").out
