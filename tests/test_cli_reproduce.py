"""`mechdesign reproduce`: what it calls printed, claimed and right, and where it explains its tags."""

import json

import pytest

from mechdesign.cli.main import main
from mechdesign.papers import ERRATA
from mechdesign.papers.published import Claim, Result

Captured = pytest.CaptureFixture[str]

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
    def test_each_has_its_column(self, capsys: Captured) -> None:
        assert main(["reproduce", "one"]) == 0
        heading, names, *rows = capsys.readouterr().out.splitlines()
        assert heading.strip() == "one: One ([X] Somebody 2001)"
        assert words(names) == "computed printed claimed right value"
        ends = {row.split()[0]: {word: row.index(word) + len(word) for word in row.split()} for row in rows[:3]}
        printed, claimed, right = (names.index(name) + len(name) for name in ("printed", "claimed", "right value"))
        assert ends["digits"]["1.0"] == printed
        assert rows[1].split() == ["words", "yes", "-", "yes", "-", "agrees"]
        assert rows[1].rindex("yes") + len("yes") == claimed
        assert ends["formula"]["0.25"] == claimed
        assert rows[2].rindex("0.5") + len("0.5") == right

    def test_each_has_its_key(self, capsys: Captured) -> None:
        assert main(["reproduce", "one", "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)["results"][0]["rows"]
        assert [(row["published"], row["claimed"], row["reference"]) for row in rows] == [
            ("1.0", None, None),
            (None, True, None),
            (None, 0.25, 0.5),
        ]

    def test_a_claim_that_fails_is_told_by_the_status(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        result = Result("one", "One", "us", (Claim("words", False, claimed=True),), "Words.")
        monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {"one": lambda: result})
        assert main(["reproduce", "one"]) == 1
        assert "DIFFERS" in capsys.readouterr().out


class TestTags:
    @pytest.mark.usefixtures("one")
    def test_are_not_explained_where_there_are_none(self, capsys: Captured) -> None:
        assert main(["reproduce", "one"]) == 0
        assert "ERR-" not in capsys.readouterr().out

    @pytest.mark.parametrize("place", ["note", "words"])
    def test_are_explained_once(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
        row = Claim("one", 1.0, "1.0", note="ERR-9.1" if place == "note" else "")
        result = Result("one", "One", "us", (row,), "ERR-9.2: wrong." if place == "words" else "Words.")
        monkeypatch.setattr("mechdesign.cli.reproduce.RESULTS", {"one": lambda: result, "two": lambda: result})
        assert main(["reproduce", "all"]) == 0
        assert words(capsys.readouterr().out).count(ERRATA) == 1

    def test_are_explained_in_the_help(self, capsys: Captured) -> None:
        assert main(["reproduce", "--help"]) == 0
        text = words(capsys.readouterr().out)
        assert ERRATA in text
        assert all(
            tag in text for tag in ("[GC]", "[HLM]", "[ND]", "[SM]", "Printed are", "claimed is", "The right value is")
        )
