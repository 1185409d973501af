"""Large problems are solved by a vertex and what all optima have in common: what forced designs do not show."""

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from cases import CHAIN, FAR_APART, FORCED, LARGE, Forced
from cliffs import Case, designed
from networkx import Graph, cycle_graph, grid_2d_graph, random_regular_graph
from strained import strained

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss, design, profile_graph, value_graph
from mechdesign.designer.component import components
from mechdesign.privacy.requirement import requirements
from mechdesign.program.program import Program
from mechdesign.solution import Minimum
from mechdesign.solver import closest as module
from mechdesign.solver import cutting_planes
from mechdesign.solver.closest import closest
from mechdesign.solver.full import solve_full
from mechdesign.solver.minimise import Wanted, minimise, minimum_of
from mechdesign.solver.optimal_face import OnFace
from mechdesign.solver.structured import solve_structured
from mechdesign.stopwatch import announced_to


@pytest.mark.slow
def test_a_thin_face_is_seen_from_a_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    """From within it was seen to 1e-8 only, and taken for another one."""
    masses = np.ceil(np.random.default_rng(1).dirichlet(np.full(12, 0.1), size=40) * 10**6).astype(int).tolist()
    profiles = {i: [Fraction(mass, sum(row)) for mass in row] for i, row in enumerate(masses)}
    graph = profile_graph(profiles, edges=random_regular_graph(4, 40, seed=1).edges, categories=list(range(12)))
    Forced("", [], {name: 1_500 for name in LARGE if name.endswith("MANY_ROWS")}).force(monkeypatch)
    made = design(graph, epsilon=2, objective=WorstLoss("absolute"))
    assert made.stats["way"] == {"whole program; nearest on the optimal face": 1}
    assert made.value - made.bound <= Fraction(1, 10**10) * made.bound


def test_columns_that_others_follow_from_by_small_coefficients_are_no_measure() -> None:
    """What is nearest in such a column, the others free, may be 1e4 and more: no distance is of that size."""
    random, masses = np.random.default_rng(1), np.zeros((60, 12))
    for row in masses:
        row[random.permutation(12)[:6]] = np.ceil(random.dirichlet(np.ones(6)) * 10**6)
    profiles = {i: [Fraction(int(mass), int(row.sum())) for mass in row] for i, row in enumerate(masses)}
    graph = profile_graph(profiles, edges=random_regular_graph(4, 60, seed=1).edges, categories=list(range(12)))
    made = design(graph, epsilon=2, objective=ExpectedLoss("absolute"))
    assert made.stats["way"] == {"whole program; nearest on the optimal face": 1}


@pytest.mark.parametrize(
    ("objective", "shared", "expected"),
    [(ExpectedLoss(), False, 0.1), (WorstLoss("absolute"), True, 1.0), (WorstLoss("absolute"), False, 1.0)],
)
def test_of_violations_that_are_corrected_a_tenth_counts(
    monkeypatch: pytest.MonkeyPatch, objective: Any, shared: bool, expected: float
) -> None:
    """They may be as large as `OnFace.value` allows; one matrix is not corrected, nor what is left to limits."""
    shares: list[float] = []

    def told(*given: Any, share: float = 1.0, **asked: Any) -> Any:
        shares.append(share)
        return minimum_of(*given, share=share, **asked)

    monkeypatch.setattr(module, "minimum_of", told)
    Forced("", [], {name: 10 for name in LARGE if name.endswith("MANY_ROWS")}).force(monkeypatch)
    made = design(CHAIN, epsilon=0.5, objective=objective, shared=shared)
    assert all("nearest on the optimal face" in way for way in made.stats["way"])
    assert set(shares) == {expected}


def test_a_level_below_the_optimum_has_no_answer() -> None:
    required = requirements(CHAIN, Fraction(1, 2), Fraction(1, 50))
    problem = components(CHAIN, required, MaxOffDiagonal(), shared=False)[0].problem
    level = solve_structured(problem).value
    found = closest(problem, level / 2)
    assert isinstance(found, str)
    assert "PrimalInfeasible" in found


def test_pairs_that_others_nearly_imply_come_when_they_are_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All 66 pairs, both ways, of 12 outputs would be 1,584 rows, and 12 that add up to 1."""
    FORCED["large, pairs that others nearly imply"].force(monkeypatch)
    words: list[str] = []
    with announced_to(words.append):
        strained("points 12 1 1").design()
    rows = [int(found[1]) for one in words if (found := re.match(r"solve, round \d+: (\d+) rows", one))]
    assert len(rows) > 1
    assert rows == sorted(rows)
    assert rows[-1] < 1_200


VALUES = value_graph(range(8))
VALUES.remove_edges_from([(i, j) for i, j in VALUES.edges if j - i > 1 and (i, j) not in {(0, 3), (2, 7)}])


def test_of_single_values_no_few_are_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    Forced("", [], LARGE | FAR_APART).force(monkeypatch)
    words: list[str] = []
    with announced_to(words.append):
        made = design(VALUES, epsilon=1, objective=WorstLoss("absolute"))
    assert made.stats["way"] == {"whole program; nearest on the optimal face": 1}
    assert not [one for one in words if "all profiles" in one]


MISTAKEN = {"solver.canonical._by_face": lambda *_: "mistaken", "solver.cutting_planes.MANY_ROWS": 0}


def test_of_single_values_on_a_mistaken_face_all_rows_come_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Forced("", [], LARGE | MISTAKEN).force(monkeypatch)
    words: list[str] = []
    with announced_to(words.append):
        made = design(VALUES, epsilon=1, objective=WorstLoss("absolute"))
    assert made.stats["way"] == {"whole program; nearest, held": 1}
    edges = VALUES.number_of_edges()
    assert [one for one in words if "canonical, round" in one] == [f"canonical, round 1: {8 + 8 + 2 * 8 * edges} rows"]


def ring(k: int) -> Graph:
    """Return values on a ring, all alike."""
    graph = value_graph(range(k))
    graph.remove_edges_from([pair for pair in graph.edges if pair not in cycle_graph(k).edges])
    return graph


PLACES = list(grid_2d_graph(4, 4))
GRID = value_graph(range(16), metric=lambda x, y: np.hypot(*np.subtract(PLACES[x], PLACES[y])).round(3))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Wanted]:
    """What is asked of the solvers of cutting planes, for which all programs are large."""
    result: list[Wanted] = []

    def noted(program: Program, wanted: Wanted, **how: Any) -> Minimum:
        result.append(wanted)
        return minimise(program, wanted, **how)

    monkeypatch.setattr(cutting_planes, "minimise", noted)
    monkeypatch.setattr(cutting_planes, "MANY_ROWS", 0)
    return result


@pytest.mark.parametrize(("graph", "most"), [(VALUES, False), (GRID, True)])
def test_limits_of_single_values_come_at_once_unless_most_pairs_are_required(
    graph: Graph, most: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    Forced("", [], LARGE).force(monkeypatch)
    words: list[str] = []
    with announced_to(words.append):
        made = design(graph, epsilon=1, objective=WorstLoss("absolute"))
    assert "nearest on the optimal face" in "".join(made.stats["way"])
    limits = [int(one.split()[1]) for one in words if one.startswith("canonical: ") and one.endswith(" limits")]
    every = 2 * len(graph) * graph.number_of_edges()
    assert max(limits) < every / 2 if most else limits == [every]


def test_of_places_on_a_mistaken_face_rows_come_as_they_are_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    Forced("", [], LARGE | MISTAKEN).force(monkeypatch)
    words: list[str] = []
    with announced_to(words.append):
        made = design(GRID, epsilon=1, objective=WorstLoss("absolute"))
    assert "nearest, held" in "".join(made.stats["way"])
    rows = [int(one.split()[-2]) for one in words if one.startswith("canonical, round") and one.endswith(" rows")]
    assert max(rows) < len(GRID) * GRID.number_of_edges()


@pytest.mark.parametrize(("graph", "most"), [(ring(12), False), (GRID, True)])
def test_rows_of_classes_come_by_inner_points_where_most_pairs_are_required(
    graph: Graph, most: bool, asked: list[Wanted]
) -> None:
    """And then once to a vertex, whose multipliers say what all optima have in common."""
    made = design(graph, epsilon=1, objective=ExpectedLoss())
    assert made.stats["way"] == {"classes; whole program; nearest on the optimal face": 1}
    assert asked == [*[Wanted.ANY] * (len(asked) - 1), Wanted.VERTEX]
    assert (len(asked) > 2) == most
    assert made.value - made.bound <= Fraction(1, 10**12) * made.bound


def test_the_nearest_optimum_is_corrected_with_exact_residuals() -> None:
    """Rounded as it is found it would cost more than 2e-9 above the optimum, as masses fall by e^-2 with every edge."""
    made = design(ring(20), epsilon=2, delta="0.01", objective=WorstLoss("absolute"))
    assert made.stats["way"] == {"classes; whole program; nearest on the optimal face": 1}


def test_no_vertex_of_classes_is_looked_for_to_an_accuracy(
    asked: list[Wanted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cutting_planes, "accuracy_for", lambda _: 1e-6)
    (part,) = components(GRID, requirements(GRID, Fraction(1), Fraction(0)), ExpectedLoss(), shared=False)
    assert part.by_classes is not None
    cutting_planes.solve_by_cuts(part.by_classes, Wanted.VERTEX)
    assert set(asked) == {Wanted.ANY}


@pytest.mark.parametrize("shared", [False, True])
def test_only_what_is_corrected_may_be_off(shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    Forced("", [], LARGE).force(monkeypatch)
    required = requirements(CHAIN, Fraction(1, 2), Fraction(0))
    problem = components(CHAIN, required, ExpectedLoss(), shared=shared)[0].problem
    optimum = solve_full(problem) if shared else solve_structured(problem)
    assert optimum.vertex is not None
    face, x = OnFace(problem, optimum.value, optimum.vertex), optimum.vertex.columns.copy()
    assert face.value(x) is not None
    x[x.argmax()] += 5e-9
    assert (face.value(x) is None) == shared


@pytest.mark.parametrize("size", [(14, 9), (24, 20)])
def test_one_matrix_with_tiny_deltas_is_the_nearest(size: tuple[int, int]) -> None:
    """By a program that holds the objective to a level, or without a correction, it was any optimum."""
    gap, way = designed(Case("shared", "expected squares", "0.5", "1e-9", size))
    assert way == "textbook program; nearest on the optimal face"
    assert gap < 2e-9
