"""No command overwrites what it reads: every file and folder is declared, and one place compares them."""

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from command import done, run

from mechdesign import shipped_graphs
from mechdesign.cli.answering import AnsweringCommand
from mechdesign.cli.file_types import FileType, InputFile, OutputFile, OutputFolder, Program
from mechdesign.cli.main import command_line

LIKE_A_FILE = re.compile(
    r"FILE|FOLDER|DIR|PATH|GRAPH|MECH|CERT|CURVE|DATA|TABLE|MATRIX|RELEASED|\.[a-z]{2}"
    r"|^-o$|^--(out|in)put|plot|graph|(?<!pro)file|folder|curve|certificate|mechanism|data$|table",
)
"""Options whose names alone look like it."""
FILLED = {click.INT: "1", click.FLOAT: "1"}
"""What to give for an option that is required, by its type; else the first choice, or "0.5"."""
OUTPUTS: dict[tuple[str, ...], str] = {
    ("plot",): "out.svg",
    ("report",): "out.html",
    ("sanitise",): "out.csv",
    ("export",): "out.js",
}
"""Outputs of commands to which the ending matters."""


def commands(group: click.Group = command_line, *before: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command of the command line, with its words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)
        else:
            yield (*before, name), command


COMMANDS = dict(commands())
PARAMETERS = [(words, parameter) for words, command in COMMANDS.items() for parameter in command.params]


def looks_like_a_file(parameter: click.Parameter) -> bool:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return False
    if parameter.metavar == "COMMAND":  # its words may be files
        return True
    return any(LIKE_A_FILE.search(text) for text in (parameter.metavar or "", *parameter.opts))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_compares_its_files(words: tuple[str, ...]) -> None:
    assert isinstance(COMMANDS[words], AnsweringCommand)


def test_every_file_is_declared() -> None:
    for words, parameter in PARAMETERS:
        assert looks_like_a_file(parameter) == isinstance(parameter.type, FileType), f"{words} {parameter.opts}"


def test_what_looks_like_a_file() -> None:
    for forgotten in (
        click.Option(["--mps"], metavar="FILE"),
        click.Option(["--report"], metavar="report.html"),
        click.Option(["--plot"]),
        click.Argument(["data"]),
    ):
        assert looks_like_a_file(forgotten)
    assert not looks_like_a_file(click.Option(["--epsilon"], metavar="E"))


def line_for(words: tuple[str, ...], given: dict[str, str]) -> list[str]:
    """Return a command line with these values, and some for whatever else is required."""
    line, values = list(words), []
    for parameter in COMMANDS[words].params:
        name = str(parameter.name)
        if name not in given and not parameter.required and parameter.nargs != -1:
            continue
        value = given.get(name, FILLED.get(parameter.type, "0.5"))
        if isinstance(parameter.type, click.Choice):
            value = parameter.type.choices[0]
        if isinstance(parameter.type, Program):
            value = f"{shlex.quote(sys.executable)} {shlex.quote(value)} {{mps}} {{solution}}"
        if isinstance(parameter, click.Option):
            line += [parameter.opts[0], value]
        else:
            values.append(value)
    return [*line, "--", *values]


def pairs(kind: type[FileType]) -> list[tuple[tuple[str, ...], str, str]]:
    """Return each command with each two parameters, the first of that kind, that can both name a file."""
    found = []
    for words, command in COMMANDS.items():
        files = [p for p in command.params if isinstance(p.type, FileType)]
        for i, one in enumerate(files):
            for other in files[i + 1 :] if kind is OutputFile else files:
                if isinstance(one.type, kind) and isinstance(other.type, OutputFile):
                    found.append((words, str(one.name), str(other.name)))
    return found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(*line: str) -> str:
    """Return what is said, after which all files are as they were (command.py)."""
    said = run(*line)
    assert (said.status, said.out, "would overwrite what" in said.err) == (2, "", True)
    return said.err


@pytest.mark.parametrize(
    ("words", "read", "written", "through"),
    [(*pair, "itself") for pair in pairs(InputFile)]
    + [(*pairs(InputFile)[0], through) for through in ("a symbolic link", "a hard link")],
    ids=str,
)
def test_no_input_is_overwritten(tmp_path: Path, words: tuple[str, ...], read: str, written: str, through: str) -> None:
    """By no output of its command, also under another name."""
    given, target = tmp_path / "same.csv", tmp_path / "other.csv"
    given.write_text("what was there")
    if through == "a symbolic link":
        target.symlink_to(given)
    elif through == "a hard link":
        target.hardlink_to(given)
    else:
        target = given
    refused(*line_for(words, {read: str(given), written: str(target)}))


IN_FOLDERS = [
    (words, str(read.name), str(written.name), name)
    for words, command in COMMANDS.items()
    for read in command.params
    for written in command.params
    if isinstance(read.type, InputFile) and isinstance(written.type, OutputFolder)
    for name in written.type.names
    if read.type.find(name) is not None  # it reads a file of that name
]


@pytest.mark.parametrize(("words", "read", "written", "name"), IN_FOLDERS, ids=str)
def test_no_input_is_overwritten_in_a_folder(
    tmp_path: Path, words: tuple[str, ...], read: str, written: str, name: str
) -> None:
    """By a file that gets its name."""
    given = tmp_path / name.replace("*", "0.1")
    given.write_text("what was there")
    refused(*line_for(words, {read: str(given), written: str(tmp_path), "epsilon": "0.1,0.2", "split": "2,1"}))


@pytest.mark.parametrize(("words", "one", "other"), pairs(OutputFile), ids=str)
def test_no_output_is_overwritten(tmp_path: Path, words: tuple[str, ...], one: str, other: str) -> None:
    """By another one."""
    ending = "svg" if one.startswith("plot") else "json"
    refused(*line_for(words, {one: str(tmp_path / f"same.{ending}"), other: str(tmp_path / f"same.{ending}")}))


class TestDesign:
    """Files in folders, and names that are none of files."""

    def test_a_shipped_graph_is_not_overwritten(self) -> None:
        path = shipped_graphs()["categorical-chain"]
        before = path.read_bytes()
        refused("design", "categorical-chain", "--epsilon", "1", "-o", os.path.relpath(path))
        assert path.read_bytes() == before

    def test_names_that_are_none_of_files(self) -> None:
        """A shipped graph, a loss, a column."""
        line = ["design", "categorical-chain", "--epsilon", "1"]
        done(*line, "--objective", "worst-loss", "--loss", "hamming", "-o", "hamming")
        done(*line, "-o", "categorical-chain")
        Path("u.csv").write_text("job,use\na,x\nb,y\n")
        done("graph", "from-table", "u.csv", "--profile", "job", "--value", "use", "-o", "all")
        assert {path.name for path in Path().iterdir()} == {"categorical-chain", "hamming", "u.csv", "all"}

    def test_a_curve_is_not_taken_for_a_mechanism(self) -> None:
        Path("found").mkdir()
        curve = "found/epsilon-0.1.mechanism.json"
        line = ["design", "categorical-chain", "--epsilon", "0.1,0.2", "--curve", curve]
        refused(*line, "-o", "found")
        done(*line[:-1], "found/curve.json", "-o", "found", "--certificate", "found")

    def test_a_link_in_a_folder_is_seen(self) -> None:
        Path("found").mkdir()
        Path("graph.json").write_bytes(shipped_graphs()["categorical-chain"].read_bytes())
        Path("found/epsilon-0.1.mechanism.json").symlink_to(Path("graph.json").resolve())
        refused("design", "graph.json", "--epsilon", "0.1,0.2", "-o", "found")


def test_a_dash_is_no_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run("graph", "values", "1", "2", "-o", "-")
    assert answer.status == 2
    assert "-: expected a file's name: what is written goes to a file, not to the screen" in answer.err
    assert not list(tmp_path.iterdir())
