"""JSON has no word for infinity: every command says null, and "inf" only in the text of an exact number."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("identity.csv").write_text("1,0\n0,1\n")
    Path("claims.csv").write_text("claims\n1\n1\n1\n1000000\n")


def entries(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from entries(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from entries(part, key)
    else:
        yield key, value


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("design categorical-chain --epsilon inf", "epsilon"),
        ("design categorical-chain --epsilon 1,inf", "epsilon"),
        ("design categorical-chain --epsilon inf --curve curve.json", "epsilon"),
        ("certify identity.csv --epsilon 1", "epsilon_upper"),
        ("certify identity.csv --epsilon inf", "epsilon_lower"),
        ("audit laplace claims.csv --column claims --query mean --epsilon 2", "epsilon"),
        ("mend identity.csv --epsilon 1", "epsilon_before"),
        ("mend identity.csv --epsilon inf", "epsilon"),
    ],
)
def test_infinity_is_null(command: str, key: str) -> None:
    found = list(entries(json.loads(run(*command.split(), "--json").out)))
    assert (key, None) in found
    words = [name for name, value in found if isinstance(value, str) and value.lower() in ("inf", "infinity", "nan")]
    assert all(name.endswith("_exact") for name in words)
    asked = dict(found)
    assert asked.get("epsilon_exact") == "inf" or asked.get("epsilon", 0) is not None or "epsilon_exact" not in asked
