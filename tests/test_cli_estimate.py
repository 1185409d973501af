"""`mechdesign estimate`: what it prints, its JSON, its picture, and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest
from command import run

import mechdesign as md

Captured = pytest.CaptureFixture[str]

KEYS = {"estimate", "unbiased", "se", "low", "high"}


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


@pytest.fixture
def chain(tmp_path: Path) -> str:
    md.write_mechanism(md.design("categorical-chain", epsilon="0.5").mechanism, tmp_path / "chain.json")
    return str(tmp_path / "chain.json")


def test_a_matrix_says_how_it_was_read(coin: str, released: str, tmp_path: Path) -> None:
    found = json.loads(run("estimate", coin, released, "--value", "answer", "--json")[1])
    assert found["read"] == "the first column as labels of the inputs, the first line as labels of the outputs"
    assert found["warnings"][-1].startswith("Read with")
    (tmp_path / "thirds.csv").write_text("0.6667,0.3333\n0.3334,0.6667\n")
    _, out, _ = run("estimate", str(tmp_path / "thirds.csv"), "--plan", "--margin", "0.01", "--normalise")
    assert "What follows holds for the normalised matrix" in out


def test_nothing_has_no_sign(tmp_path: Path) -> None:
    graph, mechanism, released = (str(tmp_path / name) for name in ("count.json", "mechanism.json", "released.csv"))
    run("graph", "counting", "6", "-o", graph)
    run("mechanism", "exponential", graph, "--epsilon", "1", "--utility", "absolute", "-o", mechanism)
    Path(released).write_text("count\n2\n3\n2\n")
    _, out, _ = run("estimate", mechanism, released, "--value", "count")
    assert "0.0000" in out
    assert "-0.0000" not in out


def test_a_mix_is_said_to_be_one(chain: str, tmp_path: Path) -> None:
    path = tmp_path / "released.csv"
    path.write_text("usage\n" + "1\n2\n3\n4\n" * 500)
    status, out, _ = run("estimate", chain, str(path), "--value", "usage")
    assert status == 0
    assert "Profiles have different rows and were mixed" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["all", "1", "bounds"] in [[*row[:2], row[-1]] for row in rows if row[0:1] == ["all"]]
    found = json.loads(run("estimate", chain, str(path), "--value", "usage", "--json")[1])
    assert found["profiles"]["all"]["1"]["estimate"] is None
    assert len(found["remarks"]) == 2


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plot(coin: str, released: str, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"shares.{ending}"
    status, out, _ = run("estimate", coin, released, "--value", "answer", "--plot", str(path))
    assert status == 0
    assert path.stat().st_size > 1_000
    assert out.endswith(f"Written: {path}.\n")


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


def test_many_lines(tmp_path: Path) -> None:
    np.save(tmp_path / "m.npy", np.eye(300))
    (tmp_path / "r.csv").write_text("v\n" + "\n".join(map(str, range(300))) + "\n")
    _, out, _ = run("estimate", str(tmp_path / "m.npy"), str(tmp_path / "r.csv"), "--value", "v")
    assert "the first 40 of 300; --json has all" in out


def test_levels(coin: str, released: str) -> None:
    """In pictures too."""
    arguments = ("estimate", coin, released, "--value", "answer", "--profile", "town", "--level", "0.99")
    assert "Low and high: 99 % intervals" in run(*arguments)[1]
    found = json.loads(run(*arguments, "--simultaneous", "--json")[1])
    assert (found["level"], found["simultaneous"]) == (0.99, True)
    plan = json.loads(run("estimate", coin, "--plan", "--margin", "0.01", "--level", "0.99", "--json")[1])
    assert (plan["rows"], plan["level"]) == (66349, 0.99)


def test_plan(chain: str) -> None:
    status, out, _ = run("estimate", chain, "--plan", "--margin", "0.01")
    assert status == 0
    assert [line.split() for line in out.splitlines()[4:6]] == [["P1", "9,604"], ["P2", "13,943"]]
    found = json.loads(run("estimate", chain, "--plan", "--margin", "1/100", "--json")[1])
    assert found["rows"] == max(found["profiles"].values())
    assert found["margin"] == 0.01
