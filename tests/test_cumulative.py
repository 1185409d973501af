"""The program of a loss in cumulative coordinates: its linear systems, its optima, and how it leads to a vertex."""

from collections.abc import Iterator
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from cases import ANYWHERE
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import ExpectedLoss, SolverError, WorstLoss, profile_graph, value_graph
from mechdesign import design as designed
from mechdesign.arrays import Floats
from mechdesign.designer import component
from mechdesign.objective import Goal
from mechdesign.objective.loss import Loss
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.program.program import Program, RowBuilder
from mechdesign.program.released_program import released_program
from mechdesign.solver import interior_point, large_loss
from mechdesign.solver.cumulative_answer import by_blocks
from mechdesign.solver.cumulative_program import CumulativeProgram, crossings_of
from mechdesign.solver.cumulative_system import CumulativeSystem, Structure
from mechdesign.solver.interior_point import InteriorPoint, Point
from mechdesign.solver.minimise import Wanted, minimise
from mechdesign.solver.optimality import Answer, error_of_found

SQUARES = [[(x - y) ** 2 for y in range(5)] for x in range(5)]
UNEVEN = [[abs(x - y) * (1 if y > x else 3) for y in range(5)] for x in range(5)]
LOSSES = ["hamming", "absolute", SQUARES, UNEVEN]
GOALS = [goal(loss) for goal in (ExpectedLoss, WorstLoss) for loss in LOSSES]


def drawn(seed: int, profiles: int = 12, zeros: float = 0.0) -> nx.Graph:
    """Return a random graph of profiles, one of which is a single value, with weights, one of which is 0."""
    random = np.random.default_rng(seed)
    counts = random.integers(1, 50, (profiles, 5)) * (random.random((profiles, 5)) >= zeros)
    counts[:, 2] += 1
    counts[0] = [0, 0, 7, 0, 0]
    shares = {i: [Fraction(int(one), int(row.sum())) for one in row] for i, row in enumerate(counts)}
    order = random.permutation(profiles).tolist()  # without cliques
    edges = [(order[i], order[j]) for i, j in nx.circulant_graph(profiles, [1, 4]).edges]
    weights = dict(enumerate(range(profiles)))
    return profile_graph(shares, edges=edges, categories=list(range(5)), weights=weights)


def problem_of(graph: nx.Graph, goal: Goal, epsilon: str = "0.5", delta: str = "0", shared: bool = False) -> Problem:
    asked = requirements(graph, Fraction(epsilon), Fraction(delta))
    (only,) = component.components(graph, asked, goal, shared=shared)
    return only.problem


def posed(problem: Problem) -> CumulativeProgram:
    crossings = crossings_of(problem)
    assert crossings is not None
    return CumulativeProgram(problem, crossings)


@pytest.mark.parametrize("delta", ["0", "0.01"])
@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_a_system_is_that_of_the_matrix(goal: Goal, delta: str) -> None:
    program = posed(problem_of(drawn(1), goal, delta=delta))
    random, long = np.random.default_rng(2), len(program.limits)
    assert long == program.k * program.worst + 2 * 24 * (delta != "0")
    weights = 10.0 ** random.uniform(-3, 3, len(program.bounds))
    matrix = program.matrix.toarray()
    short, sums = np.split(matrix, [len(matrix) - long])
    own, last = np.split(weights, [len(short)])
    whole = np.block([[short.T @ (own[:, None] * short), sums.T], [sums, -np.diag(1 / last)]])
    right = random.normal(size=len(whole))
    found = CumulativeSystem(Structure(program), weights).solve(right)
    np.testing.assert_allclose(whole @ found, right, atol=1e-6)
    np.testing.assert_allclose(found, np.linalg.solve(whole, right), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("joined", "blocks"), [(nx.cycle_graph(60), (60, 11)), (nx.random_regular_graph(6, 60, seed=1), (11, 60))]
)
def test_blocks_are_those_that_are_less_work(joined: nx.Graph, blocks: tuple[int, int]) -> None:
    """Of profiles, or a chain of dense ones, of outputs; but where losses or deltas join these."""
    counts = np.random.default_rng(1).integers(1, 50, (60, 12))
    shares = {i: [Fraction(int(one), int(row.sum())) for one in row] for i, row in enumerate(counts)}
    graph = profile_graph(shares, edges=joined.edges, categories=list(range(12)))
    assert Structure(posed(problem_of(graph, ExpectedLoss()))).columns.shape == blocks
    assert Structure(posed(problem_of(graph, WorstLoss()))).columns.shape == (60, 11)
    assert Structure(posed(problem_of(graph, ExpectedLoss(), delta="0.1"))).columns.shape == (60, 11)


def test_a_system_that_is_not_definite_is_named() -> None:
    program = posed(problem_of(drawn(1), ExpectedLoss()))
    with pytest.raises(SolverError, match="singular"):
        CumulativeSystem(Structure(program), -np.ones(len(program.bounds)))


@pytest.mark.parametrize("goal", GOALS, ids=str)
@given(
    seed=st.integers(0, 10_000),
    zeros=st.sampled_from([0.0, 0.5]),
    epsilon=st.sampled_from(["0.1", "0.5", "2"]),
    delta=st.sampled_from(["0", "1e-6", "0.05"]),
)
def test_it_is_an_optimum_of_the_released_program(
    goal: Goal, seed: int, zeros: float, epsilon: str, delta: str
) -> None:
    problem = problem_of(drawn(seed, zeros=zeros), goal, epsilon, delta)
    program = released_program(problem, ())
    answer = by_blocks(problem, program)
    assert answer is not None
    assert error_of_found(program, answer) < 1e-6
    vertex = minimise(program, Wanted.VERTEX)
    assert program.cost @ answer.columns == pytest.approx(program.cost @ vertex.columns, abs=1e-6)


def others() -> Iterator[tuple[str, Problem]]:
    graph, goal = drawn(1), ExpectedLoss()
    yield "one matrix", problem_of(graph, goal, shared=True)
    yield "on a ring", problem_of(graph, ExpectedLoss("circular"))
    yield "of a table that is not Monge", problem_of(graph, ExpectedLoss(np.arange(25).reshape(5, 5) % 7))
    yield "single values", problem_of(value_graph(range(5)), goal)


@pytest.mark.parametrize(("name", "problem"), list(others()))
def test_other_problems_have_no_such_program(name: str, problem: Problem) -> None:
    assert by_blocks(problem, released_program(problem, ())) is None, name


@pytest.mark.parametrize("loss", [*ANYWHERE, SQUARES, UNEVEN], ids=str)
@given(seed=st.integers(0, 10_000))
def test_columns_of_transport_cost_the_least(loss: object, seed: int) -> None:
    goal = ExpectedLoss(loss)
    kind: Loss = goal.kind
    table = np.array(goal.table(range(5)), dtype=float)
    profile, released = np.random.default_rng(seed).dirichlet(np.ones(5), size=2)
    profile[1] = 0.0
    profile /= profile.sum()
    rows = RowBuilder()
    count, (columns, costs) = kind.add_transport(rows, profile, np.arange(5), 5, table)
    program = rows.program(np.zeros(count), np.zeros(count))
    x = np.concatenate([released, kind.transported(profile, released, table)])
    np.testing.assert_allclose(
        np.clip(program.matrix @ x, program.lower, program.upper), program.matrix @ x, atol=1e-12
    )
    fixed = RowBuilder()
    fixed.equal(np.eye(5, count), released)
    kind.add_transport(fixed, profile, np.arange(5), 5, table)
    cost = np.bincount(columns, costs, count).astype(float)
    least = minimise(fixed.program(cost, np.zeros(count)))
    assert cost @ x == pytest.approx(cost @ least.columns, abs=1e-9)


class TestWhere:
    """Designs that take this way, and those that take another where it leads nowhere."""

    GRAPH = drawn(3, profiles=60)

    def value(self) -> Fraction:
        made = designed(self.GRAPH, epsilon="0.5", objective=ExpectedLoss("absolute"))
        assert list(made.stats["way"]) == ["whole program; nearest on the optimal face"]
        assert made.value - made.bound < Fraction(1, 10**8)
        return made.value

    def test_both_ways_find_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = list[bool]()

        def seen(*given: object) -> object:
            asked.append(True)
            return by_blocks(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(large_loss, "by_blocks", seen)
        value = self.value()
        assert asked
        monkeypatch.setattr(large_loss, "by_blocks", lambda *_: None)
        assert float(self.value()) == pytest.approx(float(value), rel=1e-8)

    @pytest.mark.parametrize("found", ["nothing", "far off"])
    def test_another_way_is_taken(self, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
        value = self.value()

        def failing(*_: object) -> object:
            if found == "nothing":
                raise SolverError("singular")
            answer = by_blocks(*_)  # type: ignore[arg-type]
            assert answer is not None
            return answer._replace(columns=answer.columns[::-1])

        monkeypatch.setattr(large_loss, "by_blocks", failing)
        assert float(self.value()) == pytest.approx(float(value), rel=1e-8)


class TestSearch:
    """Minimise x with 1 <= x <= 2."""

    class Plain:
        def __init__(self, weights: Floats) -> None:
            self.weights = weights

        def solve(self, right: Floats) -> Floats:
            return np.array(right / self.weights.sum())

    def search(self, system: object = Plain) -> InteriorPoint:
        matrix = sp.csr_matrix([[-1.0], [1.0]])
        return InteriorPoint(matrix, np.array([-1.0, 2.0]), np.ones(1), 0, system)  # type: ignore[arg-type]

    def test_it_ends_at_the_optimum(self) -> None:
        found = self.search().optimum()
        assert found.x == pytest.approx(1, abs=1e-8)
        np.testing.assert_allclose(found.z, [1, 0], atol=1e-8)

    def test_it_ends_where_the_time_is_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(interior_point, "is_over", lambda: True)
        assert self.search().optimum().error > 1e-3

    @pytest.mark.parametrize("first", [True, False])
    def test_a_singular_system_ends_it(self, first: bool) -> None:
        """With what there is, if that is near."""
        number = iter(range(100))

        def failing(weights: Floats) -> object:
            if next(number) > (0 if first else 7):
                raise SolverError("singular")
            return self.Plain(weights)

        if first:
            with pytest.raises(SolverError, match="singular"):
                self.search(failing).optimum()
        else:
            found = self.search(failing).optimum()
            assert isinstance(found, Point)
            assert found.error < 1e-6


def test_trees_go_this_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Problem]()

    def seen(problem: Problem, program: Program) -> Answer | None:
        asked.append(problem)
        return by_blocks(problem, program)

    monkeypatch.setattr(large_loss, "by_blocks", seen)
    graph = drawn(3, profiles=150)
    tree = nx.minimum_spanning_tree(nx.Graph(graph.edges))
    graph.remove_edges_from([edge for edge in graph.edges if not tree.has_edge(*edge)])
    made = designed(graph, epsilon="0.5", objective=ExpectedLoss("absolute"))
    assert list(made.stats["way"]) == ["whole program; nearest on the optimal face"]
    assert len(asked) == 1
