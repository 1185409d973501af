"""What the scripts of `benchmarks` share, and methods side by side."""

import json
import sys
from pathlib import Path

import pytest
import side_by_side
from shared import Table, asked, fastest, size_of, timed

from mechdesign.bench.outcome import Ending, Measurement, Run, write_rows

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


def test_methods_side_by_side(monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path) -> None:
    ours, scipy = Run("ring", 4, 2, "structured"), Run("ring", 4, 2, "scipy")
    tree = Run("tree", 4, 2, "structured")
    rows = [
        Measurement(ours, Ending.DONE, seconds=0.25, memory=90, true_epsilon=0.5, excess=1e-9),
        Measurement(scipy, Ending.DONE, seconds=0.5, memory=99.6, true_epsilon=0.75, excess=-0.5),
        Measurement(tree, Ending.DONE, seconds=1, memory=80, true_epsilon=0.25, excess=0),
        Measurement(Run("tree", 4, 2, "libqif"), Ending.UNFIT),
    ]
    write_rows(rows, tmp_path / "rows.json")
    assert len(json.loads((tmp_path / "rows.json").read_text())["rows"]) == 4
    given(monkeypatch, "--rows", str(tmp_path / "rows.json"))
    side_by_side.main()
    assert capsys.readouterr().out.splitlines() == [
        "| graph | structured | scipy | libqif |",
        "| --- | --- | --- | --- |",
        "| ring 4 x 2 | 0.250 | 0.500 |  |",
        "| tree 4 x 2 | 1.000 |  |  |",
        "",
        "| method | MiB | epsilon furthest above | excess, least | excess, most |",
        "| --- | --- | --- | --- | --- |",
        "| structured | 90 | 0 | 0.0e+00 | 1.0e-09 |",
        "| scipy | 100 | 2e-01 | -5.0e-01 | -5.0e-01 |",
    ]
