"""The structured solution: rows that come only when needed change no answer."""

from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from cliffs import Case, designed, exact

from mechdesign import MaxOffDiagonal, WorstLoss, design, profile_graph, value_graph
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
from mechdesign.privacy.requirement import requirements
from mechdesign.program.program import Program
from mechdesign.solution import Minimum
from mechdesign.solver import cutting_planes
from mechdesign.solver.canonical import canonical
from mechdesign.solver.minimise import minimise
from mechdesign.solver.structured import solve_structured
from mechdesign.stopwatch import announced_to


def test_of_values_alone_larger_sets_are_never_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In coarse rounds whatever nearly binds is a cut, and of a long count more of these came in each round."""
    graph = graph_of_family("counting", 40, 40, seed=1)
    (whole,) = components(graph, requirements(graph, Fraction(1, 2), Fraction(0)), MaxOffDiagonal(), shared=False)
    optimum, rows = solve_structured(whole.problem), []

    def counted(program: Program, *arguments: Any, **options: Any) -> Minimum:
        rows.append(len(program.upper))
        return minimise(program, *arguments, **options)

    monkeypatch.setattr(cutting_planes, "minimise", counted)
    monkeypatch.setattr(cutting_planes, "MANY_ROWS", 0)
    assert canonical(whole.problem, optimum) is not None
    assert len(rows) <= 4
    assert max(rows) <= 3 * 40 * 40 + 40


def test_rows_with_a_delta_come_at_once_where_all_pairs_are_required() -> None:
    """Inner points violate few more of them in every round, and each takes as long as one with all of them."""
    words: list[str] = []
    with announced_to(words.append):
        made = design(value_graph(range(16)), epsilon=1, delta=Fraction(1, 100), objective=WorstLoss("absolute"))
    assert [word.split(":")[0] for word in words if "round" in word] == ["solve, round 1"]
    assert list(made.stats["way"]) == ["classes; whole program; nearest on the optimal face"]
    assert (made.value - made.bound) / made.value < 1e-9


@pytest.mark.parametrize(("profiles", "epsilon"), [(30, "2"), (60, "0.3")])
def test_with_tiny_deltas_few_rounds_of_cuts_do(profiles: int, epsilon: str) -> None:
    """Interior points known to 1e-6 only were solved again to vertices: 57 rounds of cuts, or no end within 100."""
    masses = np.random.default_rng(0).dirichlet(np.ones(12), profiles)
    edges = nx.gnm_random_graph(profiles, 2 * profiles, seed=0).edges
    graph = profile_graph({i: exact(row) for i, row in enumerate(masses)}, edges=edges, categories=range(12))
    words: list[str] = []
    with announced_to(words.append):
        made = design(graph, epsilon=epsilon, delta="1e-9", objective=MaxOffDiagonal())
    assert sum(word.startswith("solve, round") for word in words) <= 9
    assert (made.value - made.bound) / made.value < 3e-9


@pytest.mark.parametrize("objective", ["expected squares", "worst absolute"])
def test_of_tiny_losses_small_graphs_have_a_small_gap_too(objective: str) -> None:
    """By a program that holds the objective to a level the gaps were 1.5e-4 and 7e-7 of values below 1e-5."""
    gap, way = designed(Case("smooth", objective, "2", "0", (20, 16)))
    assert gap < 1e-9
    assert way.endswith("nearest on the optimal face")
