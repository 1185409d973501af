"""Running commands in tests, in a folder of their own."""

import json
from pathlib import Path
from typing import Any

import pytest

from mechdesign.cli.main import main


class Run:
    """Runs a command and returns what it prints, in one line."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *words: str) -> str:
        assert main(list(words)) == 0
        return " ".join(self.capsys.readouterr().out.split())

    def json(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self(*words, "--json"))
        return found

    def refused(self, *words: str) -> str:
        assert main([*words, "-o", "never.json"]) == 2
        output = self.capsys.readouterr()
        assert (output.out, Path("never.json").exists(), "Traceback" in output.err) == ("", False, False)
        return " ".join(output.err.split())
