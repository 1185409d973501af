"""`mechdesign certify`: what it prints, their exit statuses, and bad input."""

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import answer, run

from mechdesign import design, read_graph, write_graph, write_mechanism

F = Fraction


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """Graphs of which all edges have their own epsilons, or one of two, and a mechanism that meets them exactly."""
    graph = read_graph("categorical-chain")
    first, second = graph.edges
    graph.edges[first]["epsilon"] = "0.3"
    write_graph(graph, tmp_path / "some.json")
    graph.edges[second]["epsilon"] = "1.7"
    write_graph(graph, tmp_path / "all.json")
    write_mechanism(design(graph, epsilon=1).mechanism, tmp_path / "mechanism.json")
    return {name: str(tmp_path / f"{name}.json") for name in ("some", "all", "mechanism")}


class TestOwnEpsilons:
    def test_the_curve_is_over_multiples(self, own: dict[str, str], tmp_path: Path) -> None:
        curve, picture = tmp_path / "curve.json", tmp_path / "curve.svg"
        files = ("--curve", str(curve), "--plot", str(picture))
        assert run("certify", own["mechanism"], "--graph", own["all"], *files)[0] == 0
        document = json.loads(curve.read_text())
        assert document["over"] == "scale"
        assert document["points"][0]["delta_lower"] > 0.01
        assert {"scale": 1.0, "scale_exact": "1"}.items() <= next(
            point for point in document["points"] if point["delta_upper"] < 1e-15
        ).items()
        assert picture.read_text().startswith("<?xml")


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
        assert "0 exceeds what 1 allows by 1e-400." in run(*line, "--epsilon", "1").out
        assert "Pr(1 in it) = 0, and Pr(0 in it) - delta = 1e-400." in run(*line).out
        assert answer(*line, "--epsilon", "1", status=1)["worst"]["gap"] > 0
