"""Where the profiles of a component stand: near in the graph is near in the drawing; none overlaps; always the same."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import spearmanr

from mechdesign.report import spread
from mechdesign.report.spread import SMALL, STEPS, factor

CELL = (2.0, 1.0)
GRAPHS = {
    "small ring": nx.cycle_graph(8),
    "complete": nx.complete_graph(40),
    "star": nx.star_graph(70),
    "ring with chords": nx.watts_strogatz_graph(120, 4, 0.1, seed=1),
    "tree": nx.balanced_tree(2, 6),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(9, 9)),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS.keys())
def test_none_overlaps(graph: nx.Graph) -> None:
    places = spread.spread(graph, CELL)
    assert places is not None
    for one, other in combinations(places, 2):
        assert (abs(one - other) >= np.array(CELL) - 1e-6).any()
    again = spread.spread(graph, CELL)
    assert again is not None
    assert np.array_equal(places, again)


@pytest.mark.parametrize("name", ["grid", "tree"])
def test_near_in_the_graph_is_near_in_the_drawing(name: str) -> None:
    """The order of the distances is much the same; for a grid, which lies in a plane, nearly so."""
    graph = GRAPHS[name]
    assert len(graph) > SMALL
    places = spread.spread(graph, (1e-3, 1e-3))
    assert places is not None
    far = nx.floyd_warshall_numpy(graph)
    drawn = np.hypot(*(places[:, None] - places[None]).T)
    assert spearmanr(far.ravel(), drawn.ravel()).statistic > {"grid": 0.97, "tree": 0.8}[name]


def test_the_steps_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large a component is, its drawing takes so many steps, each over neighbours and landmarks alone."""
    found = []

    def counted(*args: object, **options: object) -> object:
        found.append(minimize(*args, **options))
        return found[-1]

    monkeypatch.setattr(spread, "minimize", counted)
    assert spread.spread(nx.watts_strogatz_graph(200, 4, 0.1, seed=2), CELL) is not None
    assert [one.nit <= STEPS for one in found] == [True]


def test_cells_without_end_of_pushing_are_no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "PUSHES", 0)
    assert spread.spread(nx.cycle_graph(5), CELL) is None


def test_factor() -> None:
    assert factor(np.zeros((1, 2)), CELL) == 1
    assert factor(np.zeros((2, 2)), CELL) == float("inf")
    assert factor(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 3.0]]), CELL) == 2
