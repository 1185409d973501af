"""Designs for every distribution within the profiles' bounds, held against the definition and brute force."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from answered import answered
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import assert_private
from oracles.optimum import optimum_of
from strategies import bounded_graphs

import mechdesign as md
from mechdesign.certificate.private import check_private
from mechdesign.certificate.within import unit_of, within
from mechdesign.designer import largest_design
from mechdesign.designer.component import components
from mechdesign.errors import InputError, SolverError
from mechdesign.graph.checks import checked
from mechdesign.graph.uncertainty import nominal, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective
from mechdesign.privacy.extremes import extremes, met_within
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.program.robust import Sets
from mechdesign.rounding.matrix_rows import matrix_rows
from mechdesign.solver import worst_distributions
from mechdesign.solver.minimise import minimise

HALF = Fraction(1, 2)


def example(width: str = "0.05") -> nx.Graph:
    """Return three profiles on a line: a box, a known one, and a ball around one that never has `c`."""
    graph = nx.Graph(categories=["a", "b", "c"])
    box = [Fraction("0.5"), Fraction("0.3"), Fraction("0.2")]
    r = Fraction(width)
    graph.add_node("box", distribution=box, lower=[mass - r for mass in box], upper=[mass + r for mass in box])
    graph.add_node("known", distribution=["0.2", "0.5", "0.3"])
    graph.add_node("ball", distribution=["0.4", "0.6", "0"], radius=r)
    graph.add_edges_from([("box", "known"), ("known", "ball")])
    return graph


def problem_of(
    graph: nx.Graph,
    *,
    epsilon: Fraction = HALF,
    delta: Fraction = Fraction(0),
    objective: Objective | None = None,
    shared: bool = False,
) -> Problem:
    graph = checked(graph)
    parts = components(graph, requirements(graph, epsilon, delta), objective or md.MaxOffDiagonal(), shared=shared)
    return parts[0].problem


@st.composite
def paths_and_rings(draw: st.DrawFn, *, profiles: int = 3, categories: int = 3) -> nx.Graph:
    """Draw profiles within boxes and balls."""
    k, d = draw(st.integers(2, profiles)), draw(st.integers(2, categories))
    graph = draw(bounded_graphs(categories=d, profiles=k))
    if k > 2 and draw(st.booleans()):
        graph.remove_edge(0, k - 1)
    return graph


OBJECTIVES: list[Objective] = [
    md.MaxOffDiagonal(),
    md.ExpectedLoss(),
    md.WorstLoss("absolute"),
    md.ExpectedLoss([[0, 1], [1, 1], [2, 0]]),
]


def assert_optimal(graph: nx.Graph, epsilon: Fraction, delta: Fraction, objective: Objective) -> None:
    """From the definition, with all vertices: between bound and value, which are near, private, and proved to be."""
    asked: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "objective": objective}
    result = md.design(graph, **asked)
    least = optimum_of(checked(graph), epsilon, delta, objective)
    assert result.bound <= least <= result.value <= result.bound + Fraction(1, 10**8)
    assert_private(result.mechanism, checked(graph), epsilon, delta)
    found = md.check_certificate(result.certificate, graph=graph, mechanism=result.mechanism, **asked)
    assert found == (result.value, result.bound)


@pytest.mark.parametrize("objective", OBJECTIVES, ids=["t", "hamming", "absolute", "table"])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 50)])
def test_the_optimum_is_that_of_the_definition(objective: Objective, delta: Fraction) -> None:
    assert_optimal(example(), HALF, delta, objective)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(paths_and_rings(), st.sampled_from([Fraction(0), Fraction(1, 10), HALF, Fraction(2)]))
def test_any_small_graph(graph: nx.Graph, epsilon: Fraction) -> None:
    assert_optimal(graph, epsilon, Fraction(0), md.MaxOffDiagonal())


def test_it_costs_more_than_the_distributions_alone() -> None:
    wide, alone = (
        md.design(example(), epsilon=HALF, objective=md.ExpectedLoss(), nominal=one) for one in (False, True)
    )
    assert [wide.robust, alone.robust] == [True, False]
    assert wide.value > alone.value
    rows = alone.mechanism
    with pytest.raises(AssertionError, match="too much"):
        assert_private(Mechanism(wide.graph, rows.outputs, rows.rows, rows.index), wide.graph, HALF)


@pytest.mark.parametrize("objective", [md.MaxOffDiagonal(), md.ExpectedLoss()], ids=["t", "hamming"])
def test_without_width_it_is_the_usual_design(objective: Objective) -> None:
    graph = example("0")
    mine, usual = (md.design(graph, epsilon=HALF, objective=objective, nominal=one) for one in (False, True))
    assert (mine.value, mine.bound) == (usual.value, usual.bound)
    assert [mine.mechanism.released(p) for p in graph] == [usual.mechanism.released(p) for p in graph]
    assert all("bounds" not in one for made in (mine, usual) for one in made.certificate["profiles"])
    assert md.check_certificate(mine.certificate, graph=graph) == (mine.value, mine.bound)


def test_a_component_that_is_known_goes_the_usual_way() -> None:
    graph = example()
    graph.add_node("x", distribution=["0.7", "0.2", "0.1"])
    graph.add_node("y", distribution=["0.1", "0.2", "0.7"])
    graph.add_edge("x", "y")
    alone = nx.Graph(**graph.graph)
    alone.add_nodes_from((name, graph.nodes[name]) for name in "xy")
    alone.add_edge("x", "y")
    with ThreadPoolExecutor(2) as executor:
        whole = md.design(graph, epsilon=HALF, executor=executor)
    usual = md.design(alone, epsilon=HALF)
    for name in "xy":
        both = (map(float, made.mechanism.released(name)) for made in (whole, usual))
        assert list(next(both)) == pytest.approx(list(next(both)), abs=1e-14)
    assert md.check_certificate(whole.certificate, graph=graph) == (whole.value, whole.bound)


def test_a_category_that_is_only_possible_has_its_row_designed_and_proved() -> None:
    result = md.design(example(), epsilon=HALF)
    assert result.mechanism.row("ball", "c")[2] < 1
    assert all(result.certificate["matrices"][2])
    usual = md.design(example(), epsilon=HALF, nominal=True)
    assert usual.mechanism.row("ball", "c")[2] == 1


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("objective", [md.MaxOffDiagonal(), md.ExpectedLoss()], ids=["t", "hamming"])
def test_at_epsilon_0_categories_whose_mass_varies_share_their_row(shared: bool, objective: Objective) -> None:
    graph = example()
    graph.nodes["box"]["lower"] = ["0.45", "0.25", "0.2"]
    graph.nodes["box"]["upper"] = ["0.55", "0.35", "0.2"]
    result = md.design(graph, epsilon=0, objective=objective, shared=shared)
    assert result.mechanism.row("box", "a") == result.mechanism.row("box", "b")
    assert result.mechanism.row("ball", "a") == result.mechanism.row("ball", "b") == result.mechanism.row("ball", "c")
    assert len({result.mechanism.released(profile) for profile in graph}) == 1
    assert float(result.value - result.bound) <= 1e-8
    assert md.check_certificate(result.certificate, graph=graph) == (result.value, result.bound)


def test_one_matrix_for_all() -> None:
    own, one = (md.design(example(), epsilon=HALF, shared=shared) for shared in (False, True))
    assert one.value > own.value
    assert one.mechanism.row("box", "a") == one.mechanism.row("ball", "a")
    assert_private(one.mechanism, one.mechanism.graph, HALF)
    assert float(one.value - one.bound) <= 1e-8
    assert md.check_certificate(one.certificate, graph=example()) == (one.value, one.bound)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("delta", [0, Fraction(1, 50)])
def test_the_reference_agrees(delta: Fraction, shared: bool) -> None:
    for objective in (md.MaxOffDiagonal(), md.WorstLoss(), md.LargestCost()):
        mine, other = (
            md.design(example(), epsilon=HALF, delta=delta, objective=objective, shared=shared, method=method)
            for method in ("auto", "reference")
        )
        assert float(other.value) == pytest.approx(float(mine.value), abs=1e-8)


@pytest.mark.parametrize("method", ["structured", "highs"])
def test_methods_that_have_no_form_for_it_say_so(method: str) -> None:
    with pytest.raises(InputError, match=f"method {method} has no form .* use auto or reference"):
        md.design(example(), epsilon=HALF, method=method)
    assert md.design(example(), epsilon=HALF, method=method, nominal=True).value > 0


def test_where_the_nearest_is_not_found_any_optimum_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = md.design(example(), epsilon=HALF)

    def found(program: Program, **options: Any) -> Any:
        if program.curvature is not None:
            raise SolverError("no answer")
        return minimise(program, **options)

    monkeypatch.setattr(worst_distributions, "minimise", found)
    result = md.design(example(), epsilon=HALF)
    assert float(result.value) == pytest.approx(float(usual.value), abs=1e-8)
    assert result.stats["any_optimum"] == 1


def test_cuts_that_do_not_end_are_as_private(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = example("0.15")
    monkeypatch.setattr(worst_distributions, "MOST_ROUNDS", 1)
    result = md.design(graph, epsilon=HALF, objective=md.ExpectedLoss())
    assert_private(result.mechanism, result.mechanism.graph, HALF)
    assert md.check_certificate(result.certificate, graph=graph) == (result.value, result.bound)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 50)])
def test_prices_are_the_derivatives_of_the_optimum_within_the_bounds(delta: Fraction) -> None:
    def value(epsilon: str, delta: Fraction) -> float:
        return float(md.design(example(), epsilon=epsilon, delta=delta, objective=md.ExpectedLoss()).bound)

    design = md.design(example(), epsilon="0.5", delta=delta, objective=md.ExpectedLoss())
    fall = (value("0.499", delta) - value("0.501", delta)) / 0.002
    assert fall > 0
    assert float(sum(price.epsilon for price in design.prices())) == pytest.approx(fall, rel=1e-3)
    if delta:
        fall = (value("0.5", delta - Fraction(1, 1000)) - value("0.5", delta + Fraction(1, 1000))) / 0.002
        assert float(sum(price.delta for price in design.prices())) == pytest.approx(fall, rel=1e-3)


def test_an_objective_through_cvxpy_has_no_form_for_it() -> None:
    with pytest.raises(InputError, match="objective mutual-information: it has no form for profiles known only within"):
        md.design(example(), epsilon=HALF, objective=md.MutualInformation(at_most=1))


def test_more_than_can_be_solved_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(largest_design, "MOST_UNCERTAIN", 26)
    with pytest.raises(InputError, match=r"have 27 transition probabilities to be found, .*--nominal"):
        md.design(example(), epsilon=HALF)
    assert md.design(example(), epsilon=HALF, nominal=True).value > 0


def test_the_check_sees_that_a_nominal_design_is_not_private_within_the_bounds() -> None:
    graph = checked(example())
    required = requirements(graph, HALF, Fraction(0))
    alone = md.design(graph, epsilon=HALF, nominal=True).mechanism
    parts = [(part.members, part.problem) for part in components(graph, required, md.MaxOffDiagonal(), shared=False)]
    with pytest.raises(SolverError, match="not exactly private"):
        check_private(Mechanism(graph, alone.outputs, alone.rows, alone.index), required, parts)
    plain = [
        (m, p)
        for part in components(nominal(graph), required, md.MaxOffDiagonal(), shared=False)
        for m, p in [(part.members, part.problem)]
    ]
    check_private(alone, required, plain)


class TestSets:
    @given(bounded_graphs(categories=4), st.data())
    def test_the_worst_in_doubles_is_the_worst(self, graph: nx.Graph, data: st.DataObject) -> None:
        graph = checked(graph)
        sets = [uncertainty_of(attributes) for attributes in graph.nodes.values()]
        distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
        d = len(distributions[0])
        problem = Problem(distributions, (), md.MaxOffDiagonal(), np.ones(len(sets)), False, None, sets)
        values = data.draw(st.lists(st.integers(-5, 5), min_size=d, max_size=d))
        table = np.repeat(np.array(values, dtype=float)[None, :, None], len(sets), axis=0)
        for one, found in zip(sets, Sets.of(problem).worst(table)[:, 0], strict=True):
            assert found.sum() == pytest.approx(1)
            best = float(sum(mass * value for mass, value in zip(one.largest(values), values, strict=True)))
            assert found @ values == pytest.approx(best)

    @given(bounded_graphs(categories=4), st.data())
    def test_what_is_proved_with_is_exactly_within(self, graph: nx.Graph, data: st.DataObject) -> None:
        for attributes in checked(graph).nodes.values():
            one, own = uncertainty_of(attributes), attributes["distribution"]
            masses = data.draw(st.lists(st.floats(0, 1), min_size=len(own), max_size=len(own)).filter(any))
            found, unit = within(one, np.array(masses)), unit_of(one.limits, own)
            assert sum(found) == unit
            assert one.holds([Fraction(mass, unit) for mass in found])


class TestRows:
    @settings(max_examples=35, deadline=None)
    @given(
        paths_and_rings(), st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([(0, 0), (0, 1), (1, 0), (1, 1)])
    )
    def test_any_matrices_become_private(
        self, graph: nx.Graph, seed: int, shared: bool, limits: tuple[int, int]
    ) -> None:
        problem = problem_of(graph, epsilon=Fraction(limits[0], 3), delta=Fraction(limits[1], 20), shared=shared)
        if problem.uncertain is None:
            return
        k, d = problem.profiles.shape
        matrices = np.random.default_rng(seed).dirichlet(np.ones(d) / 3, size=(1 if shared else k, d))
        rows = answered(matrix_rows(problem, matrices))
        tables = [[[Fraction(0)] * d for _ in range(d)] for _ in range(k)]
        assert rows.table.min() >= 0
        for i, x, number in zip(rows.profiles, rows.categories, rows.numbers, strict=True):
            row = rows.table[number]
            tables[i][x] = [Fraction(int(weight), int(row.sum())) for weight in row]
        found = [extremes(one, table) for one, table in zip(problem.uncertain, tables, strict=True)]
        assert met_within(found, problem.required)

    def test_an_epsilon_too_small_for_doubles(self) -> None:
        result = md.design(example(), epsilon="1e-30")
        assert md.check_certificate(result.certificate) == (result.value, result.bound)
        assert float(result.value) == pytest.approx(float(md.design(example(), epsilon=0).value))
