"""`mechdesign check` of the proof of a formula."""

import json
from pathlib import Path

import pytest
from command import refused, run
from formulas import MADE

import mechdesign as md

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
class TestCheck:
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
