"""`mechdesign.bench`: methods, measuring, processes, rows, growth."""

import json
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mechdesign import InputError, SolverError
from mechdesign.arrays import Floats
from mechdesign.bench import driver, measure
from mechdesign.bench.bench_answer import growths
from mechdesign.bench.driver import run_apart, runs_of, within_limit
from mechdesign.bench.families import FAMILIES, graph_of_family
from mechdesign.bench.measure import measured
from mechdesign.bench.methods import METHODS, Method
from mechdesign.bench.outcome import Ending, Measurement, Run, measurement_of, record, with_excess, write_rows
from mechdesign.bench.peers import clipped
from mechdesign.bench.task import Found, Task
from mechdesign.files.documents import write_json
from mechdesign.packages import MissingPackageError
from mechdesign.stopwatch import Stopwatch

CHAIN = Run("chain", 4, 2, "structured")


def rows_of(run: Run, *, certificate: bool = False) -> list[Measurement]:
    """Return what is reported of a run, in this process."""
    reported: list[Measurement] = []
    measured(run, certificate=certificate, report=reported.append)
    return reported


@cache
def optimum_of(run: Run) -> Measurement:
    """Return what mechdesign finds, which several methods are held against."""
    return rows_of(run)[-1]


def peer(answer: Callable[[], Floats]) -> Method:
    return Method("a peer", clipped(lambda task, timed: answer()))


def running(folder: Path, script: str) -> str:
    """Return the command that runs a Python script."""
    (folder / "solver.py").write_text(script)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(folder / 'solver.py'))} {{mps}} {{solution}}"


def wait_until_gone(stat: Path) -> None:
    """Return when a process has ended, or is a zombie that nobody has asked about; fail after twenty seconds."""
    for _ in range(200):
        with suppress(FileNotFoundError, ProcessLookupError):
            if stat.read_text().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.1)
                continue
        return
    pytest.fail("it is still there")


def row_of(run: Run) -> Measurement:
    """Measure a run, or skip the test where its package is missing."""
    row = rows_of(run)[-1]
    if row.outcome is Ending.MISSING:
        pytest.skip(row.words)
    return row


SOLVER = """
import sys, highspy
highs = highspy.Highs()
highs.readModel(sys.argv[1])
highs.run()
highs.writeSolution(sys.argv[2], 0)
"""


class TestMethods:
    @pytest.mark.parametrize("family", ["ring", "local"])
    @pytest.mark.parametrize("name", sorted(METHODS.keys() - {"structured-by-two", "command"}))
    def test_each_finds_the_optimum(self, name: str, family: str) -> None:
        """Within what its own tolerances allow; the exact bound is that of mechdesign."""
        bound = optimum_of(Run(family, *FAMILIES[family].size(6, 3), "structured")).bound_exact
        row = row_of(Run(family, *FAMILIES[family].size(6, 3), name))
        if (name, family) == ("libqif", "ring"):  # which is no channel over single values
            assert row.outcome is Ending.UNFIT
            return
        assert row.done, row.words
        assert bound is not None
        assert row.value == pytest.approx(float(Fraction(bound)), rel=1e-5)
        assert row.true_epsilon == pytest.approx(0.5, abs=1e-4)
        assert row.phases.keys() >= {"build", "solve", "repair"}
        assert row.seconds is not None
        assert sum(row.phases.values()) <= row.seconds

    @pytest.mark.slow  # processes start
    def test_two_workers_find_what_one_finds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(measure, "QUICK", 0.0)
        one, two = (rows_of(Run("components", 30, 2, name))[-1] for name in ("structured", "structured-by-two"))
        assert (two.outcome, two.value, two.bound_exact) == (Ending.DONE, one.value, one.bound_exact)

    @pytest.mark.slow
    def test_a_program_from_outside(self, tmp_path: Path) -> None:
        """Its answer is taken as a peer's: clipped, renormalised, and examined."""
        size = FAMILIES["ring"].size(6, 3)
        ours = optimum_of(Run("ring", *size, "structured"))
        row = rows_of(Run("ring", *size, "command", command=running(tmp_path, SOLVER)))[-1]
        assert (row.outcome, row.bound_exact) == (Ending.DONE, None)
        assert row.value == pytest.approx(ours.value, rel=1e-5)
        assert row.true_epsilon == pytest.approx(0.5, abs=1e-4)
        assert measurement_of(record(row)).run == row.run

    def test_a_program_that_fails(self, tmp_path: Path) -> None:
        row = rows_of(Run("ring", 6, 3, "command", command=running(tmp_path, "raise SystemExit('no licence')")))[-1]
        assert (row.outcome, row.value) == (Ending.NO_OPTIMUM, None)
        assert row.words == "the command ended with status 1\n  its last lines:\n  no licence"

    @pytest.mark.parametrize("name", ["highs-ipm", "cvxpy-clarabel", "scipy"])
    def test_another_objective_and_a_delta(self, name: str) -> None:
        asked = Run("ring", 6, 3, "structured", objective="worst-absolute", delta="0.05")
        ours, peers = optimum_of(asked), rows_of(replace(asked, method=name))[-1]
        assert ours.bound_exact is not None
        assert peers.value is not None
        assert peers.value == pytest.approx(float(Fraction(ours.bound_exact)), rel=1e-5)
        assert peers.true_epsilon == pytest.approx(0.5, abs=1e-4)
        without = optimum_of(replace(asked, delta="0"))
        assert without.value is not None
        assert peers.value < 0.9 * without.value

    def test_libqif_knows_no_delta(self) -> None:
        assert row_of(Run("local", 4, 4, "libqif", delta="0.05")).outcome is Ending.UNFIT


class TestCustomary:
    """Clip negatives, renormalise: what it does, and what then holds exactly."""

    TASK = Task(graph_of_family("counting", 2, 2, seed=1), FAMILIES["counting"].objective(2), Fraction(1, 2))

    def made(self, matrix: Sequence[Sequence[float]]) -> Found:
        return clipped(lambda task, timed: np.array([matrix]))(self.TASK, Stopwatch())

    @pytest.mark.parametrize("bad", [[[-1.0, 0.0], [0.5, 0.5]], [[float("nan"), 1.0], [0.5, 0.5]]])
    def test_no_distribution(self, bad: list[list[float]]) -> None:
        with pytest.raises(SolverError, match="no distributions"):
            self.made(bad)

    def test_a_speck_in_one_row_is_an_infinite_epsilon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(METHODS, "peer", peer(lambda: np.array([[[1.0, -1e-14], [1.0, 1e-14]]])))
        row = rows_of(Run("counting", 2, 2, "peer"))[-1]
        assert row.true_epsilon == float("inf")
        assert row.value == pytest.approx(0.5)


class TestMeasured:
    @pytest.mark.parametrize(
        ("raised", "outcome", "words"),
        [
            (SolverError("infeasible"), Ending.NO_OPTIMUM, "infeasible"),
            (InputError("only squares"), Ending.UNFIT, "only squares"),
            (MissingPackageError("zebra is not installed"), Ending.MISSING, "zebra is not installed"),
            (MemoryError("1 TB"), Ending.FAILED, "MemoryError: 1 TB"),
        ],
    )
    def test_no_answer(self, monkeypatch: pytest.MonkeyPatch, raised: Exception, outcome: Ending, words: str) -> None:
        def fail() -> Floats:
            raise raised

        monkeypatch.setitem(METHODS, "peer", peer(fail))
        (row,) = rows_of(replace(CHAIN, method="peer"))
        assert (row.outcome, row.words, row.seconds) == (outcome, words, None)
        assert (row.edges, row.unknowns) == (3, 16)

    def test_a_false_certificate_is_no_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(measure, "check_certificate", lambda path: (Fraction(0), Fraction(0)))
        with pytest.raises(SolverError, match="another value"):
            rows_of(CHAIN, certificate=True)


class TestProcesses:
    @pytest.mark.slow
    def test_a_run_of_its_own(self) -> None:
        row = run_apart(CHAIN, limit=60, certificate=True)
        assert (row.run, row.outcome, row.words, row.limit) == (CHAIN, Ending.DONE, "", 60)
        assert row.memory is not None
        assert row.memory > 20
        assert row.certificate is not None

    @pytest.mark.slow
    def test_what_the_process_says_when_it_fails(self) -> None:
        row = run_apart(replace(CHAIN, family="star"), limit=60)
        assert row.outcome == Ending.FAILED
        assert "expected some of chain" in row.words

    @pytest.mark.parametrize(
        ("status", "errors", "words"),
        [
            (-signal.SIGKILL, b"", "ended by SIGKILL"),
            (1, b"Traceback\n...\nValueError: no\n", "ValueError: no"),
            (3, b"", "ended with status 3"),
        ],
    )
    def test_why(self, monkeypatch: pytest.MonkeyPatch, status: int, errors: bytes, words: str) -> None:
        ended = subprocess.CompletedProcess([], status, stderr=errors)
        monkeypatch.setattr(driver, "within_limit", lambda command, limit: ended)
        row = run_apart(CHAIN, limit=1)
        assert (row.outcome, row.words) == (Ending.FAILED, words)

    @pytest.mark.slow  # the limit is waited for
    def test_what_a_run_has_started_ends_with_it(self, tmp_path: Path) -> None:
        """A solver from outside that hangs, for one."""
        started = tmp_path / "started"
        with pytest.raises(subprocess.TimeoutExpired):
            within_limit(["sh", "-c", f"sleep 600 & echo $! > {shlex.quote(str(started))}; wait"], limit=1)
        wait_until_gone(Path("/proc", started.read_text().strip(), "stat"))

    @pytest.mark.parametrize("late", [True, False])
    def test_stopped_while_examined(self, monkeypatch: pytest.MonkeyPatch, late: bool) -> None:
        """The time limit keeps the answer; a failure does not."""

        def stopped(command: list[str], limit: float) -> subprocess.CompletedProcess[bytes]:
            write_json(record(Measurement(CHAIN, Ending.DONE, seconds=0.5)), command[-1])
            if late:
                raise subprocess.TimeoutExpired(command, limit)
            return subprocess.CompletedProcess(command, 1, stderr=b"Rejected: 18")

        monkeypatch.setattr(driver, "within_limit", stopped)
        row = run_apart(CHAIN, limit=1)
        assert row.seconds == 0.5
        assert row.outcome == (Ending.DONE if late else Ending.FAILED)
        assert row.words == ("not examined: no answer within 1 s" if late else "not examined: Rejected: 18")


class TestCarriedOut:
    def test_each_graph_once(self) -> None:
        sizes = [run.case[:3] for run in runs_of(["local", "grid"], [(9, 2), (9, 3), (10, 3)], ["scipy"])]
        assert sizes == [("local", 9, 9), ("local", 10, 10), ("grid", 9, 9)]


ROWS = [
    Measurement(
        CHAIN, Ending.DONE, "", 3, 16, {"build": 0.125, "solve": 1.5}, 1.75, 101.5, 0.1, "1/10", 0.5, 1e-17, 0.25, 60.0
    ),
    Measurement(replace(CHAIN, method="scipy"), Ending.DONE, value=0.2, true_epsilon=float("inf"), excess=1.0),
    Measurement(
        replace(CHAIN, method="libqif", epsilon="1/3", delta="1/9", objective="worst-absolute"),
        Ending.UNFIT,
        'only "values",\nand no others',
    ),
]


class TestRows:
    def test_there_and_back(self, tmp_path: Path) -> None:
        write_rows(ROWS, tmp_path / "rows.json")
        found = json.loads((tmp_path / "rows.json").read_text())
        assert found["format"] == "mechdesign-bench/1"
        assert [measurement_of(row) for row in found["rows"]] == ROWS

    def test_excess(self) -> None:
        """Over its own bound, else the best of the same case; a difference where that is 0; none without a bound."""
        half = Measurement(CHAIN, Ending.DONE, value=0.5, bound_exact="1/4")
        rows = [half, replace(half, value=0.75, bound_exact="1/2"), replace(half, value=0.25, bound_exact=None)]
        assert [row.excess for row in with_excess(rows)] == [1.0, 0.5, -0.5]
        nothing = Measurement(replace(CHAIN, seed=2), Ending.DONE, value=0.125, bound_exact="0")
        elsewhere = Measurement(replace(CHAIN, seed=3), Ending.DONE, value=0.125)
        assert [row.excess for row in with_excess([half, nothing, elsewhere])] == [1.0, 0.125, None]


class TestGrowth:
    def row(self, family: str, k: int, d: int, seconds: float | None, *, epsilon: str = "0.5") -> Measurement:
        done = Ending.TIMED_OUT if seconds is None else Ending.DONE
        return Measurement(Run(family, k, d, "scipy", epsilon), done, seconds=seconds)

    def test_exponents(self) -> None:
        rows = [self.row("ring", k, 20, 3 * k**1.5) for k in (80, 10, 40)]
        rows += [self.row("local", k, k, k**3) for k in (10, 20, 40)]
        found = growths(rows)
        assert [(one.family, one.categories, one.profiles) for one in found] == [
            ("ring", 20, (10, 40, 80)),
            ("local", None, (10, 20, 40)),
        ]
        assert [one.exponent for one in found] == pytest.approx([1.5, 3.0])
