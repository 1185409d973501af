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
from command import answer, refused, run
from oracles.divergence import assert_private
from rich.progress import Progress

from mechdesign import (
    ExpectedLoss,
    WorstLoss,
    design,
    profile_graph,
    read_graph,
    read_mechanism,
    write_graph,
)
from mechdesign.cli.main import main
from mechdesign.papers.published import Claim, Result
from mechdesign.reports.curve_file import point_of
from mechdesign.show.as_json import as_json

CHAIN = read_graph("categorical-chain")
Captured = pytest.CaptureFixture[str]


class TestDesign:
    def test_bounds_are_rounded_outwards(self) -> None:
        for exact in (Fraction(1, 3), Fraction(2, 3), Fraction(1, 10), Fraction(3, 10)):  # doubles on either side
            made = design(CHAIN, epsilon=1)
            found = point_of(replace(made, value=exact, proof=replace(made.proof, bound=exact)))
            assert Fraction(found["bound"]) < exact < Fraction(found["value"])
            assert Fraction(found["baseline"]) > made.baseline
            assert math.nextafter(found["bound"], 1) == found["value"]
            assert found["value_exact"] == found["bound_exact"] == str(exact)

    def test_json(self) -> None:
        found = answer("design", "categorical-chain", "--epsilon", "0.5", "--delta", "0")
        assert (found["profiles"], found["categories"], found["edges"]) == (3, 4, 2)
        assert (found["epsilon"], found["delta"]) == (0.5, 0)
        assert (found["objective"], found["method"]) == ("max-off-diagonal", "auto")
        value, bound = Fraction(found["value_exact"]), Fraction(found["bound_exact"])
        assert bound <= value
        assert found["value"] == pytest.approx(0.056684742, abs=1e-9)
        assert found["baseline"] == pytest.approx(1 / (math.exp(0.5) + 3), rel=1e-12)
        assert found["seconds"] > 0

    def test_json_has_costs_and_what_is_released(self) -> None:
        found = answer("design", "categorical-chain", "--epsilon", "0.5", "--objective", "worst-loss")
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

    def test_it_is_what_the_function_finds(self) -> None:
        found = answer(
            "design", "categorical-chain", "--epsilon", "1/3", "--delta", "0.01", "--objective", "expected-loss"
        )
        expected = design(CHAIN, epsilon="1/3", delta="0.01", objective=ExpectedLoss())
        assert Fraction(found["value_exact"]) == expected.value
        assert found["objective"] == "expected-loss"

    def test_an_infinite_epsilon_is_null_in_json(self) -> None:
        found = answer("design", "categorical-chain", "--epsilon", "inf")
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
    def test_options(self, tmp_path: Path, options: list[str], objective: str) -> None:
        loss = tmp_path / "loss.csv"
        loss.write_text("0, 1, 2, 3\n1/2,0,1,2\n2,1,0,1\n3,2,1,0\n")
        options = [str(loss) if option == "LOSS.csv" else option for option in options]
        found = answer("design", "categorical-chain", "--epsilon", "1", *options)
        assert found["objective"] == objective
        assert 0 <= found["bound"] <= found["value"] <= found["baseline"] + 1e-9
        assert (found["pair_bound"] is None) == (objective != "max-off-diagonal")
        assert (found["pair_bound"] or 0) <= found["value"]

    def test_one_bit_cluster(self, tmp_path: Path) -> None:
        path = tmp_path / "bits.json"
        write_graph(profile_pair(), path)
        found = answer("design", str(path), "--epsilon", "0.5", "--method", "one-bit-cluster")
        assert found["value"] == pytest.approx(0.295901, abs=1e-6)
        assert found["bound"] < found["class_bound"] == pytest.approx(found["value"], abs=1e-12)
        assert float(Fraction(found["class_bound_exact"])) == pytest.approx(found["class_bound"])

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


def drawn_at_once(update: Callable[..., None]) -> Callable[..., None]:
    """Return what updates a bar and draws it, whatever the clock says."""

    def both(bar: Progress, *arguments: Any, **options: Any) -> None:
        update(bar, *arguments, **options)
        bar.refresh()

    return both


def profile_pair() -> Any:
    return profile_graph({"a": ["0.8", "0.2"], "b": ["0.2", "0.8"]}, edges="all", categories=["no", "yes"])


class TestGraph:
    def test_show_json_is_the_file_itself(self, tmp_path: Path) -> None:
        found = answer("graph", "show", "categorical-chain")
        path = tmp_path / "again.json"
        path.write_text(json.dumps(found))
        again = read_graph(path)
        assert dict(again.nodes(data=True)) == dict(CHAIN.nodes(data=True))
        assert list(again.edges(data=True)) == list(CHAIN.edges(data=True))


class TestPlot:
    @pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
    def test_endings(self, tmp_path: Path, ending: str, start: bytes) -> None:
        path = tmp_path / f"chain.{ending}"
        found = answer("plot", "categorical-chain", "-o", str(path))
        assert (found["kind"], found["picture"]) == ("graph", str(path))
        assert path.read_bytes().startswith(start)


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
def test_losses_are_read_as_matrices_are(tmp_path: Path, kind: str) -> None:
    """With a byte-order mark, semicolons, labels, as .npy and .json: the same table, the same design."""
    asked = ("design", "categorical-chain", "--epsilon", "1", "--objective", "expected-loss", "--loss")
    wanted = design(CHAIN, epsilon=1, objective=ExpectedLoss(LOSS))
    assert Fraction(answer(*asked, str(loss_file(tmp_path, kind)))["value_exact"]) == wanted.value


def test_encoding_and_delimiter_of_tables(tmp_path: Path) -> None:
    data, pairs, graph = tmp_path / "data.csv", tmp_path / "pairs.csv", tmp_path / "g.json"
    data.write_bytes("Beruf;Größe;n\nKöchin;klein;2\nWirt;groß;3\n".encode("cp1252"))
    pairs.write_bytes("eins;zwei\nKöchin;Wirt\n".encode("cp1252"))
    arguments = ["graph", "from-table", str(data), "--profile", "Beruf", "--value", "Größe", "-o", str(graph)]
    assert f"{data}: line 1, byte 9 of the file (0xf6): not UTF-8; --encoding latin-1" in refused(*arguments)
    more = ["--encoding", "cp1252", "--edges", str(pairs), "--count", "n"]
    for delimiter in ([], ["--delimiter", ";"], ["--delimiter", "semicolon"]):
        assert run(*arguments, *more, *delimiter).status == 0
        assert set(read_graph(graph).edges) == {("Köchin", "Wirt")}
    assert "column 'Beruf': there is none" in refused(*arguments, *more[:2], "--delimiter", "tab")


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


class TestProcess:
    """Once as a process of its own."""

    def run(self, *arguments: str, output: int = -1, errors: int = -1) -> subprocess.CompletedProcess[str]:
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

    @pytest.mark.slow
    @pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
    def test_nobody_reads_the_answer(self, more: list[str]) -> None:
        """Not 1, which says that something was refuted, nor 0."""
        reader, writer = os.pipe()
        os.close(reader)
        done = self.run("design", "categorical-chain", "--epsilon", "9", *more, output=writer)
        os.close(writer)
        assert (done.returncode, done.stderr) == (141, "")

    @pytest.mark.slow
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize("arguments", [["graph", "show", "none"], ["dezign", "--json"]], ids=" ".join)
    def test_no_space_for_the_fault(self, arguments: list[str]) -> None:
        """Not 1, as after a traceback, which says that something was refuted."""
        with Path("/dev/full").open("w") as full:
            done = self.run(*arguments, output=full.fileno(), errors=full.fileno())
        assert done.returncode == 2

    @pytest.mark.slow
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
    def test_no_space_for_the_answer(self, more: list[str]) -> None:
        with Path("/dev/full").open("w") as full:
            done = self.run("design", "categorical-chain", "--epsilon", "9", *more, output=full.fileno())
        assert done.returncode == 2
        assert done.stderr == "mechdesign: stopped by the system: [Errno 28] No space left on device\n"
