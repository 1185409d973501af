"""Running the command line in tests: in this process, with what it prints and its exit status."""

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from mechdesign import shipped_graphs
from mechdesign.cli.main import main

# What `check` says of a file that is no proof, beside the error: to find that out is one of its answers.
UNREADABLE = {"accepted", "status", "reason", "statement", "sentence", "warnings"}


class Said(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def run(*arguments: str) -> Said:
    """Run a command: none ends in a traceback, and one that is refused prints its message alone and touches no file."""
    before, out, err = _files(), io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(list(arguments))
    said = Said(status, out.getvalue(), err.getvalue())
    assert "Traceback" not in said.err
    if status == 2:
        assert "--json" in arguments or said.out == ""
        assert _files() == before
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


def fault(arguments: Sequence[str], output: Any) -> str:
    """Return the message of a refusal that was captured: on standard error; with --json in one object."""
    if "--json" not in arguments:
        assert (output.out, "Traceback" in output.err) == ("", False)
        return str(output.err)
    assert (output.err, output.out.count("\n")) == ("", 1)
    found = json.loads(output.out)
    assert found.keys() - (UNREADABLE if found.get("reason") == "unreadable" else set()) == {"error"}
    return str(found["error"])


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
