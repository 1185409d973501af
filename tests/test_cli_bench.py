"""`mechdesign bench`: what it prints and keeps, its exit statuses, and bad input."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from command import run

from mechdesign.bench import driver
from mechdesign.bench.bench_answer import answer_of
from mechdesign.bench.measure import measured
from mechdesign.bench.outcome import Ending, Measurement, Run
from mechdesign.show.terminal import print_answer

Captured = pytest.CaptureFixture[str]
SMALL = ("--families", "chain", "--sizes", "4x2,5x2,6x2", "--methods", "structured,scipy")


def rows_in(path: str) -> list[dict[str, Any]]:
    """Return the rows of a file."""
    found: list[dict[str, Any]] = json.loads(Path(path).read_text())["rows"]
    return found


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """Measure in this process, and list what was run."""
    ran: list[Run] = []

    def run_here(run: Run, *, certificate: bool, **_: float) -> Measurement:
        ran.append(run)
        rows: list[Measurement] = []
        measured(run, certificate=certificate, report=rows.append)
        return rows[-1]

    monkeypatch.setattr(driver, "run_apart", run_here)
    return ran


def test_tables(here: list[Run]) -> None:
    status, out, err = run("bench", *SMALL[:-1], "structured,libqif")
    assert (status, err) == (0, "")
    titles = [line.strip() for line in out.splitlines() if line.startswith("chain ")]
    assert titles[0] == "chain 4 x 2, epsilon 0.5, seed 1; 3 edges, 16 transition probabilities"
    assert "does not apply" in out or "not installed" in out
    assert "Seconds grow with the number of profiles to the power" in out
    assert "4, 5, 6" in out
    assert "cores" in out.splitlines()[0]
    assert len(here) == 6


def test_other_sizes_than_asked_for(here: list[Run]) -> None:
    _, out, _ = run("bench", "--families", "grid,chain", "--sizes", "5x3", "--methods", "structured")
    assert out.startswith("Other sizes than asked for, see --help: grid 5x3 is 4x4.\n")
    assert [(run.profiles, run.categories) for run in here] == [(4, 4), (5, 3)]
    assert "Other sizes" not in run("bench", *SMALL)[1]


@pytest.mark.parametrize(
    ("asked", "true", "text"),
    [
        ("0.5", 0.5, "0.5"),
        ("0.5", 0.5 + 3e-9, "0.5+3e-09"),
        ("50", 50 - 1e-7, "50-1e-07"),
        ("50", 1e-12, "1e-12"),
        ("50", 28.5431, "28.5"),
        ("50", 0.0, "0"),
        ("50", math.inf, "inf"),
    ],
)
def test_a_true_epsilon(capsys: Captured, asked: str, true: float, text: str) -> None:
    row = Measurement(Run("chain", 4, 2, "structured", asked), Ending.DONE, value=0.1, true_epsilon=true, excess=0.25)
    print_answer(answer_of([row]))
    line = next(one for one in capsys.readouterr().out.splitlines() if one.startswith("structured"))
    assert line.split()[1:] == [text, "0.25"]


def test_a_program_of_yours(here: list[Run], tmp_path: Path) -> None:
    """Beside all other methods, or beside some; its command is kept with the rows."""
    asked = ("--families", "chain", "--sizes", "4x2", "--method-command", "cp answer.txt {solution}")
    path = str(tmp_path / "rows.json")
    _, out, _ = run("bench", *asked, "--methods", "structured", "-o", path)
    assert [run.method for run in here] == ["structured", "command"]
    assert "command: the command ended with status 1" in out
    assert [row["command"] for row in rows_in(path)] == ["", "cp answer.txt {solution}"]


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """Interrupt the second run; list the first."""
    done: list[Run] = []

    def once(run: Run, **_: float) -> Measurement:
        if done:
            raise KeyboardInterrupt
        done.append(run)
        return Measurement(run, Ending.DONE)

    monkeypatch.setattr(driver, "run_apart", once)
    return done


@pytest.mark.parametrize("options", [(), ("-o", "rows.json")], ids=str)
def test_interrupted(
    interrupted: list[Run],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    options: tuple[str, ...],
) -> None:
    """What is done is shown, and kept where that was asked; the message says where."""
    monkeypatch.chdir(tmp_path)
    status, out, err = run("bench", *SMALL, *options)
    assert status == 130
    assert [line.strip() for line in out.splitlines() if line.startswith("chain ")] == [
        "chain 4 x 2, epsilon 0.5, seed 1"
    ]
    words = "rows.json has the rows so far" if options else "-o FILE keeps the rows"
    assert err == f"mechdesign: interrupted; {words}\n"
    if options:
        assert [row["method"] for row in rows_in("rows.json")] == [run.method for run in interrupted]
    else:
        assert list(tmp_path.iterdir()) == []


def test_interrupted_with_json(interrupted: list[Run]) -> None:
    status, out, err = run("bench", *SMALL, "--json")
    assert (status, err, out.count("\n")) == (130, "", 1)
    answer = json.loads(out)
    assert answer["error"] == "interrupted; -o FILE keeps the rows"
    assert [row["method"] for row in answer["rows"]] == ["structured"] == [run.method for run in interrupted]


def test_interrupted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Run, **__: float) -> Measurement:
        raise KeyboardInterrupt

    monkeypatch.setattr(driver, "run_apart", never)
    assert run("bench", *SMALL) == (130, "", "mechdesign: interrupted; no run had ended\n")


@pytest.mark.slow
def test_pictures(here: list[Run], tmp_path: Path) -> None:
    path = tmp_path / "scaling.svg"
    asked = ("--families", "chain,tree", "--sizes", "4x2,5x2", "--methods", "structured,scipy")
    _, out, _ = run("bench", *asked, "--plot", str(path), "--json")
    assert json.loads(out)["plot"] == str(path)
    assert here
    text = path.read_text()
    for words in ("chain", "tree", "structured", "scipy", "seconds", "peak memory, MiB", "transition probabilities"):
        assert f">{words}</text>" in text
