"""`mechdesign graph coarsen`: what is joined, what it changes, what is lost, and what is refused."""

from pathlib import Path

from command import answer, done, refused

import mechdesign as md

COARSEN = ("graph", "coarsen")


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


def test_a_label_that_is_not_there_is_told_with_the_file_and_those_that_are(tmp_path: Path) -> None:
    graph = sample(tmp_path)
    for option, what, there in (
        ("--join-categories", "category", "x, y, z"),
        ("--join-profiles", "profile", "a, b, c"),
    ):
        said = refused(*COARSEN, graph, option, "x,a,nope", "--epsilon", "1")
        assert f"{graph}: 2 faults" in said
        assert f"{option}: no {what} 'nope' (there are: {there})" in said
