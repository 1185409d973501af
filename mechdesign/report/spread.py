"""Where the profiles of one component stand: near in the graph is near in the drawing, and none overlaps."""

import math

import networkx as nx
import numpy as np
from scipy.optimize import minimize
from scipy.sparse.csgraph import shortest_path
from scipy.spatial import KDTree

from mechdesign.arrays import Floats, Integers

LANDMARKS = 100
"""Of more profiles, each keeps its distance to its neighbours and to so many others, not to all."""
SMALL = 60
"""Components of so many profiles are spread by networkx, which takes a second for 300."""
STEPS = 100
"""Steps in which distances are fitted: 500 profiles on a ring with chords hardly move after 60."""
ROOM = 1.8
"""Tried on the shipped graphs, with names and bars in their cells."""
PUSHES, GROWTH = 500, 1.002
"""Rounds in which cells push each other away, and the factor by which all are stretched in each: the families of
`mechdesign.bench` need up to 360 for 500 profiles."""


def spread(graph: nx.Graph, cell: tuple[float, float], room: float = ROOM) -> Floats | None:
    """Return a place for each profile of a connected graph, so that no two cells of this width and height overlap.

    They are spread over a square about `room` times as wide as its cells would fill.
    None where cells that push each other away come to no end.

    Examples
    --------
    >>> places = spread(nx.path_graph(2), (2.0, 1.0))
    >>> float(abs(places[0] - places[1])[0])
    2.0
    """
    if len(graph) <= SMALL:
        found = nx.kamada_kawai_layout(graph)
        places = np.array([found[profile] for profile in graph], dtype=float)
    else:
        places = nx.rescale_layout(_fitted(graph))
    half = math.sqrt(cell[0] * cell[1] * len(graph)) * room / 2  # of the width of a square for all: places span -1..1
    return _pushed(places * min(factor(places, cell), half), cell)


def factor(places: Floats, cell: tuple[float, float]) -> float:
    """Return the least factor by which places are stretched until no two cells overlap; 1 for a single place."""
    if len(places) < 2:
        return 1.0
    nearest, _ = KDTree(places / cell).query(places / cell, k=2, p=math.inf)
    least = float(nearest[:, 1].min())
    return 1 / least if least else math.inf


def _fitted(graph: nx.Graph) -> Floats:
    """Return places whose distances are like the numbers of edges between them, the same every time.

    That of each to its neighbours and to the landmarks, by their squares, divided by those of the distances: the sparse
    stress model of Ortmann, Klimenta and Brandes, A sparse stress model, 2017, arXiv:1608.08909. It starts from the
    places that fit best in two dimensions by singular values (Brandes and Pich, Eigensolver methods for progressive
    multidimensional scaling of large data, 2006).
    """
    size = len(graph)
    links = nx.to_scipy_sparse_array(graph, weight=None, dtype=float)
    landmarks = np.linspace(0, size - 1, min(size, LANDMARKS)).astype(np.int64)
    far = shortest_path(links, directed=False, unweighted=True, indices=landmarks)
    a, b = links.nonzero()
    ones, others = (
        np.concatenate([a, np.repeat(landmarks, size)]),
        np.concatenate([b, np.tile(np.arange(size), len(landmarks))]),
    )
    wanted = np.concatenate([np.ones(len(a)), far.ravel()])
    weight = np.concatenate([np.ones(len(a)), np.full(far.size, size / len(landmarks))])
    apart = ones != others
    ones, others, wanted, weight = (part[apart] for part in (ones, others, wanted, weight))
    weight /= wanted**2

    def stress(flat: Floats) -> tuple[float, Floats]:
        places = flat.reshape(size, 2)
        between = places[ones] - places[others]
        length = np.hypot(*between.T) + 1e-9
        missed = length - wanted
        pull = (2 * weight * missed / length)[:, None] * between
        slope = [np.bincount(ones, p, size) - np.bincount(others, p, size) for p in pull.T]
        return float(weight @ missed**2), np.stack(slope, axis=1).ravel()

    start = _scaled(far) + 0.1 * np.random.default_rng(0).standard_normal((size, 2))  # twins would stay in one place
    found: Floats = minimize(stress, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x
    return found.reshape(size, 2)


def _scaled(far: Floats) -> Floats:
    """Return places in two dimensions by their distances from landmarks."""
    squares = far**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    places: Floats = axes[:2].T * np.sqrt(sizes[:2])
    return places * float(far.mean() / max(np.hypot(*places.T).mean(), 1e-9))


def _pushed(places: Floats, cell: tuple[float, float]) -> Floats | None:
    """Return the places after cells that overlap have pushed each other away, along the axis where that is less."""
    size = np.array(cell)
    places = places / size  # each cell is a unit square
    for _ in range(PUSHES):
        pairs: Integers = KDTree(places).query_pairs(1 - 1e-9, p=math.inf, output_type="ndarray")
        if not len(pairs):
            found: Floats = places * size
            return found
        one, other = pairs.T
        away = places[one] - places[other]
        lacks = 1 - np.abs(away)
        axis = (lacks * size).argmin(axis=1)
        line = np.arange(len(pairs))
        step = np.copysign(lacks[line, axis] / 2 + 1e-9, away[line, axis])
        np.add.at(places, (one, axis), step)
        np.add.at(places, (other, axis), -step)
        places *= GROWTH
    return None
