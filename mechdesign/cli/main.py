"""The command `mechdesign`, and what its exit statuses mean."""

import io
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

import click
from click.exceptions import NoArgsIsHelpError

from mechdesign.cli.commands import LazyGroup
from mechdesign.errors import InputError, MechdesignError
from mechdesign.exact.text import cells_shown

BEFORE = """\b
Design, prove and certify privacy mechanisms that distort least. Begin with:
  mechdesign design categorical-chain --epsilon 0.5"""

AFTER = """\b
Exit status: 0 done, and it holds; 1 it does not; 2 bad input; 3 no answer.
Completion in bash: eval "$(_MECHDESIGN_COMPLETE=bash_source mechdesign)\""""

HINT = re.compile(r"[;.]? \(?did you mean (.*\?)\)?$", re.IGNORECASE | re.MULTILINE)
"""Of a misspelt name, in our messages and in click's."""

NO_MEMORY = (
    "there is not enough memory; give a smaller graph, matrix or table, fewer --workers, or a machine that has more"
)


@click.group(
    name="mechdesign",
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    help=BEFORE,
    epilog=AFTER,
)
@click.version_option(package_name="mechdesign")
def command_line() -> None:
    """Group all commands."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; what goes wrong ends in one message, never in a traceback."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold what the terminal cannot show
    try:
        with _terminated_as_interrupted(), _cells_on_a_terminal(words):
            return command_line.main(args=words, prog_name="mechdesign", standalone_mode=False) or 0
    except SystemExit as stop:
        if "_MECHDESIGN_COMPLETE" in os.environ:  # a shell asked what to complete, and was answered
            return int(stop.code or 0)
        return 141  # click's, with status 1, when the reader of a pipe has gone; other programs end with this one
    except (click.ClickException, click.Abort, KeyboardInterrupt, MechdesignError, MemoryError, OSError) as error:
        status, message = _told(error)
        if not ("--json" in words and _said(json.dumps({"error": message}, ensure_ascii=False), sys.stdout)):
            _said(_for_people(error, message), sys.stderr)
        _drop_unwritten()
        return status


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Let SIGTERM, as from `kill` or `timeout`, do what an interruption does: no half-written file is left behind."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _cells_on_a_terminal(words: Sequence[str]) -> AbstractContextManager[None]:
    """Let messages show cells of data if nothing but a terminal takes them: no file, no log, no program."""
    is_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))
    return cells_shown() if is_terminal and "--json" not in words else nullcontext()


def _told(error: BaseException) -> tuple[int, str]:
    """Return the exit status and the message of what stopped a command."""
    match error:
        case NoArgsIsHelpError():
            return 2, error.format_message()
        case click.ClickException():
            words = error.format_message().rstrip(".")
            return 2, words[:1].lower() + words[1:]
        case click.Abort() | KeyboardInterrupt():
            return 130, str(error) or "interrupted; nothing was written"
        case InputError():
            return 2, str(error)
        case MechdesignError():
            return 3, str(error)
        case MemoryError():
            return 2, NO_MEMORY
        case _:  # such as a full disk
            return 2, f"stopped by the system: {error}"


def _for_people(error: BaseException, message: str) -> str:
    """Return a message with each hint on a line of its own; the colour is for terminals alone."""
    if isinstance(error, NoArgsIsHelpError):
        return message
    usage = error.ctx if isinstance(error, click.UsageError) else None
    more = "" if usage is None else f"\n  See {usage.command_path} --help"
    return click.style("mechdesign:", fg="red") + " " + HINT.sub(r"\n  Did you mean \1", message) + more


def _said(text: str, stream: TextIO) -> bool:
    """Print a line, and return whether it could be written: if not, the exit status still says what there is to say."""
    try:
        click.echo(text, stream)
    except OSError:
        return False
    return True


def _drop_unwritten() -> None:
    """Let go of what a full disk did not take: Python would try again as it ends, and exit with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
