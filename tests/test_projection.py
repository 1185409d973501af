"""The canonical optimum by projection: that of the interior-point method, in small graphs of all families."""

import math
from fractions import Fraction

import pytest

import mechdesign as md
from mechdesign.bench.families import graph_of_family
from mechdesign.designer import stages
from mechdesign.designer.component import components
from mechdesign.graph.graph_file import as_graph
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.rounding import exact_rows
from mechdesign.solver import decisive_pairs, projection
from mechdesign.solver.decisive_pairs import solve_and_project
from mechdesign.solver.projection import first_rounds, project, suits_projection
from mechdesign.solver.structured import solve_structured

LARGEST = md.MaxOffDiagonal()


def problems(family: str, seed: int = 1, *, delta: str = "0", goal: Objective = LARGEST) -> list[Problem]:
    graph = as_graph(graph_of_family(family, 11, 5, seed))
    asked = requirements(graph, Fraction(1, 2), Fraction(delta))
    return [part.problem for part in components(graph, asked, goal, shared=False) if not part.problem.needs_no_noise]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Graphs of any size are projected, and one edge decides, that which asks for most."""
    monkeypatch.setattr(projection, "LEAST_ENTRIES", 0)
    monkeypatch.setattr(projection, "LEAST_PROFILES", 1)
    monkeypatch.setattr(decisive_pairs, "EDGES", 1)


def test_none_is_found_below_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "MOST_ROUNDS", 20)
    (problem,) = problems("ring")
    _, ended = project(problem, 0.9 * solve_structured(problem).value)
    assert not ended


@pytest.mark.usefixtures("small")
def test_where_it_does_not_end_and_nothing_else_would_what_it_has_is_made_private(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The gap is proved as ever, nothing is refined or solved anew, and it is not called the canonical optimum."""
    monkeypatch.setattr(decisive_pairs, "OTHERWISE", 0)
    monkeypatch.setattr(projection, "MOST_ROUNDS", 3)
    for room, name in ((exact_rows, "refined"), (stages, "canonical")):
        monkeypatch.setattr(room, name, None)
    graph = graph_of_family("ring", 11, 5, 1)
    found = md.design(graph, epsilon="0.5", method="structured")
    assert found.stats["any_optimum"] == 1
    assert md.certify(found.mechanism, graph, epsilon="0.5").private
    assert found.bound < found.value < found.bound * Fraction(11, 10)


def test_profiles_that_nothing_moves_stay_as_they_are() -> None:
    """Exactly so: they are in no row, and their neighbours can do with what they release."""
    masses = [[Fraction(x, 10) for x in row] for row in ([8, 1, 1], [2, 4, 4], [3, 4, 3], [3, 3, 4], [3, 3, 4])]
    graph = md.profile_graph(dict(enumerate(masses)), edges=[(i, i + 1) for i in range(4)], categories=list("xyz"))
    (part,) = components(graph, requirements(graph, Fraction(1, 2), Fraction(0)), LARGEST, shared=False)
    found, ended = project(part.problem, solve_structured(part.problem).value)
    assert ended
    still = (found == part.problem.profiles).all(axis=1)
    assert still.tolist() == [False, False, True, True, True]
    excess = found[None, :, :] - math.exp(0.5) * found[:, None, :]
    assert max(excess[i, i + 1].max() for i in range(4)) <= 1e-11


@pytest.mark.usefixtures("small")
def test_what_suits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "MOST_EDGES", 4)
    assert suits_projection(problems("ring")[0])
    assert not suits_projection(problems("ring", delta="1/10")[0])
    assert not suits_projection(problems("complete")[0])  # five edges for each profile
    assert not suits_projection(problems("ring", goal=md.ExpectedLoss("hamming"))[0])
    assert suits_projection(problems("tree")[0])
    assert not suits_projection(problems("counting")[0])  # values alone
    monkeypatch.setattr(projection, "LEAST_PROFILES", 3)
    assert not suits_projection(problems("ring")[0])  # 11 profiles, 5 outputs
    monkeypatch.setattr(projection, "OTHERWISE", 54)
    assert suits_projection(problems("ring")[0])


def test_small_graphs_are_left_to_the_interior_point_method() -> None:
    assert not suits_projection(problems("ring")[0])
    assert solve_and_project(problems("ring")[0]) is None


def test_large_problems_that_it_suits_alone_are_answered_roughly(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_rounds(problems("ring")[0], 0.1) is None
    monkeypatch.setattr(projection, "LEAST_ENTRIES", 0)
    assert first_rounds(problems("ring")[0], 0.1) is not None
    assert first_rounds(problems("ring", delta="1/10")[0], 0.1) is None
