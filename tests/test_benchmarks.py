"""The figures of how it grows."""

from fractions import Fraction
from pathlib import Path

import figures
import pytest
from cliffs import Case, Outcome, designed
from held_out import GRAPHS, MASSES, Drawn, drawn

Captured = pytest.CaptureFixture[str]


@pytest.mark.slow
def test_a_figure(monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path) -> None:
    cases = {20 * n: figures.Joined("random", "largest entry", "0.5", "0", (6, 3), n) for n in (2, 3)}
    monkeypatch.setitem(figures.QUESTIONS, "edges", ("6 profiles", cases))
    figures.renew("edges", tmp_path, limit=60, runs=1, methods=["structured", "highs-ipm"])
    ours, theirs = capsys.readouterr().out.splitlines()
    assert ours.startswith("edges: mechdesign: ")
    assert theirs.startswith("edges: HiGHS, interior point: ")
    assert "s at 40, " in ours
    assert "s at 60" in ours
    picture = (tmp_path / "grows-with-edges.svg").read_text(encoding="utf-8")
    assert all(words in picture for words in ("mechdesign", "HiGHS, interior point", "edges", "6 profiles", ">60<"))


def test_a_method_that_takes_too_long_is_asked_nothing_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[int] = []

    def outcome(work: object, case: Case, limit: float) -> Outcome:
        del work
        asked_for.append(case.size[0])
        return Outcome(float(len(asked_for))) if case.size[0] < 20 else Outcome(limit, failure="time-out")

    monkeypatch.setattr(figures, "timed", outcome)
    cases = {k: figures.Joined("random", "largest entry", "0.5", "0", (k, 3)) for k in (10, 20, 50)}
    assert figures.measured("structured", cases, limit=1, runs=3) == {10: 2.0}
    assert asked_for == [10, 10, 10, 20]


def test_questions_are_posed() -> None:
    for words, cases in figures.QUESTIONS.values():
        size, case = next(iter(cases.items()))
        graph = case.task().graph
        assert size in (len(graph), graph.number_of_edges(), len(graph.graph["categories"])), words


def test_a_seed_draws_the_same_always() -> None:
    one, other = drawn(3).task(), drawn(3).task()
    assert list(one.graph.edges(data=True)) == list(other.graph.edges(data=True))
    assert dict(one.graph.nodes(data=True)) == dict(other.graph.nodes(data=True))
    assert str(drawn(3)) != str(drawn(4))
    assert {drawn(seed).family for seed in range(60)} == set(GRAPHS)
    assert {drawn(seed).masses for seed in range(60)} == set(MASSES)


def test_a_drawn_case_asks_what_its_words_say() -> None:
    case = Drawn("cliques", "worst table", "0.7", "0.1", (15, 3), "zeros", uneven=True, share=1, weighted=True, seed=5)
    task = case.task()
    asked = [edge["epsilon"] for edge in task.graph.edges.values()]
    assert all(0.21 <= epsilon <= 1.19 for epsilon in asked)
    assert len(set(asked)) > 10
    assert {edge["delta"] for edge in task.graph.edges.values()} == {Fraction(1, 10)}
    assert all(isinstance(node["weight"], Fraction) for node in task.graph.nodes.values())
    gap, way = designed(case)
    assert way
    assert 0 <= gap < 1e-8
