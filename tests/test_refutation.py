"""Refutations: the checker confirms those that are true, and nothing else."""

import copy
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import Said, alone

import mechdesign as md
from mechdesign import InputError, Mechanism, Rejected, certify, check_certificate, mechanism_from_matrix
from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.refutation import refutation_of

F = Fraction
COIN = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])


def refutation(mechanism: Mechanism, graph: Any = None, *, epsilon: Any, delta: Any = 0) -> dict[str, Any]:
    worst = certify(mechanism, graph, epsilon=epsilon, delta=delta).worst
    assert worst is not None
    document = refutation_of(mechanism, graph, worst.edge, worst.set, epsilon=F(epsilon), delta=F(delta))
    made: dict[str, Any] = json.loads(json.dumps(document))
    return made


def said_of(document: dict[str, Any], tmp_path: Path) -> Said:
    path = tmp_path / "refutation.json"
    path.write_text(json.dumps(document))
    return alone(checker, str(path))


def test_confirmed(tmp_path: Path) -> None:
    said = said_of(refutation(COIN, epsilon=1), tmp_path)
    assert said.status == 1
    first, second = said.out.splitlines()
    assert first == "REFUTED: at epsilon 1, delta 0, profile 0 exceeds profile 1 on the outputs 0"
    assert second == "probability 0.75, at most 0.679570457115 is allowed"  # e/4, rounded up


def test_confirmed_by_next_to_nothing(tmp_path: Path) -> None:
    coin = mechanism_from_matrix([["0.5000000000001", "0.4999999999999"], ["0.5", "0.5"]])
    said = said_of(refutation(coin, epsilon=0), tmp_path)
    assert said.status == 1
    assert said.out.splitlines()[1] == "by less than 1e-11"


def test_of_profiles_with_limits_of_their_own() -> None:
    graph = md.profile_graph({"a": ["1/5", "4/5"], "b": ["4/5", "1/5"]}, edges=[("a", "b")], categories=["x", "y"])
    graph.edges["a", "b"].update(epsilon=F(1, 10), delta=F(1, 100))
    identity = mechanism_from_matrix([[1, 0], [0, 1]], inputs=["x", "y"])
    document = refutation(identity, graph, epsilon=50)
    assert (document["epsilons"], document["deltas"]) == (["0.1"], ["0.01"])
    checker.check(json.dumps(document))
    with pytest.raises(Rejected) as reason:
        check_certificate(document, graph=graph)
    assert reason.value.status == 1  # it is no certificate of privacy, though what it states is true


def test_of_doubles_and_of_an_epsilon_beyond_700() -> None:
    tiny = mechanism_from_matrix(np.array([[1.0, 1e-300], [0.5, 0.5]]))
    checker.check(json.dumps(refutation(tiny, epsilon=600)))
    nothing = mechanism_from_matrix([[1, 0], [0, 1]])
    assert refutation(nothing, epsilon=5000)["epsilons"] == ["700"]
    checker.check(json.dumps(refutation(nothing, epsilon=5000)))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"set": [1]}, 15),
        ({"set": []}, 15),
        ({"set": [0, 0]}, 13),
        ({"set": [2]}, 13),
        ({"set": [-1]}, 13),
        ({"set": ["0"]}, 2),
        ({"set": [1, 0]}, 13),
        ({"edges": [[1, 0, 0, 0]]}, 11),
        ({"edges": [[0, 0, 0, 0]]}, 11),
        ({"edges": [[0, 2, 0, 0]]}, 11),
        ({"edges": [[0, 1, 1, 0]]}, 11),
        ({"edges": [[0, 1, 0, 1]]}, 11),
        ({"epsilons": ["1.1"]}, 15),
        ({"bits": 0}, 15),
        ({"bits": 4, "epsilons": ["-1"]}, 11),
        ({"deltas": ["0.1"]}, 15),
        ({"deltas": ["1"]}, 11),
        ({"matrices": [[[1, 1], []], [[], [1, 3]]]}, 15),
        ({"matrices": [[[3, 1], [1, 1]], [[], [1, 3]]]}, 13),
        ({"matrices": [[[3, -1], []], [[], [1, 3]]]}, 13),
        ({"matrices": [[[3, 1], []]]}, 14),
        ({"profiles": [{"group": 0, "masses": [1, 1]}, {"group": 1, "masses": [0, 1]}]}, 13),
        ({"profiles": [{"group": 0, "masses": [0, 0]}, {"group": 1, "masses": [0, 1]}]}, 10),
        ({"labels": {"categories": [0, 1], "outputs": [0, 1], "profiles": [0, 0]}}, 2),
        ({"edges": []}, 11),
        ({"format": "mechdesign-refutation/1"}, 2),
        ({"format": "mechdesign-certificate/3"}, 2),
    ],
)
def test_rejected(changes: dict[str, Any], expected: int, tmp_path: Path) -> None:
    document = copy.deepcopy(refutation(COIN, epsilon=1)) | changes
    assert said_of(document, tmp_path).status == expected


def test_none_within_bounds() -> None:
    """Both release 1/2; within such bounds, a point and a radius of 1/2, the checker knows only: 2/3 at most."""
    document = refutation(COIN, epsilon=1) | {"matrices": [[[2, 1], [1, 2]]]}
    document |= {
        "bits": 0,
        "epsilons": ["0"],
        "profiles": [{"group": 0, "masses": [1, 1]}] * 2,
    }
    bounds = {"lower": [1, 1], "upper": [1, 1], "radius": 1, "thresholds": [[0, 1, 0, 1], [1, 0, 1, 0]], "worst": []}
    first, second = document["profiles"]
    for profiles, words in (
        ([first, second], "does not refute"),
        ([first | {"bounds": bounds}, second], "without bounds"),
    ):
        with pytest.raises(Rejected, match=words):
            checker.check(json.dumps(document | {"profiles": profiles}))


def test_an_infinite_epsilon_requires_nothing() -> None:
    with pytest.raises(InputError, match="infinite"):
        refutation_of(COIN, None, (0, 1), [0], epsilon=float("inf"), delta=F(0))


@pytest.mark.parametrize("module", [checker, formula_checker])
@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["a.json", "b.json"]])
def test_how_it_is_called(module: Any, arguments: list[str]) -> None:
    said = alone(module, *arguments)
    assert said.status == 2
    assert said.err.startswith("rejected: usage: python ")


def test_each_checker_names_the_other(tmp_path: Path) -> None:
    (tmp_path / "formula.json").write_text('{"format": "mechdesign-formula/2"}')
    said = alone(checker, str(tmp_path / "formula.json"))
    assert said == (2, "", "rejected: not a mechdesign certificate of format 3; of formulas: formula_checker.py\n")
    (tmp_path / "proof.json").write_text('{"format": "mechdesign-certificate/3"}')
    said = alone(formula_checker, str(tmp_path / "proof.json"))
    assert said == (2, "", "rejected: not the proof of a formula; of other certificates: checker.py\n")
