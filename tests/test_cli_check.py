"""`mechdesign check`: what it prints, its exit statuses, and bad input."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import run

import mechdesign as md
from mechdesign import ExpectedLoss, design, value_graph, write_graph, write_mechanism
from mechdesign.certificate import checker as checker_of_certificates
from mechdesign.cli.main import main

Captured = pytest.CaptureFixture[str]
CHAIN = md.read_graph("categorical-chain")


KEYS = {
    *("accepted", "value", "bound", "profiles", "categories", "edges", "epsilon_least", "epsilon_largest"),
    *("delta_largest", "objective", "groups"),
}


class TestCheck:
    def test_accepted(self, designed: dict[str, Path]) -> None:
        path = str(designed["certificate"])
        status, out, err = run("check", path)
        assert (status, err) == (0, "")
        proved = "accepted: private at epsilon 0.5 to 0.5, delta at most 0, on 2 of 3 pairs"
        assert out.splitlines()[:2] == [
            f"{proved}; nothing is proved of the others",
            "profiles 3, categories 4; matrices 3, each profile's own",
        ]
        assert "\nPrivate on 2 of 3 pairs of profiles; for the other epsilon 1 follows along paths.\n" in out
        assert out.endswith("Not compared with yours: graph, epsilon, delta, mechanism, objective.\n")
        found = json.loads(run("check", path, "--json")[1])
        assert found.keys() >= KEYS
        assert (found["accepted"], found["reason"]) == (True, "accepted")
        pairs = [found[key] for key in ("pairs", "pairs_asked", "pairs_through_others", "epsilon_through_others")]
        assert pairs == [3, 2, 1, 1.0]
        sizes = [found[key] for key in ("profiles", "categories", "edges", "groups")]
        assert sizes == [3, 4, 2, 3]
        limits = [found[key] for key in ("epsilon_least", "epsilon_largest", "delta_largest")]
        assert limits == [0.5, 0.5, 0.0]
        assert found["objective"] == "max-off-diagonal"
        assert found["bound"] <= Fraction(found["bound_exact"]) <= Fraction(found["value_exact"]) <= found["value"]

    def test_without_edges(self, tmp_path: Path) -> None:
        """It is said; null stands for the epsilons that there are not."""
        graph = md.profile_graph({"a": [0, 1], "b": [1, 0]}, edges=[], categories=["x", "y"])
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(design(graph, epsilon=1).certificate))
        status, out, _ = run("check", str(path))
        assert (status, out.splitlines()[0]) == (0, "accepted: NO EDGES: nobody is protected")
        found = json.loads(run("check", str(path), "--json")[1])
        assert (found["edges"], found["epsilon_least"], found["epsilon_largest"]) == (0, None, None)
        assert run("check", str(path), "--epsilon", "1", "--all-pairs")[0] == 1
        assert (found["pairs"], found["pairs_asked"]) == (1, 0)

    def test_one_matrix_for_all(self, tmp_path: Path) -> None:
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(design(CHAIN, epsilon=1, shared=True).certificate))
        assert "matrices 1, some shared" in run("check", str(path))[1]
        assert json.loads(run("check", str(path), "--json")[1])["groups"] == 1

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ((), None),
            (("--graph", "categorical-chain"), None),
            (("--graph", "categorical-chain", "--epsilon", "1/2"), None),
            (("--graph", "categorical-chain", "--delta", "0"), None),
            (("--graph", "categorical-chain", "--mechanism", "MECHANISM"), None),
            (("--graph", "categorical-chain", "--objective", "max-off-diagonal"), None),
            (("--graph", "categorical-chain", "--epsilon", "0.5", "--mechanism", "MECHANISM"), None),
            (("--graph", "hobbies"), "category"),
            (("--all-pairs",), 'does not have the pair "P1"-"P3": it is proved for 2 of 3 pairs of profiles'),
            (("--all-pairs", "--graph", "categorical-chain"), 'does not have your edge "P1"-"P3"'),
            (("--graph", "categorical-chain", "--epsilon", "0.4"), "you asked for epsilon 0.4"),
            (("--graph", "categorical-chain", "--delta", "0.1"), "you asked for delta 0.1"),
            (("--graph", "categorical-chain", "--mechanism", "OTHER"), "other probabilities"),
            (("--graph", "categorical-chain", "--mechanism", "MATRIX"), "other probabilities"),
            (("--graph", "categorical-chain", "--objective", "worst-loss"), "objective"),
            (("--graph", "categorical-chain", "--loss", "hamming"), "objective"),
        ],
    )
    def test_held_against_what_its_reader_wanted(
        self, designed: dict[str, Path], tmp_path: Path, options: tuple[str, ...], words: str | None
    ) -> None:
        write_mechanism(design(CHAIN, epsilon="0.6").mechanism, tmp_path / "other.json")
        (tmp_path / "matrix.csv").write_text("1,0,0,0\n" * 4)
        files = {
            "OTHER": tmp_path / "other.json",
            "MATRIX": tmp_path / "matrix.csv",
            "MECHANISM": designed["mechanism"],
        }
        given = [str(files.get(option, option)) for option in options]
        status, out, err = run("check", str(designed["certificate"]), *given)
        assert (status, err) == (0 if words is None else 1, "")
        found = json.loads(run("check", str(designed["certificate"]), *given, "--json")[1])
        assert found["accepted"] == (words is None)
        if words is None:
            assert ("Confirmed. As you wanted: " in out) == bool(options)
            assert found["reason"] == ("confirmed" if options else "accepted")
            assert {option[2:] for option in options[::2]} <= set(found["held_against"])
        else:
            assert out.startswith("Not what you wanted: ")
            assert out.count("\n") == 1
            assert words in out
            assert (found["status"], found["reason"]) == (19, "not wanted")
            assert words in found["statement"]

    def test_a_loss_alone_goes_with_the_objective_of_the_certificate(self, tmp_path: Path) -> None:
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(design(CHAIN, epsilon=1, objective=md.WorstLoss("absolute")).certificate))
        asked = ("check", str(path), "--graph", "categorical-chain", "--loss")
        assert run(*asked, "absolute")[0] == 0
        assert run(*asked, "hamming")[0] == 1

    @pytest.mark.parametrize(
        "options",
        [("--epsilon", "x"), ("--delta", "1"), ("--graph", "none"), ("--objective", "worst-loss", "--loss", "none")],
    )
    def test_bad_options(self, designed: dict[str, Path], options: tuple[str, ...]) -> None:
        status, out, err = run("check", str(designed["certificate"]), "--all-pairs", *options)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("option", ["--epsilon", "--delta", "--objective", "--loss", "--mechanism"])
    def test_it_is_said_of_which_pairs(self, designed: dict[str, Path], option: str) -> None:
        status, out, err = run("check", str(designed["certificate"]), option, str(designed["mechanism"]))
        assert (status, out) == (2, "")
        which = "give --graph GRAPH, whose edges all must be proved, or --all-pairs, for every pair"
        assert err == f"mechdesign: {option}: of which pairs of profiles? {which}\n"

    def test_three_of_fifteen_pairs(self, tmp_path: Path) -> None:
        """What a vendor proves of some pairs is never said to hold of all."""
        graph = value_graph(["a", "b", "c", "d", "e", "f"])
        graph.remove_edges_from([edge for edge in graph.edges if edge not in [("a", "b"), ("c", "d"), ("e", "f")]])
        result = design(graph, epsilon="0.5")
        proof, mechanism = str(tmp_path / "proof.json"), str(tmp_path / "m.json")
        Path(proof).write_text(json.dumps(result.certificate))
        write_mechanism(result.mechanism, mechanism)
        said = "3 of 15 pairs; nothing is proved of the others"
        out = run("check", proof)[1]
        assert said in out.splitlines()[0]
        assert "along paths" not in out
        assert run("check", proof, "--epsilon", "0.5", "--mechanism", mechanism)[0] == 2
        wanted = ("--epsilon", "0.5", "--mechanism", mechanism, "--all-pairs")
        found = (
            'the certificate does not have the pair "a"-"c": it is proved for '
            + "3 of 15 pairs of profiles; nothing is proved of the others"
        )
        assert run("check", proof, *wanted) == (1, f"Not what you wanted: {found}\n", "")
        answer = json.loads(run("check", proof, "--json")[1])
        assert (answer["pairs"], answer["pairs_asked"], answer["pairs_through_others"]) == (15, 3, 0)

    @pytest.mark.parametrize(
        ("key", "value", "status", "own"),
        [
            ("value", "1", 1, 16),
            ("bound", "1", 1, 18),
            ("matrices", {}, 2, 2),
            ("bits", 3, 1, 15),
            ("value", 1, 2, 2),
            ("format", "", 2, 2),
        ],
    )
    def test_rejected(self, designed: dict[str, Path], key: str, value: Any, status: int, own: int) -> None:
        path = designed["certificate"]
        path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
        found, out, err = run("check", str(path))
        assert found == status
        said = (
            (out, "Forged: it does not prove what it states: ") if status == 1 else (err, f"mechdesign: {path}: unread")
        )
        assert said[0].startswith(said[1])
        found, out, _ = run("check", str(path), "--json")
        answer = json.loads(out)
        assert (found, answer["accepted"], answer["status"]) == (status, False, own)
        assert answer["reason"] == ("forged" if status == 1 else "unreadable")
        assert answer["statement"] in said[0]

    @pytest.mark.parametrize("content", [b"", b"[" * 10**6, b"\xff", b"{}", b"null", b"[]", b"NaN"], ids=range(7))
    def test_not_a_certificate(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "certificate.json"
        path.write_bytes(content)
        status, out, err = run("check", str(path))
        assert (status, out) == (2, "")
        assert str(path) in err
        assert json.loads(run("check", str(path), "--json")[1])["reason"] == "unreadable"
        assert run("check", str(tmp_path / "none.json"))[0] == 2
        assert run("check", str(tmp_path))[0] == 2
        assert run("check", str(path), "--quiet") == (2, "", err)


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


def test_a_mechanism_that_was_normalised(tmp_path: Path) -> None:
    matrix, proof = tmp_path / "rounded.csv", tmp_path / "proof.json"
    matrix.write_text("0.333,0.333,0.333\n0.1,0.8,0.1\n0.2,0.2,0.6\n")
    arguments = (str(matrix), "--epsilon", "2.1", "--normalise", "--certificate", str(proof))
    assert run("certify", *arguments)[0] == 0
    asked = ("check", str(proof), "--all-pairs", "--mechanism", str(matrix))
    assert run(*asked)[0] == 2
    status, out, _ = run(*asked, "--normalise")
    assert status == 0
    assert out.startswith("What follows holds for the normalised matrix, not for the one given: 1 of 3 rows")
    held = run(*asked, "--normalise", "--json")[1]
    assert json.loads(held)["normalised"]["rows"] == 1


def test_a_matrix_for_each_profile(designed: dict[str, Path], tmp_path: Path) -> None:
    """It cannot be read without the profiles, which the certificate has."""
    table, other = tmp_path / "m.csv", tmp_path / "other.json"
    assert run("export", str(designed["mechanism"]), "--to", "csv", "-o", str(table))[0] == 0
    other.write_text(json.dumps(design(md.read_graph("categorical-chain"), epsilon=1).certificate))
    status, out, err = run("check", str(other), "--graph", "categorical-chain", "--mechanism", str(table))
    assert (status, err) == (1, "")
    assert "your mechanism has other probabilities" in out


def test_a_float_of_python_is_the_decimal_of_the_command_line(tmp_path: Path) -> None:
    """They differed by 1e-17, and refused each other."""
    (tmp_path / "proof.json").write_text(json.dumps(design("categorical-chain", epsilon=0.7, delta=0.1).certificate))
    line = ("check", str(tmp_path / "proof.json"), "--graph", "categorical-chain", "--epsilon", "0.7", "--delta", "0.1")
    assert run(*line)[0] == 0
    found = json.loads(run(*line, "--json")[1])
    assert [found[key] for key in ("epsilon_least", "epsilon_largest", "delta_largest")] == [0.7, 0.7, 0.1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (["design", "categorical-chain", "--epsilon", "0.5"], "accepted: "),
        (["formula", "bernoulli-couplet"], "exactly this function of E"),
    ],
    ids=["certificate", "formula"],
)
def test_a_stranger_needs_the_printed_checker_alone(
    capsys: Captured, tmp_path: Path, make: list[str], words: str
) -> None:
    proof, checker = tmp_path / "proof.json.gz", tmp_path / "checker.py"
    assert main([*make, "--certificate", str(proof)]) == 0
    capsys.readouterr()
    assert main(["check", str(proof), "--print-checker"]) == 0
    checker.write_text(capsys.readouterr().out, encoding="utf-8")
    told = subprocess.run([sys.executable, "-I", str(checker), str(proof)], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert words in told.stdout
    assert main(["check", "--print-checker", str(proof), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["checker"] == checker.read_text(encoding="utf-8")


def test_the_checker_of_certificates_is_printed_without_one(capsys: Captured) -> None:
    assert main(["check", "--print-checker"]) == 0
    assert capsys.readouterr().out == Path(checker_of_certificates.__file__).read_text(encoding="utf-8")
    assert main(["check"]) == 2
    assert capsys.readouterr().err == "mechdesign: missing argument 'CERT.json'\n  See mechdesign check --help\n"


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
