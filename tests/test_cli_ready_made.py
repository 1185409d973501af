"""`mechdesign graph values | counting | grid | database`: what is made, on to sanitised data, and what is refused."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from running import Run

import mechdesign as md

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def run(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return Run(capsys)


@pytest.mark.parametrize(
    ("words", "graph"),
    [
        (["values", "no", "perhaps,yes"], md.value_graph(["no", "perhaps", "yes"])),
        (["values", "--", "-1", "0", "+3"], md.value_graph([-1, 0, 3])),
        (
            ["values", "0,1,2.5", "--metric", "absolute"],
            md.value_graph(["0", "1", "2.5"], metric=lambda x, y: abs(Fraction(x) - Fraction(y))),
        ),
        (["counting", "4"], md.counting_graph(4)),
        (["counting", "4", "--p", "0.2"], md.count.prior_graph(4, "0.2")),
        (["counting", "4", "--p", "beta:2,8"], md.count.prior_graph(4, md.count.Beta(2, 8))),
        (["grid", "2", "3"], md.grid_graph(2, 3)),
        (
            ["grid", "3", "3", "--metric", "manhattan", "--spacing", "0.5", "--within", "1"],
            md.grid_graph(3, 3, metric="manhattan", spacing="0.5", within=1),
        ),
        (["database", "no,yes", "--rows", "3"], md.database_graph(["no", "yes"], 3)),
        (["database", "1", "2", "--rows", "2"], md.database_graph([1, 2], 2)),
    ],
)
def test_a_command_writes_what_the_function_makes(run: Run, words: list[str], graph: Any) -> None:
    said = run("graph", *words[:1], "-o", "g.json", *words[1:])
    made = md.read_graph("g.json")
    assert (dict(made.nodes), dict(made.edges)) == (dict(graph.nodes), dict(graph.edges))
    assert made.graph["categories"] == graph.graph["categories"]
    sizes = f"{len(graph)} profiles, {len(graph)} categories, {graph.number_of_edges()} edges. "
    assert said.startswith(sizes)
    assert said.endswith("See it with: mechdesign graph show g.json Written: g.json.")
    found = json.loads(run("graph", *words[:1], "-o", "g.json", "--json", *words[1:]))
    assert (found["profiles"], found["edges"], found["graph"]) == (len(graph), graph.number_of_edges(), "g.json")


def test_a_prior_is_shown(run: Run) -> None:
    run("graph", "counting", "2", "--p", "0.5", "-o", "g.json")
    shown = run("graph", "show", "g.json")
    assert "profile prior distribution neighbours 0 0.25 0 1 1 1 0.5 1 1 0, 2" in shown
    assert "prior" not in run("graph", "show", "counting-10")


def test_what_edges_have_of_their_own_is_said(run: Run) -> None:
    assert "Edges have their own: distance (3 edges)." in run("graph", "grid", "1", "3", "-o", "g.json")
    assert json.loads(run("graph", "grid", "1", "3", "-o", "g.json", "--json"))["own"] == {"distance": 3}
    assert "Of their own" not in run("graph", "counting", "3", "-o", "g.json")


def test_values_from_a_file(run: Run) -> None:
    Path("values.txt").write_text("London, UK\n\n Rome \n", encoding="utf-8")
    run("graph", "values", "--file", "values.txt", '"Paris, F"', "-o", "g.json")
    assert list(md.read_graph("g.json")) == ["Paris, F", "London, UK", "Rome"]


def test_values_joined_by_a_file_of_pairs(run: Run) -> None:
    """So a foreign matrix is certified with an epsilon for each pair."""
    Path("pairs.csv").write_text("one,other,epsilon\na,b,0.5\nb,c,2\n")
    said = run("graph", "values", "a,b,c", "--edges", "pairs.csv", "-o", "g.json")
    assert "2 edges. " in said
    assert "epsilon (2 edges)" in said
    assert dict(md.read_graph("g.json").edges) == {
        ("a", "b"): {"epsilon": Fraction(1, 2)},
        ("b", "c"): {"epsilon": Fraction(2)},
    }
    Path("matrix.csv").write_text(",a,b,c\na,0.5,0.3,0.2\nb,0.4,0.4,0.2\nc,0.2,0.4,0.4\n")
    assert "Certified" in run("certify", "matrix.csv", "--graph", "g.json", "--epsilon", "0")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["values"], "expected values, found none; give them as arguments, or lines of --file"),
        (["values", "a,,b"], "VALUES: expected values with commas between them, found a blank one"),
        (["values", ""], "VALUES: expected values with commas between them, found a blank one"),
        (["values", "a,b,a"], "VALUES: 'a' is given 2 times"),
        (["values", '"a'], """VALUES: expected a line of CSV, found '"a': unexpected end of data"""),
        (["values", "a,1", "--metric", "absolute"], "values: a difference is one of numbers; expected a number"),
        (["values", "a", "--metric", "abs"], "--metric: expected one of absolute, found 'abs'"),
        (["values", "a,b", "--file", "no.txt"], "no.txt: no such file"),
        (["values", "a,b", "--edges", "p.csv"], "p.csv: line 1: 'c' is not a profile"),
        (["values", "a,b", "--edges", "p.csv", "--metric", "absolute"], "--metric joins every pair"),
        (["values", "0", "1", "--file", "picture.png"], "picture.png: expected text, one value on each line"),
        (["counting", "0"], "n: expected a positive integer, found 0"),
        (["counting", "3", "--p", "0,5"], "p: expected a probability in [0, 1], found '0,5'"),
        (["counting", "few"], "'few' is not a valid integer"),
        (["counting", "1000000000"], "too large: a count of 1,000,000,000 people has as many edges"),
        (["grid", "60", "60"], "too large: the graph would have 6,478,200 edges"),
        (["grid", "2", "2", "--metric", "euclid"], "found 'euclid' Did you mean euclidean?"),
        (["database", "a", "--rows", "2"], "values: expected at least two different ones, found ['a']"),
        (["database", "a,b", "--rows", "40"], "2 values and 40 rows make 2^40 databases, and at most 10000"),
        (["database", "a,b", "--rows", "0"], "n: expected a positive integer, found 0"),
    ],
)
def test_what_is_refused(run: Run, words: list[str], fault: str) -> None:
    Path("p.csv").write_text("a,c\n")
    Path("picture.png").write_bytes(bytes(range(128, 256)))
    assert fault in run.refused("graph", *words)


def test_points_go_through_design_certificate_and_data(run: Run) -> None:
    """Labels that are tuples, in every file: a point is written (0, 1) in a table."""
    run("graph", "grid", "1", "3", "-o", "g.json")
    run("design", "g.json", "--epsilon", "1", "--shared", "-o", "m.json", "--certificate", "c.json")
    assert "Certified" in run("certify", "m.json", "--graph", "g.json", "--epsilon", "1")
    assert "accepted" in run("check", "c.json", "--graph", "g.json", "--mechanism", "m.json", "--epsilon", "1")
    Path("d.csv").write_text('place\n"(0, 1)"\n"(0, 2)"\n')
    run("sanitise", "m.json", "d.csv", "--value", "place", "-o", "out.csv", "--proof", "c.json")
    assert set(Path("out.csv").read_text().splitlines()[1:]) <= {f'"(0, {column})"' for column in range(3)}


def test_databases_go_through_design_certificate_and_data(run: Run) -> None:
    run("graph", "database", "no,yes", "--rows", "2", "-o", "g.json")
    asked = ("--epsilon", "1", "--objective", "worst-loss", "--loss", "rows")
    run("design", "g.json", *asked, "--shared", "-o", "m.json", "--certificate", "c.json")
    assert "Expected number of rows that change" in run("certify", "m.json", "--graph", "g.json", "--epsilon", "1")
    assert "accepted" in run("check", "c.json", "--graph", "g.json", *asked)
    Path("d.csv").write_text("votes\n\"('no', 'yes')\"\n")
    run("sanitise", "m.json", "d.csv", "--value", "votes", "-o", "out.csv")
    assert md.read_mechanism("m.json").outputs == (("no", "no"), ("no", "yes"), ("yes", "no"), ("yes", "yes"))
