"""`mechdesign formula`: what it prints, what it writes, bad input."""

import math
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


def test_the_table() -> None:
    text = done("formula", "commutes", "--to", "2")
    assert "commutes: 4 profiles, 6 categories, 2 edges; E = e^epsilon; delta 0. Largest off-diagonal entry," in text
    assert "(12 - 5 E) / (6 (8 + 5 E)) 1 1.110500634 0 0.104810935" in text
    assert "0 8/3 7.389056099 0.980829253 2" in text
    assert "1.110500634 is a root of 96 - 92 E + 5 E^2. " in text


def test_json() -> None:
    found = answer("formula", "categorical-chain", "--to", "3")
    assert found["pieces"][0]["numerator"] == ["4", "0", "-1"]
    assert found["pieces"][0]["denominator"] == ["12", "0", "9"]
    ends = [found["pieces"][0]["from"], *(piece["to"] for piece in found["pieces"])]
    assert ends == pytest.approx([0, math.log(4 / 3), math.log(3), 3], abs=1e-15)
    assert [piece["from"] for piece in found["pieces"]] == ends[:-1]
    assert found["breakpoints"][0]["polynomial"] == ["-4", "3"]
    assert found["breakpoints"][1]["interval"] == ["3", "3"]
    assert found["breakpoints"][1]["epsilon"] == pytest.approx(1.09861228866811)
    assert (found["objective"], found["delta"], found["unsettled"]) == ("max-off-diagonal", "0", [])
    assert "released" not in found
    assert answer("formula", "categorical-chain")["pieces"][-1]["to"] is None


def test_latex_alone() -> None:
    text = done("formula", "hobbies", "--latex")
    assert text == r"\begin{cases} \frac{1}{4 + E} & 1 \le E. \end{cases} % E = e^{\varepsilon}"


def test_what_is_released() -> None:
    text = done("formula", "hobbies", "--released")
    assert (
        "Released, E from 1 to inf profile output probability Sports Sports E / (4 + E) Sports Cars 1 / (4 + E)" in text
    )
    found = answer("formula", "hobbies", "--released")["released"]
    assert found[0]["profiles"]["Cars"][1] == {"numerator": ["0", "1"], "denominator": ["4", "1"]}


def test_in_delta() -> None:
    text = done("formula", "categorical-chain", "--ratio", "3/2", "--to", "1/2")
    assert "in delta; e^epsilon = 1.5" in text
    assert "optimum from delta to delta (3 - 20 delta) / 45 0 0.15 0 0.15 0.5" in text
    found = answer("formula", "categorical-chain", "--ratio", "3/2")
    assert (found["parameter"], found["ratio"], found["delta"]) == ("delta", "1.5", None)
    assert found["breakpoints"] == [{"delta": 0.15, "polynomial": ["-3", "20"], "interval": ["3/20", "3/20"]}]


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


REFUSED = {
    ("--ratio", "2", "--delta", "0.1"): "--delta: with --ratio the formula is a function of it",
    ("--ratio", "1/2"): "ratio: expected e^epsilon, a number >= 1, found '1/2'",
    ("--from", "2", "--to", "1"): "--to: expected a number above that of --from, '2', found '1'",
    ("--from", "x"): "--from: epsilon: expected a number >= 0 (in nats) or inf, found 'x'",
    ("--to", "1e5"): "--to: epsilon: expected an end of at most 700, or inf, found '1e5'",
    ("--ratio", "2", "--to", "x"): "--to: delta: expected a number from 0 to 1, found 'x'",
    ("--ratio", "2", "--to", "3"): "--to: delta: expected a number from 0 to 1, found '3'",
    ("--latex", "--json"): "--latex: prints LaTeX",
    ("--objective", "mutual"): "--objective: expected one of max-off-diagonal, expected-loss, worst-loss",
    ("--scale-own",): "only epsilons of the edges' own can be scaled",
    ("--certificate", "no/folder/proof.json"): "no/folder",
    ("--plot", "picture.gif"): ".gif",
}


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_bad_input(words: tuple[str, ...]) -> None:
    told = run("formula", "categorical-chain", *words)
    assert told.status == 2
    output = told
    said = output.out if "--json" in words else output.err
    assert REFUSED[words] in " ".join(said.split())
    assert "Traceback" not in output.err


def test_an_edge_with_an_epsilon_of_its_own() -> None:
    graph = md.read_graph("bernoulli-couplet")
    graph.edges["a", "b"]["epsilon"] = Fraction(1, 2)
    md.write_graph(graph, "own.json")
    said = run("formula", "own.json")
    assert said.status == 2
    assert "edge 'a'-'b': it has an epsilon of its own, 0.5" in " ".join(said.err.split())
    said = run("formula", "own.json", "--scale-own")
    assert said.status == 0
    out = " ".join(said.out.split())
    assert "z = e^(epsilon / 2); delta 0; epsilon multiplies each edge's own" in out
