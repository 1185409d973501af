"""A search that ends before its optimum: whatever has been found by then is private, and what it says is proved."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from cases import CHAIN, PROBLEMS, asked_in
from command import answer, done, refused

import mechdesign as md
from mechdesign.bench.families import graph_of_family
from mechdesign.designer import search
from mechdesign.solver.stopping import GAP, INTERRUPTED, INTERRUPTION, TIME, Until, is_over
from mechdesign.stopwatch import announced_to


def within_bounds() -> nx.Graph:
    """Each distribution is known up to one part in a hundred."""
    graph = nx.Graph(CHAIN)
    nx.set_node_attributes(graph, "0.01", "radius")
    return graph


RING, LARGE = graph_of_family("ring", 24, 6, 1), graph_of_family("ring", 60, 13, 1)
CASES: dict[str, tuple[nx.Graph, dict[str, Any]]] = {
    "expected loss": (RING, {"objective": md.ExpectedLoss("absolute")}),
    "expected loss, large": (LARGE, {"objective": md.ExpectedLoss("absolute")}),
    "worst loss": (RING, {"objective": md.WorstLoss("absolute")}),
    "worst loss, large": (LARGE, {"objective": md.WorstLoss("absolute")}),
    "largest entry": (RING, {}),
    "largest entry, large": (LARGE, {}),
    "delta": (RING, {"delta": "0.05"}),
    "shared": (graph_of_family("ring", 8, 6, 1), {"shared": True, "objective": md.WorstLoss("absolute")}),
    "shares kept": (graph_of_family("ring", 12, 5, 1), {"keep_shares": True, "objective": md.ExpectedLoss()}),
    "components": (graph_of_family("components", 50, 5, 1), {"objective": md.ExpectedLoss("absolute")}),
    "within bounds": (within_bounds(), {"objective": md.ExpectedLoss()}),
}

NAMES = [pytest.param(name, marks=pytest.mark.slow if "large" in name.split() else ()) for name in CASES]


def in_the_round(number: int, why: str = TIME) -> Callable[[Until], str]:
    """Return when a search is over: when it is asked for the so-manieth time."""
    asked = itertools.count()
    return lambda until: why if next(asked) >= number else ""


def asked(name: str) -> tuple[nx.Graph, dict[str, Any]]:
    """Return a graph and the arguments of `design`, of a case or of a problem and an objective."""
    if name in CASES:
        graph, options = CASES[name]
        return graph, {"epsilon": "0.5"} | options
    return asked_in(*name.split(": "))


@cache
def optimum_in(name: str) -> md.Design:
    graph, options = asked(name)
    return md.design(graph, any_optimum=True, **options)


def holds(found: md.Design, name: str) -> None:
    """Check the proof, and that it is about the optimum."""
    md.check_certificate(found.certificate)
    assert found.bound <= found.value
    optimum = optimum_in(name)
    assert found.bound <= optimum.value
    assert optimum.bound <= found.value
    assert found.gap == (found.value - found.bound) / found.value


@pytest.mark.parametrize("name", NAMES)
def test_it_ends_as_near_as_is_wanted(name: str) -> None:
    graph, options = asked(name)
    found = md.design(graph, gap="1%", **options)
    assert found.gap <= Fraction(1, 100)
    assert set(found.ended) <= {GAP}
    assert found.ended.get(GAP, 0) <= found.stats["any_optimum"]
    holds(found, name)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_small_ones_too(problem: str) -> None:
    name = f"{problem}: expected-loss square"
    graph, options = asked(name)
    found = md.design(graph, gap=Fraction(1, 50), **options)
    assert found.value - found.bound <= found.value / 50
    holds(found, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [0, 4, 12])
def test_whenever_it_ends_it_is_private_and_proved(name: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, options = asked(name)
    with monkeypatch.context() as patch:
        patch.setattr(Until, "over", in_the_round(number))
        found = md.design(graph, seconds=60, **options)
        assert found.answer()
    assert set(found.ended) <= {TIME}
    assert ("Nothing was found in time" in (found.warning or "")) == bool(found.stats["unsearched"])
    holds(found, name)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_without_any_time_it_is_unsearched(problem: str) -> None:
    name = f"{problem}: worst-loss square"
    graph, options = asked(name)
    found = md.design(graph, seconds=1e-9, **options)
    assert found.stats["unsearched"] == found.stats["components"] - found.stats["without_noise"]
    holds(found, name)


@pytest.mark.parametrize("objective", [md.ExpectedLoss, md.WorstLoss])
@pytest.mark.parametrize("epsilon", ["0.01", "0.7", "8"])
def test_without_any_time_it_is_no_worse_than_one_answer_or_the_rivals(objective: Any, epsilon: str) -> None:
    prior = [Fraction(1, 2), *[Fraction(1, 22)] * 11]
    frame = {"x": [(i * 7) % 12 for i in range(12)], "y": [(i * i) % 5 for i in range(12)], "prior": prior}
    graph = md.point_graph(frame, at=["x", "y"], prior="prior")
    losses = md.distances(graph)
    found = md.design(graph, epsilon=epsilon, objective=objective(losses), seconds=1e-9)
    assert found.stats["unsearched"] == 1
    columns = list(zip(*losses, strict=True))
    means = [sum(w * loss for w, loss in zip(prior, column, strict=True)) for column in columns]
    constant = min(means) if objective is md.ExpectedLoss else min(map(max, columns))
    assert found.value <= constant * (1 + Fraction(1, 10**9))
    if objective is md.ExpectedLoss:
        assert found.value <= found.baseline * (1 + Fraction(1, 10**9))


def test_each_component_has_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.solver.stopping.time.time", lambda: 100.0)
    until = Until(deadline=160.0)
    assert until.share(10, 30).deadline == 120.0
    assert until.share(0, 30) is until
    assert until.seconds == 60.0


def test_what_it_knows_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "FIRST", 0.0)
    words: list[str] = []
    graph = graph_of_family("random-chords", 40, 8, 1)
    with announced_to(words.append):
        found = md.design(graph, epsilon="0.5", objective=md.ExpectedLoss("absolute"))
    said = [one.partition("; value ")[2] for one in words if "; value " in one]
    assert said
    value, bound, gap = (float(part.split()[-1 if "%" not in part else -2]) for part in said[-1].split(", "))
    assert bound <= float(found.value) * (1 + 1e-5)
    assert value >= float(found.bound) * (1 - 1e-5)
    assert gap == pytest.approx(100 * max(0.0, value - bound) / value, rel=0.1, abs=1e-3)


class TestAnInterruption:
    """The first keeps what has been found, the second nothing."""

    def test_it_is_noted_where_there_is_something(self) -> None:
        with INTERRUPTED.kept_if(found=True):
            INTERRUPTED()
            assert Until(interruptible=True).over() == INTERRUPTION
            assert Until().over() == ""
            with pytest.raises(KeyboardInterrupt):
                INTERRUPTED()
        assert not INTERRUPTED.asked

    def test_it_ends_all_where_there_is_nothing(self) -> None:
        with INTERRUPTED.kept_if(found=False), pytest.raises(KeyboardInterrupt):
            INTERRUPTED()

    def test_it_waits_for_a_solver_of_another_language(self) -> None:
        with INTERRUPTED.kept_if(found=False), INTERRUPTED.in_solver():
            INTERRUPTED()
            INTERRUPTED()
        assert not is_over()

    def test_a_worker_takes_note(self) -> None:
        with INTERRUPTED.kept_if(found=False):
            INTERRUPTED.note()
            assert Until(interruptible=True).over() == INTERRUPTION

    def test_the_files_are_written_and_the_status_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        md.write_graph(RING, "ring.json")
        monkeypatch.setattr(Until, "over", in_the_round(30, INTERRUPTION))
        options = ["ring.json", "--epsilon", "0.5", "-o", "m.json", "--certificate", "c.json"]
        told = answer("design", *options, "--curve", "curve.json", status=130)
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        assert told["error"] == "interrupted; this is the best so far, which curve.json does not keep"
        assert told["ended"] == INTERRUPTION
        assert told["gap"] == pytest.approx(1 - told["bound"] / told["value"])
        assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "m.json", "ring.json"]
        assert done("check", "c.json")

    def test_with_nothing_but_noise_nothing_is_written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(Until, "over", lambda until: INTERRUPTION)
        message = refused("design", "categorical-chain", "--epsilon", "0.5", "-o", "m.json", status=130)
        assert message == "mechdesign: interrupted; nothing was written"
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"gap": 0}, "gap: expected a share > 0 and < 1, such as 0.01 or 1%, found 0"),
        ({"gap": "x%"}, "gap: expected a share > 0 and < 1, such as 0.01 or 1%, found 'x%'"),
        ({"seconds": -1}, "seconds: expected a number > 0, found -1"),
        ({"seconds": 1, "method": "reference"}, "seconds: method reference has nothing before it has ended"),
        ({"seconds": 1, "objective": md.MutualInformation(1)}, "seconds: the objective mutual-information has nothing"),
    ],
    ids=str,
)
def test_what_cannot_be_used(options: dict[str, Any], fault: str) -> None:
    with pytest.raises(md.InputError) as error:
        md.design(CHAIN, epsilon="0.5", **options)
    assert str(error.value).startswith(fault)
