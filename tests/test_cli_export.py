"""`mechdesign export`: what is written, what is said of it, and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest
from command import done, run

import mechdesign as md

CHAIN = md.read_graph("categorical-chain")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def sevenths() -> str:
    """A mechanism that needs epsilon ln 3/2 exactly, and a little more in doubles."""
    md.write_mechanism(md.mechanism_from_matrix([["2/7", "5/7"], ["3/7", "4/7"]]), "sevenths.json")
    return "sevenths.json"


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


@pytest.mark.parametrize("form", ["csv", "npy"])
def test_what_rounding_loses_is_said(sevenths: str, form: str) -> None:
    path, question = f"matrix.{form}", ("--epsilon", "0.4054651081081643820")
    said = done("export", sevenths, "--to", form, "-o", path, *question)
    assert "The exact mechanism: Certified: private on 1 edge: the only pair of profiles." in said
    assert "The doubles written: Refuted, but by rounding only" in said
    assert run("certify", sevenths, *question)[0] == 0
    assert run("certify", path, *question)[0] == 1


def test_a_probability_that_no_double_holds() -> None:
    """The mechanism is private, and its doubles, of which one is 0, are not."""
    tiny = f"1/{10**400}"
    rows = [[tiny, f"{10**400 - 1}/{10**400}"], ["1/2", "1/2"]]
    md.write_mechanism(md.mechanism_from_matrix(rows), "tiny.json")
    status, out, _ = run("export", "tiny.json", "--to", "npy", "-o", "m.npy", "--epsilon", "1000", "--json")
    found = json.loads(out)
    assert (status, found["exact"]["private"], found["doubles"]["private"]) == (1, True, False)


def test_profiles_of_their_own_go_to_npy_as_one_block(designed: dict[str, Path]) -> None:
    path = designed["mechanism"].with_suffix(".npy")
    assert run("export", str(designed["mechanism"]), "--to", "npy", "-o", str(path))[0] == 0
    assert np.load(path).shape == (3, 4, 4)


def test_labels_that_do_not_fit_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    md.write_mechanism(md.mechanism_from_matrix([[1, 0], [0, 1]], inputs=[2**60, "1e-1"]), path)
    status, _, err = run("export", str(path), "--to", "js", "-o", str(tmp_path / "m.js"))
    assert status == 2
    assert err.startswith(f"mechdesign: {path}: profiles: JavaScript's numbers do not hold 1152921504606846976")
