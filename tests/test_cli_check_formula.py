"""`mechdesign check` of the proof of a formula."""

import json
from pathlib import Path
from typing import Any

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
    def test_accepted(self) -> None:
        status, out, err = run("check", "root of 3.json")
        assert (status, err) == (0, "")
        assert out.splitlines() == [
            "accepted: the optimum is exactly this function of E = e^epsilon",
            "E from 1 to the root of -3 + x^2 between 17/10 and 9/5: (3 - E^2)/(3 + 3 E^2)",
            "E from the root of -3 + x^2 between 17/10 and 9/5 to infinity: 0",
            "profiles 2, categories 2; matrices 2, each profile's own; max-off-diagonal",
            "private at 2 times epsilon, delta 0, on 1 of 1 pairs",
            "Not compared with yours: graph, epsilon, delta, objective.",
        ]
        found = json.loads(run("check", "root of 3.json", "--json")[1])
        expected: dict[str, Any] = {"accepted": True, "profiles": 2, "categories": 2, "edges": 1, "groups": 2}
        expected |= {"objective": "max-off-diagonal", "parameter": "epsilon", "root": 1, "held_against": []}
        expected |= {"value_exact": "1/3", "bound_exact": "0", "bound": 0.0}
        assert found == found | expected
        assert found["value"] >= 1 / 3
        assert found["pieces"][0] == {
            "from": "1",
            "to": "the root of -3 + x^2 between 17/10 and 9/5",
            "numerator": [3, 0, -1],
            "denominator": [3, 0, 3],
        }
        assert found["statement"] == "\n".join(out.splitlines()[:-1])

    def test_the_optimum_at_what_is_wanted(self) -> None:
        out = run("check", "worst-loss.json", "--epsilon", "0.5", "--graph", "graph.json")[1]
        assert (
            "at epsilon 0.5 the optimum is 0.127540 to 0.127541\nConfirmed. As you wanted: graph, epsilon, delta.\n"
            in out
        )
        out = run("check", "in delta.json", "--all-pairs", "--delta", "0.1")[1]
        assert "at delta 0.1 the optimum is 0.05 to 0.05\nConfirmed. As you wanted: all pairs, delta.\n" in out
        found = json.loads(run("check", "in delta.json", "--all-pairs", "--delta", "0.1", "--json")[1])
        assert (found["value_exact"], found["bound_exact"], found["held_against"]) == (
            "1/20",
            "1/20",
            ["all-pairs", "delta"],
        )
        assert "optimum is 0" not in run("check", "in delta.json", "--graph", "graph.json")[1]

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

    def test_rejected(self, folder: Path) -> None:
        document = MADE["pair, worst-loss"]
        (folder / "bad.json").write_text(json.dumps(document | {"pieces": document["pieces"][:1]}))
        found = run("check", "bad.json")
        words = "primal: the intervals do not cover the pieces, or one is in two of them"
        assert found == (1, f"Forged: it does not prove what it states: {words}\n", "")
        found = json.loads(run("check", "bad.json", "--json")[1])
        assert found.items() >= {"accepted": False, "status": 21, "reason": "forged", "statement": words}.items()
        (folder / "bad.json").write_text(json.dumps(document | {"root": 0}))
        status, out, err = run("check", "bad.json")
        assert (status, out) == (2, "")
        assert "bad.json: unreadable as a certificate: root: not from 1 to 999" in err

    def test_it_vouches_for_no_mechanism(self, folder: Path) -> None:
        (folder / "data.csv").write_text("v\nx\n")
        arguments = ["sanitise", "matrix.csv", "data.csv", "--value", "v", "-o", "out.csv"]
        assert (
            "expected a certificate, found the proof of a formula; mechdesign check worst-loss.json takes it"
            in refused(*arguments, "--proof", "worst-loss.json")
        )
        assert not (folder / "out.csv").exists()
