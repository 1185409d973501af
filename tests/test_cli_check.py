"""`mechdesign check`: what it prints, its exit statuses, and bad input."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from test_cli_certify import CHAIN, Captured, designed, run

import mechdesign as md
from mechdesign import ExpectedLoss, design, value_graph, write_graph, write_mechanism

__all__ = ["designed"]


KEYS = {
    *("accepted", "value", "bound", "profiles", "categories", "edges", "epsilon_least", "epsilon_largest"),
    *("delta_largest", "objective", "groups"),
}


class TestCheck:
    def test_accepted(self, capsys: Captured, designed: dict[str, Path]) -> None:
        path = str(designed["certificate"])
        status, out, err = run(capsys, "check", path)
        assert (status, err) == (0, "")
        assert out.splitlines()[:2] == [
            "accepted: private on all edges: epsilon 0.5 to 0.5, delta at most 0",
            "profiles 3, categories 4, edges 2; matrices 3, each profile's own",
        ]
        assert out.endswith("Not compared with yours: graph, epsilon, delta, mechanism, objective.\n")
        found = json.loads(run(capsys, "check", path, "--json")[1])
        assert found.keys() >= KEYS
        assert found["accepted"]
        sizes = [found[key] for key in ("profiles", "categories", "edges", "groups")]
        assert sizes == [3, 4, 2, 3]
        limits = [found[key] for key in ("epsilon_least", "epsilon_largest", "delta_largest")]
        assert limits == [0.5, 0.5, 0.0]
        assert found["objective"] == "max-off-diagonal"
        assert found["bound"] <= Fraction(found["bound_exact"]) <= Fraction(found["value_exact"]) <= found["value"]

    def test_without_edges(self, capsys: Captured, tmp_path: Path) -> None:
        """It is said; null stands for the epsilons that there are not."""
        graph = md.profile_graph({"a": [0, 1], "b": [1, 0]}, edges=[], categories=["x", "y"])
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(design(graph, epsilon=1).certificate))
        status, out, _ = run(capsys, "check", str(path))
        assert (status, out.splitlines()[0]) == (0, "accepted: NO EDGES: nobody is protected")
        found = json.loads(run(capsys, "check", str(path), "--json")[1])
        assert (found["edges"], found["epsilon_least"], found["epsilon_largest"]) == (0, None, None)
        assert run(capsys, "check", str(path), "--epsilon", "1")[0] == 1

    def test_one_matrix_for_all(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(design(CHAIN, epsilon=1, shared=True).certificate))
        assert "matrices 1, some shared" in run(capsys, "check", str(path))[1]
        assert json.loads(run(capsys, "check", str(path), "--json")[1])["groups"] == 1

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ((), None),
            (("--graph", "categorical-chain"), None),
            (("--epsilon", "1/2"), None),
            (("--delta", "0"), None),
            (("--mechanism", "MECHANISM"), None),
            (("--objective", "max-off-diagonal"), None),
            (("--graph", "categorical-chain", "--epsilon", "0.5", "--mechanism", "MECHANISM"), None),
            (("--graph", "hobbies"), "category"),
            (("--epsilon", "0.4"), "you asked for 0.4"),
            (("--graph", "categorical-chain", "--epsilon", "0.4"), "you asked for 0.4"),
            (("--delta", "0.1"), "you asked for 0.1"),
            (("--mechanism", "OTHER"), "other probabilities"),
            (("--mechanism", "MATRIX"), "other probabilities"),
            (("--objective", "worst-loss"), "objective"),
            (("--loss", "hamming"), "objective"),
        ],
    )
    def test_held_against_what_its_reader_wanted(
        self, capsys: Captured, designed: dict[str, Path], tmp_path: Path, options: tuple[str, ...], words: str | None
    ) -> None:
        write_mechanism(design(CHAIN, epsilon="0.6").mechanism, tmp_path / "other.json")
        (tmp_path / "matrix.csv").write_text("1,0,0,0\n" * 4)
        files = {
            "OTHER": tmp_path / "other.json",
            "MATRIX": tmp_path / "matrix.csv",
            "MECHANISM": designed["mechanism"],
        }
        given = [str(files.get(option, option)) for option in options]
        status, out, err = run(capsys, "check", str(designed["certificate"]), *given)
        assert (status, err) == (0 if words is None else 1, "")
        found = json.loads(run(capsys, "check", str(designed["certificate"]), *given, "--json")[1])
        assert found["accepted"] == (words is None)
        if words is None:
            assert ("As you wanted: " in out) == bool(options)
            assert {option[2:] for option in options[::2]} <= set(found["held_against"])
        else:
            assert out.startswith("Not what you wanted: ")
            assert out.count("\n") == 1
            assert words in out
            assert found["status"] == 19
            assert words in found["reason"]

    def test_a_loss_alone_goes_with_the_objective_of_the_certificate(self, capsys: Captured, tmp_path: Path) -> None:
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(design(CHAIN, epsilon=1, objective=md.WorstLoss("absolute")).certificate))
        assert run(capsys, "check", str(path), "--loss", "absolute")[0] == 0
        assert run(capsys, "check", str(path), "--loss", "hamming")[0] == 1

    @pytest.mark.parametrize(
        "options",
        [("--epsilon", "x"), ("--delta", "1"), ("--graph", "none"), ("--objective", "worst-loss", "--loss", "none")],
    )
    def test_bad_options(self, capsys: Captured, designed: dict[str, Path], options: tuple[str, ...]) -> None:
        status, out, err = run(capsys, "check", str(designed["certificate"]), *options)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1

    @pytest.mark.parametrize(
        ("key", "value", "status", "own"),
        [
            ("value", "1", 1, 16),
            ("bound", "1", 1, 18),
            ("rows", [], 2, 2),
            ("above", ["1", "1"], 1, 12),
            ("value", 1, 2, 2),
            ("format", "", 2, 2),
        ],
    )
    def test_rejected(
        self, capsys: Captured, designed: dict[str, Path], key: str, value: Any, status: int, own: int
    ) -> None:
        path = designed["certificate"]
        path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
        found, out, err = run(capsys, "check", str(path))
        assert found == status
        assert out.startswith("Rejected: ") if status == 1 else str(path) in err
        found, out, _ = run(capsys, "check", str(path), "--json")
        assert found == status
        if status == 1:
            assert json.loads(out)["status"] == own
            assert not json.loads(out)["accepted"]

    @pytest.mark.parametrize("content", [b"", b"[" * 10**6, b"\xff", b"{}", b"null", b"[]", b"NaN"], ids=range(7))
    def test_not_a_certificate(self, capsys: Captured, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "certificate.json"
        path.write_bytes(content)
        status, out, err = run(capsys, "check", str(path))
        assert (status, out) == (2, "")
        assert str(path) in err
        assert run(capsys, "check", str(tmp_path / "none.json"))[0] == 2
        assert run(capsys, "check", str(tmp_path))[0] == 2


def test_a_matrix_and_a_loss_in_any_layout(capsys: Captured, tmp_path: Path) -> None:
    """Labels, semicolons and decimal commas, in Latin-1: the loss and the mechanism that were wanted."""
    graph = value_graph(["nö", "ja"])
    result = design(graph, epsilon=1, objective=ExpectedLoss([[0, "0.5"], [1, 0]]))
    write_graph(graph, tmp_path / "g.json")
    (tmp_path / "c.json").write_text(json.dumps(result.certificate))
    loss, matrix = tmp_path / "loss.csv", tmp_path / "m.csv"
    loss.write_bytes(";ja;nö\nja;0;1\nnö;0,5;0\n".encode("latin-1"))
    rows = [",".join(map(str, result.mechanism.row("ja", x))) for x in ("ja", "nö")]
    matrix.write_bytes(f",nö,ja\nja,{rows[0]}\nnö,{rows[1]}\n".encode("latin-1"))
    asked = ["check", str(tmp_path / "c.json"), "--loss", str(loss), "--mechanism", str(matrix)]
    assert run(capsys, *asked, "--encoding", "latin-1")[0] == 0
    assert "--encoding latin-1" in run(capsys, *asked)[2]
    loss.write_bytes(";ja;nö\nja;0;1\nnö;0,6;0\n".encode("latin-1"))
    assert run(capsys, *asked, "--encoding", "latin-1")[0] == 1


def test_a_mechanism_that_was_normalised(capsys: Captured, tmp_path: Path) -> None:
    matrix, proof = tmp_path / "rounded.csv", tmp_path / "proof.json"
    matrix.write_text("0.333,0.333,0.333\n0.1,0.8,0.1\n0.2,0.2,0.6\n")
    arguments = (str(matrix), "--epsilon", "2.1", "--normalise", "--certificate", str(proof))
    assert run(capsys, "certify", *arguments)[0] == 0
    assert run(capsys, "check", str(proof), "--mechanism", str(matrix))[0] == 2
    status, out, _ = run(capsys, "check", str(proof), "--mechanism", str(matrix), "--normalise")
    assert status == 0
    assert "Compared with your matrix as it was normalised, not as it is: 1 of 3 rows" in out
    held = run(capsys, "check", str(proof), "--mechanism", str(matrix), "--normalise", "--json")[1]
    assert json.loads(held)["normalised"]["rows"] == 1


def test_a_matrix_for_each_profile(capsys: Captured, designed: dict[str, Path], tmp_path: Path) -> None:
    """It cannot be read without the profiles, which the certificate has."""
    table, other = tmp_path / "m.csv", tmp_path / "other.json"
    assert run(capsys, "export", str(designed["mechanism"]), "--to", "csv", "-o", str(table))[0] == 0
    other.write_text(json.dumps(design(md.read_graph("categorical-chain"), epsilon=1).certificate))
    status, out, err = run(capsys, "check", str(other), "--mechanism", str(table))
    assert (status, err) == (1, "")
    assert "your mechanism has other probabilities" in out


def test_a_float_of_python_is_the_decimal_of_the_command_line(capsys: Captured, tmp_path: Path) -> None:
    """They differed by 1e-17, and refused each other."""
    (tmp_path / "proof.json").write_text(json.dumps(design("categorical-chain", epsilon=0.7, delta=0.1).certificate))
    line = ("check", str(tmp_path / "proof.json"), "--graph", "categorical-chain", "--epsilon", "0.7", "--delta", "0.1")
    assert run(capsys, *line)[0] == 0
    found = json.loads(run(capsys, *line, "--json")[1])
    assert [found[key] for key in ("epsilon_least", "epsilon_largest", "delta_largest")] == [0.7, 0.7, 0.1]
