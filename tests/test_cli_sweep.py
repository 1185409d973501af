"""`mechdesign design` with several epsilons, and with several processes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import answer
from oracles.divergence import assert_private

from mechdesign import MaxOffDiagonal, check_certificate, read_graph, read_mechanism, write_graph
from mechdesign.errors import InputError
from mechdesign.reports.curve_file import question_of, read_curve

CHAIN = read_graph("categorical-chain")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*options: str, graph: str = "categorical-chain") -> dict[str, Any]:
    return answer("design", graph, *options)


def refused(*options: str, status: int = 2, graph: str = "categorical-chain") -> str:
    """Return the one message."""
    return str(answer("design", graph, *options, status=status)["error"])


def without_seconds(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the points without what differs from run to run, and what one design alone says of itself."""
    others = {"seconds", "guarantee", "released", "costs", "curve", "plot", "mps", "map", "sentence", "warnings"}
    return [{key: value for key, value in point.items() if key not in others} for point in points]


def kept(path: str = "curve.json") -> dict[str, Any]:
    document: dict[str, Any] = json.loads(Path(path).read_text())
    return document


class TestOutput:
    def test_points_are_what_design_says_of_each(self) -> None:
        points = run("--epsilon", "0.5:1:2,inf", "--delta", "0.01", "--objective", "worst-loss")["points"]
        alone = [
            run("--epsilon", epsilon, "--delta", "0.01", "--objective", "worst-loss") for epsilon in ("0.5", "1", "inf")
        ]
        assert without_seconds(points) == without_seconds(alone)
        assert not {"released", "costs"} & points[0].keys()  # a curve stays small

    def test_one_epsilon_is_no_sweep(self) -> None:
        """Nor is the same one twice."""
        options = ["--curve", "curve.json", "-o", "m.json", "--certificate", "c.json", "--plot", "p.svg"]
        found = run("--epsilon", "1/2,.5", *options)
        assert "points" not in found
        assert [found[key] for key in ("curve", "mechanism", "certificate", "plot")] == options[1::2]
        assert_private(read_mechanism("m.json"), CHAIN, Fraction(1, 2))
        assert check_certificate("c.json")[0] == Fraction(found["value_exact"])
        assert "<svg" in Path("p.svg").read_text()

    def test_what_cannot_be_drawn_is_said_before_it_is_designed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mechdesign.reports.drawable.MOST_BARS", 11)
        monkeypatch.setattr("mechdesign.cli.run_design.design", lambda *_, **__: pytest.fail("something was designed"))
        assert "at most 11 bars, found 12" in refused("--epsilon", "0.5", "--plot", "design.svg", "-o", "m.json")
        assert list(Path().iterdir()) == []

    def test_one_epsilon_is_a_point_of_a_curve(self) -> None:
        """It is added to those there, and is there for the sweeps to come."""
        run("--epsilon", "0.2,0.4", "--curve", "curve.json")
        alone = run("--epsilon", "0.3", "--curve", "curve.json", "-o", "m.json")
        assert [point["epsilon_exact"] for point in kept()["points"]] == ["0.2", "0.3", "0.4"]
        assert without_seconds([kept()["points"][1]]) == without_seconds([alone])
        assert kept()["points"][1].keys() == kept()["points"][0].keys()
        assert run("--epsilon", "0.2:0.4:3", "--curve", "curve.json")["solved"] == 0
        assert "delta: '0' there" in refused("--epsilon", "0.3", "--curve", "curve.json", "--delta", "0.1")

    def test_an_epsilon_of_any_size(self) -> None:
        """Where nothing has to be named after it."""
        options = ["--epsilon", "0.1,1e400,1e-400", "--plot", "curve.svg", "--curve", "curve.json"]
        assert [run(*options)["solved"] for _ in range(2)] == [3, 0]
        assert run("--epsilon", "0.1,1e400", "-o", "found")["solved"] == 2
        assert Path("found/epsilon-1e400.mechanism.json").exists()
        assert "too long to name a file after" in refused("--epsilon", f"0.1,1/1{'0' * 300}", "-o", "found")

    def test_files_are_named_by_the_epsilon_as_written(self) -> None:
        points = run("--epsilon", "1.5,1e-3,.50,3/4,2/3,inf", "-o", "found", "--certificate", "found")["points"]
        names = {path.name.removeprefix("epsilon-") for path in Path("found").iterdir()}
        written = ("1.5", "1e-3", ".50", "0.75", "2_3", "inf")
        assert names == {f"{one}.{kind}.json" for one in written for kind in ("certificate", "mechanism")}
        for point in points:
            exact = Fraction(point["value_exact"]), Fraction(point["bound_exact"])
            assert check_certificate(point["certificate"]) == exact
        run("--epsilon", "1:2:4", "-o", "range")
        names = {path.name.removeprefix("epsilon-") for path in Path("range").iterdir()}
        assert names == {f"{one}.mechanism.json" for one in ("1", "4_3", "5_3", "2")}


POINT = {"epsilon_exact": "1", "value_exact": "1/2", "bound_exact": "1/2", "baseline": 1, "seconds": 0}


class TestCurve:
    def test_points_are_kept_and_taken_over(self) -> None:
        first = run("--epsilon", "0.2,0.4", "--curve", "curve.json")
        assert (first["solved"], kept()["points"]) == (2, first["points"])
        second = run("--epsilon", "0.3,0.4,1/3", "--curve", "curve.json")
        assert second["solved"] == 2
        assert [point["epsilon_exact"] for point in second["points"]] == ["0.3", "1/3", "0.4"]
        assert second["points"][2] == first["points"][1]  # to the last digit, its seconds too
        assert [point["epsilon_exact"] for point in kept()["points"]] == ["0.2", "0.3", "1/3", "0.4"]

    def test_gains_are_losses_below_0(self) -> None:
        gains = [[-1 if x == y else 1 for y in range(4)] for x in range(4)]
        Path("gains.csv").write_text("\n".join(",".join(map(str, row)) for row in gains))
        options = "--objective", "expected-loss", "--loss", "gains.csv", "--epsilon", "0.2,0.4", "--curve", "curve.json"
        first = run(*options)
        assert all(Fraction(point["value_exact"]) < 0 for point in first["points"])
        assert (first["solved"], run(*options)["solved"]) == (2, 0)

    def test_the_graph_counts_not_its_name(self) -> None:
        run("--epsilon", "0.2,0.4", "--curve", "curve.json")
        graph = read_graph("categorical-chain")
        graph.graph.update(name="another", source="elsewhere")
        write_graph(graph, "another.json")
        assert run("--epsilon", "0.2,0.4", "--curve", "curve.json", graph="another.json")["solved"] == 0

    def test_another_graph_is_refused(self) -> None:
        """Another distribution, weight, epsilon, edge or category."""
        options = {"objective": MaxOffDiagonal(), "delta": 0, "method": "auto", "shared": False, "any_optimum": False}
        graphs = [read_graph("categorical-chain") for _ in range(6)]
        graphs[1].nodes["P1"]["distribution"] = (Fraction(3, 10), Fraction(1, 5), Fraction(2, 5), Fraction(1, 10))
        graphs[2].nodes["P1"]["weight"] = Fraction(2)
        graphs[3].edges["P1", "P2"]["epsilon"] = Fraction(1)
        graphs[4].add_edge("P1", "P3")
        graphs[5].graph["categories"] = tuple("abcd")
        asked = [question_of(graph, options | {"scale_own": False, "nominal": False}) for graph in graphs]
        assert len({question["graph_sha256"] for question in asked}) == len(graphs)
        Path("curve.json").write_text(json.dumps({"format": "mechdesign-curve/1", "question": asked[0], "points": []}))
        for question in asked[1:]:
            with pytest.raises(InputError, match="graph: the curve is of another one"):
                read_curve("curve.json", question)

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            ("", "line 1, column 1"),
            ("[]", "expected a curve"),
            ('{"format": "mechdesign-mechanism/1"}', "expected a curve"),
            ('{"format": "mechdesign-curve/1"}', "expected a question"),
            ({}, "delta: None there, '0' here; give another file"),
            ({"points": [3]}, "points[0]"),
            ({"points": [{}]}, "points[0]: cannot be used: epsilon_exact: expected text, found None"),
            ({"points": ["x"]}, "points[0]: cannot be used: expected an object, found 'x'"),
            ({"value_exact": "-1"}, "points[0]"),
            ({"bound_exact": "2"}, "points[0]: cannot be used: expected bound_exact <= value_exact"),
            ({"value_exact": 0.5}, "value_exact: expected text"),
            ({"epsilon_exact": "much"}, "points[0]"),
            ({"epsilon_exact": 0.5}, "epsilon_exact: expected text"),
            ({"seconds": None}, "seconds: expected a number >= 0"),
            ({"seconds": "3"}, "seconds: expected a number >= 0"),
            ({"seconds": -1}, "seconds: expected a number >= 0"),
            ({"baseline": "1"}, "baseline: expected a number, found '1'"),
        ],
        ids=str,
    )
    def test_files_that_are_none(self, content: str | dict[str, Any], words: str) -> None:
        if isinstance(content, dict):
            points = content.get("points", [POINT | content])
            content = json.dumps({"format": "mechdesign-curve/1", "question": {}, "points": points})
        Path("curve.json").write_text(content)
        with pytest.raises(InputError, match=re.escape(words)) as error:
            read_curve("curve.json", {"delta": "0"})
        assert error.value.source == "curve.json"

    def test_files_that_are_missing_are_made_again(self) -> None:
        """A mechanism in the folder that this curve did not write there is not taken for its own."""
        options = ["--epsilon", "0.2,0.4", "--curve", "curve.json"]
        run(*options)
        assert run(*options, "-o", "found")["solved"] == 2
        assert run(*options, "-o", "found")["solved"] == 0
        Path("found/epsilon-0.2.mechanism.json").unlink()
        assert run(*options, "-o", "found")["solved"] == 1
        assert_private(read_mechanism("found/epsilon-0.2.mechanism.json"), CHAIN, Fraction(1, 5))
        assert run(*options, "-o", "elsewhere")["solved"] == 2

    @pytest.mark.slow
    def test_two_sweeps_at_once_lose_no_point(self, folder: Path) -> None:
        """Each in a process of its own; what both solve stands there once."""
        line = [sys.executable, "-m", "mechdesign", "design", "categorical-chain", "--curve", "curve.json", "--epsilon"]
        both = [
            subprocess.Popen([*line, epsilons], stdout=subprocess.DEVNULL, env=ENVIRONMENT)
            for epsilons in ("0.1:1.2:12", "1.1:2.2:12")
        ]
        assert [process.wait(timeout=60) for process in both] == [0, 0]
        there = [Fraction(point["epsilon_exact"]) for point in kept()["points"]]
        assert there == [Fraction(step, 10) for step in range(1, 23)]
        assert [path.name for path in folder.iterdir()] == ["curve.json"]


class TestCertificates:
    """No mechanism without the proof that was asked for."""

    FILES = ("-o", "m.json", "--certificate", "c.json")

    @pytest.mark.parametrize("epsilon", ["1", "0.5,1"])
    def test_one_that_cannot_be_made(self, folder: Path, epsilon: str) -> None:
        """Delta has more digits than the checker reads."""
        message = refused("--epsilon", epsilon, "--delta", "1/" + "7" * 1000, *self.FILES)
        assert "no certificate: its deltas would need more than 999 digits" in message
        assert "nothing was written; without --certificate the mechanism is, without a proof" in message
        assert [path for path in folder.rglob("*") if path.is_file()] == []
        run("--epsilon", epsilon, "--delta", "1/" + "7" * 1000, "-o", "m.json")

    @pytest.mark.parametrize("epsilon", ["1", "0.5,1"])
    @pytest.mark.parametrize("full", ["mechanism", "certificate"])
    def test_no_space(self, folder: Path, monkeypatch: pytest.MonkeyPatch, epsilon: str, full: str) -> None:
        """For the first or the second file: neither is there, and what was there stays."""
        write = Path.write_bytes

        def write_bytes(path: Path, text: bytes) -> int:
            if f'"mechdesign-{full}/'.encode() in text:
                raise OSError(28, "No space left on device")
            return write(path, text)

        if "," not in epsilon:
            (folder / "m.json").write_text("old")
        monkeypatch.setattr(Path, "write_bytes", write_bytes)
        assert "cannot be written: No space left on device" in refused("--epsilon", epsilon, *self.FILES)
        assert [path.read_text() for path in folder.rglob("*") if path.is_file()] == ["old"] * ("," not in epsilon)


class TestWorkers:
    @pytest.mark.slow
    def test_components_are_the_same(self) -> None:
        options = ["--epsilon", "0.2"]
        there, here = (run(*options, "--workers", n, graph="departure-by-destination") for n in ("2", "1"))
        assert without_seconds([there]) == without_seconds([here])


LISTENING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from mechdesign.cli.main import main
sys.exit(main())
"""  # the tests may run in the background of a shell, where SIGINT is ignored, and so it would be here


def is_there(group: int) -> bool:
    """Return whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--curve", "curve.json", "-o", "found"], "nothing was written"),
        ([], "not kept; --curve FILE would have"),
    ],
    ids=str,
)
def test_an_interruption_before_the_first_point(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("mechdesign.cli.run_design.sweep", interrupted)
    message = refused("--epsilon", "0.1,0.2", *options, status=130)
    assert message == f"interrupted; 0 of 2 designs done, {words}"
    assert list(folder.iterdir()) == []


IN_THE_MIDST = """
import time
from mechdesign.cli.workers import worker_pool
if __name__ == "__main__":
    for _ in range(3):
        try:
            with worker_pool(2) as pool:
                both = [pool.submit(bytes, 10**8) for _ in range(2)]
                time.sleep(0.1)
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            pass
"""


@pytest.mark.slow
def test_an_interruption_in_the_midst_of_results() -> None:
    """What a process had begun to send is not waited for."""
    Path("midst.py").write_text(IN_THE_MIDST)
    ended = subprocess.run([sys.executable, "midst.py"], capture_output=True, timeout=60, env=ENVIRONMENT)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a process there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interruption_keeps_what_is_done(workers: str) -> None:
    """As from a keyboard: every process of the group is interrupted."""
    options = ["departure-by-destination", "--epsilon", "0.01:3:300", "--curve", "curve.json"]
    command = [sys.executable, "-W", "error", "-c", LISTENING, "design", *options, "--workers", workers]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True
    ) as process:
        waited_until = time.monotonic() + 120
        while not Path("curve.json").exists() or len(kept()["points"]) < 2:
            assert time.monotonic() < waited_until
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        while is_there(process.pid):
            assert time.monotonic() < waited_until
            time.sleep(0.02)
    points = kept()["points"]
    assert 2 <= len(points) < 300
    assert (process.returncode, out) == (130, "")
    told = re.fullmatch(r"mechdesign: interrupted; (\d+) of 300 designs done, kept in curve.json\n", err)
    assert told, err
    assert int(told[1]) <= len(points) <= int(told[1]) + 1  # the interruption may come between keeping and counting
    assert [path.name for path in Path().iterdir()] == ["curve.json"]
    asked = ",".join([points[0]["epsilon_exact"], points[1]["epsilon_exact"], "2.9999"])
    again = run("--epsilon", asked, "--curve", "curve.json", graph="departure-by-destination")
    assert again["solved"] == 1
    assert again["points"][:2] == points[:2]
    assert len(kept()["points"]) == len(points) + 1
