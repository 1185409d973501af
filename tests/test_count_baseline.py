"""What a count's design is compared with: geometric noise, clipped."""

from typing import Any

import networkx as nx
import pytest

import mechdesign as md
from mechdesign.count import errors, prior_graph
from mechdesign.designer.count_baseline import geometric_value


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
