"""`mechdesign graph coarsen`: what is joined, what it gains, what is lost, and what is refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import answer

import mechdesign as md

COARSEN = ("graph", "coarsen")


def sample(tmp_path: Path) -> str:
    path = str(tmp_path / "sample.json")
    rates = {"a": ["0.2", "0.3", "0.5"], "b": ["0.3", "0.3", "0.4"], "c": ["0.5", "0.2", "0.3"]}
    md.write_graph(md.profile_graph(rates, edges="all", categories=["x", "y", "z"], radius="0.03"), path)
    return path


def test_a_bar_shows_that_designs_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    @contextmanager
    def bar(what: str) -> Iterator[Callable[[int, int], None]]:
        seen.append(what)
        yield lambda done, everything: None
        seen.append("end")

    def noted(*arguments: Any, **options: Any) -> md.Design:
        seen.append("design")
        return md.design(*arguments, **options)

    monkeypatch.setattr("mechdesign.cli.graph.progress_bar", bar)
    monkeypatch.setattr("mechdesign.cli.graph.design", noted)
    monkeypatch.setattr("mechdesign.designer.coarser_answer.design", noted)
    answer(*COARSEN, sample(tmp_path), "--join-profiles", "a,b", "--epsilon", "0.3")
    assert seen == ["comparing", "design", "design", "end"]
