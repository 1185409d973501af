"""The gallery of examples: each script is short, begins with a question, and draws the picture shown beside it."""

import ast
import re
import runpy
from pathlib import Path

import pytest
from test_readme import drawn

FOLDER = Path(__file__).parent.parent / "graphs" / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))
SLOW = {"own_objective", "trade_off", "year"}
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")
SECRET = {"only_own_table"}
"""Their tables are noised with coins that nobody can fix, so that numbers differ from run to run."""


def words_and_shapes(picture: Path) -> list[str]:
    """Return what a picture shows; where coins are secret, without its numbers, and in whatever lines its words are."""
    found = drawn(picture)
    return [re.sub(r"[\d.]+", "#", one) for one in " ".join(found).split()] if picture.stem in SECRET else found


@pytest.mark.parametrize(
    "script",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else []) for path in SCRIPTS],
)
def test_an_example_draws_its_picture(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script))
    assert [path.name for path in tmp_path.iterdir()] == [f"{script.stem}.svg"]
    assert 1 <= len(capsys.readouterr().out.splitlines()) <= 5
    shown = script.with_suffix(".svg")
    assert words_and_shapes(tmp_path / shown.name) == words_and_shapes(shown) != []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_is_short_and_asks_a_question(script: Path) -> None:
    """Of mechdesign it has the public names alone."""
    text = script.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    assert (ast.get_docstring(ast.parse(text)) or "").endswith("?")
    assert re.findall(r"^.*import.*mechdesign.*$|^from mechdesign.*$", text, re.MULTILINE) == [
        "import mechdesign as md"
    ]
    assert script.with_suffix(".svg").stat().st_size < 60_000


def test_the_index_has_each_example_once() -> None:
    names = [path.stem for path in SCRIPTS]
    assert len(names) == 13
    assert sorted(re.findall(r'\[<img src="(\w+)\.svg" width="240" alt="[^"]+">\]\(\1\.py\)', INDEX)) == names
    assert sorted(re.findall(r"\[\*\*[^*]+\*\*\]\((\w+)\.py\)<br>[^|]+\.", INDEX)) == names
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(names)
