"""Graphs from a sample: bounds that hold all true profiles at once, what they claim, what does not go with them."""

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from command import faults_of

import mechdesign as md
from mechdesign.graph.from_table.confidence import guarantee_in
from mechdesign.graph.from_table.count_ranges import interval_outward
from mechdesign.graph.uncertainty import uncertainty_of

RECORDS = {"job": ["a"] * 40 + ["b"] * 30, "use": ["x"] * 30 + ["y"] * 10 + ["x"] * 30}


def made(frame: Any = RECORDS, **options: Any) -> nx.Graph:
    asked = {"confidence": "0.95", "categories": ["x", "y", "z"]} | options
    return md.graph_from_table(frame, profile="job", value="use", **asked)


def test_bounds_are_clopper_and_pearsons_shared_among_all_cells() -> None:
    graph = made()
    a, miss = graph.nodes["a"], Fraction(1, 20) / 6
    ends = [interval_outward(count, 40, miss) for count in (30, 10, 0)]
    assert list(zip(a["lower"], a["upper"], strict=True)) == ends
    assert ends[2][0] == 0 < ends[2][1]
    assert (a["counts"], a["count"]) == ([30, 10, 0], 40)
    b = graph.nodes["b"]
    assert b["counts"] == [30, 0, 0]
    assert b["upper"][0] == 1
    assert b["lower"][0] < 1
    assert all(uncertainty_of(node).holds(node["distribution"]) for node in graph.nodes.values())


def test_of_two_categories_one_interval_is_the_others_mirror_image() -> None:
    """Both miss in the same samples, so that a profile is one interval among all."""
    a = made(categories=["x", "y"]).nodes["a"]
    assert (a["lower"][0], a["upper"][0]) == interval_outward(30, 40, Fraction(1, 20) / 2)
    assert (a["lower"][1], a["upper"][1]) == (1 - a["upper"][0], 1 - a["lower"][0])


def test_bounds_hold_what_smoothing_makes_of_a_distribution() -> None:
    """Of a profile without records nothing is known."""
    graph = made(smoothing=1000, profiles=["a", "b", "c"])
    for node in graph.nodes.values():
        assert all(low <= mass <= high for low, mass, high in zip(*ends(node), strict=True))
    assert graph.nodes["b"]["upper"][2] == graph.nodes["b"]["distribution"][2]
    assert ends(graph.nodes["c"])[::2] == ((0, 0, 0), (1, 1, 1))


def ends(node: dict[str, Any]) -> tuple[Any, Any, Any]:
    return node["lower"], node["distribution"], node["upper"]


def test_too_many_cells_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.graph.from_table.histogram.MOST_PROBABILITIES", 5)
    assert faults_of(made)[0].startswith("too large: 2 profiles with 3 categories each are 6 probabilities")


def test_true_profiles_are_within_as_often_as_promised() -> None:
    """The share of 400 samples whose bounds hold both true profiles; Bonferroni promises 80 %, and gives more."""
    rng, held = np.random.default_rng(5), 0
    true = {"a": [0.5, 0.3, 0.2], "b": [0.9, 0.1, 0.0]}
    cells = {"job": [p for p in true for _ in "xyz"], "use": list("xyz") * 2}
    for _ in range(400):
        counts = np.concatenate([rng.multinomial(25, masses) for masses in true.values()]).tolist()
        graph = made(cells | {"n": counts}, count="n", confidence="0.8")
        held += all(uncertainty_of(graph.nodes[p]).holds([Fraction(str(x)) for x in true[p]]) for p in true)
    assert 0.8 <= held / 400 < 1


@pytest.mark.parametrize("made", [None, [], {"confidence": "high"}, {"confidence": {"guarantee": 0.95}}])
def test_what_others_wrote_of_a_graph_is_no_guarantee(made: Any) -> None:
    assert guarantee_in(nx.Graph(made=made)) is None
