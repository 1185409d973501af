"""What the box says of the most that somebody can become sure of: as asked, as it is, and with noised counts."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from pages import report

import mechdesign as md
from mechdesign.reports.page.how_sure import noise_of
from mechdesign.reports.page.page_inputs import Given

TABLE = {"job": ["x"] * 90 + ["y"] * 110, "use": ["a", "b"] * 100}


def written(folder: Path, graph: nx.Graph, **asked: Any) -> None:
    made = md.design(graph, **asked)
    md.write_graph(graph, folder / "g.json")
    (folder / "c.json").write_text(json.dumps(made.certificate))
    md.write_mechanism(made.mechanism, folder / "m.json")


def box_of(folder: Path, *names: str) -> str:
    """Return the box, and of the sheet no more."""
    return " ".join(report(folder, *names).text.split()).partition("What this is about")[0]


def noised(**options: Any) -> nx.Graph:
    labels: dict[str, Any] = {"profiles": ["x", "y"], "categories": ["a", "b"]}
    graph = md.graph_from_table(TABLE, profile="job", value="use", noise="0.3", **labels, **options)
    for profile in graph if "confidence" in options else ():  # whatever noise was drawn
        graph.nodes[profile].update(lower=[0, 0], upper=[1, 1])
    return graph


@pytest.mark.parametrize("names", [("m.json", "c.json", "g.json"), ("m.json", "c.json")])
def test_the_sum_with_noised_counts_is_in_the_box(tmp_path: Path, names: tuple[str, ...]) -> None:
    """As exact decimals: 0.3 + 1.1 = 1.4; and the share is e^1.4 / (1 + e^1.4), rounded up."""
    written(tmp_path, noised(confidence="0.9", of="table"), epsilon="1.1")
    share = math.ceil(10**4 / (1 + math.exp(-1.4))) / 100
    assert f"counts add epsilon 0.3: together epsilon 1.4, a limit of {share:.2f} %." in box_of(tmp_path, *names)


def test_delta_grows_with_noised_counts(tmp_path: Path) -> None:
    """By e^0.15 = 1.16183424..."""
    written(tmp_path, noised(confidence="0.9", of="table"), epsilon=1, delta="0.1")
    assert "together epsilon 1.3 and delta ≤ 0.116184, a limit of" in box_of(tmp_path, "m.json", "c.json", "g.json")


def test_without_ranges_no_sum_is_proved(tmp_path: Path) -> None:
    written(tmp_path, noised(), epsilon=1)
    box = box_of(tmp_path, "m.json", "c.json", "g.json")
    assert "together" not in box
    assert "noised counts, which tell epsilon 0.3 at most of a person in the table; for the true frequencies" in box


@pytest.mark.parametrize("told", [None, 3, "much", "-1"])
def test_what_others_wrote_of_the_noise_is_in_no_box(told: object) -> None:
    assert noise_of(Given([], graph={"made": {"noise": {"of_one_person": told}}}, notes={"noise": told})) is None


def test_where_a_method_keeps_less_than_was_asked_the_box_says_that(tmp_path: Path) -> None:
    """3/4 against 1/2 is a factor of 2 at most (1/2 against 1/4), which is 66.67 %; epsilon 4 allows 98.21 %."""
    graph = md.profile_graph({"a": ["3/4", "1/4"], "b": ["1/2", "1/2"]}, edges="all", categories=["x", "y"])
    written(tmp_path, graph, epsilon=4)
    words = " ".join(report(tmp_path, "m.json", "c.json").text.split())
    assert "can be at most 66.67 % sure of either after a release (the limit that was asked for is 98.21 %)" in words
    assert "for at most 66.67 % likely, and the other for no less than 33.33 %. The limit that was asked for" in words
    assert "What is released, as it is, keeps epsilon ≤ 0.693148." in words
    assert "may be 98.21 % sure" not in words


def test_what_is_known_of_other_pairs_is_in_the_box_as_below(tmp_path: Path) -> None:
    written(tmp_path, md.read_graph("categorical-chain"), epsilon=2)
    words = " ".join(report(tmp_path, "m.json", "c.json").text.split())
    named = words.partition("P1 and P3 (")[2].partition(" %")[0]
    assert Fraction(named) < Fraction("98.21")
    assert f"For 1 other pair it is at most {named} %; from the limit alone 98.21 % would follow." in words
