"""How the command line ends: each fault is one message, or with --json one object, and an exit status."""

from pathlib import Path

import click
import pytest
from faults import fault
from test_cli_paths import COMMANDS, OUTPUTS, line_for

from mechdesign.cli.main import main
from mechdesign.errors import InputError, SolverError

Captured = pytest.CaptureFixture[str]
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
@pytest.mark.parametrize("json", [[], ["--json"]], ids=["text", "json"])
def test_ends(
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    json: list[str],
    error: BaseException,
    status: int,
    message: str,
) -> None:
    ends(monkeypatch, ("zoo",), error)
    assert main(["zoo", *json]) == status
    told = fault(json, capsys.readouterr())
    assert told == message if json else message in told


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_no_memory(capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    ends(monkeypatch, words, MemoryError())
    line = line_for(words, {"output": OUTPUTS.get(words, "out.json")})
    for arguments in (line, [*words, "--json", *line[len(words) :]]):
        assert main(arguments) == 2
        assert "there is not enough memory; give a smaller graph" in fault(arguments, capsys.readouterr())


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_what_cannot_be_read_is_one_object_too(capsys: Captured, words: tuple[str, ...]) -> None:
    line = [*words, "--json", "--no-such-option"]
    assert main(line) == 2
    assert "'--no-such-option'" in fault(line, capsys.readouterr())


def test_how_a_command_is_written_is_told_to_people(capsys: Captured) -> None:
    assert main(["design", "categorical-chain"]) == 2
    assert fault([], capsys.readouterr()) == (
        "Usage: mechdesign design [OPTIONS] GRAPH\n"
        "Try 'mechdesign design --help' for help.\n\n"
        "Error: Missing option '--epsilon'.\n"
    )
