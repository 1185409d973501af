"""How does it grow, and against whom? One figure for each question: python benchmarks/figures.py [--only places].

It writes benchmarks/grows-with-*.svg anew, and prints for each method its seconds at the smallest and the largest size.
Each point is the median of `--runs` processes, of which each poses a problem once and solves it, in seconds of
processor time. mechdesign's answer is exact, proved, and the nearest one; the others' are any optimum of the textbook
program, in doubles. A method that takes more than `--limit` seconds is asked nothing larger: an arrow points there;
libqif solves for places alone, and needs `pip install 'mechdesign[zoo]'`.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cvxpy  # noqa: F401 - loaded before the clock starts
import networkx as nx
from cliffs import Case, timed
from shared import asked

from mechdesign.bench.methods import METHODS
from mechdesign.objective import Objective
from mechdesign.reports.figure import Figure, save_figure, without_frame
from mechdesign.stopwatch import Stopwatch

HERE = Path(__file__).parent
SHOWN = {
    "structured": "mechdesign",
    "highs-ipm": "HiGHS, interior point",
    "highs-simplex": "HiGHS, simplex",
    "cvxpy-clarabel": "cvxpy with Clarabel",
    "libqif": "libqif",
}
TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
"""Seconds, the same in all figures."""
Points = Mapping[int, float]
"""Seconds by size."""


@dataclass(frozen=True)
class Joined(Case):
    """Random profiles that have so many neighbours each."""

    neighbours: int = 4

    def _posed(self) -> tuple[nx.Graph, Objective]:
        graph, objective = super()._posed()
        graph.clear_edges()
        graph.add_edges_from(nx.random_regular_graph(self.neighbours, len(graph), seed=1).edges)
        return graph, objective


def _random(profiles: int, categories: int, neighbours: int = 4) -> Case:
    return Joined("random", "largest entry", "0.5", "0", (profiles, categories), neighbours)


QUESTIONS: dict[str, tuple[str, dict[int, Case]]] = {
    "profiles": ("10 categories, 4 neighbours each", {k: _random(k, 10) for k in (10, 20, 50, 100, 200, 500, 1000)}),
    "categories": ("20 profiles, 4 neighbours each", {d: _random(20, d) for d in (5, 10, 20, 50, 100)}),
    "edges": ("40 profiles, 10 categories", {20 * n: _random(40, 10, n) for n in (2, 4, 8, 16, 39)}),
    "places": (
        "random in the plane, all pairs, Euclidean loss",
        {n: Case("points", "expected Euclidean", "0.5", "0", (n, n)) for n in (10, 20, 30, 40, 50, 60)},
    ),
}


def measured(method: str, cases: Mapping[int, Case], *, limit: float, runs: int) -> Points:
    """Return a method's seconds at each size, up to the first that took too long."""

    def work(case: Case) -> tuple[float, str]:
        METHODS[method].solve(case.task(), Stopwatch())
        return 0.0, method

    points: dict[int, float] = {}
    for size, case in cases.items():
        taken = [timed(work, case, limit)]
        if not taken[0].failure:
            taken += [timed(work, case, limit) for _ in range(runs - 1)]
        if any(one.failure for one in taken):
            break
        points[size] = statistics.median(one.seconds for one in taken)
    return points


def drawn(name: str, words: str, sizes: Sequence[int], found: Mapping[str, Points], limit: float) -> Figure:
    """Return a question's figure: a line for each method."""
    figure = Figure(figsize=(6, 3.4), layout="constrained")
    axes = figure.subplots()
    for number, (method, points) in enumerate(found.items()):
        x, y = [*points], [*points.values()]
        axes.plot(x, y, marker="o", markersize=3, color=f"C{number}", label=SHOWN[method])
        if len(x) < len(sizes):
            axes.plot(
                [x[-1], sizes[len(x)]],
                [y[-1], max(limit, y[-1])],
                ":^",
                markevery=[1],
                markersize=5,
                color=f"C{number}",
            )
    axes.set(xscale="log", yscale="log", xlabel=name, ylabel="seconds of processor time")
    axes.set_xticks(sizes, list(map(str, sizes)))
    axes.set_xticks([], minor=True)
    axes.set_yticks(TICKS, list(map(str, TICKS)))
    axes.set_yticks([], minor=True)
    axes.set_title(words, fontsize=9, loc="left")
    without_frame(axes)
    axes.legend(fontsize=8, frameon=False)
    return figure


def said(points: Points) -> str:
    """Return the ends of a line in words."""
    ends = dict.fromkeys((min(points), max(points)))
    return ", ".join(f"{points[size]:.2g} s at {size}" for size in ends)


def renew(name: str, folder: Path, *, limit: float, runs: int, methods: Sequence[str] = tuple(SHOWN)) -> None:
    """Measure what a question asks, draw it, and say it in words."""
    words, cases = QUESTIONS[name]
    found = {method: measured(method, cases, limit=limit, runs=runs) for method in methods}
    found = {method: points for method, points in found.items() if points}
    save_figure(drawn(name, words, list(cases), found, limit), folder / f"grows-with-{name}.svg")
    for method, points in found.items():
        print(f"{name}: {SHOWN[method]}: {said(points)}", flush=True)


if __name__ == "__main__":
    given = asked(__doc__, only=list(QUESTIONS), limit=5.0, runs=3)
    for one in given.only:
        renew(one, HERE, limit=given.limit, runs=given.runs)
