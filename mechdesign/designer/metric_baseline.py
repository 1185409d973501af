"""What designs for metric privacy are compared with: the exponential mechanism and planar Laplace noise, remapped.

What they answer is replaced by the output that costs least on the mean, given the answer and the prior: the best remap.

References
----------
Chatzikokolakis, ElSalamouny and Palamidessi, Efficient utility improvement for location privacy, PoPETs 2017.
"""

import math
import sys
from fractions import Fraction
from functools import partial

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.closed_form.private_exponential import MOST_ENTRIES, private_exponential
from mechdesign.designer.cubature import RELATIVE_ERROR, integral_over_square
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import in_plane
from mechdesign.graph.properties import has_point_masses
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import ExpectedLoss, Goal, profile_shares
from mechdesign.objective.by_loss import ByLoss

MOST_APART = 3_500
"""Times 1 / epsilon: of places further apart probabilities have thousands of digits, and epsilon is taken smaller."""

FURTHEST = 10**10
"""Times 1 / epsilon: of places further apart doubles do not tell what noise does to those that are near each other."""

LEAST = 1e-280
"""Of the largest loss: less is taken for none, before doubles end."""


def metric_of(graph: nx.Graph) -> Floats | None:
    """Return the distance of each category from each, along edges; None if the graph is not one of metric privacy.

    It is one if each category is a profile, most pairs have a distance, and no edge an epsilon or delta.
    """
    d = len(graph.graph["categories"])
    edges = list(graph.edges(data=True))
    if not len(graph) == d <= math.isqrt(MOST_ENTRIES) or 4 * len(edges) < d * (d - 1) or not has_point_masses(graph):
        return None
    if any("distance" not in own or "epsilon" in own or "delta" in own for _, _, own in edges):
        return None
    place = _categories(graph)
    far = np.where(np.eye(d, dtype=bool), 0.0, math.inf)
    for a, b, own in edges:
        far[place[a], place[b]] = far[place[b], place[a]] = float(own["distance"])
    for through in range(d):
        far = np.minimum(far, far[:, [through]] + far[through])
    return far if 0 < far.max(initial=0) < math.inf else None


def epsilon_computed(epsilon: Epsilon, far: Floats) -> Epsilon:
    """Return for which epsilon, at most the one given, `private_by_distance` is computed."""
    return min(epsilon, MOST_APART / Fraction(float(far.max())))


def private_by_distance(graph: nx.Graph, epsilon: Epsilon, far: Floats) -> Mechanism:
    """Return the exponential mechanism whose utility is the negative distance, for a positive `epsilon_computed`."""
    return private_exponential(graph, -far, epsilon=epsilon_computed(epsilon, far))


def best_remap(graph: nx.Graph, answers: Floats, objective: ByLoss) -> list[int]:
    """Return for each answer the output of least expected loss, given the probabilities of answers by category."""
    loss = _losses(graph, objective)
    costs = (answers * _prior(graph)[:, None]).T @ loss
    return [int(y) for y in costs.argmin(axis=1)]


def planar_laplace_value(graph: nx.Graph, epsilon: Epsilon, objective: Goal) -> float | None:
    """Return the expected loss of planar Laplace noise with the best remap; None where that does not apply.

    It applies to places of metric privacy that have positions, not more than 10^10 / epsilon apart. Noise falls by as
    much in the plane as all edges allow. It is computed in doubles, by cubature. What it is above the loss without any
    noise is good to a thousandth, however small; but a 10^-280th of the largest loss is taken for nothing.

    Examples
    --------
    >>> import mechdesign as md
    >>> graph = md.point_graph({"x": [0, 1, 0], "y": [0, 0, 1]}, at=["x", "y"])
    >>> round(planar_laplace_value(graph, 2, md.ExpectedLoss(md.distances(graph))), 3)
    0.363
    """
    places = in_plane(graph)
    if not isinstance(objective, ExpectedLoss) or not 0 < epsilon < math.inf or places is None:
        return None
    if metric_of(graph) is None:
        return None
    nats = float(min(epsilon, sys.float_info.max)) * _least_stretch(graph, places)
    if nats == 0:
        return None
    own = np.empty_like(places)
    own[list(_categories(graph).values())] = places
    prior, loss = _prior(graph), _losses(graph, objective)
    likely = prior > 0
    own, prior, loss = own[likely], prior[likely], loss[likely]
    if nats * float(np.ptp(own, axis=0).max()) > FURTHEST:
        return None
    least = loss.min(axis=1)
    return float(prior @ least) + _least_loss(nats * (own - own[0]), prior, loss - least[:, None])


def _least_loss(places: Floats, prior: Floats, loss: Floats) -> float:
    """Return the mean, over places and noise, of the least expected loss given the noisy point; for an epsilon of 1.

    That is the integral over the plane of the least, over outputs, of sum_x prior_x loss_xy e^-|z - x| / (2 pi). It
    ends at `beyond` outside of all places, where these are all further away, by `far`, than from a point among them.
    """
    most, low, high = loss.max(), places.min(axis=0), places.max(axis=0)
    if most == 0:
        return 0.0
    far = -2 * math.log(RELATIVE_ERROR)
    beyond = math.sqrt(far * (far + 2 * math.dist(low, high)))
    logarithm = partial(_log_least, places=places, prior=prior, loss=loss / most)
    found = integral_over_square(logarithm, (low + high) / 2, (high - low).max() + 2 * beyond) / math.tau
    return float(most * found) if found > LEAST else 0.0


def _log_least(points: Floats, *, places: Floats, prior: Floats, loss: Floats) -> Floats:
    """Return at each point the logarithm of the least, over outputs, of sum_x prior_x loss_xy e^-|z - x|.

    It changes by no more than the point is moved, as the logarithm of each term does.
    """
    found = []
    for block in np.array_split(points, 1 + len(points) // 2048):  # so that tables of points and places stay small
        east, north = block[:, :1] - places[:, 0], block[:, 1:] - places[:, 1]
        far = np.sqrt(east * east + north * north)
        near = far.min(axis=1, keepdims=True)
        least = (prior * np.exp(near - far) @ loss).min(axis=1)
        found.append(np.log(np.maximum(least, LEAST / 10**10)) - near[:, 0])
    return np.concatenate(found)


def _least_stretch(graph: nx.Graph, places: Floats) -> float:
    """Return the least ratio of an edge's distance to that in the plane."""
    at = dict(zip(graph, places, strict=True))
    straight = [(float(far), math.dist(at[a], at[b])) for a, b, far in graph.edges(data="distance")]
    return min((far / plane for far, plane in straight if plane), default=0.0)


def _categories(graph: nx.Graph) -> dict[Label, int]:
    """Return the position of each profile's category."""
    return {profile: support(own["distribution"])[0][0] for profile, own in graph.nodes.items()}


def _prior(graph: nx.Graph) -> Floats:
    prior = np.zeros(len(graph))
    prior[list(_categories(graph).values())] = list(map(float, profile_shares(graph)))
    return prior


def _losses(graph: nx.Graph, objective: ByLoss) -> Floats:
    return np.array([[float(cost) for cost in row] for row in objective.table(graph.graph["categories"])])
