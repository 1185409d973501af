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
            ("m.csv", b"a,b\n1/2,1/2\n"),
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
