"""Values on a path: the geometric mechanism's best remap is the optimum, its multipliers prove it."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.optimum import optimum_on_path

import mechdesign as md
from mechdesign.certificate.bound import proved
from mechdesign.count import least_error, prior_graph
from mechdesign.designer.component import Component, components
from mechdesign.errors import SolverError
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.program.program import Program
from mechdesign.solver import worst_remap
from mechdesign.solver.geometric_remap import Remap, solve_path
from mechdesign.solver.minimise import minimum_of


def component_of(graph: nx.Graph, objective: Objective, epsilon: str, **options: Any) -> Component:
    graph = md.profile_graph(
        {i: graph.nodes[i]["distribution"] for i in graph},
        edges=graph.edges(data=True),
        categories=graph.graph["categories"],
        weights={i: attributes.get("weight", 1) for i, attributes in graph.nodes.items()},
    )
    required = requirements(graph, Fraction(epsilon), Fraction(0))
    (one,) = components(graph, required, objective, **{"shared": False} | options)
    return one


def read_and_bound(component: Component) -> tuple[Remap, float, Fraction]:
    """The remap, its value and what its multipliers prove."""
    remap = solve_path(component.problem)
    assert remap is not None, "not an optimum"
    proof = proved(component.problem, remap.solution.multipliers, component.prior)
    return remap, remap.solution.value * float(component.problem.loss_unit), proof.least


def path(order: Sequence[int], epsilons: Sequence[str], weights: Sequence[int]) -> nx.Graph:
    """Return the values 0, 1, 2, ... along a path, listed in an order."""
    graph = nx.Graph(categories=sorted(order))
    for i in order:
        graph.add_node(i, distribution=[int(x == i) for x in sorted(order)], weight=weights[i])
    graph.add_edges_from((i, i + 1, {"epsilon": Fraction(one)}) for i, one in enumerate(epsilons))
    return graph


@st.composite
def losses(draw: st.DrawFn, n: int) -> tuple[list[list[int]], bool]:
    """A loss that grows with the distance, which is said, or any, of fewer or more outputs."""
    if draw(st.booleans()):
        at = np.cumsum([0, *draw(st.lists(st.integers(0, 9), min_size=n - 1, max_size=n - 1))]).tolist()
        return [[at[abs(x - y)] for y in range(n)] for x in range(n)], True
    outputs = draw(st.integers(2, 5))
    row = st.lists(st.integers(0, 9), min_size=outputs, max_size=outputs)
    return draw(st.lists(row, min_size=n, max_size=n)), False


PATHS = st.integers(2, 6).flatmap(
    lambda n: st.tuples(
        losses(n),
        st.permutations(range(n)),
        st.lists(st.sampled_from(["0.05", "0.5", "1", "3"]), min_size=n - 1, max_size=n - 1),
        st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any),
        st.booleans(),
    )
)
VALLEY = [[1, 3], [3, 1], [2, 1], [1, 3]]
"""Both ends are best reported alike, and unlike what is between them: the probability of 1 has a valley."""


@pytest.mark.parametrize("kind", [md.ExpectedLoss, md.WorstLoss])
@given(drawn=PATHS)
@example(drawn=((VALLEY, False), range(4), ["0.5"] * 3, [1] * 4, True))
def test_it_is_an_optimum_wherever_it_is_used(kind: type[md.ExpectedLoss] | type[md.WorstLoss], drawn: Any) -> None:
    """As it always is where the loss grows with the distance: Ghosh et al. for any prior, Gupte and Sundararajan."""
    (loss, grows), order, epsilons, weights, alike = drawn
    epsilons = epsilons[:1] * len(epsilons) if alike else epsilons
    component = component_of(path(order, epsilons, weights), kind(loss), "1")
    assert loss != VALLEY or solve_path(component.problem) is None
    if (grows and alike) or solve_path(component.problem) is not None:
        remap, value, bound = read_and_bound(component)
        prior = weights if kind is md.ExpectedLoss else None
        best = optimum_on_path(loss, list(map(Fraction, epsilons)), prior)
        assert bound <= best <= bound + Fraction(1, 10**9) * best + Fraction(1, 10**12) * component.problem.loss_unit
        assert value == pytest.approx(float(best), rel=1e-9, abs=1e-8)
        costs = (remap.solution.released * np.array(loss)[list(order)]).sum(axis=1)
        weighed = costs.max() if prior is None else np.average(costs, weights=np.array(prior)[list(order)])
        assert weighed == pytest.approx(float(best), abs=1e-8)


@pytest.mark.parametrize("n", [60, 150])
def test_it_is_known_to_be_the_only_one_where_the_prior_nearly_vanishes(n: int) -> None:
    """Binomial masses fall to 1e-78 and 1e-195; against the largest costs theirs are nothing, but they are not zero."""
    remap, value, bound = read_and_bound(component_of(prior_graph(n, "0.05"), md.ExpectedLoss("absolute"), "0.5"))
    assert remap.unique
    assert value - bound <= 1e-10
    assert value == pytest.approx(least_error(n, "0.05", "0.5"), rel=1e-9)


SAME = md.ExpectedLoss([[0, 0, 1], [1, 1, 0], [1, 1, 0]])
"""Two outputs cost the same."""


def test_where_others_are_as_good_it_is_not_unique() -> None:
    remap, value, bound = read_and_bound(component_of(md.counting_graph(2), SAME, "0.5"))
    assert value == pytest.approx(bound)
    assert not remap.unique


def test_where_the_projection_fails_the_whole_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> None:
        raise SolverError("no answer")

    monkeypatch.setattr("mechdesign.solver.canonical.closest", failing)
    assert md.design(md.counting_graph(2), epsilon="0.5", objective=SAME).stats["any_optimum"] == 0


def test_long_paths_lose_no_digits() -> None:
    """Errors shrink on the way to where an output costs least; passed on from one end alone they would grow by e^60."""
    _, value, bound = read_and_bound(component_of(md.counting_graph(60), md.ExpectedLoss("absolute"), "1"))
    assert 0 <= value - bound <= 1e-12


@pytest.mark.parametrize("loss", ["absolute", "hamming"])
def test_of_long_paths_a_few_columns_are_enough(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program with a column for each probability, and few rounds of the one for the remap."""
    columns, solved = [], minimum_of

    def counted(program: Program, *arguments: Any, **options: Any) -> Any:
        columns.append(len(program.cost))
        return solved(program, *arguments, **options)

    monkeypatch.setattr(worst_remap, "minimum_of", counted)
    made = md.design(md.counting_graph(80), epsilon="0.5", objective=md.WorstLoss(loss))
    assert made.value - made.bound < 1e-8
    assert made.stats["way"] == {"geometric mechanism; nearest on the optimal face": 1}
    assert len(columns) <= 3
    assert max(columns) <= 15 * 81


def test_what_a_small_loss_is_off_by_is_a_share_of_it() -> None:
    """In the unit of the largest loss, 2,401, what is nearest on the optimal face would be off by too much."""
    made = md.design(md.counting_graph(49), epsilon=2, objective=md.WorstLoss(lambda x, y: (x - y) ** 2))
    assert made.stats["way"] == {"geometric mechanism; nearest on the optimal face": 1}


def star(graph: nx.Graph) -> None:
    graph.remove_edges_from(list(graph.edges))
    graph.add_edges_from((0, i) for i in range(1, 5))


def branch(graph: nx.Graph) -> None:
    graph.remove_edge(3, 4)
    graph.add_edge(1, 4)


ELSEWHERE: dict[str, Callable[[nx.Graph], object]] = {
    "delta": lambda graph: graph.edges[0, 1].update(delta="0.1"),
    "zero": lambda graph: graph.edges[0, 1].update(epsilon=0),
    "tiny": lambda graph: graph.edges[0, 1].update(epsilon="1e-17"),
    "huge": lambda graph: graph.edges[0, 1].update(epsilon=1000),
    "circle": lambda graph: graph.add_edge(0, 4),
    "star": star,
    "branch": branch,
    "mixed": lambda graph: graph.nodes[0].update(distribution=["1/2", "1/2", 0, 0, 0]),
    "twice": lambda graph: graph.nodes[0].update(distribution=graph.nodes[1]["distribution"]),
    "shared": lambda graph: None,
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_what_it_does_not_apply_to(what: str) -> None:
    graph = md.counting_graph(4)
    ELSEWHERE[what](graph)
    component = component_of(graph, md.ExpectedLoss("absolute"), "1", shared=what == "shared")
    assert solve_path(component.problem) is None
