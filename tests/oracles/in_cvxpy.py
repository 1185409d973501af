"""The nearest design from its definition, every entry of every matrix a variable, in cvxpy."""

import math
import warnings

import cvxpy as cp
import networkx as nx
import numpy as np

from mechdesign import LargestCost, MaxOffDiagonal, WorstLoss
from mechdesign.arrays import Floats
from mechdesign.objective import Objective
from oracles.divergence import Number, required


def targets(graph: nx.Graph, objective: Objective) -> Floats:
    """Return what profiles would release without privacy, by profile."""
    categories = graph.graph["categories"]
    free = objective.free_outputs(categories)
    table = np.zeros((len(categories), len(objective.output_labels(categories))))
    table[range(len(categories)), free] = 1
    return np.array([np.array(list(map(float, node["distribution"]))) @ table for node in graph.nodes.values()])


def closest(
    graph: nx.Graph,
    epsilon: Number,
    delta: Number,
    objective: Objective,
    level: float,
    *,
    keep_shares: bool = False,
    solver: str = "CLARABEL",
) -> Floats:
    """Return what is released nearest to the targets, of all mechanisms whose objective is at most the level."""
    categories, near = graph.graph["categories"], targets(graph, objective)
    profiles = {i: np.array(list(map(float, node["distribution"]))) for i, node in graph.nodes.items()}
    matrices = {i: cp.Variable((len(categories), near.shape[1]), nonneg=True) for i in graph}
    q = {i: profiles[i] @ matrices[i] for i in graph}
    constraints = [cp.sum(A, axis=1) == 1 for A in matrices.values()]
    for a, b, own, allowed in required(graph, epsilon, delta):
        for i, j in ((a, b), (b, a)):
            excess = math.exp(-own) * q[i] - q[j]
            constraints += [excess <= 0] if not allowed else [cp.sum(cp.pos(excess)) <= math.exp(-own) * float(allowed)]
    if isinstance(objective, LargestCost):
        constraints += [cp.abs(q[i] - profiles[i]) <= level for i in graph]
    elif isinstance(objective, MaxOffDiagonal):
        constraints += [A[~np.eye(len(categories), dtype=bool)] <= level for A in matrices.values()]
    else:
        loss = np.array(objective.table(categories), dtype=float)
        costs = cp.hstack([profiles[i] @ cp.sum(cp.multiply(loss, matrices[i]), axis=1) for i in graph])
        weights = np.array([float(node.get("weight", 1)) for node in graph.nodes.values()])
        worst = isinstance(objective, WorstLoss)
        constraints.append((cp.max(costs) if worst else weights / weights.sum() @ costs) <= level)
    if keep_shares:
        shares = {i: float(node.get("weight", 1)) for i, node in graph.nodes.items()}
        constraints.append(sum(shares[i] * (q[i] - profiles[i]) for i in graph) == 0)
    distance = sum(cp.sum_squares(q[i] - target) for i, target in zip(graph, near, strict=True))
    with warnings.catch_warnings():  # among the optima there is hardly an interior; whoever asks compares what is found
        warnings.filterwarnings("ignore", "Solution may be inaccurate")
        cp.Problem(cp.Minimize(distance), constraints).solve(solver=solver)
    return np.array([q[i].value for i in graph])
