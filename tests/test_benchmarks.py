"""What the scripts of `benchmarks` share, and methods side by side."""

import json
import sys
from pathlib import Path

import pytest
import side_by_side

from mechdesign.bench.outcome import Ending, Measurement, Run, write_rows

Captured = pytest.CaptureFixture[str]


def given(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "argv", ["script.py", *words])


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
