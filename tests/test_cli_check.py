"""`mechdesign check`: of certificates and of formulas, against what was wanted; and the checker that it prints."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import refused, run
from formulas import MADE

import mechdesign as md
from mechdesign import ExpectedLoss, design, value_graph, write_graph
from mechdesign.certificate import checker as checker_of_certificates


@pytest.mark.parametrize("content", [b"", b"[" * 10**6, b"\xff"], ids=range(3))
def test_not_a_certificate(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(content)
    assert f"{path}: unreadable as a certificate: " in refused("check", str(path))
    assert run("check", str(path), "--quiet").status == 2


def test_a_matrix_and_a_loss_in_any_layout(tmp_path: Path) -> None:
    """Labels, semicolons and decimal commas, in Latin-1: the loss and the mechanism that were wanted."""
    graph = value_graph(["nö", "ja"])
    result = design(graph, epsilon=1, objective=ExpectedLoss([[0, "0.5"], [1, 0]]))
    write_graph(graph, tmp_path / "g.json")
    (tmp_path / "c.json").write_text(json.dumps(result.certificate))
    loss, matrix = tmp_path / "loss.csv", tmp_path / "m.csv"
    loss.write_bytes(";ja;nö\nja;0;1\nnö;0,5;0\n".encode("latin-1"))
    rows = [",".join(map(str, result.mechanism.row("ja", x))) for x in ("ja", "nö")]
    matrix.write_bytes(f",nö,ja\nja,{rows[0]}\nnö,{rows[1]}\n".encode("latin-1"))
    asked = ["check", str(tmp_path / "c.json"), "--all-pairs", "--loss", str(loss), "--mechanism", str(matrix)]
    assert run(*asked, "--encoding", "latin-1")[0] == 0
    assert "--encoding latin-1" in run(*asked)[2]
    loss.write_bytes(";ja;nö\nja;0;1\nnö;0,6;0\n".encode("latin-1"))
    assert run(*asked, "--encoding", "latin-1")[0] == 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (["design", "categorical-chain", "--epsilon", "0.5"], "accepted: "),
        (["formula", "bernoulli-couplet"], "exactly this function of E"),
    ],
    ids=["certificate", "formula"],
)
def test_a_stranger_needs_the_printed_checker_alone(tmp_path: Path, make: list[str], words: str) -> None:
    proof, checker = tmp_path / "proof.json.gz", tmp_path / "checker.py"
    assert run(*make, "--certificate", str(proof)).status == 0
    said = run("check", str(proof), "--print-checker")
    assert said.status == 0
    checker.write_text(said.out, encoding="utf-8")
    told = subprocess.run([sys.executable, "-I", str(checker), str(proof)], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert words in told.stdout
    said = run("check", "--print-checker", str(proof), "--json")
    assert said.status == 0
    assert json.loads(said.out)["checker"] == checker.read_text(encoding="utf-8")


def test_the_checker_of_certificates_is_printed_without_one() -> None:
    said = run("check", "--print-checker")
    assert said.status == 0
    assert said.out == Path(checker_of_certificates.__file__).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (
            ",x,y\na,0.5,0.5\nb,0.25,0.75\n",
            "your mechanism releases other distributions than the certificate's, by up to",
        ),
        (",x,y\nd,0.5,0.5\nb,0.25,0.75\n", 'the certificate does not have your profile "d"'),
        (",x,z\na,0.5,0.5\nb,0.25,0.75\n", 'the certificate does not have your output "z"'),
        (",x,y\nd,0.5,0.5\ne,0.25,0.75\n", 'the certificate does not have your category "d"'),
    ],
)
def test_another_mechanism_than_the_mended_one(tmp_path: Path, table: str, words: str) -> None:
    """Its rows have other labels than the categories of the certificate, which are the outputs: it is another one."""
    vendor = md.mechanism_from_matrix([["0.9", "0.1"], ["0.1", "0.9"]], inputs=["a", "b"], outputs=["x", "y"])
    proof, other = tmp_path / "proof.json", tmp_path / "other.csv"
    proof.write_text(json.dumps(md.mend(vendor, epsilon=1).certificate))
    other.write_text(table)
    said = run("check", str(proof), "--all-pairs", "--mechanism", str(other))
    assert (said.status, said.err) == (1, "")
    assert words in said.out


LOSS = "0,1\n1,0\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Proofs, the graph of two profiles that they are about, and another."""
    for name in ("pair, root of 3", "pair, worst-loss", "pair, in delta"):
        (tmp_path / f"{name.partition(', ')[2]}.json").write_text(json.dumps(MADE[name]))
    for name, masses in (("graph", ["3/4", "1/4"]), ("other", ["2/3", "1/3"])):
        profiles = {"a": masses, "b": masses[::-1]}
        md.write_graph(md.profile_graph(profiles, edges=[("a", "b")], categories=["x", "y"]), tmp_path / f"{name}.json")
    (tmp_path / "loss.csv").write_text(LOSS)
    (tmp_path / "matrix.csv").write_text("1,0\n0,1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
class TestFormula:
    """The proof of a formula."""

    @pytest.mark.parametrize(
        ("proof", "options", "words"),
        [
            ("worst-loss", ["--graph", "graph.json"], None),
            ("worst-loss", ["--objective", "worst-loss", "--loss", "loss.csv"], None),
            ("worst-loss", ["--loss", "hamming", "--delta", "0"], None),
            ("worst-loss", ["--graph", "other.json"], "the certificate has probability 0.75, you have probability 2/3"),
            ("worst-loss", ["--delta", "0.1"], "the certificate has delta 0, you asked for delta 0.1"),
            ("worst-loss", ["--objective", "expected-loss"], "about the objective worst-loss, you asked for expected"),
            ("worst-loss", ["--mechanism", "matrix.csv"], "is about the optimum alone: it has no mechanism like yours"),
            ("root of 3", ["--graph", "graph.json"], "has 2 times epsilon, you asked for 1 times"),
            ("root of 3", ["--loss", "hamming"], "about the objective max-off-diagonal, which has no loss"),
            ("in delta", ["--epsilon", "0.5"], "the certificate has e^epsilon 2, you asked for epsilon 0.5"),
        ],
    )
    def test_held_against_what_was_wanted(self, proof: str, options: list[str], words: str | None) -> None:
        whose = [] if "--graph" in options else ["--all-pairs"]
        status, out, err = run("check", f"{proof}.json", *whose, *options)
        assert (status, err) == (0 if words is None else 1, "")
        if words is not None:
            assert out.startswith("Not what you wanted: ")
            assert out.count("\n") == 1
            assert words in out

    def test_it_vouches_for_no_mechanism(self, folder: Path) -> None:
        (folder / "data.csv").write_text("v\nx\n")
        arguments = ["sanitise", "matrix.csv", "data.csv", "--value", "v", "-o", "out.csv"]
        assert (
            "expected a certificate, found the proof of a formula; mechdesign check worst-loss.json takes it"
            in refused(*arguments, "--proof", "worst-loss.json")
        )
        assert not (folder / "out.csv").exists()
