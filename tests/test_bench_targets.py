"""The targets: what decides each, and that their runs are ones that can be carried out."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from judges import GIB, Judge, Judgement, grows, proved, ratio, within
from targets import TARGETS, Kept

from mechdesign.bench import driver
from mechdesign.bench.families import FAMILIES, OBJECTIVES
from mechdesign.bench.methods import METHODS
from mechdesign.bench.outcome import Ending, Measurement, Run


def row(
    seconds: float | None = 1.0,
    *,
    outcome: Ending = Ending.DONE,
    method: str = "structured",
    k: int = 50,
    memory: float = 100.0,
    excess: float | None = 1e-9,
    certificate: float | None = None,
    solve: float | None = None,
    family: str = "ring",
    **asked: str,
) -> Measurement:
    phases = {"build": 0.0, "solve": seconds if solve is None else solve, "repair": 5.0}
    run = Run(family, k, 20, method, **asked)  # type: ignore[arg-type]
    known = {"seconds": seconds, "memory": memory, "excess": excess, "certificate": certificate, "true_epsilon": 0.5}
    return Measurement(run, outcome, phases=phases if seconds else {}, limit=600, **known)  # type: ignore[arg-type]


LATE = row(None, outcome=Ending.TIMED_OUT, method="cvxpy-highs")
GONE = row(None, outcome=Ending.MISSING, method="libqif")


@pytest.mark.parametrize(
    ("judge", "rows", "met", "words"),
    [
        (ratio(60), [row(120, solve=6), row(9, solve=0.1)], True, "6 s / 0.1 s = 60; exact and proved after 9 s"),
        (ratio(60), [row(120, solve=5.9), row(9, solve=0.1)], False, "= 59"),
        (ratio(4, first_stage=False), [row(8), row(2)], True, "8 s / 2 s = 4"),
        (ratio(60), [LATE, row(10)], True, "more than 600 s / 10 s = 60"),  # at least its limit
        (ratio(60), [LATE, row(11)], None, "more than 600 s"),
        (ratio(4), [GONE, row(1)], None, "libqif 50 x 20: not installed"),
        (ratio(4), [row(8), LATE], False, "timed out"),
        (within(30), [row(30)], True, "30 s"),
        (within(30), [row(30.1)], False, "30.1 s"),
        (within(30), [LATE], False, "cvxpy-highs 50 x 20: timed out"),
        (within(1, 30), [row(0.5), row(29), GONE], True, "0.5 s; 29 s; libqif: not installed"),
        (within(1, 30), [row(0.5), row(31), GONE], False, "31 s"),
        (within(9, memory=1.5 * GIB, gap=1e-8), [row(memory=1.5 * GIB)], True, "1 s; 1.50 GiB; gap 1.0e-09"),
        (within(9, memory=1.5 * GIB, gap=1e-8), [row(memory=1.6 * GIB)], False, "1.60 GiB"),
        (within(9, memory=1.5 * GIB, gap=1e-8), [row(excess=2e-8)], False, "gap 2.0e-08"),
        (within(9, gap=1e-8), [row(excess=None)], False, "gap not proved"),
        (within(9, 9, gap=1e-8), [row(), row(excess=2e-8)], False, "gap 2.0e-08"),
        (within(9, 9, memory=GIB), [row(), row(memory=2 * GIB)], False, "2.00 GiB"),
        (within(9), [row(), row(7, method="highs-ipm", delta="0.05")], True, "highs-ipm delta 0.05: 7 s"),
        (within(9), [row(), row(7, method="libqif", objective="worst-absolute")], True, "libqif worst-absolute: 7 s"),
        (within(9, 9, than="highs-ipm"), [row(k=9), row(2), row(3, method="highs-ipm")], True, "highs-ipm: 3 s"),
        (within(9, 9, than="highs-ipm"), [row(k=9), row(3), row(2, method="highs-ipm")], False, "highs-ipm: 2 s"),
        (within(9, than="cvxpy-highs"), [row(9), LATE], True, "9 s; cvxpy-highs: timed out"),
        (within(700, than="cvxpy-highs"), [row(601), LATE], None, "601 s"),
        (within(9, than="libqif"), [row(9), GONE], None, "libqif: not installed"),
        (within(9, than="libqif"), [row(10), GONE], False, "10 s"),
        (grows(1.3), [row(k**1.29, k=k) for k in (50, 100, 200)], True, "1.29 (first stage 1.29) for k = 50..200"),
        (grows(1.3), [row(k**1.4, k=k) for k in (50, 100, 200)], False, "exponent 1.40"),
        (
            grows(1.3),
            [row(k**p, k=k, family=name) for name, p in (("ring", 1.2), ("tree", 1.4)) for k in (50, 100, 200)],
            False,
            "ring: exponent 1.20 (first stage 1.20) for k = 50..200; tree: exponent 1.40",
        ),
        (grows(1.3), [row(1, k=50), row(2, k=100), LATE], False, "timed out"),
        (proved(1e-8), [row(certificate=1.0), row(certificate=1.0, k=9, excess=1e-8)], True, "(ring 9 x 20); 2 of 2"),
        (proved(1e-8), [row(certificate=1.0), row(certificate=1.0, excess=1.1e-8)], False, "1.1e-08"),
        (proved(1e-8), [row(certificate=1.0), row()], False, "1 of 2 certificates"),
        (proved(1e-8), [row(certificate=1.0), LATE], False, "timed out"),
    ],
)  # fmt: skip
def test_judges(judge: Judge, rows: Sequence[Measurement], met: bool | None, words: str) -> None:
    judgement = judge(rows)
    assert judgement.met is met
    assert words in judgement.measured


@pytest.mark.parametrize("name", TARGETS)
def test_runs_are_of_families_methods_and_sizes_that_there_are(name: str) -> None:
    for run in TARGETS[name].runs:
        assert run.method in METHODS
        assert run.objective in ("", *OBJECTIVES)
        assert FAMILIES[run.family].size(run.profiles, run.categories) == (run.profiles, run.categories)


def test_targets_share_rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """growth needs ring 200 x 20, and nothing is run twice, nor another time with the same file."""
    ran = []

    def pretend(run: Run, *, limit: float, certificate: bool) -> Measurement:
        assert (limit, certificate) == (7, False)
        ran.append(run)
        return Measurement(run, Ending.DONE, phases={"solve": run.profiles}, seconds=run.profiles)

    monkeypatch.setattr(driver, "run_apart", pretend)
    path = str(tmp_path / "rows.json")
    kept = Kept(path, 7)
    assert kept.judged(TARGETS["complete"]) == Judgement("200 s", False)
    assert kept.judged(TARGETS["growth"]).met
    assert len(ran) == 7
    assert Kept(path, 7).judged(TARGETS["growth"]).met
    assert len(ran) == 7
