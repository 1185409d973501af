"""Survivors that have a reason: each is a line that still stands where it says."""

import json
from pathlib import Path

TESTS = Path(__file__).parent


def test_accepted_survivors_are_there() -> None:
    accepted = json.loads((TESTS / "mutants.json").read_text(encoding="utf-8"))
    for one in accepted:
        lines = (TESTS.parent / one["file"]).read_text(encoding="utf-8").splitlines()
        assert one["before"] in {line.strip() for line in lines}, one
        assert one["before"] != one["after"]
        assert one["reason"]
