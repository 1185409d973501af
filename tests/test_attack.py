"""Each attack plays a few rounds, always the same; and what breaks is said, with how to repeat it."""

from pathlib import Path
from random import Random
from typing import NoReturn

import attack
import pytest
from attacks import ATTACKS


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "surveys")) for name in ATTACKS]
)
def test_nothing_breaks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))  # which an attack sets too
    for number in range(2):
        assert attack.play(name, number)[1] == ""


def test_what_breaks_is_said_and_can_be_repeated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(rng: Random) -> NoReturn:
        raise AssertionError(f"not private: {rng.random()}")

    monkeypatch.setitem(ATTACKS, "fails", fails)
    assert [attack.main(["--repeat", "fails 7"]) for _ in range(2)] == [1, 1]
    first, second = capsys.readouterr().out.split("--repeat ")[1:]
    assert first == second
    assert first.startswith('"fails 7"\n')
    assert "not private: 0." in first


def test_it_says_what_it_tried(capsys: pytest.CaptureFixture[str]) -> None:
    assert attack.main(["draws", "--minutes", "0", "--processes", "1"]) == 0
    assert capsys.readouterr().out.startswith("draws: 1 rounds: 1 ")
