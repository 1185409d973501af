"""Where the profiles of a drawing stand: near in the graph is near in the drawing; none overlaps; always the same."""

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.stats import spearmanr

import mechdesign as md
from mechdesign.reports.graph_layout import LARGE, arranged, fitted

CELL = (2.0, 1.0)
GRAPHS = {
    "ring": nx.cycle_graph(50),
    "complete": nx.complete_graph(40),
    "star": nx.star_graph(70),
    "ring with chords": nx.watts_strogatz_graph(120, 4, 0.1, seed=1),
    "tree": nx.balanced_tree(2, 5),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(9, 9)),
    "several": nx.disjoint_union_all([nx.cycle_graph(7), nx.path_graph(30), nx.complete_graph(5), nx.empty_graph(6)]),
    "large": nx.path_graph(LARGE + 1, create_using=nx.watts_strogatz_graph(LARGE + 1, 4, 0.1, seed=1)),
    "shipped": md.read_graph("departure-by-destination"),
}


@cache
def drawn(name: str) -> list[Any]:
    return arranged(GRAPHS[name])


@pytest.mark.parametrize("name", GRAPHS)
def test_none_overlaps(name: str) -> None:
    places = fitted(drawn(name), CELL)
    assert places is not None
    assert set(places) == set(GRAPHS[name])
    points = np.array(list(places.values()))
    meet = (abs(points[:, None] - points[None]) < np.array(CELL) - 1e-6).all(axis=2)
    assert meet.sum() == len(points)  # each itself
    assert points.min(axis=0) == pytest.approx([1.0, 0.5])


@pytest.mark.parametrize("name", ["several", "complete"])
def test_it_is_always_the_same(name: str) -> None:
    assert fitted(arranged(GRAPHS[name]), CELL) == fitted(drawn(name), CELL)


@pytest.mark.parametrize("name", ["grid", "tree", "ring"])
def test_near_in_the_graph_is_near_in_the_drawing(name: str) -> None:
    """The order of the distances is much the same; for a grid, which lies in a plane, nearly so."""
    graph = GRAPHS[name]
    ((_, points),) = drawn(name)
    far = nx.floyd_warshall_numpy(graph)
    apart = np.hypot(*(points[:, None] - points[None]).T)
    assert spearmanr(far.ravel(), apart.ravel()).statistic > {"grid": 0.95, "tree": 0.8, "ring": 0.95}[name]


def test_components_do_not_overlap() -> None:
    graph = GRAPHS["several"]
    places = fitted(arranged(graph), CELL)
    assert places is not None
    boxes = []
    for part in nx.connected_components(graph):
        points = np.array([places[profile] for profile in part])
        boxes.append((points.min(axis=0) - np.array(CELL) / 2, points.max(axis=0) + np.array(CELL) / 2))
    for (low, high), (down, up) in combinations(boxes, 2):
        assert (low >= up - 1e-9).any() or (down >= high - 1e-9).any()


def test_a_long_path_is_folded() -> None:
    """Neighbours stay neighbours: each step goes to the next cell."""
    places = fitted(arranged(nx.path_graph(100)), (94.0, 46.0), 2_400)
    assert places is not None
    steps = [sorted(abs(p - q) for p, q in zip(*ends, strict=True)) for ends in pairwise(places.values())]
    assert np.array(steps) == pytest.approx(np.array([[0.0, 94.0]] * 99))
    assert max(x for x, _ in places.values()) < 11 * 94


def test_what_is_too_large_has_no_drawing() -> None:
    assert fitted(arranged(nx.cycle_graph(50)), CELL, 20.0) is None
