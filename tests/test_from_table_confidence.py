"""Graphs from a sample: bounds that hold all true profiles at once, what they claim, what does not go with them."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from command import answer, done, faults_of, run

import mechdesign as md
from mechdesign.graph.from_table import guarantee_in
from mechdesign.graph.from_table.count_ranges import interval_outward
from mechdesign.graph.graph_file import read_graph
from mechdesign.graph.uncertainty import nominal, uncertainty_of

RECORDS = {"job": ["a"] * 40 + ["b"] * 30, "use": ["x"] * 30 + ["y"] * 10 + ["x"] * 30}
GUARANTEE = (
    "with probability at least 95 % over the sample, (epsilon, delta)-private for the true profiles; certainly for"
    " every profile within the graph's bounds. The sample must be public or somebody else's: otherwise the estimate is"
    " a release itself"
)


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


def test_the_graph_says_what_the_bounds_guarantee() -> None:
    said = made().graph["made"]["confidence"]
    assert (said["level"], said["guarantee"]) == ("0.95", GUARANTEE)
    assert "their number is taken as given" in said["intervals"]
    assert "caution" not in said
    assert (
        made(confidence=0.999).graph["made"]["confidence"]["guarantee"].startswith("with probability at least 99.9 %")
    )


def test_categories_that_are_those_of_the_records_are_a_reason_for_caution() -> None:
    said = made(categories=None).graph["made"]["confidence"]
    assert said["caution"].startswith("the categories are those that occur in the records")


def test_without_confidence_there_are_no_bounds() -> None:
    graph = made(confidence=None)
    assert "confidence" not in graph.graph["made"]
    assert set(graph.nodes["a"]) == {"distribution", "count"}


def test_more_confidence_and_more_profiles_have_wider_bounds() -> None:
    narrow, wide = made(), made(confidence="0.99")
    assert narrow.nodes["a"]["lower"][0] > wide.nodes["a"]["lower"][0]
    alone = made({name: cells[:40] for name, cells in RECORDS.items()})
    assert alone.nodes["a"]["lower"][0] > narrow.nodes["a"]["lower"][0]


def test_bounds_hold_what_smoothing_makes_of_a_distribution() -> None:
    """Of a profile without records nothing is known."""
    graph = made(smoothing=1000, profiles=["a", "b", "c"])
    for node in graph.nodes.values():
        assert all(low <= mass <= high for low, mass, high in zip(*ends(node), strict=True))
    assert graph.nodes["b"]["upper"][2] == graph.nodes["b"]["distribution"][2]
    assert ends(graph.nodes["c"])[::2] == ((0, 0, 0), (1, 1, 1))


def ends(node: dict[str, Any]) -> tuple[Any, Any, Any]:
    return node["lower"], node["distribution"], node["upper"]


def test_rows_that_stand_for_many_records_count_for_many() -> None:
    frame = {"job": ["a", "a", "b"], "use": ["x", "y", "x"], "n": [30, 10, 30]}
    few, many = made(frame, count="n"), made()
    assert [dict(few.nodes[p]) for p in few] == [dict(many.nodes[p]) for p in many]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"confidence": 95}, "confidence: expected a number between 0 and 1, found 95; 95 % is 0.95"),
        ({"confidence": 1}, "confidence: expected a number between 0 and 1, found 1; 95 % is 0.95"),
        ({"confidence": 0}, "confidence: expected a number between 0 and 1, found 0; 95 % is 0.95"),
        ({"confidence": "-0.5"}, "confidence: expected a number between 0 and 1, found -0.5; 95 % is 0.95"),
        ({"confidence": "high"}, "confidence: expected a number such as 0.3 or \"3/10\", found 'high'"),
        (
            {"round_to": 10},
            "confidence: bounds and counts would tell what rounding hides; give either confidence= or round_to=",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], fault: str) -> None:
    assert faults_of(made, **options) == [fault]


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


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_designed_with_bounds_is_private_for_the_truth_where_they_hold_it(seed: int) -> None:
    """And what is designed for the estimates is not, in these samples as in nearly all."""
    rng = np.random.default_rng(seed)
    shares = {p: [Fraction(n, 100) for n in counts] for p, counts in {"a": (50, 30, 20), "b": (70, 20, 10)}.items()}
    true = md.profile_graph(shares, edges="all", categories=["x", "y", "z"])
    cells = {"job": [p for p in true for _ in "xyz"], "use": list("xyz") * 2}
    counts = np.concatenate([rng.multinomial(200, [float(x) for x in shares[p]]) for p in true]).tolist()
    graph = made(cells | {"n": counts}, count="n")
    assert all(uncertainty_of(graph.nodes[p]).holds(shares[p]) for p in true)
    within, estimated = md.design(graph, epsilon="0.3"), md.design(nominal(graph), epsilon="0.3")
    assert md.certify(within.mechanism, true, epsilon="0.3").private
    assert not md.certify(estimated.mechanism, true, epsilon="0.3").private
    assert within.value > estimated.value


@pytest.fixture
def line(tmp_path: Path) -> list[str]:
    data = tmp_path / "d.csv"
    data.write_text("job,use\n" + "".join(f"{j},{u}\n" for j, u in zip(RECORDS["job"], RECORDS["use"], strict=True)))
    return ["graph", "from-table", str(data), "--profile", "job", "--value", "use", "-o", str(tmp_path / "g.json")]


def test_the_command_writes_bounds_and_says_what_they_guarantee(line: list[str], tmp_path: Path) -> None:
    said = done(*line, "--confidence", "0.95", "--categories", "x,y,z", "--public")
    assert f"What is designed with them: {GUARANTEE}." in said
    assert "2 of 2 profiles known only within bounds: probabilities up to 0.2" in said
    assert "those that occur in the records" not in said
    graph = read_graph(tmp_path / "g.json")
    assert {p: dict(graph.nodes[p]) for p in graph} == {p: dict(made().nodes[p]) for p in made()}
    assert "The categories are those that occur" in done(*line, "--confidence", "0.95")
    assert "within bounds" not in done(*line)


def test_the_command_as_json(line: list[str]) -> None:
    found = answer(*line, "--confidence", "0.95", "--categories", "x,y,z")["confidence"]
    assert (found["level"], found["guarantee"]) == ("0.95", GUARANTEE)
    assert answer(*line)["confidence"] is None


def test_design_and_certify_say_what_the_bounds_guarantee(line: list[str], tmp_path: Path) -> None:
    """Of what is private within them; not of what holds for the distributions alone, or is refuted."""
    done(*line, "--confidence", "0.95", "--categories", "x,y,z", "--public")
    graph, mechanism = str(tmp_path / "g.json"), str(tmp_path / "m.json")
    certify = ["certify", mechanism, "--graph", graph, "--epsilon"]

    assert f"So it is, {GUARANTEE}." in done("design", graph, "--epsilon", "1", "-o", mechanism)
    assert f"So it is, {GUARANTEE}." in done(*certify, "1")
    for asked in (("design", graph, "--epsilon", "1"), (*certify, "1")):
        assert answer(*asked)["guarantee"] == GUARANTEE
        assert answer(*asked, "--nominal")["guarantee"] is None
    for other in (
        done("design", graph, "--epsilon", "1", "--nominal"),
        done(*certify, "1", "--nominal"),
        run(*certify, "0.1").out,
        done(*certify[:-1]),
    ):
        assert "probability at least" not in other


@pytest.mark.parametrize("made", [None, [], {"confidence": "high"}, {"confidence": {"guarantee": 0.95}}])
def test_what_others_wrote_of_a_graph_is_no_guarantee(made: Any) -> None:
    assert guarantee_in(nx.Graph(made=made)) is None
