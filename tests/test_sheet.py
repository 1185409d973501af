"""The sheet that a data-protection officer signs: what is asked of it can be answered from it alone."""

import json
import math
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from pages import report

import mechdesign as md
from mechdesign.certifier.tight import furthest
from mechdesign.reports.page import subject


def test_of_ones_own_noised_table_it_says_no_sample_no_fraction_and_not_both_yes_and_no(tmp_path: Path) -> None:
    table = {"job": ["x"] * 21 + ["y"] * 23, "use": ["a", "b"] * 22}
    noised: dict[str, Any] = {"noise": 1, "confidence": "0.9", "of": "table", "categories": ["a", "b"]}
    graph = md.graph_from_table(table, profile="job", value="use", profiles=["x", "y"], **noised)
    graph.nodes["x"].update(lower=[0, 0], upper=[1, 1], distribution=["10/21", "11/21"])
    graph.nodes["y"].update(lower=[0, 0], upper=[1, 1], distribution=["11/21", "10/21"])
    md.write_graph(graph, tmp_path / "graph.json")
    made = md.design(graph, epsilon=1)
    (tmp_path / "proof.json").write_text(json.dumps(made.certificate))
    md.write_mechanism(made.mechanism, tmp_path / "m.json")
    words = " ".join(report(tmp_path, "m.json", "proof.json", "graph.json").text.split())
    assert "The true frequencies may lie outside their ranges. The file says of these: with probability" in words
    assert "by up to 52.39 percentage points" in words
    assert "It depends May this page be shown to others?" in words


def test_of_places_it_promises_a_factor_for_each_unit_of_distance(tmp_path: Path) -> None:
    """At ln 4 per km a factor of 4, and half a km and 3 km apart two places have epsilon 0.6931 and 4.1589."""
    graph = md.value_graph([0, 1, 6], metric=lambda x, y: abs(x - y) / 2)
    made = md.design(graph, epsilon=math.log(4))
    (tmp_path / "proof.json").write_text(json.dumps(made.certificate))
    md.write_mechanism(made.mechanism, tmp_path / "m.json")
    words = " ".join(report(tmp_path, "m.json", "proof.json").text.split())
    assert "a factor of at most 4.00000 for each unit of distance between them (epsilon ≤ 1.38630 per" in words
    assert "The nearest two are 0.5 units apart: epsilon ≤ 0.693148, at most 66.67 % sure." in words
    assert "The farthest two are 3 units apart: epsilon ≤ 4.15889, at most 98.47 % sure" in words
    assert "can be at most 98.47 % sure of either" not in words.partition("What it means")[0]
    assert "With two releases about the same person the odds of two answers change by a factor of at most 16" in words
    alone = " ".join(report(tmp_path, "proof.json").text.split())
    assert "can be at most 98.47 % sure of either" in alone  # a proof alone tells no distances


@pytest.mark.slow
def test_of_places_it_shows_a_map_before_and_after(tmp_path: Path) -> None:
    table = {"name": ["Ulm", "Jena", "Rom"], "lat": ["48.4", "50.9", "41.9"], "lon": ["10", "11.6", "12.5"]}
    graph = md.point_graph(table, at=["lat", "lon"], label="name", unit="km")
    md.write_graph(graph, tmp_path / "graph.json")
    made = md.design(graph, epsilon="0.01", objective=md.ExpectedLoss(md.distances(graph)))
    (tmp_path / "proof.json").write_text(json.dumps(made.certificate))
    md.write_mechanism(made.mechanism, tmp_path / "m.json")
    files = [tmp_path / name for name in ("m.json", "proof.json", "graph.json")]
    for language, words in {
        "en": ["longitude (degrees)", "without privacy", "for each km between them"],
        "de": ["geographische Länge (Grad)", "ohne Schutz", "je km geändert"],
    }.items():
        md.report(*files, path=tmp_path / "report.html", language=language)
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert [one for one in words if one not in page] == []
    report(tmp_path, "m.json", "proof.json")
    assert "longitude" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_pairs_that_nobody_asked_about_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where paths join them all, for the verdict and for the list alike."""
    (tmp_path / "proof.json").write_text(json.dumps(md.design("categorical-chain", epsilon=1).certificate))
    counted = Mock(wraps=furthest)
    monkeypatch.setattr(subject, "furthest", counted)
    report(tmp_path, "proof.json")
    assert counted.call_count == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "NO VERDICT There is no mechanism to judge: a graph alone says who is to be protected, not how."),
        ("de", "KEIN URTEIL Es gibt kein Verfahren zu beurteilen: ein Graph allein sagt, wer geschützt werden soll"),
    ],
)
def test_a_graph_alone_has_no_mechanism_to_judge(language: str, words: str, tmp_path: Path) -> None:
    md.write_graph("categorical-chain", tmp_path / "graph.json")
    said = " ".join(report(tmp_path, "graph.json", options=["--language", language]).text.split())
    assert words in said


@pytest.mark.parametrize("name", [["a", "b"], {"a": 1}, 3])
def test_a_name_that_is_no_text_is_no_title(name: Any, tmp_path: Path) -> None:
    graph = md.read_graph("categorical-chain")
    graph.graph["name"] = name
    md.write_graph(graph, tmp_path / "graph.json")
    assert report(tmp_path, "graph.json").text.startswith("Privacy report: graph.json")


def test_without_a_proof_pairs_are_measured_at_a_delta_of_0_whatever_edges_have_of_their_own(tmp_path: Path) -> None:
    """Released are (0.4, 0.6) and (0.6, 0.4): that is ln(3/2), and 60 %."""
    own = ("a", "b", {"epsilon": 0, "delta": "0.2"})
    graph = md.profile_graph({"a": ["0.2", "0.8"], "b": ["0.8", "0.2"]}, edges=[own], categories=["u", "v"])
    md.write_mechanism(md.design(graph, epsilon=1).mechanism, tmp_path / "m.json")
    words = " ".join(report(tmp_path, "m.json").text.split())
    assert "the worst first: a and b (60.00 %)" in words
    assert "Between any two, every epsilon of at least 0.405466 holds with delta 0." in words


def test_the_weakest_and_the_strictest_limit_are_those_of_pairs(tmp_path: Path) -> None:
    """Not of the epsilon of one and the delta of another: 51.74 %, 57.44 % and 62.25 % are asked for."""
    own = {("a", "b"): ("0.05", "0.01"), ("b", "c"): ("0.3", 0), ("c", "d"): ("0.5", 0)}
    edges = [(*ends, {"epsilon": epsilon, "delta": delta}) for ends, (epsilon, delta) in own.items()]
    shares = {"a": ["1/2", "1/2"], "b": ["1/3", "2/3"], "c": ["1/5", "4/5"], "d": ["2/3", "1/3"]}
    made = md.design(md.profile_graph(shares, edges=edges, categories=["u", "v"]), epsilon=1)
    (tmp_path / "proof.json").write_text(json.dumps(made.certificate))
    md.write_mechanism(made.mechanism, tmp_path / "m.json")
    words = " ".join(report(tmp_path, "m.json", "proof.json").text.split())
    assert "The weakest limit of any pair is 62.25 %, the strictest 51.74 %." in words
    assert "62.63" not in words
