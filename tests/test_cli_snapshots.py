"""What commands print, whole: each page of `snapshots` is a list of command lines with what they say.

    python -m pytest -n0 tests/test_cli_snapshots.py --renew

writes down what they say now; whoever reads the difference decides whether it is right. A part of a page, below a
heading, is a test of its own, in an empty folder with the files that the page shows: those above the first heading
are there for all. `cat` shows a file, of a page its words. What goes to standard error is marked `! `, an exit status
other than 0 `? `. Every command that is refused also leaves all files as they were, and says the same with --json.
"""

import os
import re
import shlex
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest
from command import answer, run
from pages import read, without_pictures

from mechdesign import __version__

PAGES = sorted((Path(__file__).parent / "snapshots").glob("*.md"))
VOLATILE = [
    (re.escape(__version__), "VERSION"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"),
    (r"\d{4}-\d\d-\d\dT[\d:.+]+", "TIME"),
    (r"(?m)^(Released on)\d{4}-\d\d-\d\d$", r"\1 DAY"),
    (r"\b(\d+(\.\d+)?(e-\d+)?|0) s\b", "SECONDS s"),
    (r'("seconds": )[\d.e-]+', r"\1SECONDS"),
    (r"\d+/\d{15,}|\d+ characters(?=, in the file)", "EXACT"),
    (r" +\d(\.\d+)?e-1\d\b", " TINY"),  # what a solver leaves
    (r"~0\b", "0"),  # what rounding leaves: one processor's 1e-18 is another's 0
    (r"\b1\.000000\b", "1"),  # and so what it leaves of 1
]
"""What differs from run to run, and what stands for it in a snapshot."""


def parts() -> Iterator[tuple[Path, str]]:
    """Yield each part of each page by its heading."""
    for page in PAGES:
        for heading in re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            yield page, heading


def settled(text: str) -> str:
    text = re.sub(r"[ \t]+$", "", text.replace(f"{Path.cwd()}{os.sep}", ""), flags=re.MULTILINE)
    if re.search(r" seconds$", text, re.MULTILINE):  # the last column of a table
        text = re.sub(r"\b\d+\.\d\d$", "SECONDS", text, flags=re.MULTILINE)
    for pattern, stands_for in VOLATILE:
        text = re.sub(pattern, stands_for, text)
    return re.sub(r"\d+\.\d{10,}", nine_places, text)


def nine_places(number: re.Match[str]) -> str:
    """Return a long number without its last digits, which differ from machine to machine."""
    return f"{float(number[0]):.9f}".rstrip("0").rstrip(".")


def marked(mark: str, text: str) -> str:
    return "".join(f"{mark} {line}".rstrip() + "\n" for line in text.splitlines())


def shown(command: str) -> str:
    """Run a command and return what a page shows of it; `cat` shows a file, of a page its words."""
    program, *arguments = shlex.split(command)
    if program == "cat" and arguments[0].endswith(".html"):
        return settled(read(Path(arguments[0])).text)
    if program == "cat":
        return settled(Path(arguments[0]).read_text(encoding="utf-8"))
    assert program == "mechdesign"
    said = run(*arguments)
    if said.status == 2 and "--json" not in arguments:
        assert answer(*arguments, status=2)["error"] in said.err or "\n  " in said.err  # hints have lines of their own
    return settled(said.out) + marked("!", settled(said.err)) + marked("?", str(said.status) if said.status else "")


def block(match: re.Match[str]) -> str:
    """Write the file that a block holds, or run its commands, and return it as it should be."""
    language, name, text = match.groups()
    if name is not None:
        Path(name).write_text(text, encoding="utf-8")
        return match[0]
    commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
    return f"```{language}\n" + "".join(f"$ {command}\n{shown(command)}" for command in commands) + "```"


def replayed(text: str) -> str:
    return re.sub(r"^```(\w+)(?: (\S+))?\n(.*?)^```", block, text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "heading"), list(parts()), ids=lambda value: getattr(value, "stem", value))
def test_commands_say_what_they_said(
    page: Path, heading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    above, *sections = re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    number = next(n for n, section in enumerate(sections) if section.startswith(f"## {heading}\n"))
    was = above + sections[number]
    with without_pictures():
        above, sections[number] = replayed(above), replayed(sections[number])
    if request.config.getoption("--renew"):
        page.write_text("".join([above, *sections]), encoding="utf-8")
    else:
        now = above + sections[number]
        difference = "\n".join(unified_diff(was.splitlines(), now.splitlines(), "before", "now", lineterm=""))
        assert now == was, f"{page}\n{difference}"
