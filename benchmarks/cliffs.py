"""Where design is slow: a scan over families, objectives, epsilons and deltas: python benchmarks/cliffs.py.

Every case is designed in a process of its own, and, if that took more than `--fast` seconds, the textbook program is
solved by HiGHS' interior point and by its simplex method (any optimum, not exact, not proved); seconds are of processor
time, of all threads: OPENBLAS_NUM_THREADS=1 keeps matrix products to one. It prints the worst cases by their ratio to
the interior point, then the median, nine tenths, the worst and the largest ratio of each objective. A method is chosen
by the worst row of this scan, never by a case that somebody named.

`--size 100x12` is the usual one. A case that takes longer than `--limit` seconds counts as that long, a solver of HiGHS
is stopped after as long as we took, or `--patience` times as long. Besides the families there are one matrix for all of
half as many profiles with 20 categories, counts with a prior of their own, also with an epsilon of its own for each
edge, half as many single values on various graphs, and 30 to 200 points in the plane without any symmetry, all pairs,
with Euclidean losses.
"""

import argparse
import math
import multiprocessing
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from multiprocessing.connection import Connection
from typing import Any

import networkx as nx
import numpy as np
from shared import size_of

from mechdesign import (
    ExpectedLoss,
    LargestCost,
    MaxOffDiagonal,
    WorstLoss,
    counting_graph,
    design,
    profile_graph,
    value_graph,
)
from mechdesign.bench.peers import highs_with
from mechdesign.bench.task import Task
from mechdesign.exact.numbers import parse_epsilon
from mechdesign.objective import Objective
from mechdesign.problem import Problem
from mechdesign.stopwatch import Stopwatch

UNIT = 10**6
"""Masses are multiples of one part in so many."""


def squares(x: Any, y: Any) -> Any:
    """Return the squared difference: a loss as any other table."""
    return (x - y) ** 2


OBJECTIVES: dict[str, Objective] = {
    "largest entry": MaxOffDiagonal(),
    "largest cost": LargestCost(),
    "expected hamming": ExpectedLoss("hamming"),
    "expected absolute": ExpectedLoss("absolute"),
    "worst hamming": WorstLoss("hamming"),
    "worst absolute": WorstLoss("absolute"),
    "expected squares": ExpectedLoss(squares),
    "worst squares": WorstLoss(squares),
}

LIMITS = (("0.1", "0"), ("0.5", "0"), ("2", "0"), ("0.5", "1e-9"), ("0.5", "0.05"))
"""Epsilons and deltas."""

VALUE_LIMITS = (("0.5", "0"), ("2", "0"), ("0.5", "1e-6"), ("2", "0.01"))
"""Epsilons and deltas of values."""

COUNT_LIMITS = tuple(product(("0.1", "0.5", "1", "2"), ("0", "1e-9", "1e-6", "0.001", "0.01", "0.2")))
"""Epsilons and deltas of counts."""

COUNTS = "count", "uneven count"
"""Counts with a prior of their own; uneven, edges have epsilons of their own, half to one and a half times as large."""

POINTS = (30, 60, 100, 200)
"""Numbers of points in the plane, whatever the size of the other cases."""

PEERS = {"ipm": "HiGHS' interior point", "simplex": "its simplex"}
"""HiGHS' solvers of the textbook program; ratios are to the first."""

Masses = Callable[[int, int, np.random.Generator], Any]
Edges = Callable[[int], Iterable[tuple[int, int]]]


def dirichlet(parameter: float) -> Masses:
    """Return the maker of random distributions, sharper for a smaller parameter."""
    return lambda k, d, random: random.dirichlet(np.full(d, parameter), size=k)


def half_empty(k: int, d: int, random: np.random.Generator) -> Any:
    """Return distributions that each have half of the categories."""
    masses = random.dirichlet(np.ones(d), size=k)
    order = np.argsort(random.random((k, d)), axis=1)
    return np.where(order < d // 2, masses, 0)


def bells(k: int, d: int, random: np.random.Generator) -> Any:
    """Return bell curves around places that grow with the profile."""
    places = np.linspace(0, d - 1, k)[:, None]
    return np.exp(-(((np.arange(d) - places) / (d / 6)) ** 2) / 2) + 1e-3 * random.random((k, d))


def regular(k: int) -> Iterable[tuple[int, int]]:
    """Return a random graph with four neighbours each."""
    edges: Iterable[tuple[int, int]] = nx.random_regular_graph(4, k, seed=1).edges
    return edges


def between(k: int) -> Iterable[tuple[int, int]]:
    """Return a random bipartite graph: each of one half with four of the other."""
    random = np.random.default_rng(1)
    return [(i, k // 2 + int(j)) for i in range(k // 2) for j in random.choice(k - k // 2, 4, replace=False)]


def lattice(k: int) -> Iterable[tuple[int, int]]:
    """Return a lattice with about as many rows as columns."""
    side = math.isqrt(k)
    right = [(i, i + 1) for i in range(k - 1) if (i + 1) % side]
    return right + [(i, i + side) for i in range(k - side)]


def chorded(k: int) -> Iterable[tuple[int, int]]:
    """Return a ring with one chord, which leaves it one reflection."""
    return [*((i, (i + 1) % k) for i in range(k)), (0, k // 3)]


def band(k: int) -> Iterable[tuple[int, int]]:
    """Return the pairs of a path that are at most three steps apart."""
    return [(i, j) for i in range(k) for j in range(i + 1, min(k, i + 4))]


def torus(k: int) -> Iterable[tuple[int, int]]:
    """Return a lattice of five rows that closes in both directions."""
    edges: Iterable[tuple[int, int]] = nx.convert_node_labels_to_integers(
        nx.grid_2d_graph(5, k // 5, periodic=True), ordering="sorted"
    ).edges
    return edges


FAMILIES: dict[str, tuple[Masses, Edges]] = {
    "random": (dirichlet(1), regular),
    "flat": (dirichlet(50), regular),
    "sharp": (dirichlet(0.1), regular),
    "half zeros": (half_empty, regular),
    "smooth": (bells, lambda k: nx.path_graph(k).edges),
    "star": (dirichlet(1), lambda k: [(0, i) for i in range(1, k)]),
    "tree": (dirichlet(1), lambda k: nx.random_labeled_tree(k, seed=1).edges),
    "bipartite": (dirichlet(1), between),
    "grid": (dirichlet(1), lattice),
}

VALUES: dict[str, Edges] = {
    "values on a path": FAMILIES["smooth"][1],
    "values on a ring": chorded,
    "values on a grid": lattice,
    "values on a tree": FAMILIES["tree"][1],
    "values on a star": FAMILIES["star"][1],
    "values on a regular graph": regular,
    "values on a band": band,
    "values in all pairs": lambda k: nx.complete_graph(k).edges,
    "equal values on a ring": lambda k: nx.cycle_graph(k).edges,
    "equal values on a torus": torus,
    "equal values on a closed band": lambda k: nx.circulant_graph(k, [1, 2, 3]).edges,
}


class SharedTask(Task):
    """A task for one matrix."""

    def problem(self) -> Problem:
        """Return the whole graph as one problem, with one matrix for all."""
        return replace(super().problem(), shared=True)


@dataclass(frozen=True)
class Case:
    """One row of the scan, by names alone, so that it can be sent to another process."""

    family: str
    objective: str
    epsilon: str
    delta: str
    size: tuple[int, int]

    def __str__(self) -> str:
        return (
            f"{self.family} {self.size[0]}x{self.size[1]}, {self.objective}, epsilon {self.epsilon}, delta {self.delta}"
        )

    def task(self) -> Task:
        """Return what is to be designed."""
        graph, objective = self._posed()
        kind = SharedTask if self.shared else Task
        return kind(graph, objective, Fraction(parse_epsilon(self.epsilon)), Fraction(self.delta))

    @property
    def shared(self) -> bool:
        """Whether one matrix serves all profiles."""
        return self.family == "shared"

    def _posed(self) -> tuple[nx.Graph, Objective]:
        k, d = self.size
        random = np.random.default_rng(1)
        if self.family in COUNTS:
            weights = dict(enumerate(random.integers(1, 100, k).tolist()))
            graph = counting_graph(k - 1)
            nx.set_node_attributes(graph, {i: Fraction(weight) for i, weight in weights.items()}, "weight")
            if self.family == "uneven count":
                for edge, thousandths in zip(graph.edges, random.integers(500, 1500, k - 1), strict=True):
                    graph.edges[edge]["epsilon"] = Fraction(parse_epsilon(self.epsilon)) * int(thousandths) / 1000
            return graph, OBJECTIVES[self.objective]
        if self.family in VALUES:
            equal = self.family.startswith("equal")
            graph = value_graph(range(k), weights=None if equal else random.integers(1, 100, k).tolist())
            kept = nx.Graph(VALUES[self.family](k)).edges
            graph.remove_edges_from([pair for pair in graph.edges if pair not in kept])
            return graph, OBJECTIVES[self.objective]
        if self.family == "points":
            places = random.random((k, 2)) * math.sqrt(k)
            graph = value_graph(range(k), metric=lambda a, b: math.dist(places[a], places[b]))
            return graph, ExpectedLoss([[math.dist(a, b) for b in places] for a in places])
        masses, edges = FAMILIES["random" if self.shared else self.family]
        return profile_graph(
            {i: exact(row) for i, row in enumerate(masses(k, d, random))},
            edges=edges(k),
            categories=list(range(d)),
        ), OBJECTIVES[self.objective]


def exact(masses: Any) -> list[Fraction]:
    """Return masses as a distribution with a common denominator."""
    counts = np.ceil(masses / masses.sum() * UNIT).astype(int).tolist()
    return [Fraction(count, sum(counts)) for count in counts]


def cases(size: tuple[int, int], families: list[str]) -> Iterator[Case]:
    """Yield the scan."""
    half = size[0] // 2
    sizes = dict.fromkeys(FAMILIES, size) | dict.fromkeys(VALUES, (half, half)) | {"shared": (half, 20)}
    sizes |= dict.fromkeys(COUNTS, (size[0], size[0]))
    for family, objective in product([one for one in families if one in sizes], OBJECTIVES):
        if family == "shared" or objective != "largest cost":
            limits = COUNT_LIMITS if family in COUNTS else VALUE_LIMITS if family in VALUES else LIMITS
            yield from (Case(family, objective, epsilon, delta, sizes[family]) for epsilon, delta in limits)
    if "points" in families:
        yield from (Case("points", "expected Euclidean", "0.5", "0", (number, number)) for number in POINTS)


@dataclass(frozen=True)
class Outcome:
    """What came of a case: seconds of processor time, how far value and bound are apart, and the way; or a failure."""

    seconds: float
    gap: float = 0.0
    way: str = ""
    failure: str = ""


def designed(case: Case) -> tuple[float, str]:
    """Return the gap of a design, relative, and its way."""
    task = case.task()
    made = design(task.graph, epsilon=task.epsilon, delta=task.delta, objective=task.objective, shared=case.shared)
    gap = float((made.value - made.bound) / made.value) if made.value else 0.0
    return gap, "; ".join(made.stats["way"])


def solved_by(solver: str) -> Callable[[Case], tuple[float, str]]:
    """Return what solves the textbook program by one of HiGHS' solvers."""

    def solve(case: Case) -> tuple[float, str]:
        highs_with(solver)(case.task(), Stopwatch())
        return 0.0, solver

    return solve


def _run(work: Callable[[Case], tuple[float, str]], case: Case, limit: float, end: Connection) -> None:
    start = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(start + limit), math.ceil(start + limit) + 1))
    try:
        gap, way = work(case)
        found = Outcome(time.process_time() - start, gap, way)
    except Exception as error:
        found = Outcome(time.process_time() - start, failure=f"{type(error).__name__}: {error}")
    end.send(found)


def timed(work: Callable[[Case], tuple[float, str]], case: Case, limit: float) -> Outcome:
    """Return what comes of a case in a process of its own, which ends when its processor time is over."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_run, args=(work, case, limit, there))
    process.start()
    there.close()
    try:
        answer: Outcome = here.recv()
    except EOFError:
        answer = Outcome(limit, failure="time-out")
    process.join()
    return answer


@dataclass(frozen=True)
class Row:
    """A case with what came of it, and of the textbook program by HiGHS' solvers where it was slow enough for that."""

    case: Case
    ours: Outcome
    peers: dict[str, Outcome]

    @property
    def ratio(self) -> float:
        """Our seconds over those of HiGHS' interior point; of a fast case, nothing."""
        return self.ours.seconds / self.peers["ipm"].seconds if self.peers else 0.0

    def __str__(self) -> str:
        gap = self.ours.failure or f"{self.ours.gap:.1e}"
        others = (f"{one.seconds:.2f}{f' ({one.failure})' if one.failure else ''}" for one in self.peers.values())
        figures = str(self.case), f"{self.ours.seconds:.2f}", gap, self.ours.way, *others, f"{self.ratio:.2f}"
        return f"| {' | '.join(figures)} |"


def row_of(case: Case, limit: float, fast: float, patience: float) -> Row:
    """Return a row of the scan: the case by all solvers, one after the other."""
    ours = timed(designed, case, limit)
    peers = {name: timed(solved_by(name), case, patience * ours.seconds) for name in PEERS if ours.seconds > fast}
    row = Row(case, ours, peers)
    print(row, file=sys.stderr, flush=True)
    return row


def summary(name: str, rows: list[Row]) -> str:
    """Return an objective's row: how many, median, nine tenths, worst, and the largest ratio."""
    ours = sorted(row.ours.seconds for row in rows)
    figures = statistics.median(ours), ours[math.ceil(0.9 * len(ours)) - 1], ours[-1], max(row.ratio for row in rows)
    return f"| {name} | {len(ours)} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what any scan may be told."""
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--fast", type=float, default=1.0, metavar="SECONDS", help="cases with less have no peers")
    parser.add_argument("--patience", type=float, default=1.0, metavar="TIMES", help="as long as we took HiGHS has")
    parser.add_argument("--worst", type=int, default=15, metavar="N", help="rows to print")
    parser.add_argument("--processes", type=int, default=1)


def scan(chosen: Sequence[Case], given: argparse.Namespace) -> None:
    """Run the cases and print the tables."""
    with ThreadPoolExecutor(given.processes) as pool:
        rows = list(pool.map(lambda case: row_of(case, given.limit, given.fast, given.patience), chosen))
    rows.sort(key=lambda row: (-row.ratio, -row.ours.seconds))
    print(f"| case | seconds | gap | way | {' | '.join(PEERS.values())} | ratio |\n|---|---|---|---|---|---|---|")
    print(*rows[: given.worst], sep="\n")
    print("\n| objective | cases | median | nine tenths | worst | largest ratio |\n|---|---|---|---|---|---|")
    for name in dict.fromkeys(case.objective for case in chosen):
        print(summary(name, [row for row in rows if row.case.objective == name]))
    if known := [row.ratio for row in rows if row.peers]:
        print(f"\nMedian ratio of {len(known)} cases: {statistics.median(known):.2f}")


def main() -> None:
    """Run the scan and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=size_of, default=(100, 12), metavar="PROFILESxCATEGORIES")
    kinds = [*FAMILIES, *VALUES, "shared", *COUNTS, "points"]
    parser.add_argument("--families", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose names contain a text")
    add_options(parser)
    given = parser.parse_args()
    scan([case for case in cases(given.size, given.families) if given.only in str(case)], given)


if __name__ == "__main__":
    main()
