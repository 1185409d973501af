"""What a count's design is compared with, too: the geometric mechanism, which everybody would use."""

import math
from itertools import pairwise

import networkx as nx
import numpy as np

from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.properties import has_own_limits, has_point_masses
from mechdesign.objective import Goal, profile_shares
from mechdesign.objective.by_loss import ByLoss


def geometric_value(graph: nx.Graph, epsilon: Epsilon, objective: Goal) -> float | None:
    """Return the objective of a count with two-sided geometric noise, clipped to 0..n; None where that does not apply.

    It applies to a loss on the values 0..n, n > 1, each a profile's, where neighbours differ by one.

    Examples
    --------
    >>> from mechdesign import ExpectedLoss, counting_graph
    >>> round(geometric_value(counting_graph(20), 0.5, ExpectedLoss("absolute")), 6)
    1.686793
    """
    categories = list(graph.graph["categories"])
    nats, d = float(min(epsilon, MAX_EPSILON)), len(categories)
    if not isinstance(objective, ByLoss) or not 0 < epsilon < math.inf or d < 3 or not is_count(graph):
        return None
    loss = np.array([[float(cost) for cost in row] for row in objective.table(categories)])
    if loss.shape != (d, d):
        return None
    places = np.arange(d)
    steps = np.exp(-nats * abs(np.subtract.outer(places, places)))
    inside = math.tanh(nats / 2)  # the probability of no noise, (1 - a) / (1 + a) with a = e^-epsilon
    noisy = steps * inside
    noisy[:, [0, -1]] = steps[:, [0, -1]] / (1 + math.exp(-nats))
    shares = np.array(list(map(float, profile_shares(graph))))
    return float(np.max(objective.counted((noisy * loss).sum(axis=1), shares)))


def is_count(graph: nx.Graph) -> bool:
    """Return whether the profiles are the values 0..n in their order, and neighbours those that differ by one."""
    profiles, d = list(graph), len(graph)
    return (
        list(graph.graph["categories"]) == list(range(d))
        and has_point_masses(graph)
        and all(graph.nodes[profile]["distribution"][i] == 1 for i, profile in enumerate(profiles))
        and graph.number_of_edges() == d - 1
        and all(graph.has_edge(one, other) for one, other in pairwise(profiles))
        and not has_own_limits(graph)
    )
