"""`mechdesign export`: what is written, what is said of it, and bad input."""

import json
from pathlib import Path

import numpy as np
import pytest
from command import run

import mechdesign as md
from mechdesign.mechanism.mechanism_file import digest
from mechdesign.release.javascript import javascript_module

Captured = pytest.CaptureFixture[str]
CHAIN = md.read_graph("categorical-chain")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def sevenths() -> str:
    """A mechanism that needs epsilon ln 3/2 exactly, and a little more in doubles."""
    md.write_mechanism(md.mechanism_from_matrix([["2/7", "5/7"], ["3/7", "4/7"]]), "sevenths.json")
    return "sevenths.json"


def test_javascript(designed: dict[str, Path]) -> None:
    path, mechanism = "module.js", md.read_mechanism(designed["mechanism"])
    status, out, err = run("export", str(designed["mechanism"]), "--to", "js", "-o", path)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "It draws with the exact integers: what is certified of the mechanism holds of it.",
        "What is written: a table for each of 3 profiles, 4 categories, 4 outputs.",
        f"SHA-256 of the mechanism's file: {digest(mechanism)}",
        "",
        f"Written: {path}.",
    ]
    assert Path(path).read_text() == javascript_module(mechanism)
    found = json.loads(run("export", str(designed["mechanism"]), "--to", "js", "-o", path, "--json")[1])
    assert (found["digest"], found["to"], found["file"]) == (digest(mechanism), "js", path)
    assert found["exact"] is found["doubles"] is None


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
    status, out, _ = run("export", sevenths, "--to", form, "-o", path, *question)
    assert status == 0
    assert "The exact mechanism: Certified: private on 1 edge: the only pair of profiles." in out
    assert "The doubles written: Refuted, but by rounding only" in out
    assert run("certify", sevenths, *question)[0] == 0
    assert run("certify", path, *question)[0] == 1


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_epsilon_that_does_not_hold(sevenths: str, options: list[str]) -> None:
    status, out, _ = run("export", sevenths, "--to", "csv", "-o", "matrix.csv", "--epsilon", "0.1", *options)
    assert (status, out.count("Refuted: ")) == (1, 2)


def test_a_probability_that_no_double_holds() -> None:
    """The mechanism is private, and its doubles, of which one is 0, are not."""
    tiny = f"1/{10**400}"
    rows = [[tiny, f"{10**400 - 1}/{10**400}"], ["1/2", "1/2"]]
    md.write_mechanism(md.mechanism_from_matrix(rows), "tiny.json")
    status, out, _ = run("export", "tiny.json", "--to", "npy", "-o", "m.npy", "--epsilon", "1000", "--json")
    found = json.loads(out)
    assert (status, found["exact"]["private"], found["doubles"]["private"]) == (1, True, False)


def test_without_an_epsilon_it_is_said_which_one_holds(sevenths: str) -> None:
    out = run("export", sevenths, "--to", "csv", "-o", "matrix.csv")[1]
    assert "Certified on every pair of profiles; asked: which epsilon is satisfied, delta 0." in out
    exact, doubles = (line for line in out.splitlines() if "It satisfies epsilon = " in line)
    assert "epsilon = 0.4054651081081644 (rounded up)" in exact
    assert "epsilon = 0.40546510810816444 (rounded up)" in doubles


def test_profiles_of_their_own_go_to_npy_as_one_block(designed: dict[str, Path]) -> None:
    path = designed["mechanism"].with_suffix(".npy")
    assert run("export", str(designed["mechanism"]), "--to", "npy", "-o", str(path))[0] == 0
    assert np.load(path).shape == (3, 4, 4)


def test_a_matrix_of_somebody_else_becomes_a_module(tmp_path: Path) -> None:
    (matrix := tmp_path / "rounded.csv").write_text(",a,b,c\na,0.333,0.333,0.333\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n")
    path = tmp_path / "module.mjs"
    arguments = ("export", str(matrix), "--to", "js", "-o", str(path))
    assert run(*arguments)[0] == 2
    assert not path.exists()
    status, out, _ = run(*arguments, "--normalise")
    assert status == 0
    assert "1 of 3 rows, those of a, were divided by their totals" in " ".join(out.split())
    assert "[1n, 1n, 1n]" in path.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "js", "-o", "m.json"), "m.json: --to js: expected a name that ends in .js or .mjs"),
        (("--to", "npy", "-o", "m"), "m: --to npy: expected a name that ends in .npy"),
        (("--to", "csv", "-o", "no/m.csv"), "the folder does not exist"),
        (("--to", "js", "-o", "m.js", "--epsilon", "1"), "--epsilon: goes with --to csv or npy"),
        (("--to", "js", "-o", "m.js", "--graph", "hobbies"), "--graph: goes with --to csv or npy"),
        (("--to", "csv", "-o", "m.csv", "--epsilon", "-1"), "epsilon"),
        (("--to", "csv", "-o", "m.csv", "--delta", "2"), "delta"),
        (("--to", "csv", "-o", "m.csv", "--graph", "hobbies"), "expected"),
        (("--to", "py", "-o", "m.py"), "--to"),
        (("--to", "js"), "-o"),
    ],
)
def test_bad_input_writes_nothing(
    designed: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(designed["mechanism"].parent)
    before = sorted(Path.cwd().iterdir())
    status, out, err = run("export", "mechanism.json", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert sorted(Path.cwd().iterdir()) == before


def test_labels_that_do_not_fit_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    md.write_mechanism(md.mechanism_from_matrix([[1, 0], [0, 1]], inputs=[2**60, "1e-1"]), path)
    status, _, err = run("export", str(path), "--to", "js", "-o", str(tmp_path / "m.js"))
    assert status == 2
    assert err.startswith(f"mechdesign: {path}: profiles: JavaScript's numbers do not hold 1152921504606846976")


def test_it_does_not_overwrite_what_it_reads(tmp_path: Path) -> None:
    (matrix := tmp_path / "matrix.csv").write_text("0,1\n1,0\n")
    assert run("export", str(matrix), "--to", "csv", "-o", str(matrix))[0] == 2
    assert matrix.read_text() == "0,1\n1,0\n"
