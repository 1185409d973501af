import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from cases import GRID, asked_in
from hypothesis import given
from hypothesis import strategies as st
from oracles.divergence import assert_private
from strategies import deltas, drawn_objectives, epsilons, profile_graphs

import mechdesign as md
from mechdesign import (
    ExpectedLoss,
    MaxOffDiagonal,
    ProductSanitisation,
    WorstLoss,
    database_graph,
    optimal_product_sanitisation,
    profile_graph,
    read_graph,
)
from mechdesign.count import errors, prior_graph
from mechdesign.designer.baseline import baseline, category_costs, constant_value, geometric_value
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.by_loss import ByLoss
from mechdesign.papers.hlm import parent_alpha
from mechdesign.privacy.requirement import requirements
from mechdesign.show.fact_numbers import Near


@given(st.data(), profile_graphs(own=True), epsilons(), deltas())
def test_it_is_private_on_every_graph(data: st.DataObject, graph: object, epsilon: object, delta: Fraction) -> None:
    """[GC] Theorem 8: a mechanism that is locally private is private for every profile graph."""
    objective = data.draw(drawn_objectives(len(graph.graph["categories"])))  # type: ignore[attr-defined]
    required = requirements(graph, epsilon, delta)  # type: ignore[arg-type]
    assert_private(baseline(graph, required, objective, epsilon, delta), graph, epsilon, delta)  # type: ignore[arg-type]


@pytest.mark.parametrize("epsilon", ["0", "0.25", "0.5", "1"])
def test_its_costs_on_the_chain(epsilon: str) -> None:
    """The largest off-diagonal entry is 1/(E + 3); its cost per category is 0.6/(E + 3) for all four categories."""
    graph = read_graph("categorical-chain")
    required = requirements(graph, Fraction(epsilon), Fraction(0))
    response = baseline(graph, required, MaxOffDiagonal(), Fraction(epsilon), Fraction(0))
    E = math.exp(float(epsilon))
    assert float(MaxOffDiagonal().value(response)) == pytest.approx(1 / (E + 3), rel=1e-12)
    costs = category_costs(response)
    assert costs is not None
    assert [float(cost) for cost in costs] == pytest.approx([0.6 / (E + 3)] * 4, rel=1e-12)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10)])
def test_on_databases_it_is_the_optimal_product_sanitisation(delta: Fraction) -> None:
    """[HLM] (17): each row by itself; k-ary response to the whole database is worse, and was called so."""
    graph = database_graph(["no", "yes"], 2)
    required = requirements(graph, Fraction(1), delta)
    rows = WorstLoss("rows")
    usual = baseline(graph, required, rows, Fraction(1), delta)
    assert_private(usual, graph, Fraction(1), delta)
    product = ProductSanitisation(optimal_product_sanitisation(["no", "yes"], epsilon=1, delta=delta), 2).mechanism()
    assert list(usual.all_released()) == list(product.all_released())
    assert rows.value(usual) == 2 * parent_alpha(2, epsilon=1, delta=delta)
    assert rows.value(baseline(graph, [], rows, math.inf, delta)) == 0


@pytest.mark.parametrize(("problem", "objective"), GRID)
def test_the_best_constant_answer_is_told_where_it_is_better(problem: str, objective: str) -> None:
    graph, asked = asked_in(problem, objective)
    goal = asked["objective"]
    if not isinstance(goal, ByLoss):
        assert constant_value(graph, goal) is None
        return
    d, outputs = len(graph.graph["categories"]), goal.output_labels(graph.graph["categories"])
    always = [np.array([[int(y == one) for y in outputs]] * d, object) for one in outputs]
    index = np.broadcast_to(np.arange(d), (len(graph), d))
    least = min(goal.value(Mechanism(graph, outputs, rows, index)) for rows in always)
    assert constant_value(graph, goal) == pytest.approx(float(least), rel=1e-12)
    made = md.design(graph, **asked)
    told = [fact.words for fact in made.answer().facts]
    assert ("one answer for all" in told) == (least < made.baseline)


def test_it_meets_the_strictest_edge() -> None:
    graph = profile_graph({i: [1, 0] for i in range(3)}, edges=[(0, 1), (1, 2)], categories=["no", "yes"])
    graph.edges[0, 1].update(epsilon=Fraction(1, 10), delta=Fraction(1, 4))
    required = requirements(graph, Fraction(2), Fraction(0))
    flip = MaxOffDiagonal().value(baseline(graph, required, MaxOffDiagonal(), Fraction(2), Fraction(0)))
    assert float(flip) == pytest.approx(1 / (1 + math.exp(0.1)), rel=1e-12)


@pytest.mark.parametrize(
    ("graph", "objective", "epsilon", "said"),
    [
        (read_graph("categorical-chain"), None, "700", ""),
        (
            read_graph("categorical-chain"),
            None,
            "1000",
            "K-ary randomised response: the one for epsilon 700, as for 1000",
        ),
        (
            md.counting_graph(3),
            md.WorstLoss(),
            "1e300",
            "K-ary randomised response: the one for epsilon 700, as for 1e+300",
        ),
        (md.grid_graph(1, 2), ExpectedLoss(), "3500", ""),
        (
            md.grid_graph(1, 2),
            ExpectedLoss(),
            "3501",
            "Exponential mechanism, best remap: the one for epsilon 3500, as for 3501",
        ),
        (
            md.grid_graph(1, 2),
            ExpectedLoss(),
            "1e300",
            "Exponential mechanism, best remap: the one for epsilon 3500, as for 1e+300",
        ),
        (md.grid_graph(1, 2), ExpectedLoss(), "inf", ""),
    ],
)
def test_where_it_is_that_of_a_smaller_epsilon_that_is_said(
    graph: Any, objective: Any, epsilon: str, said: str
) -> None:
    """And noise of which doubles hold nothing is not shown."""
    told = [fact.words for fact in md.design(graph, epsilon=epsilon, objective=objective).answer().facts]
    assert [words for words in told if "too long" in words] == ([f"{said} numbers would be too long."] if said else [])
    assert not any("noise" in words for words in told)


def test_mending_says_it_too() -> None:
    matrix = md.mechanism_from_matrix([[1, 0], [0, 1]])
    for epsilon, times in ((700, 0), (701, 1)):
        told = md.mend(matrix, epsilon=epsilon).answer().facts
        assert sum("for epsilon 700, as for 701 numbers" in fact.words for fact in told) == times


def test_without_requirements_it_tells_the_truth() -> None:
    graph = profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=["no", "yes"])
    assert MaxOffDiagonal().value(baseline(graph, [], MaxOffDiagonal(), math.inf, Fraction(0))) == 0


def test_a_loss_that_is_not_square_has_no_cost_per_category() -> None:
    graph = profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=["no", "yes"])
    objective = ExpectedLoss([[0, 1, 2], [2, 1, 0]])
    response = baseline(graph, [], objective, Fraction(0), Fraction(0))
    assert response.outputs == (0, 1, 2)
    assert category_costs(response) is None
    assert objective.value(response) == 1


@pytest.mark.parametrize("p", ["0.05", "beta:2,38"])
def test_it_is_the_error_of_the_clipped_answer(p: str) -> None:
    found = geometric_value(prior_graph(40, p), 0.5, md.ExpectedLoss("absolute"))
    assert found == pytest.approx(errors(40, p, 0.5, noise="geometric").absolute.clipped, rel=1e-12)


def test_no_design_is_worse_and_with_equal_weights_it_hits_as_often() -> None:
    for objective in (md.ExpectedLoss("absolute"), md.WorstLoss("absolute"), md.ExpectedLoss()):
        made = md.design(md.counting_graph(9), epsilon=0.5, objective=objective)
        value = geometric_value(made.graph, made.epsilon, objective)
        assert value is not None
        assert float(made.bound) <= value * (1 + 1e-12)
    assert value == pytest.approx(float(made.value))


def test_noise_is_shown_beside_designs_with_a_delta_too() -> None:
    """It is private with delta 0, and so with any."""
    for delta, name in (
        ("0", "geometric noise, clipped to [0, n]"),
        ("0.01", "geometric noise, clipped to [0, n], delta 0"),
    ):
        made = md.design(md.counting_graph(4), epsilon="0.5", delta=delta, objective=md.ExpectedLoss("absolute"))
        shown = {fact.words: fact.number for fact in made.answer().facts}
        value = geometric_value(made.graph, made.epsilon, made.objective)
        assert value is not None
        assert shown[name] == Near(value, digits=9)


def _with(graph: nx.Graph, **own: Any) -> nx.Graph:
    graph.edges[0, 1].update(own)
    return graph


@pytest.mark.parametrize(
    ("graph", "epsilon", "objective"),
    [
        (md.counting_graph(4), 0.5, md.MaxOffDiagonal()),
        (md.counting_graph(4), 0, md.ExpectedLoss()),
        (md.counting_graph(4), float("inf"), md.ExpectedLoss()),
        (md.counting_graph(1), 0.5, md.ExpectedLoss()),
        (md.counting_graph(2), 0.5, md.ExpectedLoss([[0, 1]] * 3)),
        (_with(md.counting_graph(4), epsilon=1), 0.5, md.ExpectedLoss()),
        (md.value_graph([0, 1, 2]), 0.5, md.ExpectedLoss()),
        (md.read_graph("categorical-chain"), 0.5, md.ExpectedLoss()),
    ],
)
def test_where_it_does_not_apply(graph: nx.Graph, epsilon: float, objective: Any) -> None:
    assert geometric_value(graph, epsilon, objective) is None
