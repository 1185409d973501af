"""What everybody does with a solver's floats: clip negatives, renormalise."""

from collections.abc import Callable
from typing import TypeAlias

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.bench.task import Found, Task
from mechdesign.errors import SolverError
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.probabilities import integer_rows
from mechdesign.stopwatch import Stopwatch

Peer: TypeAlias = Callable[[Task, Stopwatch], Floats]
"""Returns the transition matrices of the profiles, k x d x m, or 1 x d x m for all."""


def clipped(peer: Peer) -> Callable[[Task, Stopwatch], Found]:
    """Return the method that takes a peer's matrices, sets negative entries to 0 and divides each row by its total."""

    def solve(task: Task, timed: Stopwatch) -> Found:
        matrices = peer(task, timed)
        with timed("repair"):
            matrices = np.maximum(matrices, 0.0)
            totals = matrices.sum(axis=2, keepdims=True)
            if not np.isfinite(totals).all() or totals.min() <= 0:
                raise SolverError("the answer has rows that are no distributions")
            matrices = matrices / totals
        labels = task.objective.output_labels(task.graph.graph["categories"])
        return Found(mechanism_of_matrices(task.graph, labels, matrices))

    return solve


def mechanism_of_matrices(graph: nx.Graph, outputs: tuple[object, ...], matrices: Floats) -> Mechanism:
    """Return the mechanism with these transition matrices, exactly; one matrix serves all profiles."""
    count, d, m = matrices.shape
    rows, _ = integer_rows(matrices.reshape(count * d, m))
    index = np.broadcast_to(np.arange(count * d).reshape(count, d), (len(graph), d))
    return Mechanism(graph, outputs, rows, index)
