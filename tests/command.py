"""Running the command line and the checkers in tests: in this process, with what they print and the exit status.

And calls of Python that have to be refused.
"""

import io
import json
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from mechdesign import InputError, shipped_graphs
from mechdesign.cli.main import main

# What `check` says of a file that is no proof, beside the error: to find that out is one of its answers.
UNREADABLE = {"accepted", "status", "reason", "statement", "sentence", "warnings"}


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


class Stream(io.TextIOWrapper):
    """What text and bytes are printed to: a terminal or not."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal

    def text(self) -> str:
        self.seek(0)
        return self.read()


def run(*arguments: str, terminals: str = "") -> Said:
    """Run a command: none ends in a traceback, and one that is refused prints its message alone and touches no file.

    Of out and err, those are terminals that are named.
    """
    before = _files()
    said = _said(main, arguments, terminals)
    assert "Traceback" not in said.err
    if said.status == 2:
        assert "--json" in arguments or said.out == ""
        assert _files() == before
    return said


def alone(checker: ModuleType, *arguments: str) -> Said:
    """Run a checker as the program that it is by itself: what it rejects it says in one line, and nothing else."""
    said = _said(checker.main, arguments)
    if said.status > 1:
        assert (said.out, said.err[:10], said.err.count("\n")) == ("", "rejected: ", 1)
    return said


def done(*arguments: str) -> str:
    """Run a command that has to succeed, and return what it prints, in one line."""
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    return " ".join(out.split())


def answer(*arguments: str, status: int = 0) -> dict[str, Any]:
    """Run a command with --json: one object on standard output, nothing else anywhere."""
    place = next((place for place, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    found, out, err = run(*arguments[:place], "--json", *arguments[place:])
    assert (found, err, out.count("\n")) == (status, "", 1), out + err
    told: dict[str, Any] = json.loads(out)
    return told


def refused(*arguments: str, status: int = 2) -> str:
    """Run a command that has to be refused, and return its message, which is the same with --json."""
    found, out, err = run(*arguments)
    assert (found, out, err[:12]) == (status, "", "mechdesign: ")
    told = answer(*arguments, status=status)
    assert told.keys() - (UNREADABLE if told.get("reason") == "unreadable" else set()) == {"error"}
    return " ".join(err.split())


def faults_of(call: Callable[..., object], *given: Any, **options: Any) -> list[str]:
    """Return the faults with which a call of Python has to be refused."""
    with pytest.raises(InputError) as error:
        call(*given, **options)
    return error.value.faults


def _said(program: Callable[[list[str]], int], arguments: Sequence[str], terminals: str = "") -> Said:
    out, err = (Stream(is_terminal=name in terminals) for name in ("out", "err"))
    with redirect_stdout(out), redirect_stderr(err):
        status = program(list(arguments))
    return Said(status, out.text(), err.text())


def _files() -> dict[str, bytes]:
    """Return what stands in the folder, if it is a test's own."""
    if Path("pyproject.toml").exists():
        return {}
    return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def chain_file(folder: Path, **changes: Any) -> str:
    """Write the graph of three profiles in a chain, with changes of `nodes` and `edges` by index: node0, edge1."""
    document = json.loads(Path(shipped_graphs()["categorical-chain"]).read_text())
    for key, value in changes.items():
        document[f"{key[:-1]}s"][int(key[-1])].update(value)
    path = folder / "graph.json"
    path.write_text(json.dumps(document))
    return str(path)
