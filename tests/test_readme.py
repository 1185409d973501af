"""Every command that a README or a tutorial shows is run, and prints what is said.

The Python in READMEs pytest runs itself; that in tutorials is run here, with the commands, in turn.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import run

HOME = Path(__file__).parent.parent
READMES = sorted(
    file
    for pattern in ("", "*/", "mechdesign/*/", "benchmarks/*/", "graphs/*/")
    for file in HOME.glob(f"{pattern}README.md")
)
ENTRANCE = HOME / "graphs" / "TUTORIAL.md"
TUTORIALS = [ENTRANCE, *sorted(HOME.glob("*/tutorials/*.md"))]
SHOWING = [path for path in READMES if "```console" in path.read_text(encoding="utf-8")]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def named(path: Path) -> str:
    return path.relative_to(HOME).as_posix()


def sessions(text: str) -> list[tuple[str, str]]:
    """Return the commands of the console blocks, in order, each with what it is said to print."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE) if step]
    return [(command, said) for command, _, said in (step.partition("\n") for step in steps)]


def check_prints(command: str, said: str) -> None:
    if command.startswith("mechdesign "):
        printed = run(*shlex.split(command)[1:]).out
    else:
        printed = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True).stdout
    assert doctest.OutputChecker().check_output(said, printed, FLAGS), f"$ {command}\n{printed}"


def shapes(drawing: Path) -> list[str]:
    """Return the bars, lines and words of a picture in turn: a shipped one has letters as text, others as outlines."""
    return re.findall(r'id="(bar|patch|line2d|text|LineCollection)', drawing.read_text(encoding="utf-8"))


def drawn(drawing: Path) -> list[str]:
    """Return the same, with all words and numbers, of a picture that has letters as text."""
    return shapes(drawing) + re.findall(r"<text[^>]*>([^<]*)", drawing.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.slow] * ("audit" in path.parts)) for path in SHOWING], ids=named
)
def test_commands_print_what_is_shown(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a block of Python begins with a file's name, that file is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    text = path.read_text(encoding="utf-8")
    for name, script in re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        Path(name).write_text(script, encoding="utf-8")
    for command, said in sessions(text):
        check_prints(command, said)


@pytest.mark.slow
@pytest.mark.parametrize("path", TUTORIALS, ids=named)
def test_a_tutorial_can_be_followed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the tables beside it, from its Python through each command to its pictures, which are those shipped."""
    monkeypatch.chdir(tmp_path)
    for table in path.parent.glob("*.csv"):
        shutil.copy(table, tmp_path)
    text = path.read_text(encoding="utf-8")
    for language, block in re.findall(r"^```(python|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if language == "python":
            exec(compile(block, path.name, "exec"), {})
        for command, said in sessions(f"```{language}\n{block}```\n"):
            check_prints(command, said)
    pictures = {
        Path(shown).name: path.parent / shown for shown in re.findall(r"^!\[.*\]\((\S+\.svg)\)", text, re.MULTILINE)
    }
    made = sorted(tmp_path.glob("*.svg"))
    assert not pictures or pictures.keys() & {picture.name for picture in made}
    for picture in made:
        assert picture.name not in pictures or drawn(picture) == drawn(pictures[picture.name]) != []


def test_the_entrance_shows_what_the_tutorial_runs() -> None:
    """The steps of the first way are commands of the page that takes them one by one, there with a seed."""
    text, page = (path.read_text(encoding="utf-8") for path in (ENTRANCE, HOME / "graphs" / "tutorials" / "flights.md"))
    run = [command.removesuffix(" --seed-not-for-release 1") for command, _ in sessions(page)]
    (steps,) = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(steps.splitlines()) == 6
    places = [run.index(step) for step in steps.splitlines()]
    assert places == sorted(places)
    assert {Path(shown).name for shown in re.findall(r"\((\S+\.svg)\)", text)} <= {
        Path(word).name for word in f"{text}\n{page}".split() if word.endswith(".svg")
    }


def test_the_headings_that_an_officer_is_sent_to_are_on_the_page() -> None:
    """In English in the third column of the table, in German in the fourth."""
    text = (HOME / "graphs" / "tutorials" / "for-an-officer.md").read_text(encoding="utf-8")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ") and line.count("|") == 5]
    for language, column in (("en", 2), ("de", 3)):
        words = (HOME / "mechdesign" / "show" / "languages" / f"{language}.toml").read_text(encoding="utf-8")
        places = [place.split(",")[0].strip() for row in rows[1:] for place in row[column].split(";")]
        named_on_page = [place for place in places if f'= "{place}"' in words]
        assert len(set(named_on_page)) >= 6
        assert set(places) - set(named_on_page) <= {"the coloured box on top", "ganz oben", "ebenda"}


def test_the_picture_is_what_its_commands_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (HOME / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^mechdesign (.*)$", text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    assert [run(*command.split()).status for command in commands] == [0, 0]
    (made,) = tmp_path.glob("*.svg")
    (shown,) = re.findall(r"\((\S+\.svg)\)", text)
    assert drawn(made) == drawn(HOME / shown) != []


@pytest.mark.parametrize("path", READMES + TUTORIALS, ids=named)
def test_links_lead_somewhere(path: Path) -> None:
    """To files that there are and, in a README, to headings that there are."""
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    for link in links:
        file, _, heading = link.partition("#")
        target = path.parent / file if file else path
        assert link.startswith("https://") or target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}, link


def test_each_room_with_a_readme_begins_with_the_question_that_it_answers() -> None:
    for path in READMES:
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        assert first.startswith("# ")
        assert first.endswith("?") or "mechdesign" not in path.relative_to(HOME).parts[:1], path


def test_the_front_page_has_at_most_700_words() -> None:
    """With those of tables and commands."""
    assert len((HOME / "README.md").read_text(encoding="utf-8").split()) <= 700
