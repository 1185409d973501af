"""The profiles that ask for most: their optimum is a bound for the whole graph, and as a rule its optimum."""

from fractions import Fraction

import pytest

import mechdesign as md
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
from mechdesign.graph.graph_file import as_graph
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.solver import decisive_pairs as module
from mechdesign.solver.decisive_pairs import solve_decisive


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best edge alone."""
    monkeypatch.setattr(module, "EDGES", 1)


def problem_of(
    objective: md.MaxOffDiagonal | md.ExpectedLoss,
    *,
    shared: bool = False,
    seed: int = 1,
    profiles: int = 14,
    epsilon: str = "1/2",
) -> Problem:
    graph = as_graph(graph_of_family("ring", profiles, 5, seed))
    parts = components(graph, requirements(graph, Fraction(epsilon), Fraction(0)), objective, shared=shared)
    return parts[0].problem


def test_where_it_does_not_apply() -> None:
    assert solve_decisive(problem_of(md.MaxOffDiagonal(), profiles=7)) is None  # too small
    assert solve_decisive(problem_of(md.MaxOffDiagonal(), profiles=8)) is not None


@pytest.mark.usefixtures("small")
def test_where_it_does_not_suit() -> None:
    assert solve_decisive(problem_of(md.ExpectedLoss("hamming"))) is None
    assert solve_decisive(problem_of(md.MaxOffDiagonal(), shared=True)) is None


def test_edges_of_huge_epsilons_are_not_in_it() -> None:
    shares = [Fraction(i + 1, i + 3) for i in range(14)]  # all different: there are no classes
    profiles = {i: [share * (i % 2), share * (1 - i % 2), 1 - share] for i, share in enumerate(shares)}
    graph = md.profile_graph(profiles, edges=[(i, i + 1) for i in range(13)], categories=[0, 1, 2])
    result = md.design(graph, epsilon=701, delta="1/100")
    assert 0 <= result.bound <= result.value <= Fraction(1, 10**12)
