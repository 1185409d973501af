"""`design` and `check` with objectives that the certificate's checker does not know."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from command import run

from mechdesign import LargestCost, design, read_graph
from mechdesign.objective import value_of

Captured = pytest.CaptureFixture[str]

CHAIN = read_graph("categorical-chain")
ASKED = ["design", "categorical-chain", "--epsilon", "0.5"]


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


def test_what_is_designed_for_one_is_not_best_for_the_other() -> None:
    """The nearest design of [GC] (5) has a larger cost for category 3 where epsilon is small (ERR-3.6)."""
    usual = design(CHAIN, epsilon="1/20").mechanism
    best = design(CHAIN, epsilon="1/20", objective=LargestCost())
    assert best.value < value_of(LargestCost(), usual) - Fraction(1, 100)
