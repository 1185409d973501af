"""Databases from the command line: the loss that counts rows, and the real comparison."""

import json
from pathlib import Path

import pytest
from command import run

from mechdesign import database_graph, write_graph

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def two_rows(tmp_path: Path) -> str:
    path = tmp_path / "two-rows.json"
    write_graph(database_graph(["no", "yes"], 2), path)
    return str(path)


ASKED = ("--epsilon", "1", "--delta", "0.1")
ROWS = (*ASKED, "--objective", "worst-loss", "--loss", "rows")


def line_with(words: str, out: str) -> str:
    return " ".join(next(line for line in out.splitlines() if line.lstrip().startswith(words)).split())


def test_design_and_certify(two_rows: str, tmp_path: Path) -> None:
    """[HLM] (17) is 0.484094558 here; k-ary response to the whole database, which has 0.6296, was called optimal."""
    mechanism, proof = str(tmp_path / "m.json"), str(tmp_path / "proof.json")
    status, out, _ = run("design", two_rows, *ROWS, "-o", mechanism, "--certificate", proof)
    assert status == 0
    assert line_with("optimal product", out) == "optimal product sanitisation 0.484094559 the same, to nine digits"
    status, out, _ = run("certify", mechanism, "--graph", two_rows, *ASKED)
    assert status == 0
    assert "Expected number of rows that change, for the worst database" in out
    assert line_with("optimal product", out).endswith("same epsilon and delta 0.484094558")
    assert line_with("lost", out) == "lost 0.000000000"
    assert run("check", proof, "--graph", two_rows, *ROWS)[0] == 0
    status, out, _ = run("check", proof, "--graph", two_rows, *ROWS[:-1], "hamming")
    assert (status, "reported as" in out, "you have loss 1" in out) == (1, True, True)


def test_json(two_rows: str, tmp_path: Path) -> None:
    mechanism = str(tmp_path / "m.json")
    design = json.loads(run("design", two_rows, *ROWS, "-o", mechanism, "--json")[1])
    assert design["baseline"] == pytest.approx(0.484094558, abs=1e-9)
    assert design["baseline_name"] == "optimal product sanitisation"
    certified = json.loads(run("certify", mechanism, "--graph", two_rows, *ASKED, "--json")[1])
    assert certified["optimal_product"]["rows"] == 2
    assert certified["optimal_product"]["lost"] == pytest.approx(0, abs=1e-9)


def test_a_refuted_mechanism_has_lost_nothing(two_rows: str, tmp_path: Path) -> None:
    mechanism = str(tmp_path / "m.json")
    run("design", two_rows, *ROWS, "-o", mechanism)
    stricter = ("certify", mechanism, "--graph", two_rows, "--epsilon", "0.5")
    status, out, _ = run(*stricter)
    assert status == 1
    assert "lost" not in out
    assert "gained" not in out
    assert json.loads(run(*stricter, "--json")[1])["optimal_product"]["lost"] is None


def test_what_else_is_compared_with() -> None:
    """With delta, too, k-ary response is what it is on graphs that are neither values nor databases."""
    out = run("design", "categorical-chain", *ASKED)[1]
    assert "k-ary randomised response with delta" in out
    assert "optimal product" not in out
    out = run("design", "bernoulli-couplet", "--epsilon", "1")[1]
    assert "Warner's randomised response  " in out


def test_rows_of_what_is_no_database() -> None:
    status, _, err = run("design", "categorical-chain", *ROWS)
    assert status == 2
    assert err.startswith('mechdesign: categorical-chain: loss "rows": expected every category to be a database')


def test_a_curve_for_rows(two_rows: str, tmp_path: Path) -> None:
    curve = str(tmp_path / "curve.json")
    asked = ("design", two_rows, "--epsilon", "0.5,1", *ROWS[2:], "--curve", curve)
    first = run(*asked)[1]
    assert line_with("1 ", first).split()[1:3] == ["0.484094559", "0.484094558"]
    assert "Taken over" in run(*asked)[1]
    status, _, err = run(*asked[:-3], "hamming", *asked[-2:])
    assert (status, "'rows' there, 'hamming' here" in err) == (2, True)
