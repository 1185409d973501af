"""Languages of pages: all say the same, with the same placeholders, and nothing is left in another language."""

import json
import re
import string
from pathlib import Path

import pages
import pytest
from command import run

import mechdesign as md
from mechdesign.objective.by_name import OBJECTIVES
from mechdesign.show.blocks import Page, Section, Table
from mechdesign.show.fact_numbers import Down, Exact, Near, Up, Within
from mechdesign.show.language import ENGLISH, FILES, Language, codes, in_order
from mechdesign.show.render import html

PACKAGE = Path(str(FILES)).parent.parent


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("code", codes())
def test_all_languages_have_the_same_sentences(code: str) -> None:
    own, english = Language(code).sentences, ENGLISH.sentences
    assert own.keys() == english.keys()
    assert {key: placeholders(words) for key, words in own.items()} == {
        key: placeholders(words) for key, words in english.items()
    }


def test_every_sentence_is_said_somewhere() -> None:
    """Its name stands in the package, or where it is put together, each part of it does."""
    code = "\n".join(path.read_text() for path in (*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.html")))
    words = set(re.findall(r"[\w-]+", code))
    put_together = {"one", "more", "one_proved", "share", "expected-loss-share", "worst-loss-share"}
    unsaid = [key for key in ENGLISH.sentences if not set(key.replace(" ", ".").split(".")) <= words | put_together]
    assert not unsaid


@pytest.mark.parametrize("code", codes())
@pytest.mark.parametrize("name", OBJECTIVES)
def test_every_objective_has_its_words(code: str, name: str) -> None:
    assert {f"objective.{name}.name", f"objective.{name}.designed"} <= Language(code).sentences.keys()


def test_numbers_are_written_as_the_language_does() -> None:
    say = Language("de")
    cells = [Up(1.5), Exact(1234567), Within(0.5, 1.5), Exact(True), "v1.5", ["a", "b"], Near(None)]
    assert [say.shown(cell) for cell in cells] == ["1,5", "1.234.567", "0,5 bis 1,5", "Ja", "v1.5", "a und b", "-"]


def test_columns_are_sorted_by_numbers_not_by_words() -> None:
    cells = [Exact(0.5, "≤ 0.6"), Up(10**400), Within(0.5, 1.5), Down(1), "7", Exact(True), Near(None)]
    assert [in_order(cell) for cell in cells] == [0.5, float("inf"), 0.5, 1.0, None, None, None]
    page = Page("", "", [Section("", [Table("", ["a", "b"], [["x", Up(0.5)], ["y", "0.5"]])])])
    assert b'<td data-n="0.5">0,5</td>' in html(page, Language("de"))
    assert b"<td>0.5</td>" in html(page, Language("de"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("languages")
    for name, delta in (("categorical-chain", "0.01"), ("hobbies", 0)):
        result = md.design(name, epsilon="0.5", delta=delta)
        md.write_mechanism(result.mechanism, home / f"{name}.json")
        (home / f"{name}.proof.json").write_text(json.dumps(result.certificate))
    refute = ["--graph", "categorical-chain", "--epsilon", "0.3", "--curve", str(home / "privacy.json")]
    assert (
        run("certify", str(home / "categorical-chain.json"), *refute, "--certificate", str(home / "no.json")).status
        == 1
    )
    assert run("design", "categorical-chain", "--epsilon", "0.5,1.2", "--curve", str(home / "curve.json")).status == 0
    assert run("design", "bernoulli-couplet", "--epsilon", "0.1,3", "--curve", str(home / "warner.json")).status == 0
    for kind, made in (("noised", ["--noise", "1", "--of", "table"]), ("sampled", ["--public"])):
        _from_table(home, kind, made)
    square = md.mechanism_from_matrix([[f"{1 + 9 * (x == y)}/34" for y in range(25)] for x in range(25)])
    md.write_mechanism(square, home / "square.json")
    return home


def _from_table(home: Path, kind: str, made: list[str]) -> None:
    """Make a graph within bounds from a table, and a design and its proof."""
    table, graph = home / "table.csv", str(home / f"{kind}.graph.json")
    table.write_text("job,usage\n" + "cook,low\n" * 30 + "cook,high\n" * 60 + "baker,low\n" * 50 + "baker,high\n" * 20)
    columns = ["--profile", "job", "--value", "usage", "--profiles", "cook,baker", "--categories", "low,high"]
    assert run("graph", "from-table", str(table), *columns, *made, "--confidence", "0.95", "-o", graph).status == 0
    written = ["-o", str(home / f"{kind}.json"), "--certificate", str(home / f"{kind}.proof.json")]
    assert run("design", graph, "--epsilon", "0.5", *written).status == 0


def said(path: Path) -> set[str]:
    """Return what a page says, what stands in figures and tips among it; no commands and no digests."""
    text = re.sub(r"<(style|script|pre)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    parts = re.findall(r'>([^<]+)<|aria-label="([^"]*)"', text)
    return {
        " ".join(one.split())
        for part in parts
        for one in part
        if re.search(r"[A-Za-z]{2,}", one) and not re.fullmatch("[0-9a-f]{64}", one.strip())
    }


SAME = {"Name:", "SHA-256", "delta", "epsilon", "e^epsilon"}
"""Words that both languages have."""
NOTES = {"method", "auto", "objective", "max-off-diagonal"}
"""What the file of a mechanism says of itself, which is quoted."""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(
            ["categorical-chain.json", "categorical-chain.proof.json", "curve.json", "privacy.json"],
            marks=pytest.mark.slow,
        ),
        ["hobbies.json"],
        ["categorical-chain.json", "no.json"],
        ["warner.json"],
        pytest.param(["noised.json", "noised.proof.json", "noised.graph.json"], marks=pytest.mark.slow),
        pytest.param(["sampled.json", "sampled.proof.json", "sampled.graph.json"], marks=pytest.mark.slow),
        ["square.json"],
    ],
)
def test_a_german_page_has_no_english_word(folder: Path, names: list[str]) -> None:
    pages_of = {}
    for code in ("en", "de"):
        path = folder / f"{code}.html"
        files = [str(folder / name) for name in names]
        assert run("report", *files, "--language", code, "-o", str(path)).status == 0
        pages.read(path)
        pages_of[code] = said(path)
    assert len(pages_of["en"]) > 10
    hobbies = md.read_graph("hobbies")
    labels = {*hobbies, *hobbies.graph["categories"], "cook", "baker", "low", "high"}
    assert pages_of["de"] & pages_of["en"] <= SAME | NOTES | set(names) | labels
    assert '<html lang="de">' in (folder / "de.html").read_text(encoding="utf-8")


def test_no_word_of_ours_is_on_the_sheet(folder: Path) -> None:
    """Links, prices and what was mended are words of this package; that numbers are rounded is said once."""
    files = [str(folder / "hobbies.json"), str(folder / "hobbies.proof.json")]
    assert run("report", *files, "-o", str(folder / "en.html")).status == 0
    sheet = pages.read(folder / "en.html").words.split("Appendix for the reviewer")[0]
    assert not re.search(r"\b(link|mended|price|profile|mechanism|rows?)", sheet.replace("mechdesign", ""))
    assert sheet.count("rounded") == 1


def test_numbers_of_a_german_figure_have_commas() -> None:
    """Also beside a sign; what only looks like a number does not."""
    svg = "<text>0.25</text><text>ε 0.3, δ 0</text><text>× 1.5</text><text>1.2.3</text><text>v0.5</text>"
    assert Language("de").figure(svg) == svg.replace("0.25", "0,25").replace("0.3", "0,3").replace("1.5", "1,5")
    assert ENGLISH.figure(svg) == svg
