"""The command line, called in process; its bad inputs each end in exit 2 and one message that names the culprit."""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from faults import fault
from oracles.divergence import assert_private
from rich.progress import Progress

from mechdesign import (
    ExpectedLoss,
    WorstLoss,
    design,
    profile_graph,
    read_graph,
    read_mechanism,
    shipped_graphs,
    write_graph,
    write_mechanism,
)
from mechdesign.cli.main import main
from mechdesign.papers.published import Claim, Result
from mechdesign.reports.curve_file import point_of
from mechdesign.show.as_json import as_json

CHAIN = read_graph("categorical-chain")
KEYS = {
    "value",
    "bound",
    "value_exact",
    "bound_exact",
    "epsilon",
    "delta",
    "objective",
    "method",
    "profiles",
    "categories",
    "edges",
    "baseline",
    "seconds",
}

Captured = pytest.CaptureFixture[str]


def run_json(capsys: Captured, *arguments: str) -> dict[str, Any]:
    """Run a command with --json: one object on standard output, nothing else anywhere."""
    assert main([*arguments, "--json"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.count("\n") == 1
    result: dict[str, Any] = json.loads(output.out)
    return result


def chain_file(folder: Path, **changes: Any) -> str:
    """Write the chain's file with changes: top-level keys, or `nodes` and `edges` by index as node0, edge1."""
    document = json.loads(Path(shipped_graphs()["categorical-chain"]).read_text())
    for key, value in changes.items():
        if key[-1].isdigit():
            document[f"{key[:-1]}s"][int(key[-1])].update(value)
        else:
            document[key] = value
    path = folder / "graph.json"
    path.write_text(json.dumps(document))
    return str(path)


class TestDesign:
    def test_bounds_are_rounded_outwards(self) -> None:
        for exact in (Fraction(1, 3), Fraction(2, 3), Fraction(1, 10), Fraction(3, 10)):  # doubles on either side
            made = design(CHAIN, epsilon=1)
            found = point_of(replace(made, value=exact, proof=replace(made.proof, bound=exact)))
            assert Fraction(found["bound"]) < exact < Fraction(found["value"])
            assert Fraction(found["baseline"]) > made.baseline
            assert math.nextafter(found["bound"], 1) == found["value"]
            assert found["value_exact"] == found["bound_exact"] == str(exact)

    def test_json(self, capsys: Captured) -> None:
        found = run_json(capsys, "design", "categorical-chain", "--epsilon", "0.5", "--delta", "0")
        assert found.keys() >= KEYS
        assert (found["profiles"], found["categories"], found["edges"]) == (3, 4, 2)
        assert (found["epsilon"], found["delta"]) == (0.5, 0)
        assert (found["objective"], found["method"]) == ("max-off-diagonal", "auto")
        value, bound = Fraction(found["value_exact"]), Fraction(found["bound_exact"])
        assert bound <= value
        assert found["value"] == pytest.approx(0.056684742, abs=1e-9)
        assert found["baseline"] == pytest.approx(1 / (math.exp(0.5) + 3), rel=1e-12)
        assert found["seconds"] > 0

    def test_json_has_costs_and_what_is_released(self, capsys: Captured) -> None:
        found = run_json(capsys, "design", "categorical-chain", "--epsilon", "0.5", "--objective", "worst-loss")
        expected = design(CHAIN, epsilon="0.5", objective=WorstLoss())
        assert list(found["costs"]) == list(found["released"]) == list(CHAIN)
        assert max(found["costs"].values()) == found["value"] > min(found["costs"].values())
        costs = expected.objective.costs(expected.mechanism)
        for profile, cost in zip(CHAIN, costs, strict=True):
            assert cost <= Fraction(found["costs"][profile]) <= cost + Fraction(1, 2**52)
            masses = map(float, expected.mechanism.released(profile))
            assert found["released"][profile] == dict(zip("1234", masses, strict=True))

    def test_json_tells_labels_of_the_same_text_apart(self) -> None:
        masses = {1: ["0.8", "0.2"], "1": ["0.2", "0.8"]}
        made = design(profile_graph(masses, edges="all", categories=[0, "0"]), epsilon=1)
        released = as_json(made.answer())["released"]
        assert [*released] == ["1", "'1'"]
        assert all([*row] == ["0", "'0'"] for row in released.values())

    def test_it_is_what_the_function_finds(self, capsys: Captured) -> None:
        found = run_json(
            capsys, "design", "categorical-chain", "--epsilon", "1/3", "--delta", "0.01", "--objective", "expected-loss"
        )
        expected = design(CHAIN, epsilon="1/3", delta="0.01", objective=ExpectedLoss())
        assert Fraction(found["value_exact"]) == expected.value
        assert found["objective"] == "expected-loss"

    def test_an_infinite_epsilon_is_null_in_json(self, capsys: Captured) -> None:
        found = run_json(capsys, "design", "categorical-chain", "--epsilon", "inf")
        assert (found["epsilon"], found["epsilon_exact"], found["value"], found["value_exact"]) == (None, "inf", 0, "0")

    @pytest.mark.parametrize(
        ("options", "objective"),
        [
            ([], "max-off-diagonal"),
            (["--objective", "max-off-diagonal"], "max-off-diagonal"),
            (["--objective", "MaxOffDiagonal"], "max-off-diagonal"),
            (["--objective", "worst-loss"], "worst-loss"),
            (["--objective", "expected-loss", "--loss", "absolute"], "expected-loss"),
            (["--objective", "expected-loss", "--loss", "LOSS.csv"], "expected-loss"),
            (["--method", "highs"], "max-off-diagonal"),
            (["--method", "structured"], "max-off-diagonal"),
            (["--method", "reference"], "max-off-diagonal"),
            (["--shared"], "max-off-diagonal"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else value,
    )
    def test_options(self, capsys: Captured, tmp_path: Path, options: list[str], objective: str) -> None:
        loss = tmp_path / "loss.csv"
        loss.write_text("0, 1, 2, 3\n1/2,0,1,2\n2,1,0,1\n3,2,1,0\n")
        options = [str(loss) if option == "LOSS.csv" else option for option in options]
        found = run_json(capsys, "design", "categorical-chain", "--epsilon", "1", *options)
        assert found["objective"] == objective
        assert 0 <= found["bound"] <= found["value"] <= found["baseline"] + 1e-9
        assert (found["pair_bound"] is None) == (objective != "max-off-diagonal")
        assert (found["pair_bound"] or 0) <= found["value"]

    def test_one_bit_cluster(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "bits.json"
        write_graph(profile_pair(), path)
        found = run_json(capsys, "design", str(path), "--epsilon", "0.5", "--method", "one-bit-cluster")
        assert found["value"] == pytest.approx(0.295901, abs=1e-6)
        assert found["bound"] < found["class_bound"] == pytest.approx(found["value"], abs=1e-12)
        assert float(Fraction(found["class_bound_exact"])) == pytest.approx(found["class_bound"])

    def test_one_bit_cluster_beside_the_bound_of_its_own_class(self, capsys: Captured) -> None:
        """Its value is far above what any mechanism needs; the text says that no better flip is the reason."""
        assert main(["design", "bernoulli-couplet", "--epsilon", "0.3", "--method", "one-bit-cluster"]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert "this mechanism 0.375929139 method one-bit-cluster" in text
        assert "no one-bit-cluster is below 0.375929138 exact, in closed form" in text
        assert "no private mechanism is below 0.281946853 exact, by duality, with a matrix for each profile" in text

    def test_the_bound_of_a_class_is_left_out_where_it_says_no_more(self, capsys: Captured) -> None:
        for options in ([], ["--shared"], ["--method", "one-bit-cluster", "--epsilon", "2"]):
            found = run_json(capsys, "design", "bernoulli-couplet", "--epsilon", "0.3", *options)
            assert found["class_bound"] == found["bound"]
            assert main(["design", "bernoulli-couplet", "--epsilon", "0.3", *options]) == 0
            assert "closed form" not in capsys.readouterr().out

    @pytest.mark.parametrize("options", [["--json"], []])
    def test_the_mechanism_written_is_the_one_found(self, capsys: Captured, tmp_path: Path, options: list[str]) -> None:
        path = tmp_path / "mechanism.json"
        assert main(["design", "categorical-chain", "--epsilon", "0.5", "-o", str(path), *options]) == 0
        mechanism = read_mechanism(path)
        assert_private(mechanism, CHAIN, Fraction(1, 2))
        expected = design(CHAIN, epsilon="0.5").mechanism
        assert all(mechanism.released(profile) == expected.released(profile) for profile in CHAIN)
        assert str(path) in capsys.readouterr().out
        assert [entry.name for entry in tmp_path.iterdir()] == ["mechanism.json"]

    def test_text(self, capsys: Captured) -> None:
        assert main(["design", "categorical-chain", "--epsilon", "0.5"]) == 0
        output = capsys.readouterr()
        assert output.err == ""  # no progress bar but on a terminal
        for words in (
            "categorical-chain: 3 profiles, 4 categories, 2 edges; epsilon 0.5, delta 0",
            "0.056684742",
            "0.215112",
            "k-ary randomised response",
            "0.31701",
            "Private in exact arithmetic",
        ):
            assert words in output.out

    def test_a_bar_shows_the_rounds_of_a_single_component(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """On a terminal; never how many are done of an unknown number."""
        monkeypatch.setenv("TTY_COMPATIBLE", "1")
        monkeypatch.setattr("rich.progress.Progress.update", drawn_at_once(Progress.update))
        assert main(["design", "categorical-chain", "--epsilon", "0.5", "--json"]) == 0
        output = capsys.readouterr()
        assert json.loads(output.out)["components"] == 1
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output.err)
        assert "/?" not in text
        assert "0/1" not in text
        assert "1/1" in text
        for words in (
            "component: build",
            r"component: solve, round 1: \d+ rows ",
            r"canonical, round 1: \d+ rows",
            "repair",
        ):
            assert re.search(words, text)

    @pytest.mark.parametrize(
        ("edges", "epsilon", "said"),
        [
            ("all", "0.5", {"no private mechanism is below", "Warner's", "moved", "Cost per category"}),
            ("all", "5", {"Warner's", "costs nothing"}),
            ("all", "inf", set()),
            ([], "0.5", set()),
        ],
        ids=["noise", "no noise", "infinite", "no edges"],
    )
    def test_rows_that_do_not_apply_are_left_out(
        self, capsys: Captured, tmp_path: Path, edges: Any, epsilon: str, said: set[str]
    ) -> None:
        path = tmp_path / "graph.json"
        write_graph(profile_graph({"a": ["0.8", "0.2"], "b": ["0.2", "0.8"]}, edges=edges, categories=[0, 1]), path)
        assert main(["design", str(path), "--epsilon", epsilon]) == 0
        text = capsys.readouterr().out
        rows = {"no private mechanism is below", "Warner's", "moved", "Cost per category", "costs nothing"}
        assert {words for words in rows if words in text} == said
        assert main(["design", str(path), "--epsilon", f"{epsilon},inf"]) == 0
        text = capsys.readouterr().out
        columns = {"ratio": said >= {"moved"}, "baseline": said >= {"Warner's"}}
        assert {words: words in text for words in columns} == columns

    def test_text_of_every_kind_of_design(self, capsys: Captured, tmp_path: Path) -> None:
        """Square brackets in names are text, not markup; a loss that is not square has no cost per category."""
        path, loss = tmp_path / "odd.json", tmp_path / "loss.csv"
        document = {
            "graph": {"categories": ["[red]", "yes"], "name": "[bold]odd[/bold]"},
            "nodes": [{"id": "[a]", "distribution": [1, 0]}, {"id": "[/b]", "distribution": [0, 1]}],
            "edges": [{"source": "[a]", "target": "[/b]", "epsilon": "inf"}],
        }
        path.write_text(json.dumps(document))
        loss.write_text("0,1,2\n2,1,0\n")
        for options in ([], ["--objective", "worst-loss", "--loss", str(loss)], ["--method", "one-bit-cluster"]):
            assert main(["design", str(path), "--epsilon", "inf", *options]) == 0
            output = capsys.readouterr().out
            assert "[bold]odd[/bold]" in output
            assert "[a]" in output
            assert "[/b]" in output


def drawn_at_once(update: Callable[..., None]) -> Callable[..., None]:
    """Return what updates a bar and draws it, whatever the clock says."""

    def both(bar: Progress, *arguments: Any, **options: Any) -> None:
        update(bar, *arguments, **options)
        bar.refresh()

    return both


def profile_pair() -> Any:
    return profile_graph({"a": ["0.8", "0.2"], "b": ["0.2", "0.8"]}, edges="all", categories=["no", "yes"])


class TestGraph:
    def test_list(self, capsys: Captured) -> None:
        found = run_json(capsys, "graph", "list")
        assert [graph["name"] for graph in found["graphs"]] == list(shipped_graphs())
        chain = next(graph for graph in found["graphs"] if graph["name"] == "categorical-chain")
        assert (chain["profiles"], chain["categories"], chain["edges"]) == (3, 4, 2)
        assert all(graph["source"] for graph in found["graphs"])
        assert main(["graph", "list"]) == 0
        text = capsys.readouterr().out
        assert all(name in text for name in shipped_graphs())
        assert len(text.splitlines()) == len(shipped_graphs()) + 2  # a line each: long sources are cut
        assert "…" in next(line for line in text.splitlines() if line.startswith("departure-by-carrier"))

    def test_show_json_is_the_file_itself(self, capsys: Captured, tmp_path: Path) -> None:
        found = run_json(capsys, "graph", "show", "categorical-chain")
        path = tmp_path / "again.json"
        path.write_text(json.dumps(found))
        again = read_graph(path)
        assert dict(again.nodes(data=True)) == dict(CHAIN.nodes(data=True))
        assert list(again.edges(data=True)) == list(CHAIN.edges(data=True))

    def test_show_text(self, capsys: Captured, tmp_path: Path) -> None:
        path = chain_file(tmp_path, edge0={"epsilon": "0.25", "delta": "1e-6"}, node0={"weight": 2})
        assert main(["graph", "show", path]) == 0
        text = capsys.readouterr().out
        assert "P2 (epsilon 0.25, delta 0.000001)" in text
        assert "1 0.3, 2 0.3, 3 0.3, 4 0.1" in text

    @pytest.mark.parametrize("name", list(shipped_graphs()))
    def test_every_shipped_graph_can_be_shown(self, capsys: Captured, name: str) -> None:
        assert main(["graph", "show", name]) == 0
        assert name in capsys.readouterr().out

    def test_from_table(self, capsys: Captured, tmp_path: Path) -> None:
        data, path = tmp_path / "data.csv", tmp_path / "graph.json"
        data.write_text("job,place,use\nclerk,a,much\nclerk,a,little\nguard,a,little\nsmith,b,much\n")
        arguments = ["graph", "from-table", str(data), "--profile", "job", "--value", "use", "-o", str(path)]
        assert run_json(capsys, *arguments, "--edges", "place")["edges"] == 1
        graph = read_graph(path)
        assert set(graph.edges) == {("clerk", "guard")}
        assert graph.graph["categories"] in (("much", "little"), ("little", "much"))
        assert set(graph.nodes["clerk"]["distribution"]) == {Fraction(1, 2)}
        pairs = tmp_path / "pairs.csv"
        pairs.write_text("first,second\nclerk,smith\n")
        assert main([*arguments, "--edges", str(pairs)]) == 0
        out = capsys.readouterr().out
        assert "3 profiles, 2 categories, 1 edge.\n" in out
        assert f"Written: {path}.\n" in out
        assert set(read_graph(path).edges) == {("clerk", "smith")}


class TestPlot:
    @pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
    def test_endings(self, capsys: Captured, tmp_path: Path, ending: str, start: bytes) -> None:
        path = tmp_path / f"chain.{ending}"
        found = run_json(capsys, "plot", "categorical-chain", "-o", str(path))
        assert (found["kind"], found["picture"]) == ("graph", str(path))
        assert path.read_bytes().startswith(start)

    @pytest.mark.parametrize(("kind", "drawn"), [(None, "matrices"), ("released", "released")])
    def test_kinds(self, capsys: Captured, tmp_path: Path, kind: str | None, drawn: str) -> None:
        mechanism, path = tmp_path / "m.json", tmp_path / "m.svg"
        assert main(["design", "categorical-chain", "--epsilon", "0.5", "-o", str(mechanism)]) == 0
        capsys.readouterr()
        found = run_json(capsys, "plot", str(mechanism), "-o", str(path), *(["--kind", kind] if kind else []))
        assert found["kind"] == drawn
        assert "<svg" in path.read_text()

    def test_a_mechanism_has_no_edges(self, capsys: Captured, tmp_path: Path) -> None:
        """So it is not drawn as a graph without any, as if nobody were protected."""
        mechanism, path = tmp_path / "m.json", tmp_path / "m.svg"
        write_mechanism(design(read_graph("categorical-chain"), epsilon=1).mechanism, mechanism)
        arguments = ["plot", str(mechanism), "--kind", "graph", "-o", str(path)]
        assert_refused(capsys, arguments, "a mechanism has no edges; plot the graph that it was made for")
        assert not path.exists()

    def test_a_graph_before_and_after(self, capsys: Captured, tmp_path: Path) -> None:
        mechanism, path = tmp_path / "m.json", tmp_path / "twice.svg"
        write_mechanism(design(read_graph("categorical-chain"), epsilon=1).mechanism, mechanism)
        arguments = ["plot", "categorical-chain", "--mechanism", str(mechanism), "-o", str(path)]
        assert run_json(capsys, *arguments)["picture"] == str(path)
        assert "without privacy" in path.read_text()

    @pytest.mark.parametrize("kind", ["released", "matrices"])
    def test_before_and_after_is_a_drawing_of_a_graph(self, capsys: Captured, tmp_path: Path, kind: str) -> None:
        mechanism, path = tmp_path / "m.json", tmp_path / "twice.svg"
        write_mechanism(design(read_graph("categorical-chain"), epsilon=1).mechanism, mechanism)
        for target in (["categorical-chain", "--kind", kind], [str(mechanism)]):
            arguments = ["plot", *target, "--mechanism", str(mechanism), "-o", str(path)]
            assert_refused(capsys, arguments, "--mechanism goes with a graph")
        assert not path.exists()

    @pytest.mark.parametrize("name", ["chain.gif", "chain", "chain.svg.txt"])
    def test_other_endings(self, capsys: Captured, tmp_path: Path, name: str) -> None:
        assert_refused(capsys, ["plot", "categorical-chain", "-o", str(tmp_path / name)], name, ".png, .svg, .pdf")
        assert list(tmp_path.iterdir()) == []

    def test_a_graph_has_no_matrices(self, capsys: Captured, tmp_path: Path) -> None:
        arguments = ["plot", "categorical-chain", "--kind", "matrices", "-o", str(tmp_path / "x.svg")]
        assert_refused(capsys, arguments, "categorical-chain", "needs a mechanism")


def assert_refused(capsys: Captured, arguments: list[str], *words: str) -> None:
    """Exit 2, and one message with these words."""
    status = main(arguments)
    message = fault(arguments, capsys.readouterr())
    assert status == 2
    for word in words:
        assert word in message
    assert len(message) < 1500


GRAPH_FAULTS: dict[str, tuple[str | bytes | dict[str, Any], str]] = {
    "empty": ("", "line 1, column 1"),
    "truncated": ('{"directed": false, "graph": {"catego', "line 1, column"),
    "not JSON": ("profile,value\na,b\n", "not JSON"),
    "binary": (b"\x00\xff\xfe\x00", "binary"),
    "a list": ("[1, 2]", "expected a JSON object"),
    "a number": ("3", "expected a JSON object"),
    "no categories": ({"graph": {"categories": []}}, "graph.categories"),
    "categories missing": ({"graph": {}}, "graph.categories"),
    "no graph": ({"graph": 7}, "graph: expected an object"),
    "no nodes": ({"nodes": []}, "nodes: expected at least one profile"),
    "no list of edges": ({"edges": None}, "edges: expected a list"),
    "directed": ({"directed": True}, "directed: expected false"),
    "total": ({"node1": {"distribution": [0.3, 0.3, 0.3, 0.2]}}, "nodes[1] ('P2').distribution: expected a total of 1"),
    "negative": ({"node1": {"distribution": [-0.1, 0.5, 0.5, 0.1]}}, "nodes[1] ('P2').distribution[0]"),
    "short": ({"node2": {"distribution": [0.5, 0.5]}}, "nodes[2] ('P3').distribution: expected 4 probabilities"),
    "a word": ({"node0": {"distribution": [0.5, "half", 0, 0]}}, "nodes[0] ('P1').distribution[1]"),
    "text": ({"node0": {"distribution": "0.5"}}, "nodes[0] ('P1').distribution: expected a list"),
    "unknown end": ({"edge0": {"target": "P9"}}, "edges[0].target: 'P9' is not a profile"),
    "loop": ({"edge0": {"target": "P1"}}, "own neighbour"),
    "epsilon of an edge": ({"edge1": {"epsilon": -1}}, "edges[1] ('P2'-'P3')"),
    "delta of an edge": ({"edge1": {"delta": 1}}, "edges[1] ('P2'-'P3')"),
    "weight": ({"node0": {"weight": -1}}, "nodes[0] ('P1').weight"),
    "not a number": ({"node0": {"weight": math.nan}}, "nodes[0] ('P1').weight"),
}


@pytest.mark.parametrize("command", ["design", "show", "plot"])
@pytest.mark.parametrize("fault", GRAPH_FAULTS)
def test_graph_files_that_are_none(capsys: Captured, tmp_path: Path, fault: str, command: str) -> None:
    content, words = GRAPH_FAULTS[fault]
    if isinstance(content, dict):
        path = chain_file(tmp_path, **content)
    else:
        path = str(tmp_path / "graph.json")
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
    output = tmp_path / "out.svg"
    output.write_text("old")
    arguments = {
        "design": ["design", path, "--epsilon", "1", "--json", "-o", str(output)],
        "show": ["graph", "show", path, "--json"],
        "plot": ["plot", path, "--json", "-o", str(output)],
    }[command]
    assert_refused(capsys, arguments, path, words)
    assert output.read_text() == "old"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["graph.json", "out.svg"]


def test_every_fault_of_a_file_is_named_at_once(capsys: Captured, tmp_path: Path) -> None:
    path = chain_file(tmp_path, node0={"distribution": [1]}, node1={"weight": "x"}, edge1={"epsilon": -1})
    assert_refused(capsys, ["design", path, "--epsilon", "1"], "3 faults", "nodes[0]", "nodes[1]", "edges[1]")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "-1"], ["epsilon", "'-1'"]),
        (["--epsilon", "nan"], ["epsilon", "'nan'"]),
        (["--epsilon", "much"], ["epsilon", "'much'"]),
        (["--epsilon", ""], ["epsilon", "''"]),
        ([], ["--epsilon"]),
        (["--epsilon"], ["--epsilon"]),
        (["--epsilon", "1", "--delta", "1"], ["delta", "[0, 1)"]),
        (["--epsilon", "1", "--delta", "-0.1"], ["delta", "[0, 1)"]),
        (["--epsilon", "1", "--delta", "inf"], ["delta", "[0, 1)"]),
        (["--epsilon", "1", "--delta", "small"], ["delta", "'small'"]),
        (["--epsilon", "1", "--objective", "beauty"], ["--objective", "'beauty'", "expected-loss"]),
        (["--epsilon", "1", "--objective", ""], ["--objective"]),
        (["--epsilon", "1", "--objective", "expected-loss", "--loss", "l2"], ["--loss", "l2", "hamming"]),
        (["--epsilon", "1", "--loss", "absolute"], ["--loss", "expected-loss"]),
        (["--epsilon", "1", "--loss", "hamming"], ["--loss: goes with --objective", "; max-off-diagonal has none"]),
        (["--epsilon", "1", "--method", "magic"], ["method", "'magic'", "structured"]),
        (["--epsilon", "1", "--method", "one-bit-cluster"], ["two categories"]),
        (["--epsilon", "1", "--shared", "--method", "structured"], ["structured"]),
        (["--epsilon", "1", "--colour", "red"], ["--colour"]),
        (["--epsilon", "1", "another"], ["another"]),
        (["--epsilon", "1", "-o", "nowhere/at/all/m.json"], ["nowhere/at/all/m.json", "folder"]),
    ],
    ids=" ".join,
)
def test_options_that_cannot_be_used(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    json_first = ["design", "categorical-chain", "--json", *options]
    output = [] if "-o" in options else ["-o", "m.json"]
    assert_refused(capsys, [*json_first[:2], *output, *json_first[2:]], *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["design", "NAME", "--epsilon", "1"], ["graph", "show", "NAME"]], ids=str)
@pytest.mark.parametrize("name", ["no-such-graph", "no/such/folder/graph.json"])
def test_unknown_graphs(capsys: Captured, command: list[str], name: str) -> None:
    arguments = [name if part == "NAME" else part for part in command]
    assert_refused(capsys, [*arguments, "--json"], name, "categorical-chain")  # what there is


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "one row of numbers per category, found none"),
        (b"0,1\n1\n", "row 1: expected 2 columns as in row 0, found 1"),
        (b"0,1\n1,0\n", "one row per category, 4, found 2"),
        (b"a,b,c,d\n0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,1,0\n", "('1', '2', '3', '4') as labels of the columns"),
        (b"0,1,1,x\n1,0,1,1\n1,1,0,1\n1,1,1,0\n", "row 0, column 3"),
        (b"\xff\xfe\x00", "text in utf-16, as the byte-order mark says, found binary data"),
    ],
    ids=str,
)
def test_loss_files_that_are_none(capsys: Captured, tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "loss.csv"
    path.write_bytes(content)
    arguments = ["design", "categorical-chain", "--epsilon", "1", "--objective", "worst-loss", "--loss", str(path)]
    assert_refused(capsys, [*arguments, "--json"], words)


LOSS = [["0", "1/2", "1", "1"], ["1", "0", "1", "1"], ["1", "1", "0", "1"], ["1", "1", "1", "0"]]


def loss_file(folder: Path, kind: str) -> Path:
    """Write LOSS in one of the ways that are read."""
    path = folder / f"loss.{kind.split()[0]}"
    numbers = [[float(Fraction(cell)) for cell in row] for row in LOSS]
    order = (3, 0, 2, 1)
    texts = {
        "csv": "\n".join(",".join(row) for row in LOSS),
        "csv semicolons": "\n".join(";".join(row).replace("1/2", "0,5") for row in LOSS),
        "csv labels": ",4,1,3,2\n" + "\n".join(",".join([str(i + 1), *[LOSS[i][j] for j in order]]) for i in order),
        "json": json.dumps(numbers),
    }
    if kind == "npy":
        np.save(path, numbers)
    elif kind.startswith("csv mark"):
        path.write_text(texts["csv"], encoding=kind.split()[2])
    else:
        path.write_text(texts[kind])
    return path


KINDS_OF_LOSS = ["csv", "csv semicolons", "csv mark utf-8-sig", "csv mark utf-16", "csv labels", "json", "npy"]


@pytest.mark.parametrize("kind", KINDS_OF_LOSS)
def test_losses_are_read_as_matrices_are(capsys: Captured, tmp_path: Path, kind: str) -> None:
    """With a byte-order mark, semicolons, labels, as .npy and .json: the same table, the same design."""
    path = loss_file(tmp_path, kind)
    arguments = ["design", "categorical-chain", "--epsilon", "1", "--objective", "expected-loss", "--json", "--loss"]
    assert main([*arguments, str(path)]) == 0
    value = json.loads(capsys.readouterr().out)["value_exact"]
    wanted = design(read_graph("categorical-chain"), epsilon=1, objective=ExpectedLoss(LOSS))
    assert Fraction(value) == wanted.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,0,1,1,1\nb,1,0,1,1\nc,1,1,0,1\nd,1,1,1,0\n", "('1', '2', '3', '4') as labels of the rows, found 'a', 'b'"),
        (",1,2,3,4\n1,0,1,1,1\n2,1,0,1,1\n", "--loss: expected one row per category, 4, found 2 with labels"),
        (
            ",x,2,3,4\n1,0,1,1,1\n2,1,0,1,1\n3,1,1,0,1\n4,1,1,1,0\n",
            "as labels of the columns, found ('x', '2', '3', '4')",
        ),
        ("Größe,1\n1,2\n", "--encoding latin-1"),
        ("0;1,5;1.5;1\n" * 4, "a decimal comma in '1,5', but a point in '1.5' (line 1, column 3)"),
    ],
)
def test_losses_that_cannot_be_read(capsys: Captured, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "loss.csv"
    path.write_bytes(text.encode("latin-1"))
    arguments = ["design", "categorical-chain", "--epsilon", "1", "--objective", "worst-loss", "--loss", str(path)]
    assert_refused(capsys, arguments, f"{path}: ", words)


def test_encoding_and_delimiter_of_tables(capsys: Captured, tmp_path: Path) -> None:
    data, pairs, graph = tmp_path / "data.csv", tmp_path / "pairs.csv", tmp_path / "g.json"
    data.write_bytes("Beruf;Größe;n\nKöchin;klein;2\nWirt;groß;3\n".encode("cp1252"))
    pairs.write_bytes("eins;zwei\nKöchin;Wirt\n".encode("cp1252"))
    arguments = ["graph", "from-table", str(data), "--profile", "Beruf", "--value", "Größe", "-o", str(graph)]
    assert_refused(capsys, arguments, f"{data}: line 1, byte 9 of the file (0xf6): not UTF-8; --encoding latin-1")
    more = ["--encoding", "cp1252", "--edges", str(pairs), "--count", "n"]
    for delimiter in ([], ["--delimiter", ";"], ["--delimiter", "semicolon"]):
        assert main([*arguments, *more, *delimiter]) == 0
        assert set(read_graph(graph).edges) == {("Köchin", "Wirt")}
    capsys.readouterr()
    assert_refused(
        capsys, [*arguments, *more[:2], "--delimiter", "tab"], f"{data}: 2 faults", "column 'Beruf': there is none"
    )
    data.write_text("Beruf;Größe;n\nKöchin;klein;1,234\nWirt;groß;3\n")
    assert_refused(
        capsys, [*arguments, "--count", "n"], "column 'n': row 1: the comma may be that of decimals or of thousands"
    )


def test_the_message_about_a_loss_names_its_file(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "loss.csv"
    path.write_text("0,1\n1,0\n")
    arguments = ["design", "categorical-chain", "--epsilon", "1", "--objective", "worst-loss", "--loss", str(path)]
    assert_refused(capsys, arguments, str(path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"outputs": 5}, "outputs"),
        ({"outputs": "12"}, "outputs"),
        ({"rows": [[1, 1], [1]]}, "rows[1]"),
        ({"rows": 3}, "rows"),
        ({"categories": 3}, "categories"),
        ({"profiles": {"id": "a"}}, "profiles: expected a list"),
        ({"profiles": [3]}, "profiles[0]: expected an object"),
    ],
    ids=str,
)
def test_mechanism_files_that_are_none(capsys: Captured, tmp_path: Path, content: dict[str, Any], words: str) -> None:
    path = tmp_path / "m.json"
    whole = {
        "format": "mechdesign-mechanism/1",
        "categories": ["1", "2"],
        "outputs": ["1", "2"],
        "rows": [[1, 0], [0, 1]],
        "profiles": [{"id": "a", "distribution": [1, 0]}],
    }
    path.write_text(json.dumps(whole | content))
    assert_refused(capsys, ["plot", str(path), "-o", str(tmp_path / "m.svg")], str(path), words)
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.json"]


def test_files_of_another_kind_are_called_so(capsys: Captured, tmp_path: Path) -> None:
    """A mechanism or a certificate where a graph is wanted."""
    mechanism, certificate = str(tmp_path / "m.json"), str(tmp_path / "c.json")
    made = ["design", "categorical-chain", "--epsilon", "1", "-o", mechanism, "--certificate", certificate]
    assert main(made) == 0
    capsys.readouterr()
    for path, kind in ((mechanism, "a mechanism"), (certificate, "a certificate")):
        assert_refused(capsys, ["design", path, "--epsilon", "1"], path, f"expected a profile graph, found {kind}")


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        (b"", [], ["header row"]),
        (b"job,use\n", [], ["at least one row"]),
        (b"job,use\na,b,c\n", [], ["Row #1"]),
        (b"job,work\na,b\n", [], ["'use'"]),
        (b"\xff\xfe\x00", [], ["binary"]),
        (b"job,use\na,b\n", ["--count", "number"], ["'number'"]),
        (b"job,use\na,b\n", ["--smoothing", "-1"], ["smoothing"]),
        (b"job,use\na,b\n", ["--edges", "place"], ["'place'"]),
        (b"job,use\na,b\n", ["--edges", "nowhere.csv"], ["nowhere.csv"]),
    ],
    ids=str,
)
def test_tables_that_are_none(
    capsys: Captured, tmp_path: Path, content: bytes, options: list[str], words: list[str]
) -> None:
    data, path = tmp_path / "data.csv", tmp_path / "graph.json"
    data.write_bytes(content)
    path.write_text("old")
    arguments = ["graph", "from-table", str(data), "--profile", "job", "--value", "use", "-o", str(path), *options]
    assert_refused(capsys, [*arguments, "--json"], *words)
    assert path.read_text() == "old"


def test_faults_of_a_table_name_its_file(capsys: Captured, tmp_path: Path) -> None:
    data, pairs = tmp_path / "data.csv", tmp_path / "pairs.csv"
    arguments = ["graph", "from-table", str(data), "--profile", "job", "--value", "use", "-o", str(tmp_path / "g.json")]
    data.write_text("job,use\nclerk,low\ncook,\n")
    assert_refused(capsys, arguments, f"{data}: column 'use': missing value in row 2")
    data.write_text("job,use\nclerk,low\ncook,high\n")
    pairs.write_text("one,other\nclerk,cok\n")
    assert_refused(capsys, [*arguments, "--edges", str(pairs)], f"{pairs}: line 2: 'cok' is not a profile")


def test_a_table_of_pairs_needs_two_columns(capsys: Captured, tmp_path: Path) -> None:
    data, pairs = tmp_path / "data.csv", tmp_path / "pairs.csv"
    data.write_text("job,use\na,b\n")
    pairs.write_text("first\na\n")
    arguments = ["graph", "from-table", str(data), "--profile", "job", "--value", "use", "--edges", str(pairs)]
    assert_refused(capsys, [*arguments, "-o", str(tmp_path / "g.json")], str(pairs))


class TestReproduce:
    def test_all_end_with_a_summary(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        """A figure may be misprinted, and what is computed right all the same."""
        rows = (
            Claim("right", 1.0, "1.0"),
            Claim("also", 2.0, claimed=2.0),
            Claim("misprint", 3.0, "4", 3.0),
            Claim("new", 5.0),
        )
        more = (Claim("ours", 7.0, None, 7.0), Claim("wrong", 8.0, "9"))
        results = {"one": Result("one", "One", "us", rows, "words"), "two": Result("two", "Two", "us", more, "words")}
        monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {k: lambda k=k: results[k] for k in results})
        assert main(["reproduce", "all", "--json"]) == 1
        summary = {"results": 2, "agree": 2, "differ": 2, "unstated": 2, "wrong": 1}
        assert json.loads(capsys.readouterr().out)["summary"] == summary
        assert main(["reproduce"]) == 1
        counts = (
            "2 agree with what is printed or claimed, 2 differ from it, 2 have neither; 1 ARE NOT AS THEY SHOULD BE"
        )
        assert capsys.readouterr().out.splitlines()[0] == f"2 results, 6 rows: {counts}."
        assert main(["reproduce", "one"]) == 0
        assert "results," not in capsys.readouterr().out
        results["two"] = Result("two", "Two", "us", rows, "ERR-0: explained below all results")
        assert main(["reproduce"]) == 0
        first = capsys.readouterr().out.splitlines()[0]
        assert first.endswith(" 2 differ from it, 2 have neither; all that have a right value have it.")

    def test_columns_without_anything_are_left_out(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = (Claim("right", 1.0, "1.0"), Claim("also", 2.0, claimed=2.0))
        monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {"one": lambda: Result("one", "One", "us", rows, "")})
        assert main(["reproduce", "one"]) == 0
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]
        assert lines[1:4] == [
            ["computed", "printed", "claimed"],
            ["right", "1", "1.0", "-", "agrees"],
            ["also", "2", "-", "2", "agrees"],
        ]


@pytest.mark.parametrize("arguments", [["dezign"], ["graph", "paint"], ["reproduce", "everything-else"]], ids=" ".join)
def test_unknown_commands(capsys: Captured, arguments: list[str]) -> None:
    assert_refused(capsys, arguments, arguments[-1])


def test_help_and_version(capsys: Captured) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(command in text for command in ("design", "graph", "plot", "reproduce"))
    words = " ".join(text.split())
    assert all(status in words for status in ("0 done", "1 it does not", "2 bad input", "3 no answer"))
    assert main(["design", "--help"]) == 0
    assert "--epsilon" in capsys.readouterr().out
    assert main(["--version"]) == 0
    assert "mechdesign" in capsys.readouterr().out


class TestProcess:
    """Once as a process of its own."""

    def run(
        self, *arguments: str, output: int = subprocess.PIPE, errors: int = subprocess.PIPE
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "mechdesign", *arguments],
            stdout=output,
            stderr=errors,
            text=True,
            check=False,
            env=environment,
        )

    def test_done(self) -> None:
        done = self.run("design", "categorical-chain", "--epsilon", "1", "--json")
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["value"] == pytest.approx(0.008418409, abs=1e-9)

    def test_bad_input(self, tmp_path: Path) -> None:
        missing = tmp_path / "missing.json"
        done = self.run("design", str(missing), "--epsilon", "1", "--json")
        assert (done.returncode, done.stderr) == (2, "")
        assert json.loads(done.stdout)["error"].startswith(f"{missing}: no such file")

    @pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
    def test_nobody_reads_the_answer(self, more: list[str]) -> None:
        """Not 1, which says that something was refuted, nor 0."""
        reader, writer = os.pipe()
        os.close(reader)
        done = self.run("graph", "list", *more, output=writer)
        os.close(writer)
        assert (done.returncode, done.stderr) == (141, "")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize("arguments", [["dezign"], ["graph", "show", "none"], ["dezign", "--json"]], ids=" ".join)
    def test_no_space_for_the_fault(self, arguments: list[str]) -> None:
        """Not 1, as after a traceback, which says that something was refuted."""
        with Path("/dev/full").open("w") as full:
            done = self.run(*arguments, output=full.fileno(), errors=full.fileno())
        assert done.returncode == 2

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
    def test_no_space_for_the_answer(self, more: list[str]) -> None:
        with Path("/dev/full").open("w") as full:
            done = self.run("graph", "list", *more, output=full.fileno())
        assert done.returncode == 2
        assert done.stderr == "mechdesign: stopped by the system: [Errno 28] No space left on device\n"
