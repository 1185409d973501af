"""How the command line ends: each fault is one message, or with --json one object; options that take few names."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command import refused, run
from test_cli_file_types import COMMANDS, OUTPUTS, line_for

from mechdesign.cli.option_names import OneOf
from mechdesign.errors import InputError, SolverError

WORDS = sorted(COMMANDS)
ENDS = [
    (InputError("bad"), 2, "bad"),
    (InputError(["bad", "worse"], source="file"), 2, "file: 2 faults\n  bad\n  worse"),
    (SolverError("no answer"), 3, "no answer"),
    (click.Abort("interrupted; 3 done"), 130, "interrupted; 3 done"),
    (KeyboardInterrupt(), 130, "interrupted; nothing was written"),
    (OSError(28, "No space left on device"), 2, "stopped by the system: [Errno 28] No space left on device"),
    (click.UsageError("what?"), 2, "what?"),
]


def ends(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], error: BaseException) -> None:
    def callback(**_: object) -> None:
        raise error

    monkeypatch.setattr(COMMANDS[words], "callback", callback)


@pytest.mark.parametrize(("error", "status", "message"), ENDS, ids=lambda value: type(value).__name__)
def test_ends(monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, message: str) -> None:
    ends(monkeypatch, ("reproduce",), error)
    assert " ".join(message.split()) in refused("reproduce", status=status)


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_no_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    ends(monkeypatch, words, MemoryError())
    line = line_for(words, {"output": OUTPUTS.get(words, "out.json")})
    assert "there is not enough memory; give a smaller graph" in refused(*line)


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_what_cannot_be_read_is_one_object_too(words: tuple[str, ...]) -> None:
    assert "'--no-such-option'" in refused(*words, "--no-such-option")


KILLED_WHILE_WRITING = """
import os, signal, sys
from mechdesign.cli.main import main
from mechdesign.files import writing
writing._sync = lambda path: os.kill(os.getpid(), signal.SIGTERM)  # the hidden file beside the output is there by now
sys.exit(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process there at once")
def test_a_killed_command_leaves_no_hidden_file(tmp_path: Path) -> None:
    """As from `kill` or `timeout`: the file beside the output stayed there, under a name that nobody looks for."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", KILLED_WHILE_WRITING, "graph", "counting", "3", "-o", "g.json"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "mechdesign: interrupted; nothing was written\n"
    assert list(tmp_path.iterdir()) == []


def test_who_calls_main_keeps_his_handler() -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert run("graph", "list", "--json").status == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_quiet_tells_what_was_drawn() -> None:
    """It cannot be asked for again without a further release."""
    line = "count release --true-count 34 --n 100 --epsilon 0.1 --seed-not-for-release 3 --quiet"
    status, out, err = run(*line.split())
    assert (status, out) == (0, "31\n")
    assert err.startswith("Seeded: not for release")


def test_those_that_take_one_of_a_few_names() -> None:
    found = [(f"{words[-1]} {one.opts[0]}", one) for words, command in COMMANDS.items() for one in command.params]
    options = [(name, one) for name, one in found if isinstance(one, click.Option)]
    named = {name for name, one in options if isinstance(one.type, OneOf)}
    some = {"design --method", "certify --by", "posterior --distribution", "errors --distribution", "laplace --query"}
    assert named >= some | {"sanitise --unknown", "export --to"}
    assert not [name for name, one in options if type(one.type) is click.Choice]


@pytest.mark.parametrize(
    "arguments",
    [
        ["design", "no-such-graph", "--epsilon", "1", "--method", "simplex"],
        ["certify", "no-such-file", "--by", "simplex"],
        ["count", "errors", "--n", "x", "--p", "x", "--epsilon", "1", "--distribution", "simplex"],
        ["audit", "laplace", "no-such-file", "--column", "c", "--epsilon", "1", "--query", "simplex"],
    ],
    ids=lambda arguments: arguments[-2],
)
def test_another_name_is_one_line_and_comes_first(arguments: list[str]) -> None:
    said = refused(*arguments)
    assert said.startswith(f"mechdesign: {arguments[-2]}: expected one of ")
    assert said.endswith(", found 'simplex'")
