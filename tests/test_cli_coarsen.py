"""`mechdesign graph coarsen`: what is joined, what it gains, what is lost, and what is refused."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import answer, chain_file, done, refused

import mechdesign as md
from mechdesign.objective import NAMED_LOSSES

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

    monkeypatch.setattr("mechdesign.cli.coarsen.progress_bar", bar)
    monkeypatch.setattr("mechdesign.cli.coarsen.design", noted)
    monkeypatch.setattr("mechdesign.designer.granularity.design", noted)
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


def test_what_is_lost_is_said() -> None:
    out = done(*COARSEN, "travel-mode-by-income", "--join-profiles", "30-44,45-59", "--epsilon", "0.5")
    assert "Against those who know which of them it is, this graph promises nothing." in out
    assert "1 edge between joined profiles: gone. That they have one matrix does not hide which of them it is" in out
    assert "guarantee on the edges as they were epsilon 0.5 epsilon 1.001" in out
    assert "This alone loses no privacy" not in out
    out = done(*COARSEN, "travel-mode-by-income", "--join-categories", "train,bus", "--epsilon", "0.5")
    assert "This alone loses no privacy." in out
    assert "promises nothing" not in out
    assert "guarantee on the edges as they were epsilon 0.5 epsilon 0.5" in out


def test_where_nothing_is_left_of_a_guarantee_this_is_said(tmp_path: Path) -> None:
    path = str(tmp_path / "graph.json")
    masses = {"a": ["1", "0"], "b": ["0", "1"], "c": ["0.5", "0.5"]}
    md.write_graph(md.profile_graph(masses, edges=[("a", "b"), ("b", "c")], categories=["no", "yes"]), path)
    assert answer(*COARSEN, path, "--join-profiles", "a,b", "--epsilon", "1")["after"]["kept_epsilon"] is None
    assert "guarantee on the edges as they were epsilon 1 none" in done(
        *COARSEN, path, "--join-profiles", "a,b", "--epsilon", "1"
    )


def test_of_epsilons_of_their_own_it_is_said_how_many_times_they_hold(tmp_path: Path) -> None:
    path = chain_file(tmp_path, edge0={"epsilon": "0.3"}, edge1={"epsilon": "0.5"})
    found = answer(*COARSEN, path, "--join-categories", "3,4", "--epsilon", "1")
    assert 0 < found["after"]["kept_scale"] <= 1
    assert "own times" in done(*COARSEN, path, "--join-categories", "3,4", "--epsilon", "1")


def test_labels_that_are_points_and_names_with_commas() -> None:
    found = answer(*COARSEN, "metric-grid-5x5", "--join-categories", '"(0, 0)","(0, 1)"=edge', "--epsilon", "inf")
    assert found["joined"]["categories"] == [{"name": "edge", "members": [[0, 0], [0, 1]]}]
    assert found["categories"] == 24


def test_a_label_may_have_an_equals_sign(tmp_path: Path) -> None:
    path = str(tmp_path / "graph.json")
    masses = {"a": [1, 0, 0], "b": [0, 0, 1]}
    md.write_graph(md.profile_graph(masses, edges="all", categories=["x", "y=1", "z"]), path)
    for group, name in (("x,y=1", "x+y=1"), ("x,y=1=low", "low")):
        found = answer(*COARSEN, path, "--join-categories", group, "--epsilon", "1")
        assert found["joined"]["categories"] == [{"name": name, "members": ["x", "y=1"]}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "c.json"], "expected --join-profiles or --join-categories, or both"),
        (["--join-profiles", "P1,P2"], "expected -o FILE for the coarser graph, or --epsilon to see what it gains"),
        (["--join-profiles", "P1,p2", "-o", "c.json"], "--join-profiles: no profile 'p2'\n  Did you mean P2?"),
        (["--join-profiles", "P1,P2,P3", "-o", "c.json"], "categorical-chain: profiles: all neighbours would be"),
        (["--join-categories", "1=2", "-o", "c.json"], "'2': expected two or more to join, found ('1',)"),
        (["--join-categories", "1,2=x", "--join-categories", "3,4=x", "-o", "c.json"], "two groups are named 'x'"),
        (["--join-categories", '1,"2', "-o", "c.json"], "--join-categories: expected a line of CSV"),
        (["--join-categories", "1,2", "--epsilon", "1", "--objective", "best"], "--objective: expected one of"),
        (["--join-categories", "1,2", "--epsilon", "1", "--loss", "hamming"], "--loss: goes with --objective"),
        (["--join-categories", "1,2", "--epsilon", "1", "--delta", "2"], "delta: expected a number in [0, 1)"),
        (["--join-categories", "1,2", "--epsilon", "-1"], "epsilon: expected a number >= 0 (in nats) or inf"),
        (["--join-categories", "1,2", "--epsilon", "1", "--objective", "expected-loss", "--loss", "loss.csv"],
         f"--loss: expected one of {', '.join(NAMED_LOSSES)}, found 'loss.csv'"),
    ],
)  # fmt: skip
def test_rejections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert " ".join(message.split()) in refused(*COARSEN, "categorical-chain", *arguments)


def test_what_may_be_two_labels_is_refused(tmp_path: Path) -> None:
    path = chain_file(tmp_path)
    document = json.loads(Path(path).read_text())
    document["graph"]["categories"] = ["1", 1, "3", "4"]
    Path(path).write_text(json.dumps(document))
    message = refused(*COARSEN, path, "--join-categories", "1,3", "--epsilon", "1")
    assert "--join-categories: category 1 may be '1' or 1; rename one in the graph" in message


def test_the_graph_that_is_read_is_not_overwritten(tmp_path: Path) -> None:
    path = chain_file(tmp_path)
    assert "--output would overwrite what GRAPH reads" in refused(
        *COARSEN, path, "--join-profiles", "P1,P2", "-o", path
    )
