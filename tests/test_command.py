"""The command `mechdesign` from its very start: an interruption while it is being loaded is one message."""

import subprocess
import sys

import pytest

START = """
import os, signal, sys

class Interrupted:
    def find_spec(self, name, *_):
        if name == "networkx":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:  # what compiled modules do to it
                raise ImportError("something else") from None

signal.signal(signal.SIGINT, {handler})
sys.meta_path.insert(0, Interrupted())
from mechdesign_command import main
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a process there")
@pytest.mark.parametrize(
    ("handler", "status", "words"),
    [("signal.default_int_handler", 130, "mechdesign: interrupted; nothing was written\n"), ("signal.SIG_IGN", 0, "")],
)
def test_interrupted_while_it_is_loaded(handler: str, status: int, words: str) -> None:
    command = [sys.executable, "-c", START.format(handler=handler), "graph", "list"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (status, words)
