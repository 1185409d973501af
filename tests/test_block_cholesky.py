"""Cholesky factors by blocks, against dense linear algebra."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import SolverError
from mechdesign.arrays import Floats
from mechdesign.solver.block_cholesky import BlockCholesky, Elimination

GRAPHS = {
    "no node": nx.empty_graph(0),
    "no edge": nx.empty_graph(3),
    "star": nx.star_graph(9),
    "path": nx.path_graph(20),
    "all pairs": nx.complete_graph(6),
    "grid": nx.convert_node_labels_to_integers(nx.grid_2d_graph(5, 6)),
    "two components": nx.disjoint_union(nx.cycle_graph(7), nx.path_graph(4)),
}


def definite(graph: nx.Graph, size: int, seed: int) -> Floats:
    """Return a positive definite matrix with blocks for nodes and edges, its entries far apart."""
    random, nodes = np.random.default_rng(seed), len(graph)
    matrix = np.zeros((nodes, size, nodes, size))
    for i, j in [*graph.edges, *((i, i) for i in graph)]:
        block = random.normal(size=(size, size))
        matrix[i, :, j] += block
        matrix[j, :, i] += block.T
    whole = matrix.reshape(nodes * size, -1) if nodes else np.zeros((0, 0))
    return np.asarray(whole + np.diag(abs(whole).sum(axis=1) + 10.0 ** random.uniform(-1, 6, len(whole))))


def in_blocks(matrix: Floats, elimination: Elimination, graph: nx.Graph) -> Floats:
    size = elimination.size
    blocks, parts = np.zeros((elimination.blocks, size, size)), matrix.reshape(len(graph), size, len(graph), size)
    for pair in [*graph.edges, *((i, i) for i in graph)]:
        later, earlier = sorted(pair, key=lambda i: -elimination.place[i])
        blocks[elimination.numbers(np.array([later]), np.array([earlier]))] = parts[later, :, earlier]
    return blocks


def agrees(graph: nx.Graph, size: int, seed: int) -> None:
    elimination, matrix = Elimination(len(graph), graph.edges, size), definite(graph, size, seed)
    right = np.random.default_rng(seed).normal(size=(len(graph), size))
    found = BlockCholesky(elimination, in_blocks(matrix, elimination, graph)).solve(right)
    np.testing.assert_allclose(matrix @ found.ravel(), right.ravel(), atol=1e-9)


@pytest.mark.parametrize("size", [1, 3, 70])
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=list(GRAPHS))
def test_it_solves_the_system(graph: nx.Graph, size: int) -> None:
    agrees(graph, size, 1)


@given(st.integers(1, 25), st.floats(0, 1), st.integers(1, 4), st.integers(0, 10_000))
def test_it_solves_the_systems_of_random_graphs(nodes: int, density: float, size: int, seed: int) -> None:
    agrees(nx.gnp_random_graph(nodes, density, seed), size, seed)


def test_of_trees_no_block_is_filled() -> None:
    """But where nodes with two neighbours are eliminated before those with one."""
    tree = nx.random_labeled_tree(200, seed=1)
    filled = Elimination(200, tree.edges, 100)
    assert filled.blocks == 200 + 199 + 1
    assert Elimination(200, tree.edges, 10).operations < 200 * 7 * 10**3


@pytest.mark.parametrize("graph", [nx.path_graph(4), nx.complete_graph(4)])
def test_a_matrix_that_is_not_definite_is_named(graph: nx.Graph) -> None:
    elimination = Elimination(4, graph.edges, 2)
    matrix = definite(graph, 2, 1)
    with pytest.raises(SolverError, match="singular"):
        BlockCholesky(elimination, in_blocks(-matrix, elimination, graph))


@pytest.mark.parametrize(("graph", "size"), [(nx.random_regular_graph(4, 600, seed=1), 20), (nx.path_graph(9), 2000)])
def test_what_takes_too_long_is_refused_at_once(graph: nx.Graph, size: int) -> None:
    with pytest.raises(SolverError, match="too large"):
        Elimination(len(graph), graph.edges, size)
