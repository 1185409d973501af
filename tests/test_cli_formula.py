"""`mechdesign formula`: what it prints, what it writes, bad input."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from command import answer, done, run

import mechdesign as md
from mechdesign.certificate import formula_checker
from mechdesign.formulas import bases, whole_range
from mechdesign.reports.formula_plot import plot_formula


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_files() -> None:
    """The proof is one that a stranger's checker accepts, the picture one with its breakpoints marked."""
    words = ("--objective", "worst", "--loss", "absolute", "--delta", "1/20")
    text = done(
        "formula", "bernoulli-couplet", *words, "--certificate", "proof.json", "--plot", "f.svg", "--report", "f.html"
    )
    assert text.endswith("Written: proof.json, f.svg, f.html.")
    c = formula_checker.check(Path("proof.json").read_text())
    assert (c.objective, len(c.pieces)) == ("worst-loss", 2)
    assert "<svg" in Path("f.svg").read_text()
    page = Path("f.html").read_text()
    assert "<svg" in page
    assert "<code>mechdesign formula bernoulli-couplet --objective=worst --loss=absolute --delta=1/20</code>" in page


@pytest.mark.slow
def test_the_picture() -> None:
    formula = md.formula("commutes", epsilon=("0.05", 2))
    axes = plot_formula(formula).axes[0]
    assert [text.get_text() for text in axes.texts] == ["0.105", "0.981"]
    assert axes.get_xlim() == (0.05, 2.0)
    points = np.hstack([np.asarray(line.get_data(), dtype=float) for line in axes.lines[:3]]).T.tolist()
    assert len(points) > 240
    assert all(value == formula(Fraction(x)) for x, value in points[1:-1:20])
    below_zero = md.formula("commutes", objective=md.WorstLoss([[-x - y for y in range(6)] for x in range(6)]))
    assert plot_formula(below_zero).axes[0].get_ylim()[0] < 0


def test_what_is_not_settled_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_range, "MOST_BASES", 2)
    text = done("formula", "categorical-chain")
    assert "Not settled: E from 1." in text
    assert "to inf: more than 2 bases are needed. `design` computes the optimum there" in text
    found = answer("formula", "categorical-chain")["unsettled"][0]
    assert (found["to"], found["reason"]) == (None, "more than 2 bases are needed")
    assert run("formula", "categorical-chain", "--certificate", "proof.json").status == 2
    assert not Path("proof.json").exists()


def test_nothing_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said in words, and why, in place of a table without lines."""
    monkeypatch.setattr(bases, "MOST_SAMPLES", 5)
    text = done("formula", "commutes")
    assert "delta 0. Nothing is settled: no formula of the largest off-diagonal entry was found." in text
    assert "Not settled: E from 1 to inf: 0 points do not determine functions of so high degrees." in text
    assert "from epsilon" not in text
