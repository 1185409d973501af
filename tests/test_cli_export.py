"""`mechdesign export`: what is written, what is said of it, and bad input."""

import json
from pathlib import Path

import pytest
from command import run

import mechdesign as md

CHAIN = md.read_graph("categorical-chain")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("form", ["csv", "npy"])
def test_doubles_are_certified_as_they_are_read_back(form: str) -> None:
    path = f"matrix.{form}"
    md.write_mechanism(md.design(CHAIN, epsilon="0.5", shared=True).mechanism, "shared.json")
    question = ("--graph", "categorical-chain", "--epsilon", "0.5")
    status, out, _ = run("export", "shared.json", "--to", form, "-o", path, *question, "--json")
    found = json.loads(out)
    assert status == 0
    assert found["exact"]["private"]
    assert (found["profiles"], found["categories"], found["outputs"], found["one_matrix"]) == (3, 4, 4, True)
    certified = json.loads(run("certify", path, *question, "--json")[1])
    keys = ("private", "epsilon_lower", "epsilon_upper", "delta_lower", "delta_upper", "worst", "sentence")
    assert [found["doubles"][key] for key in keys] == [certified[key] for key in keys]


def test_a_probability_that_no_double_holds() -> None:
    """The mechanism is private, and its doubles, of which one is 0, are not."""
    tiny = f"1/{10**400}"
    rows = [[tiny, f"{10**400 - 1}/{10**400}"], ["1/2", "1/2"]]
    md.write_mechanism(md.mechanism_from_matrix(rows), "tiny.json")
    status, out, _ = run("export", "tiny.json", "--to", "npy", "-o", "m.npy", "--epsilon", "1000", "--json")
    found = json.loads(out)
    assert (status, found["exact"]["private"], found["doubles"]["private"]) == (1, True, False)


def test_a_module_says_what_its_epsilon_is_for() -> None:
    """Of places for each unit of distance; else for every pair, and there is none."""
    Path("points.csv").write_text("x,y\n0,0\n0.3,1\n2.13,1\n")
    assert run("graph", "from-points", "points.csv", "--at", "x,y", "--unit", "km", "-o", "places.json").status == 0
    for name, rate, unit in (("places.json", "0.0123", "km"), ("categorical-chain", None, None)):
        assert run("design", name, "--epsilon", "0.0123", "-o", "m.json").status == 0
        assert run("export", "m.json", "--to", "js", "-o", "m.js").status == 0
        line = next(line for line in Path("m.js").read_text().splitlines() if line.startswith("const ABOUT = "))
        about = json.loads(line.removeprefix("const ABOUT = ").removesuffix(";"))
        assert (about["epsilon"], about["epsilonPerDistance"], about["unit"]) == ("123/10000", rate, unit)
