"""`mechdesign compose`: what it prints, its JSON, exit statuses, and bad input."""

import json

import pytest
from command import run

Captured = pytest.CaptureFixture[str]


def test_a_claim_between_the_bounds(coin: str) -> None:
    line = ("compose", coin, "--releases", "300", "--delta", "1e-6")
    found = json.loads(run(*line, "--json")[1])
    between = (found["epsilon"] + found["epsilon_lower"]) / 2
    status, out, _ = run(*line, "--together", repr(between))
    assert status == 3
    assert " ".join(out.split()).endswith("That is between what is proved and what is refuted: neither.")
    assert json.loads(run(*line, "--together", repr(between), "--json")[1])["private_together"] is None
    assert " ".join(run(*line, "--together", "100")[1].split()).endswith("NOT hold, as computed in doubles.")
