"""Large problems are solved by a vertex and what all optima have in common: with the answers of small ones."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from networkx import random_regular_graph

from mechdesign import ExpectedLoss, MaxOffDiagonal, SolverError, WorstLoss, design, profile_graph, value_graph
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
from mechdesign.graph.uncertainty import Ball
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.program.released_program import released_program
from mechdesign.solution import Minimum, Solution
from mechdesign.solver import canonical as second
from mechdesign.solver import closest as module
from mechdesign.solver import cutting_planes, large_loss, minimise
from mechdesign.solver.canonical import canonical
from mechdesign.solver.full import solve_full
from mechdesign.solver.highs import Basis
from mechdesign.solver.structured import solve_structured

TABLE = [[0, 1, 3, 4], ["1/2", 0, 1, 2], [2, 2, 0, "1/3"], [1, 1, 1, 0]]
LOSSES: dict[str, Objective] = {
    "hamming": ExpectedLoss(),
    "absolute": ExpectedLoss("absolute"),
    "table": ExpectedLoss(TABLE),
    "worst": WorstLoss(),
    "worst absolute": WorstLoss("absolute"),
    "worst table": WorstLoss(TABLE),
}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """No problem is large, until `large` is asked for."""
    _large_from(monkeypatch, 10**9)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda: _large_from(monkeypatch, -1)


def _large_from(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    for one in (large_loss, second, minimise):
        monkeypatch.setattr(one, "MANY_ROWS", rows)
    monkeypatch.setattr(large_loss, "_in_cliques", lambda problem: False)


def problem_of(
    objective: Objective, delta: str = "0", family: str = "ring", k: int = 8, seed: int = 1, shared: bool = False
) -> Problem:
    graph = graph_of_family(family, k, 4, seed)
    required = requirements(graph, Fraction(1, 2), Fraction(delta))
    return components(graph, required, objective, shared=shared)[0].problem


def both(problem: Problem) -> tuple[Solution, Solution]:
    optimum = solve_full(problem) if problem.shared else solve_structured(problem)
    chosen = canonical(problem, optimum)
    assert chosen is not None
    return optimum, chosen


@pytest.mark.slow
def test_a_thin_face_is_seen_from_a_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    """From within it was seen to 1e-8 only, and taken for another one."""
    masses = np.ceil(np.random.default_rng(1).dirichlet(np.full(12, 0.1), size=40) * 10**6).astype(int).tolist()
    profiles = {i: [Fraction(mass, sum(row)) for mass in row] for i, row in enumerate(masses)}
    graph = profile_graph(profiles, edges=random_regular_graph(4, 40, seed=1).edges, categories=list(range(12)))
    _large_from(monkeypatch, 1_500)
    made = design(graph, epsilon=2, objective=WorstLoss("absolute"))
    assert made.stats["way"] == {"whole program; nearest on the optimal face": 1}
    assert made.value - made.bound <= Fraction(1, 10**10) * made.bound


def test_a_level_below_the_optimum_has_no_answer() -> None:
    problem = problem_of(MaxOffDiagonal(), "1/50")
    level = solve_structured(problem).value
    with pytest.raises(SolverError):
        module.closest(problem, level / 2)


@pytest.mark.parametrize("detour", [1.05, 1e9])
def test_pairs_that_others_nearly_imply_come_when_they_are_violated(
    detour: float, large: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And each round starts from the vertex before; what is found is the same."""
    places = np.random.default_rng(1).random((12, 2)) * 3
    graph = value_graph(range(12), metric=lambda a, b: math.dist(places[a], places[b]))
    loss = ExpectedLoss([[math.dist(a, b) for b in places] for a in places])
    problem = components(graph, requirements(graph, Fraction(1), Fraction(0)), loss, shared=False)[0].problem
    large()
    usual, chosen = both(problem)
    rows, starts = [], []

    def counted(program: Program, *arguments: Any, start: Basis | None = None, **options: Any) -> Minimum:
        rows.append(len(program.upper))
        starts.append(start is not None)
        return minimise.minimise(program, *arguments, start=start, **options)

    monkeypatch.setattr(cutting_planes, "minimise", counted)
    monkeypatch.setattr(cutting_planes, "MANY_ROWS", 0)
    monkeypatch.setattr(cutting_planes, "DETOUR", detour)
    monkeypatch.setattr(cutting_planes, "FEW_NEW", 1.0)
    optimum, found = both(problem)
    assert starts == [False] + [True] * (len(rows) - 1)
    assert len(rows) > 1
    assert rows == sorted(rows)
    assert rows[-1] < len(released_program(problem, ()).upper)
    assert optimum.value == pytest.approx(usual.value, rel=1e-12)
    np.testing.assert_allclose(found.released, chosen.released, rtol=0, atol=1e-9)


def test_what_suits_it(large: Any) -> None:
    """Neither one matrix for all, nor profiles within bounds, nor classes."""
    problem = problem_of(LOSSES["hamming"])
    assert not large_loss.suits(problem)
    large()
    assert large_loss.suits(problem)
    assert not large_loss.suits(problem_of(LOSSES["hamming"], shared=True))
    assert not large_loss.suits(
        replace(problem, uncertain=[Ball(tuple(masses), Fraction(1, 10)) for masses in problem.exact])
    )
    values = value_graph(range(6))
    component = components(values, requirements(values, Fraction(1), Fraction(0)), LOSSES["hamming"], shared=False)[0]
    assert large_loss.suits(component.problem)
    assert component.by_classes is not None
    assert not large_loss.suits(component.by_classes)
