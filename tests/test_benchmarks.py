"""What the scripts of `benchmarks` share, and the figures of how it grows."""

import sys
from pathlib import Path

import figures
import pytest
from cliffs import Case, Outcome
from shared import Table, asked, fastest, size_of, timed

Captured = pytest.CaptureFixture[str]


def given(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["script.py", *words])


DEFAULTS = {"runs": 9, "epsilon": 0.5, "sizes": ("20x10", "50x20"), "these_rows": False, "plot": None}


class TestAsked:
    def test_defaults(self, monkeypatch: pytest.MonkeyPatch) -> None:
        given(monkeypatch)
        assert vars(asked("words", **DEFAULTS)) == DEFAULTS

    def test_options_are_of_the_kind_of_their_defaults(self, monkeypatch: pytest.MonkeyPatch) -> None:
        given(
            monkeypatch, *["--runs", "3", "--epsilon", "1", "--sizes", "5x3", "6x4", "--these-rows", "--plot", "a.svg"]
        )
        found = vars(asked("words", **DEFAULTS))
        assert found == {"runs": 3, "epsilon": 1.0, "sizes": ["5x3", "6x4"], "these_rows": True, "plot": "a.svg"}
        assert [size_of(size) for size in found["sizes"]] == [(5, 3), (6, 4)]

    def test_another_option_is_refused(self, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
        given(monkeypatch, "--moon", "1")
        with pytest.raises(SystemExit):
            asked("words", runs=9)
        assert "unrecognized arguments: --moon 1" in capsys.readouterr().err


def test_seconds_are_known_when_the_work_ends_or_fails() -> None:
    def fail() -> None:
        raise ValueError

    with pytest.raises(ValueError), timed() as taken:  # noqa: PT011
        fail()
    assert taken.clock > 0
    runs: list[int] = []
    best = fastest(lambda: runs.append(1), 3)
    assert (len(runs), best.clock > 0, best.processor >= 0) == (3, True, True)


def test_a_table(capsys: Captured) -> None:
    Table("method", "seconds").row("scipy", 3)
    assert capsys.readouterr().out == "| method | seconds |\n| --- | --- |\n| scipy | 3 |\n"


@pytest.mark.slow
def test_a_figure_of_how_it_grows(monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path) -> None:
    cases = {20 * n: figures.Joined("random", "largest entry", "0.5", "0", (6, 3), n) for n in (2, 3)}
    monkeypatch.setitem(figures.QUESTIONS, "edges", ("6 profiles", cases))
    figures.renew("edges", tmp_path, limit=60, runs=1, methods=["structured", "highs-ipm"])
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[2].partition(":")[0].strip() for line in said] == [
        "mechdesign",
        "HiGHS, interior point",
    ]
    assert "s at 40, " in said[0]
    assert "s at 60" in said[0]
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
