"""What a graph tells about the records: exact counts with a warning, public ones, noised ones, rounded ones."""

import random
import secrets
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.graph.document import document_of
from mechdesign.graph.from_table.histogram import rounded

RECORDS = {"job": ["a"] * 4 + ["b"] * 3, "use": ["x", "x", "y", "x", "y", "y", "x"]}
DECLARED: dict[str, Any] = {"categories": ["x", "y", "z"], "profiles": ["a", "b"]}
SAMPLER = "mechdesign.graph.from_table.histogram.two_sided_geometric"


def made(frame: Any = RECORDS, **options: Any) -> nx.Graph:
    return md.graph_from_table(frame, profile="job", value="use", **options)


def masses(graph: nx.Graph) -> dict[Any, list[Fraction]]:
    return {profile: list(graph.nodes[profile]["distribution"]) for profile in graph}


def test_an_exact_graph_says_that_nobody_declared_it_public() -> None:
    document = document_of(made())
    assert "exact frequencies of records that nobody declared public" in document["graph"]["made"]["warning"]
    assert [node["count"] for node in document["nodes"]] == [4, 3]


def test_a_public_one_says_that_and_nothing_else() -> None:
    graph = made(public=True)
    assert graph.graph["made"]["public"] is True
    assert "warning" not in graph.graph["made"]
    assert "public" not in made().graph["made"]


def test_every_count_has_its_own_noise_of_half_the_epsilon_from_the_operating_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[Fraction, Callable[[int], int]]] = []

    def draw(epsilon: Fraction, below: Callable[[int], int]) -> int:
        asked.append((epsilon, below))
        return [+2, -1, 0, -5, 4, 0][len(asked) - 1]

    monkeypatch.setattr(SAMPLER, draw)
    graph = made(noise="0.3", **DECLARED)
    assert asked == [(Fraction(3, 20), secrets.randbelow)] * 6
    assert masses(graph) == {"a": [1, 0, 0], "b": [0, 1, 0]}  # 3 + 2, 1 - 1, 0; 1 - 5, 2 + 4, 0


def test_a_noised_graph_is_the_same_whatever_the_records_where_the_noised_counts_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SAMPLER, lambda *_: -(10**9))
    other = {"job": ["b", "a"] * 5, "use": ["z"] * 8 + [None, "x"], "times": [7] * 10}
    documents = [
        document_of(made(frame, noise=1, smoothing=smoothing, weigh_by_count=True, missing="drop", **DECLARED))
        for frame in (RECORDS, other)
        for smoothing in (0, 1)
    ]
    for document in documents:
        document["graph"]["made"].pop("smoothing")
    assert all(document == documents[0] for document in documents)
    uniform = {"distribution": ["1/3"] * 3}  # whatever is cut to nothing; no count, no weight
    assert documents[0]["nodes"] == [{"id": "a", **uniform}, {"id": "b", **uniform}]


def test_a_noised_graph_says_what_is_guaranteed_and_no_number_of_records() -> None:
    graph = made(noise=1, edges="all", **DECLARED)
    assert list(graph.graph["made"]) == ["profile", "value", "edges", "count", "smoothing", "noise"]
    noise = graph.graph["made"]["noise"]
    assert noise["epsilon"] == "1"
    assert "if one is added, removed or replaced by another" in noise["guarantee"]
    assert "profiles, categories and edges there are counts as public" in noise["guarantee"]
    assert all(set(attributes) == {"distribution"} for attributes in graph.nodes.values())


def test_weights_are_the_noised_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SAMPLER, lambda *_: 5)
    assert list(made(noise=1, weigh_by_count=True, **DECLARED).nodes.data("weight")) == [("a", 19), ("b", 18)]


def test_noise_differs_from_run_to_run_and_vanishes_with_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", random.Random(11).randrange)
    several = [tuple(masses(made(noise="0.1", **DECLARED))["a"]) for _ in range(20)]
    assert len(set(several)) > 10
    exact = made(categories=["x", "y", "z"])
    assert masses(made(noise=200, **DECLARED)) == masses(exact)


@pytest.mark.parametrize("left_out", ["categories", "profiles"])
def test_noise_needs_what_the_records_would_tell(left_out: str) -> None:
    options = {key: names for key, names in DECLARED.items() if key != left_out}
    (fault,) = faults_of(made, noise=1, **options)
    assert fault.startswith("noise: which categories and profiles occur would tell about the records; give both")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"noise": 0}, "noise: expected an epsilon > 0, found 0"),
        ({"noise": -1}, "noise: expected a number >= 0, found -1"),
        ({"noise": "inf"}, "noise: expected a number such as 0.3 or \"3/10\", found 'inf'"),
        ({"noise": 1, "public": True}, "noise: a table that is public needs none; give either public= or noise="),
        ({"round_to": 0}, "round_to: expected a positive integer, found 0"),
        ({"round_to": 2.5}, "round_to: expected a positive integer, found 2.5"),
        ({"round_to": True}, "round_to: expected a positive integer, found True"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], fault: str) -> None:
    assert faults_of(made, **DECLARED, smoothing=1, **options) == [fault]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any), st.integers(1, 40))
def test_rounded_masses_are_near_multiples_with_the_same_sum(counts: list[int], steps: int) -> None:
    before = [Fraction(count, sum(counts)) for count in counts]
    after = rounded(before, steps)
    assert sum(after) == 1
    for p, q in zip(before, after, strict=True):
        assert (q * steps).denominator == 1
        assert q >= 0
        assert abs(p - q) < Fraction(1, steps)


def test_many_small_masses_do_not_all_go_to_one_category() -> None:
    assert sorted(rounded([Fraction(1, 150)] * 150, 100)) == [0] * 50 + [Fraction(1, 100)] * 100


def test_a_rounded_graph_says_that_this_guarantees_nothing() -> None:
    graph = made(round_to=10)
    assert masses(graph) == {"a": [Fraction(4, 5), Fraction(1, 5)], "b": [Fraction(3, 10), Fraction(7, 10)]}
    assert graph.graph["made"]["round"] == 10
    assert "which guarantees nothing" in graph.graph["made"]["warning"]
    assert "records" not in graph.graph["made"]
    assert all("count" not in attributes for attributes in graph.nodes.values())
    assert "warning" not in made(round_to=10, public=True).graph["made"]
    assert "warning" not in made(round_to=10, noise=1, **DECLARED).graph["made"]
