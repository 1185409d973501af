"""`mechdesign reproduce`: what it calls printed, claimed and right, and where it explains its tags."""

import json

import pytest
from command import answer, done, run

from mechdesign.papers import ERRATA
from mechdesign.papers.published import Claim, Result

ROWS = (
    Claim("digits", 1.0, "1.0"),
    Claim("words", True, claimed=True),
    Claim("formula", 0.5, claimed=0.25, reference=0.5),
)


@pytest.fixture
def one(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one result, without errata."""
    result = Result("one", "One", "[X] Somebody 2001", ROWS, "Words.")
    monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {"one": lambda: result})
    monkeypatch.setenv("COLUMNS", "200")


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.usefixtures("one")
class TestPrintedOrClaimed:
    def test_each_has_its_key(self) -> None:
        said = run("reproduce", "one", "--json")
        assert said.status == 0
        rows = json.loads(said.out)["results"][0]["rows"]
        assert [(row["published"], row["claimed"], row["reference"]) for row in rows] == [
            ("1.0", None, None),
            (None, True, None),
            (None, 0.25, 0.5),
        ]

    def test_a_claim_that_fails_is_told_by_the_status(self, monkeypatch: pytest.MonkeyPatch) -> None:
        result = Result("one", "One", "us", (Claim("words", False, claimed=True),), "Words.")
        monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {"one": lambda: result})
        said = run("reproduce", "one")
        assert said.status == 1
        assert "DIFFERS" in said.out


class TestTags:
    @pytest.mark.usefixtures("one")
    def test_are_not_explained_where_there_are_none(self) -> None:
        said = run("reproduce", "one")
        assert said.status == 0
        assert "ERR-" not in said.out

    @pytest.mark.parametrize("place", ["note", "words"])
    def test_are_explained_once(self, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
        row = Claim("one", 1.0, "1.0", note="ERR-9.1" if place == "note" else "")
        result = Result("one", "One", "us", (row,), "ERR-9.2: wrong." if place == "words" else "Words.")
        monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {"one": lambda: result, "two": lambda: result})
        said = run("reproduce", "all")
        assert said.status == 0
        assert words(said.out).count(ERRATA) == 1


def test_all_end_with_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure may be misprinted, and what is computed right all the same."""
    right = (Claim("right", 1.0, "1.0"), Claim("also", 2.0, claimed=2.0), Claim("misprint", 3.0, "4", 3.0))
    wrong = (Claim("ours", 7.0, None, 7.0), Claim("wrong", 8.0, "9"), Claim("new", 5.0))
    results = {"one": Result("one", "One", "us", right, "words"), "two": Result("two", "Two", "us", wrong, "words")}
    monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {k: lambda k=k: results[k] for k in results})
    summary = {"results": 2, "agree": 2, "differ": 2, "unstated": 2, "wrong": 1}
    assert answer("reproduce", "all", status=1)["summary"] == summary
    counts = "2 agree with what is printed or claimed, 2 differ from it, 2 have neither; 1 ARE NOT AS THEY SHOULD BE"
    assert run("reproduce").out.splitlines()[0] == f"2 results, 6 rows: {counts}."
    assert "results," not in done("reproduce", "one")
    results["two"] = Result("two", "Two", "us", right, "ERR-0: explained below all results")
    assert "2 differ from it, 0 have neither; all that have a right value have it." in done("reproduce")


def test_a_paper_stands_for_all_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    results = {name: Result(name, name, "[X]", ROWS, "Words.") for name in ("gc-a", "gc-b", "hlm-a")}
    monkeypatch.setattr(
        "mechdesign.cli.reproduce.RESULTS", {name: lambda one=one: one for name, one in results.items()}
    )
    assert [one["name"] for one in answer("reproduce", "gc")["results"]] == ["gc-a", "gc-b"]
