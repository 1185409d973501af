"""`mechdesign certify`: what it prints, their exit statuses, and bad input."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mechdesign import design, read_graph, write_mechanism
from mechdesign.cli.main import main

Captured = pytest.CaptureFixture[str]
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
            (),
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
            "What follows holds for the normalised matrix, not for the one given:\n2 of 3 rows, those of 0, 1,"
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
        assert err.count("\n") < 10
