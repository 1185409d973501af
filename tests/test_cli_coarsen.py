"""`mechdesign graph coarsen`: what is joined, what it changes, what is lost, and what is refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import answer, done

import mechdesign as md

COARSEN = ("graph", "coarsen")


def test_the_coarser_graph_is_written(tmp_path: Path) -> None:
    path = str(tmp_path / "coarse.json")
    groups = ("--join-profiles", "P1, P2=low", "--join-categories", "1,2", "--join-categories", "3,4=high")
    found = answer(*COARSEN, "categorical-chain", *groups, "-o", path)
    joined = {"profiles": {"low": ("P1", "P2")}, "categories": {"1+2": ("1", "2"), "high": ("3", "4")}}
    wanted = md.coarsened("categorical-chain", **joined)
    written = md.read_graph(path)
    assert (dict(written.nodes), list(written.edges)) == (dict(wanted.nodes), list(wanted.edges))
    assert (
        found.items()
        >= {
            "profiles": 2,
            "categories": 2,
            "edges": 1,
            "joined": {
                "profiles": [{"name": "low", "members": ["P1", "P2"]}],
                "categories": [{"name": "1+2", "members": ["1", "2"]}, {"name": "high", "members": ["3", "4"]}],
            },
            "lost_edges": [["P1", "P2"]],
            "before": None,
            "after": None,
            "robust": None,
            "graph": path,
        }.items()
    )


def sample(tmp_path: Path) -> str:
    path = str(tmp_path / "sample.json")
    rates = {"a": ["0.2", "0.3", "0.5"], "b": ["0.3", "0.3", "0.4"], "c": ["0.5", "0.2", "0.3"]}
    md.write_graph(md.profile_graph(rates, edges="all", categories=["x", "y", "z"], radius="0.03"), path)
    return path


def test_bounds_count_unless_left_out(tmp_path: Path) -> None:
    asked = (sample(tmp_path), "--join-profiles", "a,b", "--epsilon", "0.3")
    wide, alone = answer(*COARSEN, *asked), answer(*COARSEN, *asked, "--nominal")
    assert [wide["robust"], alone["robust"]] == [True, False]
    for when in ("before", "after"):
        assert wide[when]["bound"] > alone[when]["value"]
    assert wide["after"]["kept_epsilon"] > 0.3
    assert "for every distribution within the profiles' bounds" in done(*COARSEN, *asked)
    assert "nothing is said of others within their bounds" in done(*COARSEN, *asked, "--nominal")
    assert "bounds" not in done(*COARSEN, "categorical-chain", "--join-profiles", "P1,P2", *asked[3:])


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


def test_before_and_after_are_compared() -> None:
    options = ("--epsilon", "0.5", "--objective", "expected-loss")
    found = answer(*COARSEN, "travel-mode-by-income", "--join-profiles", "30-44,45-59", *options)
    rough = md.coarsened("travel-mode-by-income", profiles=[("30-44", "45-59")])
    for key, graph in (("before", md.read_graph("travel-mode-by-income")), ("after", rough)):
        wanted = md.design(graph, epsilon="0.5", objective=md.ExpectedLoss())
        assert found[key]["bound"] <= wanted.value
        assert wanted.bound <= found[key]["value"]
    assert found["after"]["kept_epsilon"] > 0.5
    assert found["graph"] is None
