"""`mechdesign design` for profiles known only within bounds."""

from pathlib import Path

import networkx as nx
import pytest

import mechdesign as md
from mechdesign.reports.design_plot import plot_design

SURE = {"categories": ["no", "maybe", "yes"]}


@pytest.fixture
def wide(tmp_path: Path) -> str:
    """Two profiles of which little is known: sums of worst cases do not show that randomised response is private."""
    graph = nx.Graph(**SURE)
    graph.add_node("d", distribution=[1, 0, 0], radius="0.1")
    graph.add_node("e", distribution=["0.5", "0.5", 0], upper=[1, 1, 0])
    graph.add_edge("d", "e")
    path = tmp_path / "wide.json"
    md.write_graph(graph, path)
    return str(path)


def test_with_delta_the_bound_is_on_mechanisms_that_worst_cases_show_private(wide: str) -> None:
    result = md.design(wide, epsilon=0, delta="0.05")
    named = md.k_ary(SURE["categories"], epsilon=0, delta="0.05")
    assert md.certify(named, wide, epsilon=0, delta="0.05").private is None
    assert result.baseline < result.bound  # so this would be false of all private mechanisms
    assert result.adds_worst_cases
    assert "no mechanism so proved below" in plot_design(result).get_suptitle()
