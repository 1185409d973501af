"""The sheet that a data-protection officer signs: what is asked of it can be answered from it alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from command import run
from pages import report

import mechdesign as md
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.sheet import checks, verdict
from mechdesign.reports.page.subject import of_mechanism
from mechdesign.show.blocks import Checks
from mechdesign.show.language import ENGLISH


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A design for a graph that says what it is, and data that were released by it."""
    home = tmp_path_factory.mktemp("sheet")
    graph = md.read_graph("vote-by-education")
    graph.graph |= {
        "name": "Votes",
        "purpose": "Research",
        "author": "A. Ritter",
        "controller": "City",
        "table": "v.csv",
    }
    md.write_graph(graph, home / "graph.json")
    design = ["design", str(home / "graph.json"), "--epsilon", "0.5", "--shared"]
    assert run(*design, "-o", str(home / "m.json"), "--certificate", str(home / "proof.json")).status == 0
    (home / "survey.csv").write_text("year,vote\n" + "1992,Clinton\n" * 3 + "1996,Dole\n" + "1996,\n")
    columns = ["--value", "vote", "--keep", "year", "--unknown", "drop", "--seed-not-for-release", "1"]
    data = [str(home / "m.json"), str(home / "survey.csv"), *columns]
    assert run("sanitise", *data, "-o", str(home / "out.csv")).status == 0
    return home


def test_it_says_what_it_is_about(folder: Path) -> None:
    words = report(folder, "m.json", "proof.json", "graph.json", "out.csv.manifest.json", pictures=True).words
    assert "Privacy report: Votes" in words
    for what, said in {
        "Purpose": "Research",
        "Author": "A. Ritter",
        "Controller": "City",
        "Table": "v.csv",
        "Rows": "4 released, 1 left out",
        "Column that is protected": "vote",
        "Columns released unchanged": "year",
    }.items():
        assert f"{what}{said}" in words
    assert "NOT FOR RELEASE: these data were drawn with a known seed." in words
    assert "Released unchanged, and not protected: year." in words
    assert "mechdesign check proof.json --graph graph.json --mechanism m.json" in words


def test_a_title_and_a_purpose_may_be_given(folder: Path) -> None:
    options = ("--title", "Survey <1>", "--purpose", "Planning")
    words = report(folder, "m.json", "proof.json", "graph.json", options=options).words
    assert "Privacy report: Survey <1>" in words
    assert "PurposePlanning" in words


def test_what_is_public_may_be_shown(folder: Path) -> None:
    assert "The graph's file says that these are public." in report(folder, "proof.json", "graph.json").words
    assert "Show it only to those who may know these." in report(folder, "proof.json").words


def test_a_manifest_of_other_data_is_refused(folder: Path) -> None:
    md.write_mechanism(md.design("vote-by-education", epsilon=1).mechanism, folder / "other.json")
    files = [str(folder / name) for name in ("other.json", "out.csv.manifest.json")]
    said = run("report", *files, "-o", str(folder / "never.html"))
    assert said.status == 2
    assert "it is about another mechanism than" in " ".join(said.err.split())


def test_pairs_that_nobody_asked_about_are_named_with_how_well_they_can_be_told_apart(tmp_path: Path) -> None:
    result = md.design("resource-usage", epsilon=1)
    (tmp_path / "proof.json").write_text(json.dumps(result.certificate))
    words = " ".join(report(tmp_path, "proof.json").words.split())
    assert "5 of 21 pairs are. Not among them are" in words
    assert "Ada and Fay (95.75 %)" in words
    assert "For 13 more pairs it is no more than that." in words


def test_a_method_alone_is_not_proved() -> None:
    subject = of_mechanism(md.k_ary("abc", epsilon=1))
    (block,) = checks(Given([], subject), subject, ENGLISH).blocks
    assert isinstance(block, Checks)
    assert [(one.word, one.tone) for one in block.items] == [("Open", "note"), ("No", "bad"), ("Yes", "good")]
    assert verdict(Given([], subject), ENGLISH).tone == "note"


@pytest.mark.parametrize(
    ("graph", "options", "word", "tone"),
    [
        ("hobbies", {}, "PASSED", "good"),
        ("categorical-chain", {}, "PASSED", "good"),
        ("resource-usage", {}, "PASSED IN PART", "note"),
    ],
)
def test_a_verdict_is_a_word_with_a_colour(
    tmp_path: Path, graph: str, options: dict[str, Any], word: str, tone: str
) -> None:
    (tmp_path / "proof.json").write_text(json.dumps(md.design(graph, epsilon=1, **options).certificate))
    report(tmp_path, "proof.json")
    text = (tmp_path / "report.html").read_text()
    assert f'<p class="verdict {tone}"><strong>{word}</strong>' in text
