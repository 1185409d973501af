"""`mechdesign estimate`: what it prints, its JSON, its picture, and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest
from command import run

import mechdesign as md


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.csv"
    path.write_text(",no,yes\nno,3/4,1/4\nyes,1/4,3/4\n")
    return str(path)


@pytest.fixture
def released(tmp_path: Path) -> str:
    path = tmp_path / "released.csv"
    path.write_text("town;answer\n" + "Ulm;no\n" * 60 + "Ulm;yes\n" * 40 + "Jena;yes\n" * 100)
    return str(path)


def test_nothing_has_no_sign(tmp_path: Path) -> None:
    graph, mechanism, released = (str(tmp_path / name) for name in ("count.json", "mechanism.json", "released.csv"))
    run("graph", "counting", "6", "-o", graph)
    run("mechanism", "exponential", graph, "--epsilon", "1", "--utility", "absolute", "-o", mechanism)
    Path(released).write_text("count\n2\n3\n2\n")
    _, out, _ = run("estimate", mechanism, released, "--value", "count")
    assert "0.0000" in out
    assert "-0.0000" not in out


@pytest.mark.slow
def test_dollars_in_labels_are_no_formulas(tmp_path: Path) -> None:
    """Between two dollars matplotlib sees a formula, which it prints without them, or cannot read."""
    incomes = ["$0-$10,000", "$nope \\{$"]
    md.write_mechanism(md.mechanism_from_matrix(np.eye(2), inputs=incomes), tmp_path / "m.json")
    rows = [f'"{income}","{income}"\n' for income in incomes]
    (tmp_path / "d.csv").write_text("income,group\n" + "".join(rows * 50))
    arguments = ("estimate", str(tmp_path / "m.json"), str(tmp_path / "d.csv"), "--value", "income", "--profile")
    for plot in ("shares.svg", "shares.pdf", "shares.png"):
        status, _, err = run(*arguments, "group", "--plot", str(tmp_path / plot))
        assert (status, err) == (0, "")
    drawn = (tmp_path / "shares.svg").read_text()
    assert drawn.count(">$0-$10,000</text>") == 2  # below the axis, in both panels
    assert drawn.count(">$0-$10,000 (50 rows)</text>") == 1


@pytest.mark.parametrize("options", [["--profile", "group"], []])
def test_labels_that_json_would_take_for_the_same(tmp_path: Path, options: list[str]) -> None:
    mechanism = md.mechanism_from_matrix(np.eye(2), inputs=[1, "1"], outputs=["no", "yes"])
    md.write_mechanism(mechanism, tmp_path / "m.json")
    (tmp_path / "d.csv").write_text("answer,group\nno,a\nyes,b\n")
    arguments = ("estimate", str(tmp_path / "m.json"), str(tmp_path / "d.csv"), "--value", "answer", *options)
    assert run(*arguments)[0] == 0
    status, out, _ = run(*arguments, "--json")
    assert status == 2
    assert "categories: two labels are written '1'" in json.loads(out)["error"]
