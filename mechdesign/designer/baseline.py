"""What a design is compared with, by kind of graph: the mechanism that everybody would use.

For databases that is the optimal product sanitisation, for metric privacy with a loss the exponential mechanism, and
otherwise k-ary randomised response. Beside it stand noise that everybody would add, `geometric_value` for counts and
`metric_baseline` for places, and one answer for all, `constant_value`, where that is better.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.closed_form.k_ary import k_ary
from mechdesign.closed_form.product_sanitisation import PRODUCT
from mechdesign.designer.metric_baseline import best_remap, epsilon_computed, metric_of, private_by_distance
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief
from mechdesign.graph.databases import database_shape, product_weights, row_distances
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_own_limits, has_point_masses
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import ExpectedLoss, Goal, profile_shares
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.requirement import Requirement


def geometric_value(graph: nx.Graph, epsilon: Epsilon, objective: Goal) -> float | None:
    """Return the objective of a count with two-sided geometric noise, clipped to 0..n; None where that does not apply.

    It applies to a loss on the values 0..n, n > 1, each a profile's, where neighbours differ by one; up to an epsilon
    of `MAX_EPSILON`, as doubles end soon after.

    Examples
    --------
    >>> from mechdesign import ExpectedLoss, counting_graph
    >>> round(geometric_value(counting_graph(20), 0.5, ExpectedLoss("absolute")), 6)
    1.686793
    """
    categories = list(graph.graph["categories"])
    d = len(categories)
    if not isinstance(objective, ByLoss) or not 0 < epsilon <= MAX_EPSILON or d < 3 or not is_count(graph):
        return None
    nats = float(epsilon)
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


def constant_value(graph: nx.Graph, objective: Goal) -> float | None:
    """Return the objective of the best constant answer, which needs no privacy; None where there is no loss.

    Examples
    --------
    >>> from mechdesign import ExpectedLoss, counting_graph
    >>> round(constant_value(counting_graph(2), ExpectedLoss("absolute")), 6)
    0.666667
    """
    if not isinstance(objective, ByLoss):
        return None
    loss = np.array([[float(cost) for cost in row] for row in objective.table(graph.graph["categories"])])
    profiles = np.array([list(map(float, distribution)) for _, distribution in graph.nodes("distribution")])
    shares = np.array(list(map(float, profile_shares(graph))))
    return min(float(np.max(objective.counted(costs, shares))) for costs in (profiles @ loss).T)


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


def baseline(
    graph: nx.Graph,
    required: Sequence[Requirement],
    objective: Goal,
    epsilon: Epsilon,
    delta: Fraction,
    *,
    outputs: tuple[Label, ...] | None = None,
) -> Mechanism:
    """Return k-ary randomised response (Warner's for two categories) on the graph's profiles, or what is better.

    Where the profiles are all databases of n rows, that is the optimal product sanitisation: k-ary randomised response
    for each row. It meets the strictest of the requirements, (epsilon, delta) where there is none. For metric privacy
    it is the exponential mechanism on the distances, for the expected loss with the best remap. For a loss that is
    not square, each reported category is replaced by the output of least loss for it. `outputs` are the labels of the
    outputs, if they are known already. Of a large epsilon it is that of a smaller one: `baseline_epsilon` says so.

    References
    ----------
    [GC] Theorem 8: what is locally private is private for every profile graph. [HLM] Theorem 10.
    """
    categories = graph.graph["categories"]
    strictest = min((edge.epsilon for edge in required), default=epsilon)
    allowed = min((edge.delta for edge in required), default=delta)
    m, n = database_shape(graph) or (len(categories), 1)
    far = _distances(graph, objective)
    if far is not None and epsilon:
        response = private_by_distance(graph, epsilon, far).weights
    elif n == 1:
        response = k_ary(categories, epsilon=strictest, delta=allowed).weights
    else:
        row = k_ary(range(m), epsilon=strictest, delta=allowed).row(0, 0)
        response = product_weights(row_distances(categories), n, row[-1] / row[0])
    if outputs is None:
        outputs = objective.output_labels(categories)
    index = np.broadcast_to(np.arange(len(categories)), (len(graph), len(categories)))
    if far is not None and isinstance(objective, ExpectedLoss):
        reported = best_remap(graph, (response / response.sum(axis=1, keepdims=True)).astype(float), objective)
    elif outputs == tuple(categories):
        return Mechanism(graph, outputs, response, index)
    else:
        reported = objective.free_outputs(categories)
    remapped = np.zeros((len(categories), len(outputs)), dtype=object)
    for x, y in enumerate(reported):
        remapped[:, y] += response[:, x]
    return Mechanism(graph, outputs, remapped, index)


def baseline_epsilon(
    graph: nx.Graph, required: Sequence[Requirement], objective: Goal, epsilon: Epsilon, name: str
) -> str:
    """Return in words for which epsilon the baseline, called `name`, is; nothing if for the one that is asked for."""
    far = _distances(graph, objective)
    asked = min((edge.epsilon for edge in required), default=epsilon) if far is None else epsilon
    taken = min(asked, MAX_EPSILON) if far is None else epsilon_computed(asked, far)
    if not taken < asked < math.inf:
        return ""
    shown, other = (brief(one, 12, 6) for one in (taken, asked))
    return f"{name[:1].upper()}{name[1:]}: the one for epsilon {shown}, as for {other} numbers would be too long."


def _distances(graph: nx.Graph, objective: Goal) -> Floats | None:
    """Return the distances of a graph of metric privacy, where they matter to an objective."""
    return metric_of(graph) if isinstance(objective, ByLoss) else None


def baseline_name(graph: nx.Graph, delta: Fraction, objective: Goal) -> str:
    """Return what the baseline is called."""
    if _distances(graph, objective) is not None:
        return "exponential mechanism" + (", best remap" if isinstance(objective, ExpectedLoss) else "")
    _, rows = database_shape(graph) or (0, 1)
    if rows > 1:
        return PRODUCT
    two = len(graph.graph["categories"]) == 2
    return ("Warner's" if two else "k-ary") + " randomised response" + (" with delta" if delta else "")


def category_costs(mechanism: Mechanism) -> list[Fraction] | None:
    """Return max_i |P_i(y) - q^i_y| for each category y; None when the outputs are not the categories.

    References
    ----------
    [GC] (6), with the profile's index mended (ERR-3.4).
    """
    if mechanism.outputs != mechanism.categories:
        return None
    costs = [Fraction(0)] * len(mechanism.outputs)
    for attributes, released in zip(mechanism.graph.nodes.values(), mechanism.all_released(), strict=True):
        change = dict(support(attributes["distribution"]))
        for y, mass in enumerate(released.fractions()):
            costs[y] = max(costs[y], abs(change.get(y, Fraction(0)) - mass))
    return costs
