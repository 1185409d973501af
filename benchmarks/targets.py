"""What mechdesign is to reach on two cores: python benchmarks/targets.py [--only NAME ...] [--rows rows.json].

It prints a row for each target, and exits with 1 if one is missed. A run has `--time-limit` seconds, examination
included; a target whose runs take longer is not met, a peer's is said to have timed out. With `--rows` every run is
kept in that file as it comes, and those that are there already are not run again.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judges import GIB, Judge, Judgement, grows, proved, ratio, within
from shared import Table, asked

from mechdesign.bench.bench_answer import machine
from mechdesign.bench.driver import carried_out, runs_of
from mechdesign.bench.families import FAMILIES
from mechdesign.bench.outcome import Measurement, Run, measurement_of, with_excess, write_rows


@dataclass(frozen=True)
class Target:
    """A target: the work, what is to be reached, the runs, what decides, and whether certificates are checked too."""

    work: str
    target: str
    runs: Sequence[Run]
    judge: Judge
    certificates: bool = False


def _run(family: str, profiles: int, categories: int, method: str, epsilon: str = "0.5", **more: Any) -> Run:
    return Run(family, *FAMILIES[family].size(profiles, categories), method, epsilon, **more)


LOSSES = [{"objective": name} for name in ("expected-hamming", "expected-absolute", "worst-absolute")]
LARGE = 1000, 2000, 4000, 8000
"""Profiles; the graphs of the ring have seeds of their own, as with one they would begin alike."""


TARGETS: dict[str, Target] = {
    "ring-50x20": Target(
        "k=50, d=20 ring with chords, stage 1: cvxpy (Clarabel) seconds / structured seconds",
        ">= 60",
        [_run("ring", 50, 20, "cvxpy-clarabel"), _run("ring", 50, 20, "structured-any")],
        ratio(60),
    ),
    "ring-20x20": Target(
        "k=20, d=20 ring with chords, stage 1: cvxpy (HiGHS) / structured",
        ">= 60",
        [_run("ring", 20, 20, "cvxpy-highs"), _run("ring", 20, 20, "structured-any")],
        ratio(60),
    ),
    "ring-200x50": Target(
        "200 x 50: canonical, exact, proved", "<= 30 s", [_run("ring", 200, 50, "structured")], within(30)
    ),
    "ring-1000x50": Target(
        "1000 x 50: value exact and proved; canonical too",
        "<= 60 s, <= 1.5 GiB, gap <= 1e-8; <= 180 s",
        [_run("ring", 1000, 50, "structured-any"), _run("ring", 1000, 50, "structured")],
        within(60, 180, memory=1.5 * GIB, gap=1e-8),
    ),
    "complete": Target(
        "complete graph, 200 profiles x 20", "<= 5 s", [_run("complete", 200, 20, "structured")], within(5)
    ),
    "local": Target(
        "local privacy from the program, 64 x 64 / 256 x 256; libqif at 64",
        "<= 1 s / <= 30 s",
        [*(_run("local", k, k, "structured", "1") for k in (64, 256)), _run("local", 64, 64, "libqif", "1")],
        within(1, 30),
    ),
    "grid-7x7": Target(
        "metric grid 7x7, Euclidean loss: libqif / structured",
        ">= 4",
        [_run("grid", 49, 49, "libqif", "1"), _run("grid", 49, 49, "structured", "1")],
        ratio(4, first_stage=False),
    ),
    "grid-10x10": Target(
        "metric grid 10x10, Euclidean loss", "<= 60 s", [_run("grid", 100, 100, "structured", "1")], within(60)
    ),
    "values": Target(
        "local privacy, all values as likely, 512 x 512 / 1024 x 1024: canonical, by classes",
        "<= 3 s / <= 15 s",
        [_run("values", k, k, "structured", "1") for k in (512, 1024)],
        within(3, 15),
    ),
    "grid-15x15": Target(
        "metric grid 10x10 / 15x15, Euclidean loss: canonical, by classes; libqif at 10x10",
        "<= 5 s / <= 60 s",
        [*(_run("grid", k, k, "structured", "1") for k in (100, 225)), _run("grid", 100, 100, "libqif", "1")],
        within(5, 60, gap=1e-8),
    ),
    "growth": Target(
        "growth of seconds with k at d=20, ring with chords, k = 50..2000",
        "exponent <= 1.3",
        [_run("ring", k, 20, "structured") for k in (50, 100, 200, 500, 1000, 2000)],
        grows(1.3),
    ),
    "ring-8000x20": Target(
        "ring 8000 x 20: canonical, exact, proved",
        "<= 45 s, <= 600 MiB",
        [_run("ring", 8000, 20, "structured", seed=8000)],
        within(45, memory=600),
    ),
    "random-chords": Target(
        "ring with random chords, 4000 x 20 / 20000 x 20: canonical, exact, proved",
        "<= 45 s / <= 300 s, <= 2 GiB",
        [_run("random-chords", k, 20, "structured") for k in (4000, 20_000)],
        within(45, 300, memory=2 * GIB),
    ),
    "random-chords-losses": Target(
        "the same, 200 x 20: expected hamming / expected absolute / worst absolute / delta 0.05; "
        "HiGHS' interior point on the full programs",
        "<= 4 s / <= 8 s / <= 8 s / <= 4 s",
        [
            _run("random-chords", 200, 20, way, **asked)
            for way in ("structured", "highs-ipm")
            for asked in (*LOSSES, {"delta": "0.05"})
        ],
        within(4, 8, 8, 4),
    ),
    "random-chords-500x20": Target(
        "the same, 500 x 20: expected hamming",
        "<= 12 s",
        [_run("random-chords", 500, 20, "structured", **LOSSES[0])],
        within(12),
    ),
    "ring-1000x50-canonical": Target(
        "ring 1000 x 50: canonical, exact, proved", "<= 20 s", [_run("ring", 1000, 50, "structured")], within(20)
    ),
    "components": Target(
        "100000 x 10, rings with chords of 5 to 50 profiles, two workers: canonical, exact, proved",
        "<= 120 s",
        [_run("components", 100_000, 10, "structured-by-two")],
        within(120),
    ),
    "ring-200x200": Target(
        "ring 200 x 200: canonical, exact, proved", "<= 60 s", [_run("ring", 200, 200, "structured")], within(60)
    ),
    "count": Target(
        "a count of 300 / 1000, absolute loss; HiGHS' interior point on the full program and libqif at 300",
        "<= 5 s / <= 60 s, gap <= 1e-8, faster than HiGHS",
        [
            *(_run("counting", n, n, "structured") for n in (300, 1000)),
            *(_run("counting", 300, 300, way) for way in ("highs-ipm", "libqif")),
        ],
        within(5, 60, gap=1e-8, than="highs-ipm"),
    ),
    "growth-8000": Target(
        "growth of seconds with k at d=20, ring and ring with random chords, k = 1000..8000, other graphs for each k",
        "exponents <= 1.15",
        [
            *(_run("ring", k, 20, "structured", seed=k) for k in LARGE),
            *(_run("random-chords", k, 20, "structured") for k in LARGE),
        ],
        grows(1.15),
    ),
    "gaps": Target(
        "certified relative gap over all families and sizes, with certificates",
        "<= 1e-8, all accepted",
        runs_of(FAMILIES, [(10, 5), (20, 10), (40, 20)], ["structured"]),
        proved(1e-8),
        certificates=True,
    ),
}


class Kept:
    """Runs that were measured, so that no two targets run one twice; in a file too, where one is wanted."""

    def __init__(self, path: str | None, limit: float) -> None:
        self.path, self.limit = path, limit
        self.rows: dict[Run, Measurement] = {}
        if path is not None and Path(path).exists():
            found = json.loads(Path(path).read_text(encoding="utf-8"))["rows"]
            self.rows = {row.run: row for row in map(measurement_of, found)}

    def judged(self, target: Target) -> Judgement:
        """Measure what is missing, and return what came of a target."""
        missing = [run for run in target.runs if not self._has(run, target.certificates)]
        carried_out(missing, limit=self.limit, certificate=target.certificates, keep=self.add)
        known = {row.run: row for row in with_excess(list(self.rows.values()))}
        return target.judge([known[run] for run in target.runs])

    def _has(self, run: Run, certificates: bool) -> bool:
        return run in self.rows and not (certificates and self.rows[run].certificate is None)

    def add(self, row: Measurement) -> None:
        """Add a row."""
        self.rows[row.run] = row
        if self.path is not None:
            write_rows(with_excess(list(self.rows.values())), self.path)


def main() -> None:
    """Print the table of targets and where they were measured."""
    given = asked(__doc__, only=list(TARGETS), rows=None, time_limit=600.0)
    if unknown := set(given.only) - TARGETS.keys():
        sys.exit(f"--only: expected some of {', '.join(TARGETS)}; found {', '.join(sorted(unknown))}")
    kept, met = Kept(given.rows, given.time_limit), []
    shown = Table("target", "work", "to reach", "measured", "")
    for name in given.only:
        judgement = kept.judged(TARGETS[name])
        met.append(judgement.met)
        mark = {True: "met", False: "NOT MET", None: "not decided"}[judgement.met]
        shown.row(name, TARGETS[name].work, TARGETS[name].target, judgement.measured, mark)
    print("\n" + ", ".join(f"{name} {fact}" for name, fact in machine().items() if fact is not None))
    sys.exit(int(False in met))


if __name__ == "__main__":
    main()
