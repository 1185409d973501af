"""`mechdesign certify`: what it prints, their exit statuses, and bad input."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mechdesign import design, k_ary, read_graph, write_graph, write_mechanism
from mechdesign.certificate import checker
from mechdesign.cli.main import main

Captured = pytest.CaptureFixture[str]
F = Fraction
CHAIN = read_graph("categorical-chain")


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.csv"
    path.write_text("3/4,1/4\n1/4,3/4\n")
    return str(path)


@pytest.fixture
def designed(tmp_path: Path) -> dict[str, Path]:
    result = design(CHAIN, epsilon="0.5")
    write_mechanism(result.mechanism, tmp_path / "mechanism.json")
    (tmp_path / "certificate.json").write_text(json.dumps(result.certificate))
    return {name: tmp_path / f"{name}.json" for name in ("mechanism", "certificate")}


def run(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    return status, output.out, output.err


class TestCertify:
    @pytest.mark.parametrize(("epsilon", "status"), [("1.1", 0), ("1.09", 1)])
    def test_json(self, capsys: Captured, coin: str, epsilon: str, status: int) -> None:
        found, out, err = run(capsys, "certify", coin, "--epsilon", epsilon, "--json")
        assert (found, err) == (status, "")
        assert out.count("\n") == 1
        verdict: dict[str, Any] = json.loads(out)
        keys = {"private", "epsilon_lower", "epsilon_upper", "delta_lower", "delta_upper", "worst", "exact"}
        assert verdict.keys() >= keys
        assert verdict["worst"].keys() >= {"edge", "set", "gap"}
        assert (verdict["private"], verdict["exact"]) == (status == 0, True)
        assert verdict["epsilon_lower"] <= math.log(3) <= verdict["epsilon_upper"]
        true = max(0.0, 0.75 - math.exp(float(epsilon)) * 0.25)
        assert verdict["delta_lower"] - 1e-15 <= true <= verdict["delta_upper"] + 1e-15
        assert (verdict["worst"]["gap"] > 0) == (status == 1)
        assert verdict["worst"]["edge"] in ([0, 1], [1, 0])

    def test_refuted_shows_the_witness(self, capsys: Captured, coin: str) -> None:
        status, out, _ = run(capsys, "certify", coin, "--epsilon", "1")
        assert status == 1
        assert "Refuted" in out
        assert "Worst edge: 0 against 1, on the set of outputs {0}:" in out
        assert f"{0.75 - math.e / 4:.6g}" in out

    @pytest.mark.parametrize("by", ["sets", "lp", "exhaustive"])
    @pytest.mark.parametrize(("epsilon", "status"), [("0.5", 0), ("0.4999999", 1)])
    def test_a_design(self, capsys: Captured, designed: dict[str, Path], epsilon: str, status: int, by: str) -> None:
        options = ("--graph", "categorical-chain", "--epsilon", epsilon, "--by", by)
        assert run(capsys, "certify", str(designed["mechanism"]), *options)[0] == status

    def test_infinite(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "identity.npy"
        np.save(path, np.identity(3))
        status, out, _ = run(capsys, "certify", str(path), "--epsilon", "1", "--json")
        verdict = json.loads(out)
        assert (status, verdict["epsilon_lower"], verdict["epsilon_upper"]) == (1, None, None)
        assert run(capsys, "certify", str(path), "--epsilon", "inf")[0] == 0

    def test_delta(self, capsys: Captured, coin: str) -> None:
        assert run(capsys, "certify", coin, "--epsilon", "0", "--delta", "0.5")[0] == 0
        assert run(capsys, "certify", coin, "--epsilon", "0", "--delta", "0.4999999999999999999")[0] == 1

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("m.csv", b""),
            ("m.csv", b"a,b\n"),
            ("m.csv", b"1/2,1/2\n1\n"),
            ("m.csv", b"1/2,1/3\n"),
            ("m.csv", b"-1,2\n"),
            ("m.csv", b"nan,1\n"),
            ("m.csv", b"\xff\xfe\x00"),
            ("m.npy", b"PICKLE"),
            ("m.npy", b""),
            ("m.json", b""),
            ("m.json", b"{}"),
            ("m.json", b"[1, 2]"),
            ("m.json", b"[[]]"),
            ("m.json", b"[[NaN, 1]]"),
            ("m.json", b"[" * 10**5),
            ("m.json", b'{"format": "mechdesign-mechanism/1"}'),
            ("m.json", b"[[true, false]]"),
        ],
        ids=range(17),
    )
    def test_bad_files(self, capsys: Captured, tmp_path: Path, name: str, content: bytes) -> None:
        path = tmp_path / name
        path.write_bytes(content)
        status, out, err = run(capsys, "certify", str(path), "--epsilon", "1")
        assert (status, out) == (2, "")
        assert str(path) in err

    @pytest.mark.parametrize(
        "options",
        [
            ("--epsilon", "-1"),
            ("--epsilon", "x"),
            ("--epsilon", "nan"),
            ("--epsilon", "1", "--delta", "1"),
            ("--epsilon", "1", "--delta", "-0.1"),
            ("--epsilon", "1", "--by", "guess"),
            ("--epsilon", "1", "--graph", "no-such-graph"),
            ("--epsilon", "1", "--graph", "categorical-chain"),
        ],
        ids=" ".join,
    )
    def test_bad_options(self, capsys: Captured, coin: str, options: tuple[str, ...]) -> None:
        status, out, err = run(capsys, "certify", coin, *options)
        assert (status, out) == (2, "")
        assert err

    def test_no_such_file(self, capsys: Captured, tmp_path: Path) -> None:
        for path in (tmp_path, tmp_path / "none.csv", tmp_path / "none.json", tmp_path / "none.npy"):
            status, out, err = run(capsys, "certify", str(path), "--epsilon", "1")
            assert (status, out) == (2, "")
            assert str(path) in err


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """Graphs of which all edges have their own epsilons, or one of two, and a mechanism that meets them exactly."""
    graph = read_graph("categorical-chain")
    first, second = graph.edges
    graph.edges[first]["epsilon"] = "0.3"
    write_graph(graph, tmp_path / "some.json")
    graph.edges[second]["epsilon"] = "1.7"
    write_graph(graph, tmp_path / "all.json")
    write_mechanism(design(graph, epsilon=1).mechanism, tmp_path / "mechanism.json")
    return {name: str(tmp_path / f"{name}.json") for name in ("some", "all", "mechanism")}


def answered(capsys: Captured, *arguments: str) -> dict[str, Any]:
    _, out, err = run(capsys, "certify", *arguments, "--json")
    assert err == ""
    answer: dict[str, Any] = json.loads(out)
    return answer


class TestOwnEpsilons:
    def test_on_every_edge(self, capsys: Captured, own: dict[str, str]) -> None:
        arguments = (own["mechanism"], "--graph", own["all"], "--epsilon", "0.01")
        status, out, _ = run(capsys, "certify", *arguments)
        words = " ".join(out.split())
        assert status == 0
        assert "each of 2 edges meets its own epsilon (0.3 to 1.7)" in words
        assert "An epsilon asked for applies to no edge." in words
        assert "tight epsilon" not in words
        assert "tight multiple of the edges' own epsilons 0.999" in words
        answer = answered(capsys, *arguments)
        assert (answer["edges"], answer["edges_asked"]) == (2, 0)
        assert answer["scale_lower"] <= 1 <= answer["scale_upper"] + 1e-14  # rounding makes a little room
        assert answer["scale_upper"] - answer["scale_lower"] < 1e-15

    def test_on_some_edges(self, capsys: Captured, own: dict[str, str]) -> None:
        out = run(capsys, "certify", own["mechanism"], "--graph", own["some"], "--epsilon", "1.5")[1]
        assert "paths. The epsilon asked for applies to 1 of them" in " ".join(out.split())
        assert answered(capsys, own["mechanism"], "--graph", own["some"], "--epsilon", "1.5")["edges_asked"] == 1

    def test_without_an_epsilon(self, capsys: Captured, own: dict[str, str]) -> None:
        """Where each edge has its own, nothing more need be asked; otherwise the answer is an epsilon."""
        status, out, _ = run(capsys, "certify", own["mechanism"], "--graph", own["all"])
        assert status == 0
        assert " ".join(out.split()).startswith(
            f"Asked: the edges' own epsilons, delta 0, on the edges of {own['all']}."
        )
        assert answered(capsys, own["mechanism"], "--graph", own["all"])["private"] is True
        assert answered(capsys, own["mechanism"], "--graph", own["some"])["private"] is None

    def test_the_curve_is_over_multiples(self, capsys: Captured, own: dict[str, str], tmp_path: Path) -> None:
        curve, picture = tmp_path / "curve.json", tmp_path / "curve.svg"
        files = ("--curve", str(curve), "--plot", str(picture))
        assert run(capsys, "certify", own["mechanism"], "--graph", own["all"], *files)[0] == 0
        document = json.loads(curve.read_text())
        assert document["over"] == "scale"
        assert document["points"][0]["delta_lower"] > 0.01
        assert {"scale": 1.0, "scale_exact": "1"}.items() <= next(
            point for point in document["points"] if point["delta_upper"] < 1e-15
        ).items()
        assert picture.read_text().startswith("<?xml")


class TestWithoutEpsilon:
    def test_what_is_satisfied(self, capsys: Captured, coin: str) -> None:
        status, out, _ = run(capsys, "certify", coin)
        assert (status, out.splitlines()[0]) == (
            0,
            "Asked: which epsilon it satisfies at delta 0, on every pair of profiles.",
        )
        assert "It satisfies epsilon = 1.0986122886681098 (rounded up), and none below 1.0986122886681096" in out
        answer = answered(capsys, coin, "--delta", "1/4")
        assert (answer["private"], answer["delta_lower"], answer["delta_upper"]) == (None, None, None)
        assert answer["epsilon_lower"] <= math.log(2) <= answer["epsilon_upper"]
        assert (answer["epsilon"], answer["epsilon_exact"], answer["deltas"]) == (None, None, [])

    def test_none_is(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "m.csv"
        path.write_text("3/4,1/4\n1,0\n")
        status, out, _ = run(capsys, "certify", str(path))
        assert status == 0
        assert "It satisfies no finite epsilon" in out
        assert "Pr(1 in it) = 0, and Pr(0 in it) - delta = 0.25." in out
        assert out.splitlines()[-4].split() == ["0.5", "0.25", "0.25"]
        answer = answered(capsys, str(path))
        assert (answer["epsilon_lower"], answer["epsilon_upper"]) == (None, None)
        assert {point["epsilon"]: point["delta_upper"] for point in answer["deltas"]}[2.0] == 0.25


def test_what_was_asked_is_part_of_the_answer(capsys: Captured, own: dict[str, str]) -> None:
    arguments = (own["mechanism"], "--graph", own["some"], "--epsilon", "1/3", "--delta", "0.1", "--by", "exhaustive")
    answer = answered(capsys, *arguments)
    asked = {
        "mechanism": own["mechanism"], "graph": own["some"], "epsilon_exact": "1/3", "epsilon": 0.3333333333333333,
        "delta": 0.1, "delta_exact": "0.1", "by": "exhaustive", "profiles": 3, "edges": 2, "edges_asked": 1,
    }  # fmt: skip
    assert {key: answer[key] for key in asked} == asked


class TestAll:
    @pytest.fixture
    def matrix(self, tmp_path: Path) -> str:
        path = tmp_path / "matrix.csv"
        path.write_text("0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n")
        return str(path)

    def test_those_that_fail(self, capsys: Captured, matrix: str) -> None:
        status, out, _ = run(capsys, "certify", matrix, "--epsilon", "1.5", "--all")
        assert status == 1
        listed = out[out.index("Ordered pairs that fail: 3 of 6") :].splitlines()[2:5]
        assert [line.split("  ")[0] for line in listed] == ["0 against 1", "2 against 0", "2 against 1"]
        answer = answered(capsys, matrix, "--epsilon", "1.5", "--all")
        assert answer["failing"] == 3
        assert [pair["met"] for pair in answer["ordered_pairs"]] == [False] * 3 + [True] * 3
        worst = answer["ordered_pairs"][0]
        assert (worst["edge"], worst["required"]) == ([0, 1], "1.5")
        assert worst["epsilon_lower"] <= math.log(7) <= worst["epsilon_upper"]

    def test_all_where_none_fails_or_nothing_is_asked(self, capsys: Captured, matrix: str) -> None:
        for epsilon in ((), ("--epsilon", "2")):
            assert "Ordered pairs: 6" in run(capsys, "certify", matrix, "--all", *epsilon)[1]

    def test_many_are_counted(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "m.csv"
        path.write_text("\n".join(f"{n}/9,{9 - n}/9" for n in range(1, 8)))
        out = run(capsys, "certify", str(path), "--all")[1]
        assert "Ordered pairs: 42" in out
        assert out.count(" against ") == 40 + 1  # and the worst edge
        assert "the first 40 of 42; --json has all" in out
        assert len(answered(capsys, str(path), "--all")["ordered_pairs"]) == 42

    def test_the_picture_is_a_heat_map(self, capsys: Captured, matrix: str, tmp_path: Path) -> None:
        status, out, _ = run(capsys, "certify", matrix, "--all", "--plot", str(tmp_path / "pairs.svg"))
        assert status == 0
        assert "Written: " in out
        assert "tight epsilon" in (tmp_path / "pairs.svg").read_text()


class TestCurve:
    def test_is_data(self, capsys: Captured, coin: str, tmp_path: Path) -> None:
        path = tmp_path / "curve.json"
        assert run(capsys, "certify", coin, "--epsilon", "1/3", "--curve", str(path))[0] == 1
        document = json.loads(path.read_text())
        assert document["over"] == "epsilon"
        assert document["asked"]["epsilon_exact"] == "1/3"
        assert document["tight"][0] <= math.log(3) <= document["tight"][1]
        places = [F(point["epsilon_exact"]) for point in document["points"]]
        assert places == sorted(set(places))
        assert {F(0), F(1, 3)} < set(places)
        assert places[-1] > math.log(3)
        for place, point in zip(places, document["points"], strict=True):
            assert point["epsilon"] == float(place)
            true = max(0.0, 0.75 - math.exp(place) * 0.25)
            assert point["delta_lower"] - 1e-15 <= true <= point["delta_upper"] + 1e-15
        assert run(capsys, "certify", coin, "--epsilon", "1", "--curve", str(path))[0] == 1  # written again
        assert json.loads(path.read_text())["asked"]["epsilon_exact"] == "1"

    @pytest.mark.parametrize("ending", ["png", "SVG", "pdf"])
    def test_is_no_picture(self, capsys: Captured, coin: str, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"curve.{ending}"
        status, out, err = run(capsys, "certify", coin, "--curve", str(path))
        assert (status, out) == (2, "")
        assert err.endswith(f"{path}: --curve writes points, as JSON; --plot FILE draws the picture\n")
        assert not path.exists()

    def test_replaces_nothing_else(self, capsys: Captured, coin: str, own: dict[str, str]) -> None:
        before = Path(own["all"]).read_text()
        status, out, err = run(capsys, "certify", coin, "--curve", own["all"])
        assert (status, out) == (2, "")
        assert "this file is there and is no privacy curve" in err
        assert Path(own["all"]).read_text() == before

    @pytest.mark.parametrize("option", ["--curve coin.csv", "--plot coin.csv", "--plot curve.json"])
    def test_bad_targets(self, capsys: Captured, coin: str, option: str) -> None:
        name, target = option.split()
        status, out, err = run(capsys, "certify", coin, name, str(Path(coin).with_name(target)))
        assert (status, out) == (2, "")
        assert err
        assert Path(coin).read_text() == "3/4,1/4\n1/4,3/4\n"

    @pytest.mark.parametrize("content", ["1,0\n0,1\n", "1,0\n1,0\n", "1\n"])
    @pytest.mark.parametrize("asked", ["", "--epsilon 0", "--epsilon 1e400", "--epsilon inf", "--all"])
    def test_where_the_tight_epsilon_is_none_or_infinite(
        self, capsys: Captured, tmp_path: Path, content: str, asked: str
    ) -> None:
        (tmp_path / "m.csv").write_text(content)
        picture = tmp_path / "m.svg"
        status = run(capsys, "certify", str(tmp_path / "m.csv"), *asked.split(), "--plot", str(picture))[0]
        assert status == int("0,1" in content and asked in ("--epsilon 0", "--epsilon 1e400"))
        assert picture.exists()


class TestMatrixFiles:
    """How a matrix file is written is recognised and said, or named in the error with the option that helps."""

    ROUNDED = "0.333333,0.333333,0.333333\n0.166667,0.166667,0.666667\n0.25,0.25,0.5\n"

    def certify(self, capsys: Captured, folder: Path, content: str | bytes, *options: str) -> tuple[int, str, str]:
        path = folder / "m.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return run(capsys, "certify", str(path), "--epsilon", "2", *options)

    def test_how_it_was_read_is_said(self, capsys: Captured, tmp_path: Path) -> None:
        content = ";ja;nein\nja;0,75;0,25\nnein;0,25;0,75\n".encode("utf-16")
        status, out, _ = self.certify(capsys, tmp_path, content)
        assert status == 0
        assert out.replace("\n", " ").startswith(
            "Read with encoding utf-16, delimiter semicolon, decimal commas, the first column as labels of the inputs, "
            "the first line as labels of the outputs. "
        )
        assert "Worst edge: ja against nein" in out
        verdict = json.loads(self.certify(capsys, tmp_path, content, "--json")[1])
        assert verdict["read"].startswith("encoding utf-16, delimiter semicolon")
        assert verdict["normalised"] is None

    def test_encoding(self, capsys: Captured, tmp_path: Path) -> None:
        content = ",gewöhnlich,nie\ngewöhnlich,0.75,0.25\nnie,0.25,0.75\n".encode("latin-1")
        status, _, err = self.certify(capsys, tmp_path, content)
        assert status == 2
        assert "m.csv: line 1, byte 5 of the file (0xf6): not UTF-8; --encoding latin-1" in err
        status, out, _ = self.certify(capsys, tmp_path, content, "--encoding", "latin-1")
        assert status == 0
        assert "gewöhnlich against nie" in out

    def test_delimiter(self, capsys: Captured, tmp_path: Path) -> None:
        content = "a:b\n0.75:0.25\n0.25:0.75\n"
        assert self.certify(capsys, tmp_path, content)[0] == 2
        assert self.certify(capsys, tmp_path, content, "--delimiter", ":")[0] == 0

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (["--encoding", "klingon"], "--encoding: expected utf-8, latin-1"),
            (["--delimiter", "::"], "--delimiter: expected comma"),
        ],
    )
    def test_options_that_cannot_be_used(
        self, capsys: Captured, tmp_path: Path, options: list[str], words: str
    ) -> None:
        status, out, err = self.certify(capsys, tmp_path, "1,0\n0,1\n", *options)
        assert (status, out) == (2, "")
        assert words in err

    def test_normalise(self, capsys: Captured, tmp_path: Path) -> None:
        status, out, err = self.certify(capsys, tmp_path, self.ROUNDED)
        assert (status, out) == (2, "")
        assert "2 of 3 totals miss 1 by up to 1e-06, as rounding does: --normalise" in err
        status, out, _ = self.certify(capsys, tmp_path, self.ROUNDED, "--normalise")
        assert status == 0
        assert out.startswith(
            "What follows holds for the normalised matrix, not for the one given: 2 of 3 rows, those of 0, 1, "
        )
        assert "missed 1 by up to 1e-06; all are exactly 1 now." in out
        found = json.loads(self.certify(capsys, tmp_path, self.ROUNDED, "--normalise", "--json")[1])["normalised"]
        assert found.pop("largest_miss") == pytest.approx(1e-6, rel=1e-12)
        assert found == {"rows": 2, "of": 3}

    def test_single_precision(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "m.npy"
        np.save(path, np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.3, 0.3, 0.4]], dtype=np.float32))
        status, _, err = run(capsys, "certify", str(path), "--epsilon", "2")
        assert (status, "--normalise" in err) == (2, True)
        assert run(capsys, "certify", str(path), "--epsilon", "2", "--normalise")[0] == 0

    @pytest.mark.parametrize(
        ("epsilon", "words"),
        [
            ("0.99", "The numbers have 4 decimals. Every matrix that rounds to them is refuted, by at least 0.00"),
            ("1", "The numbers have 4 decimals, and rounding alone may be why it fails: of the matrices that round to"),
            (
                "1.0003",
                "The numbers have 4 decimals. A matrix that rounds to them may fail all the same, here by up to",
            ),
            ("1.01", None),
        ],
    )
    def test_what_rounding_may_have_done(
        self, capsys: Captured, tmp_path: Path, epsilon: str, words: str | None
    ) -> None:
        """Randomised response between five values, epsilon 1, is 0.404609..., 0.148847... and refuted as rounded."""
        rows = [["0.4046" if i == j else "0.1488" for j in range(5)] for i in range(5)]
        content = "\n".join(map(",".join, rows))
        path = tmp_path / "vendor.csv"
        path.write_text(content)
        line = ("certify", str(path), "--normalise", "--epsilon", epsilon)
        status, out, _ = run(capsys, *line)
        assert status == (epsilon < "1.0002")
        said = " ".join(out.split())
        assert words in said if words is not None else "The numbers have" not in said
        found = json.loads(run(capsys, *line, "--json")[1])["rounding"]
        assert (found["digits"], found["beyond_rounding"]) == (4, [])
        assert found["gap_lower"] <= found["gap_upper"]

    @pytest.mark.parametrize(
        ("epsilon", "words"),
        [
            ("0.999", None),
            ("0.99995", "The numbers have 5 decimals, and rounding alone may be why it fails"),
            ("1", "The numbers have 5 decimals. A matrix that rounds to them may fail all the same, here by up to"),
            ("1.01", None),
        ],
    )
    def test_also_where_there_is_nothing_to_normalise(
        self, capsys: Captured, tmp_path: Path, epsilon: str, words: str | None
    ) -> None:
        """It matters most where it is certified; on the page too."""
        rows = [["0.4046" if i == j else "0.14885" for j in range(5)] for i in range(5)]
        path, proof = tmp_path / "vendor.csv", str(tmp_path / "proof.json")
        path.write_text("\n".join(map(",".join, rows)))
        out = run(capsys, "certify", str(path), "--epsilon", epsilon, "--certificate", proof)[1]
        assert run(capsys, "report", proof, str(path), "-o", str(tmp_path / "page.html"))[0] == 0
        for said in (" ".join(out.split()), (tmp_path / "page.html").read_text()):
            assert words in said if words is not None else "The numbers have" not in said

    def test_of_a_certified_matrix_the_rows_that_rounding_moves_most_are_looked_at(
        self, capsys: Captured, tmp_path: Path
    ) -> None:
        """The worst edge is sure; 0.02 against 0.01 may be 0.025 against 0.005, five times as much."""
        path = tmp_path / "vendor.csv"
        path.write_text("0.30,0.02,0.68\n0.10,0.02,0.88\n0.15,0.01,0.84\n")
        out = " ".join(run(capsys, "certify", str(path), "--epsilon", "1.2")[1].split())
        assert "Certified" in out
        assert "A matrix that rounds to them may fail all the same, here by up to 0.0" in out

    def test_whole_numbers_are_not_rounded(self, capsys: Captured, tmp_path: Path) -> None:
        (tmp_path / "m.csv").write_text("1,0\n0,1\n")
        assert "The numbers have" not in run(capsys, "certify", str(tmp_path / "m.csv"), "--epsilon", "1")[1]

    def test_rounding_is_not_blamed_where_another_edge_surely_fails(self, capsys: Captured, tmp_path: Path) -> None:
        """The worst edge, 0.01 against 0.00, may be 0.005 twice; 0.49 against 0.01 fails all the same."""
        path = tmp_path / "vendor.csv"
        path.write_text("0.50,0.49,0.01\n0.50,0.50,0.00\n0.99,0.01,0.01\n")
        out = " ".join(run(capsys, "certify", str(path), "--normalise", "--epsilon", "1")[1].split())
        assert "worst edge: 0 against 1" in out.lower()
        assert "Every matrix that rounds to them is refuted, by at least 0.4" in out

    def test_totals_that_rounding_does_not_explain(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "vendor.csv"
        path.write_text("0.4,0.5,0.095\n0.3,0.3,0.4\n")
        out = " ".join(run(capsys, "certify", str(path), "--normalise", "--epsilon", "2")[1].split())
        assert (
            "The numbers have 3 decimals. Rounding to so many does not explain why not all totals are 1, see 0." in out
        )

    def test_doubles_are_not_rounded_by_hand(self, capsys: Captured, tmp_path: Path) -> None:
        np.save(tmp_path / "m.npy", np.array([[0.7, 0.3], [0.4, 0.6]]))
        line = ("certify", str(tmp_path / "m.npy"), "--normalise", "--epsilon", "0.1", "--json")
        assert json.loads(run(capsys, *line)[1])["rounding"] is None

    def test_a_file_without_edges_is_refuted_between_profiles_that_no_edge_joins(
        self, capsys: Captured, coin: str, designed: dict[str, Path]
    ) -> None:
        document = json.loads(designed["mechanism"].read_text())
        del document["edges"]
        designed["mechanism"].write_text(json.dumps(document))
        words = "The mechanism's file names no edges, so every pair was asked about"
        for asked in (["--epsilon", "0.5"], []):
            assert words in run(capsys, "certify", str(designed["mechanism"]), *asked)[1]
        assert words not in run(capsys, "certify", str(designed["mechanism"]), "--graph", "categorical-chain")[1]
        assert words not in run(capsys, "certify", str(designed["mechanism"]), "--all-pairs")[1]
        assert words not in run(capsys, "certify", coin, "--epsilon", "0.5")[1]

    def test_nothing_to_normalise(self, capsys: Captured, coin: str, designed: dict[str, Path]) -> None:
        status, out, _ = run(capsys, "certify", coin, "--epsilon", "2", "--normalise")
        assert (status, out.splitlines()[0]) == (0, "Nothing to normalise: all totals are 1 exactly.")
        status, _, err = run(capsys, "certify", str(designed["mechanism"]), "--epsilon", "2", "--normalise")
        assert (status, "--normalise: goes with a matrix" in err) == (2, True)

    @pytest.mark.parametrize("notes", [{"normalised": 5}, {"largest_miss": "x"}, {"read": 3, "largest_miss": [1]}])
    def test_notes_of_a_file_may_be_anything(
        self, capsys: Captured, designed: dict[str, Path], notes: dict[str, Any]
    ) -> None:
        document = json.loads(designed["mechanism"].read_text()) | {"notes": notes}
        designed["mechanism"].write_text(json.dumps(document))
        options = ("--graph", "categorical-chain", "--epsilon", "0.5")
        assert run(capsys, "certify", str(designed["mechanism"]), *options)[0] == 0
        assert run(capsys, "certify", str(designed["mechanism"]), *options, "--json")[0] == 0

    def test_a_matrix_of_1600_labelled_cells(self, capsys: Captured, tmp_path: Path) -> None:
        labels = [f"c{i}" for i in range(40)]
        rows = [";".join([label, *["0,025"] * 40]) for label in labels]
        assert self.certify(capsys, tmp_path, "\n".join([";".join(["", *labels]), *rows]))[0] == 0
        broken = "\n".join([";".join(["", *labels]), *rows]).replace("0,025", "0,0.25")
        status, _, err = self.certify(capsys, tmp_path, broken)
        assert status == 2
        assert err.count("\n") == 14  # how many, the first 12, how many more


class TestCertificate:
    """What `--certificate` writes is confirmed by `check` and by checker.py, whatever the verdict."""

    @pytest.mark.parametrize(("epsilon", "status"), [("1.1", 0), ("1.09", 1)])
    def test_of_either_verdict(self, capsys: Captured, coin: str, tmp_path: Path, epsilon: str, status: int) -> None:
        proof = str(tmp_path / "proof.json")
        found, out, _ = run(capsys, "certify", coin, "--epsilon", epsilon, "--certificate", proof)
        assert (found, out.splitlines()[-1]) == (status, f"Written: {proof}.")
        found, out, _ = run(capsys, "check", proof, "--all-pairs", "--epsilon", epsilon, "--mechanism", coin)
        assert (found, out.split(":")[0]) == (status, "REFUTED" if status else "accepted")
        assert checker.main([proof]) == status
        capsys.readouterr()
        answer = json.loads(run(capsys, "check", proof, "--json")[1])
        assert (answer["accepted"], answer["reason"]) == ((False, "refuted") if status else (True, "accepted"))

    def test_of_the_edges_own_epsilons(self, capsys: Captured, own: dict[str, str], tmp_path: Path) -> None:
        proof = str(tmp_path / "proof.json")
        assert run(capsys, "certify", own["mechanism"], "--graph", own["all"], "--certificate", proof)[0] == 0
        assert run(capsys, "check", proof, "--graph", own["all"], "--mechanism", own["mechanism"])[0] == 0

    def test_of_no_claim(self, capsys: Captured, coin: str, tmp_path: Path) -> None:
        proof = tmp_path / "proof.json"
        status, out, err = run(capsys, "certify", coin, "--certificate", str(proof))
        assert (status, out, proof.exists()) == (2, "", False)
        assert "give --epsilon" in err


class TestNumbersAsPeopleWriteThem:
    """What is kept does not look broken, and what is broken does not look kept."""

    def test_a_promise_that_is_kept_is_not_exceeded_by_a_rounding(self, capsys: Captured, tmp_path: Path) -> None:
        """The least epsilon is 0.7 less 1e-20; the next double above prints as 0.7000000000000001."""
        path = str(tmp_path / "m.json")
        write_mechanism(k_ary("abc", epsilon=0.7), path)
        status, out, _ = run(capsys, "certify", path, "--epsilon", "0.7", "--all")
        assert (status, "The tight epsilon is 0.7 (rounded up)" in out, "0.70000" in out) == (0, True, False)
        assert json.loads(run(capsys, "certify", path, "--epsilon", "0.7", "--json")[1])["epsilon_upper"] == 0.7

    def test_an_entry_beyond_doubles_is_not_refuted_by_0(self, capsys: Captured, tmp_path: Path) -> None:
        (tmp_path / "m.json").write_text(json.dumps([[f"1/{10**400}", f"{10**400 - 1}/{10**400}"], ["0", "1"]]))
        status, out, _ = run(capsys, "certify", str(tmp_path / "m.json"), "--epsilon", "1")
        assert (status, "0 exceeds what 1 allows by 1e-400." in out, "delta = 1e-400." in out) == (1, True, True)
        out = run(capsys, "certify", str(tmp_path / "m.json"))[1]
        assert "Pr(1 in it) = 0, and Pr(0 in it) - delta = 1e-400." in out
        line = ("certify", str(tmp_path / "m.json"), "--epsilon", "1", "--json")
        assert json.loads(run(capsys, *line)[1])["worst"]["gap"] > 0
