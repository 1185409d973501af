"""`mechdesign certify`: curves, files that are read as they stand, and what is neither proved nor refuted."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from command import answer, refused, run

import mechdesign as md
from mechdesign.certificate import checker

F = Fraction


class TestCurve:
    def test_is_data(self, coin: str, tmp_path: Path) -> None:
        path = tmp_path / "curve.json"
        assert run("certify", coin, "--epsilon", "1/3", "--curve", str(path))[0] == 1
        document = json.loads(path.read_text())
        assert document["over"] == "epsilon"
        assert document["asked"]["epsilon_exact"] == "1/3"
        assert document["tight"][0] <= math.log(3) <= document["tight"][1]
        places = [F(point["epsilon_exact"]) for point in document["points"]]
        assert places == sorted(set(places))
        assert {F(0), F(1, 3)} < set(places)
        assert places[-1] > math.log(3)
        for place, point in zip(places, document["points"], strict=True):
            assert point["epsilon"] == float(place)
            true = max(0.0, 0.75 - math.exp(place) * 0.25)
            assert point["delta_lower"] - 1e-15 <= true <= point["delta_upper"] + 1e-15
        assert run("certify", coin, "--epsilon", "1", "--curve", str(path))[0] == 1  # written again
        assert json.loads(path.read_text())["asked"]["epsilon_exact"] == "1"

    @pytest.mark.parametrize(
        ("content", "asked"),
        [
            ("1,0\n0,1\n", "--epsilon 0"),
            ("1,0\n0,1\n", "--epsilon 1e400"),
            ("1,0\n0,1\n", "--epsilon inf"),
            ("1,0\n1,0\n", ""),
            ("1,0\n1,0\n", "--all"),
            ("1\n", "--epsilon inf"),
        ],
    )
    def test_where_the_tight_epsilon_is_none_or_infinite(self, tmp_path: Path, content: str, asked: str) -> None:
        (tmp_path / "m.csv").write_text(content)
        picture = tmp_path / "m.svg"
        drawn = ["--plot", str(picture)] if asked in ("", "--epsilon inf") else []
        status = run("certify", str(tmp_path / "m.csv"), *asked.split(), *drawn)[0]
        assert status == int("0,1" in content and asked in ("--epsilon 0", "--epsilon 1e400"))
        assert picture.exists() == bool(drawn)

    def test_is_over_multiples_of_own_epsilons(self, tmp_path: Path) -> None:
        graph, curve = md.read_graph("categorical-chain"), tmp_path / "curve.json"
        nx.set_edge_attributes(graph, dict(zip(graph.edges, ("0.3", "1.7"), strict=True)), "epsilon")
        md.write_graph(graph, tmp_path / "own.json")
        md.write_mechanism(md.design(graph, epsilon=1).mechanism, tmp_path / "m.json")
        asked = ("certify", str(tmp_path / "m.json"), "--graph", str(tmp_path / "own.json"), "--curve", str(curve))
        assert run(*asked, "--plot", str(tmp_path / "curve.svg"))[0] == 0
        document = json.loads(curve.read_text())
        assert document["over"] == "scale"
        assert document["points"][0]["delta_lower"] > 0.01
        met = next(point for point in document["points"] if point["delta_upper"] < 1e-15)
        assert (met["scale"], met["scale_exact"]) == (1.0, "1")


class TestMatrixFiles:
    def test_doubles_are_not_rounded_by_hand(self, tmp_path: Path) -> None:
        np.save(tmp_path / "m.npy", np.array([[0.7, 0.3], [0.4, 0.6]]))
        line = ("certify", str(tmp_path / "m.npy"), "--normalise", "--epsilon", "0.1", "--json")
        assert json.loads(run(*line)[1])["rounding"] is None

    @pytest.mark.parametrize("notes", [{"normalised": 5}, {"largest_miss": "x"}, {"read": 3, "largest_miss": [1]}])
    def test_notes_of_a_file_may_be_anything(self, designed: dict[str, Path], notes: dict[str, Any]) -> None:
        document = json.loads(designed["mechanism"].read_text()) | {"notes": notes}
        designed["mechanism"].write_text(json.dumps(document))
        options = ("--graph", "categorical-chain", "--epsilon", "0.5")
        assert run("certify", str(designed["mechanism"]), *options)[0] == 0
        assert run("certify", str(designed["mechanism"]), *options, "--json")[0] == 0


class TestNumbersAsPeopleWriteThem:
    """What is kept does not look broken, and what is broken does not look kept."""

    def test_an_entry_beyond_doubles_is_not_refuted_by_0(self, tmp_path: Path) -> None:
        (tmp_path / "m.json").write_text(json.dumps([[f"1/{10**400}", f"{10**400 - 1}/{10**400}"], ["0", "1"]]))
        line = ("certify", str(tmp_path / "m.json"))
        assert "0 exceeds what 1 allows by 1.00000e-400." in run(*line, "--epsilon", "1").out
        assert "Pr(1 in it) = 0, and Pr(0 in it) - delta = 1.00000e-400." in run(*line).out
        assert answer(*line, "--epsilon", "1", status=1)["worst"]["gap"] > 0


GRAPH = {
    "graph": {"categories": ["no", "yes"]},
    "nodes": [
        {"id": "A", "distribution": ["0.3", "0.7"], "radius": "0.05"},
        {"id": "B", "distribution": ["0.5", "0.5"], "lower": ["0.4", "0.4"], "upper": ["0.55", "0.6"]},
    ],
    "edges": [{"source": "A", "target": "B"}],
}

COIN = ("certify", "coin.csv", "--graph", "graph.json")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graph.json").write_text(json.dumps(GRAPH))
    Path("coin.csv").write_text("3/4,1/4\n1/4,3/4\n")
    return tmp_path


def has_bounds(proof: str) -> bool:
    """Whether a certificate that is true has a profile within bounds."""
    return any(one.bounds for one in checker.check(proof).profiles)


@pytest.mark.usefixtures("place")
class TestWithinBounds:
    """Of a graph whose profiles are known only within bounds."""

    def test_where_only_sets_would_show_it_nothing_is_proved(self) -> None:
        """Two outputs of one kind have the worst case at one distribution, not at two; added up they exceed delta."""
        Path("coin.csv").write_text("3/4,1/4,0\n0,3/4,1/4\n")
        nodes = [{"id": name, "distribution": ["1/2", "1/2"], "radius": "0.1"} for name in "AB"]
        Path("graph.json").write_text(json.dumps(GRAPH | {"nodes": nodes}))
        status, out, _ = run(*COIN, "--epsilon", "0", "--json", "--delta", "0.15")
        verdict: dict[str, Any] = json.loads(out)
        assert (status, verdict["private"], verdict["exact"]) == (3, None, False)
        assert (verdict["delta_lower"], verdict["delta_upper"]) == (0.15, 0.30000000000000004)
        status, _, err = run(*COIN, "--epsilon", "0", "--delta", "0.15", "--certificate", "proof.json")
        assert (status, "no proof: neither that it is private nor that it is not is proved" in err) == (2, True)
        assert not Path("proof.json").exists()
        enough = repr(verdict["delta_upper"])
        assert run(*COIN, "--epsilon", "0", "--delta", enough, "--certificate", "proof.json")[0] == 0
        assert has_bounds(Path("proof.json").read_text())

    def test_neither_proved_nor_refuted(self) -> None:
        """18 outputs, of two profiles over four categories."""
        weights = np.random.default_rng(6).integers(1, 50, (4, 18))
        Path("coin.csv").write_text("\n".join(",".join(f"{w}/{row.sum()}" for w in row) for row in weights))
        counts = np.random.default_rng(5).integers(1, 20, (2, 4))
        nodes = [
            {"id": name, "distribution": [f"{n}/{row.sum()}" for n in row], "radius": "1/50"}
            for name, row in zip("AB", counts, strict=True)
        ]
        graph = GRAPH | {"graph": {"categories": list("abcd")}, "nodes": nodes}
        Path("graph.json").write_text(json.dumps(graph))
        low, high = (
            json.loads(run(*COIN, "--delta", "0.01", "--json")[1])[f"epsilon_{end}"] for end in ("lower", "upper")
        )
        between = ("--epsilon", repr((low + high) / 2), "--delta", "0.01")
        status, out, err = run(*COIN, *between, "--json")
        verdict = json.loads(out)
        assert (status, err, verdict["private"], verdict["exact"]) == (3, "", None, False)
        status, out, _ = run(*COIN, *between)
        assert status == 3
        assert "Neither proved nor refuted: the worst cases of the outputs add up to more than delta" in out
        assert "no proof: neither that it is private nor that it is not is proved" in refused(
            *COIN, *between, "--certificate", "proof.json"
        )
