"""What a command says when it stops: one message, and nothing else."""

import json
from collections.abc import Sequence
from typing import Protocol


class Output(Protocol):
    """What was printed."""

    @property
    def out(self) -> str: ...
    @property
    def err(self) -> str: ...


def fault(arguments: Sequence[str], output: Output) -> str:
    """Return the message: on standard error; with --json in one object on standard output."""
    if "--json" not in arguments:
        assert output.out == ""
        assert "Traceback" not in output.err
        return output.err
    assert output.err == ""
    assert output.out.count("\n") == 1
    found = json.loads(output.out)
    answer = {
        "accepted",
        "status",
        "reason",
        "statement",
        "sentence",
        "warnings",
    }  # of `check`: a file that is none is one of its answers
    assert found.keys() - (answer if found.get("reason") == "unreadable" else set()) == {"error"}
    return str(found["error"])
