"""How long it takes to certify large matrices of doubles, exactly: python benchmarks/certify.py."""

import math

import networkx as nx
import numpy as np
import numpy.typing as npt
from shared import Table, timed

from mechdesign import certify, mechanism_from_matrix
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import PointMass


def randomised_response(k: int) -> npt.NDArray[np.float64]:
    """Return k-ary randomised response for epsilon = 1 in doubles."""
    matrix = np.full((k, k), 1 / (math.e + k - 1))
    np.fill_diagonal(matrix, math.e / (math.e + k - 1))
    return matrix


def spread(k: int) -> npt.NDArray[np.float64]:
    """Return rows that fall off geometrically from the diagonal, normalised."""
    place = np.arange(k)
    matrix = np.exp(-0.05 * np.abs(place[:, None] - place))
    return np.array(matrix / matrix.sum(axis=1, keepdims=True))


def path(k: int) -> nx.Graph:
    """Return k values, neighbours differing by one."""
    graph = nx.path_graph(k)
    graph.graph["categories"] = list(range(k))
    for value in graph:
        graph.nodes[value]["distribution"] = PointMass(value, k)
    return checked(graph)


def main() -> None:
    """Print one row for each matrix."""
    shown = Table("matrix", "edges", "epsilon asked", "read (s)", "certify (s)", "verdict")
    cases = [
        (randomised_response(2000), None, "1"),
        (spread(5000), path(5000), "0.1"),
        (spread(5000), path(5000), "0.05"),
    ]
    for matrix, graph, epsilon in cases:
        with timed() as reading:
            mechanism = mechanism_from_matrix(matrix)
        with timed() as certifying:
            verdict = certify(mechanism, graph, epsilon=epsilon)
        edges = "all pairs" if graph is None else f"{graph.number_of_edges()} (a path)"
        words = "certified" if verdict.private else "refuted"
        size = f"{len(matrix)} x {len(matrix)}"
        shown.row(size, edges, epsilon, f"{reading.clock:.1f}", f"{certifying.clock:.1f}", words)


if __name__ == "__main__":
    main()
