"""Every command that a README shows is run, and prints what the README says; the Python in them pytest runs itself."""

import doctest
import re
import subprocess
from pathlib import Path

import pytest

from mechdesign.cli.main import main

HOME = Path(__file__).parent.parent
READMES = sorted(
    file for pattern in ("", "*/", "mechdesign/*/", "benchmarks/*/") for file in HOME.glob(f"{pattern}README.md")
)
SHOWING = [path for path in READMES if "```console" in path.read_text(encoding="utf-8")]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sessions(path: Path) -> list[tuple[str, str]]:
    """Return the commands of a README's console blocks, in order, each with what it is said to print."""
    blocks = re.findall(r"^```console\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE) if step]
    return [(command, said) for command, _, said in (step.partition("\n") for step in steps)]


@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.relative_to(HOME).as_posix())
def test_commands_print_what_is_shown(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command, said in sessions(path):
        if command.startswith("mechdesign "):
            main(command.split()[1:])
            printed = capsys.readouterr().out
        else:
            printed = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True).stdout
        assert doctest.OutputChecker().check_output(said, printed, FLAGS), f"$ {command}\n{printed}"


def test_the_picture_is_what_its_commands_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bars, lines and words in turn; the shipped file has letters as text, and the same names every time."""
    text = (HOME / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^mechdesign (.*)$", text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    assert [main(command.split()) for command in commands] == [0, 0]
    (drawn,) = tmp_path.glob("*.svg")
    (shown,) = re.findall(r"\((\S+\.svg)\)", text)
    shapes = [re.findall(r'id="(bar|patch|line2d|text)', file.read_text()) for file in (drawn, HOME / shown)]
    assert shapes[0] == shapes[1]
    assert len(shapes[0]) > 50


@pytest.mark.parametrize("path", READMES, ids=lambda path: path.relative_to(HOME).as_posix())
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


def test_the_front_page_is_read_in_five_minutes() -> None:
    """At 150 words a minute, aloud: without tables, commands and formulas."""
    text = (HOME / "README.md").read_text(encoding="utf-8")
    spoken = re.sub(r"^(```.*?^```|\|.*?$|    .*?$)", "", text, flags=re.MULTILINE | re.DOTALL)
    assert len(spoken.split()) <= 5 * 150
    assert len(text) <= 7_500
