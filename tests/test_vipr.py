"""The linear program of a certificate as a VIPR file: held against the format's words, and its own checker if there."""

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import run
from oracles.vipr import VIPR

import mechdesign as md
from mechdesign.certificate.vipr import vipr_of

VIPRCHK = shutil.which("viprchk")
CASES: list[tuple[str, dict[str, Any]]] = [
    ("categorical-chain", {}),
    ("categorical-chain", {"delta": "0.01"}),
    ("bernoulli-couplet", {"objective": md.ExpectedLoss()}),
    ("commutes", {"objective": md.WorstLoss("absolute"), "delta": "0.02"}),
    ("commutes", {"shared": True}),
    ("commutes", {"keep_shares": True}),
    ("counting-10", {"objective": md.ExpectedLoss("absolute")}),
]


@pytest.mark.parametrize(("graph", "asked"), CASES, ids=str)
def test_the_bound_follows_from_the_rows_and_the_mechanism_satisfies_them(graph: str, asked: dict[str, Any]) -> None:
    design = md.design(graph, epsilon="0.2", **asked)
    found = VIPR(vipr_of(design.certificate))
    assert (found.low, found.high, found.proved) == (design.bound, design.value, design.bound)
    assert found.is_feasible()
    assert found.value() <= design.value < found.value() + Fraction(1, 2**120)
    proved = found.bound()
    assert proved is not None
    assert design.bound <= proved < design.bound + Fraction(1, 2**100)
    assert design.bound > 0


@pytest.mark.parametrize("fault", ["multiplier", "sense", "entry", "solution"])
def test_the_oracle_sees_what_is_wrong(fault: str) -> None:
    found = VIPR(vipr_of(md.design("categorical-chain", epsilon="0.5").certificate))
    number = next(n for n in found.multipliers if found.rows[n][0] == "G")
    sense, right, entries = found.rows[number]
    if fault == "multiplier":
        found.multipliers[number] *= 2
    if fault == "sense":
        found.rows[number] = "L", right, entries
    if fault == "entry":
        found.rows[number] = sense, right, {i: 2 * entry for i, entry in entries.items()}
    if fault == "solution":
        found.solution[0] += 1
    assert found.bound() is None or not found.is_feasible()


@pytest.mark.slow
@pytest.mark.skipif(VIPRCHK is None, reason="needs viprchk: github.com/scipopt/vipr")
@pytest.mark.parametrize(("graph", "asked"), CASES, ids=str)
def test_viprchk_verifies_it(graph: str, asked: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "proof.vipr"
    path.write_text(vipr_of(md.design(graph, epsilon="0.2", **asked).certificate))
    said = subprocess.run([str(VIPRCHK), path], capture_output=True, text=True, check=True).stdout
    assert "Successfully verified optimal value range" in said


def test_export(designed: dict[str, Path], tmp_path: Path) -> None:
    proof, path = str(designed["certificate"]), str(tmp_path / "proof.vipr")
    status, out, err = run("export", proof, "--to", "vipr", "-o", path)
    assert (status, err) == (0, "")
    assert out.splitlines()[-1] == f"Written: {path}."
    assert Path(path).read_text() == vipr_of(proof)
    found = json.loads(run("export", proof, "--to", "vipr", "-o", path, "--json")[1])
    assert (found["to"], found["file"]) == ("vipr", path)


def test_what_has_no_linear_program(designed: dict[str, Path], tmp_path: Path) -> None:
    mechanism, path = str(designed["mechanism"]), str(tmp_path / "proof.vipr")
    status, _, err = run("export", mechanism, "--to", "vipr", "-o", path)
    assert (status, "mechanism.json: expected a certificate: not a mechdesign certificate" in err) == (2, True)
    refused = run("export", str(designed["certificate"]), "--to", "vipr", "-o", path, "--epsilon", "1")
    assert "--epsilon: goes with --to csv or npy; the others hold exact numbers, nothing is lost" in refused.err
    graph = md.profile_graph({"a": [0.5, 0.5], "b": [0.4, 0.6]}, edges=[("a", "b")], categories=["x", "y"])
    for one in graph.nodes:
        graph.nodes[one]["radius"] = "0.01"
    within = md.design(graph, epsilon="0.5").certificate
    with pytest.raises(md.InputError, match="that are not known only within bounds"):
        vipr_of(within)
    assert not Path(path).exists()
