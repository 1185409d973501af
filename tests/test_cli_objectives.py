"""`design` and `check` with objectives that the certificate's checker does not know."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from command import run

from mechdesign import LargestCost, WeightedOffDiagonal, design, read_graph
from mechdesign.objective import value_of

Captured = pytest.CaptureFixture[str]

CHAIN = read_graph("categorical-chain")
ASKED = ["design", "categorical-chain", "--epsilon", "0.5"]


def test_the_largest_cost(tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.json")
    told = run(*ASKED, "--objective", "largest-cost", "--certificate", proof)
    assert told.status == 0
    said = told.out
    assert "largest change of a category's probability" in said
    assert "A certificate proves its privacy alone: checkers do not know the largest change" in said
    told = run("check", proof, "--graph", "categorical-chain", "--epsilon", "0.5")
    assert told.status == 0
    assert "nothing is said of distortion: every loss is 0" in told.out
    told = run("check", proof, "--all-pairs", "--objective", "largest-cost")
    assert told.status == 2
    assert "--objective: expected one of max-off-diagonal, expected-loss, worst-loss" in told.err


def test_weights_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n", encoding="utf-8")
    asked = [*ASKED, "--objective", "weighted", "--loss", str(tmp_path / "bad.csv"), "--json"]
    said = run(*asked)
    assert said.status == 0
    found = json.loads(said.out)
    made = design(CHAIN, epsilon="0.5", objective=WeightedOffDiagonal("absolute"))
    assert Fraction(found["value_exact"]) == made.value
    assert Fraction(found["bound_exact"]) == made.bound
    assert found["bound_by"] == "duality"
    assert max(found["costs"].values()) == found["value"]


def test_a_curve_goes_on(tmp_path: Path) -> None:
    curve, proofs = str(tmp_path / "curve.json"), str(tmp_path / "proofs")
    asked = ["design", "categorical-chain", "--objective", "largest-cost", "--curve", curve, "--epsilon"]
    assert run(*asked, "0.2:0.6:3").status == 0
    told = run(*asked, "0.2,0.8", "--certificate", proofs)
    assert told.status == 0
    said = told.out
    assert "A certificate proves its privacy alone" in said
    told = run(*asked, "0.2,0.8", "--json")
    assert told.status == 0
    assert json.loads(told.out)["solved"] == 0


def test_its_program_as_mps_is_that_of_the_solver(tmp_path: Path) -> None:
    mps = tmp_path / "chain.mps"
    assert run(*ASKED, "--objective", "largest-cost", "--mps", str(mps)).status == 0
    names = json.loads((tmp_path / "chain.mps.map.json").read_text(encoding="utf-8"))
    own = [row for row in names["rows"] if row.startswith(("rise", "fall"))]
    assert (len(own), own[0], own[-1]) == (2 * 3 * 4, "rise_0_0", "fall_2_3")
    assert names["rows"]["fall_2_3"] == {"kind": "fall", "profile": "P3", "category": "4"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--mps", "x.mps"],
            "the objective weighted-off-diagonal has no linear program to write: it goes through cvxpy",
        ),
        (["--method", "structured"], 'goes through cvxpy: method "auto" or "reference", found "structured"'),
        (["--loss", "narrow.csv"], "expected one output for each category, 4, found a table of 2 columns"),
        (["--loss", "negative.csv"], "expected weights >= 0, found -1 for '1' reported as '2'"),
    ],
)
def test_refused(options: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("narrow.csv").write_text("0,1\n" * 4, encoding="utf-8")
    Path("negative.csv").write_text("0,-1,1,1\n" * 4, encoding="utf-8")
    said = run(*ASKED, "--objective", "weighted-off-diagonal", *options)
    assert said.status == 2
    assert message in said.err
    assert not Path("x.mps").exists()


def test_what_is_designed_for_one_is_not_best_for_the_other() -> None:
    """The nearest design of [GC] (5) has a larger cost for category 3 where epsilon is small (ERR-3.6)."""
    usual = design(CHAIN, epsilon="1/20").mechanism
    best = design(CHAIN, epsilon="1/20", objective=LargestCost())
    assert best.value < value_of(LargestCost(), usual) - Fraction(1, 100)
