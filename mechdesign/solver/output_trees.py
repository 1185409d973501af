"""A vertex of the program by outputs, exact but for rounding, from the rows that bind near it.

Rows that bind, v_j = e^-epsilon v_i, are edges of a forest for each output: within a tree all v_i follow from one, so
that what is released with the output is a sum of rays, one for each tree. At a vertex there are k trees in all, and

    sum_r t_r ray_r = 1     and     lam · ray_r = c_y · ray_r     for each ray r, of output y,

give their sizes t and lam; multipliers of the edges follow from the leaves to the roots. Where all of them are positive
and outputs that are never released cost something, the vertex is the only optimum.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components, minimum_spanning_tree

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.program.program import Program
from mechdesign.program.tolerances import VIOLATION
from mechdesign.solver.output_rows import Rows, least_slack
from mechdesign.solver.output_system import Point
from mechdesign.solver.vertices import by_simplex


@dataclass(frozen=True, eq=False)
class _Tree:
    """A tree of rows of an output: its nodes from the root on, the parent of each, and which way the rows go."""

    output: int
    nodes: Integers
    parents: Integers
    down: Integers
    ray: Floats


def vertex_near(costs: Floats, point: Point) -> tuple[Point, bool] | None:
    """Return an optimal vertex near a point, and whether it is the only optimum; None if none is recognised."""
    trees = _trees(point)
    if trees is None:
        return None
    (m, k), factors = costs.shape, point.rows.factors
    rays = np.zeros((k, k))
    for ray, tree in zip(rays, trees, strict=True):
        ray[tree.nodes] = tree.ray
    outputs = np.array([tree.output for tree in trees])
    try:
        sizes = np.linalg.solve(rays.T, np.ones(k))
        lam = np.linalg.solve(rays, (rays * costs[outputs]).sum(axis=1))
    except np.linalg.LinAlgError:
        return None
    v, used = np.zeros((m, k)), np.unique(outputs)
    np.add.at(v, outputs, sizes[:, None] * rays)
    if min(v.min(), least_slack(factors, v, used)) < -VIOLATION:
        return None
    priced = [_priced(factors, tree, costs[tree.output] - lam) for tree in trees]
    least = min(float(weights.min(initial=np.inf)) for _, weights in priced)
    if least < -VIOLATION:
        return None
    never = np.setdiff1d(np.arange(m), used)
    priced += [_few(point, y, costs[y] - lam - NEAR / 2) for y in never.tolist()]
    numbers, z = (np.concatenate(parts) for parts in zip(*priced, strict=True))
    found = Point(np.maximum(v, 0.0), Rows(factors, numbers), np.maximum(z, 0.0), lam).judged(costs)
    if not found.gap < max(VIOLATION, point.gap * NEAR):
        return None
    spare = (found.prices(costs)[never] - lam).min(initial=np.inf)
    return found, bool(min(least, sizes.min(), spare) > NOTHING)


def _few(point: Point, y: int, left: Floats) -> tuple[Integers, Floats]:
    """Return rows with few multipliers that ask for no more than is left of an output's costs; or else the point's.

    A pair is needed only from where nothing is left to where something is: by lemma 2 of `mechdesign.privacy.cover` for
    distances, and else it may not be enough.
    """
    factors = point.rows.factors
    i, j = np.nonzero((factors > 0) & (left < 0)[:, None] & (left > 0))
    column = np.arange(len(i))
    entries = np.concatenate([-factors[i, j], np.ones(len(i))])
    places = np.concatenate([i, j]), np.concatenate([column, column])
    matrix = csr_matrix((entries, places), shape=(len(left), len(i)))
    program = Program(np.ones(len(i)), matrix, np.full(len(left), -np.inf), left, np.zeros(len(i)), None, {})
    answer = by_simplex(program, 0.0)
    if isinstance(answer, str):
        own = point.rows.of(np.array([y]))
        return point.rows.numbers[own], point.z[own]
    return (y * len(left) + i) * len(left) + j, np.maximum(answer.columns, 0.0)


def _trees(point: Point) -> list[_Tree] | None:
    """Return k trees of the rows that seem to bind most; None if there are more outputs than that."""
    k = point.v.shape[1]
    used = np.flatnonzero(point.v.max(axis=1) > point.v.max() * point.gap**0.5)
    if len(used) > k:
        return None
    loose = [_loose(point, y) for y in used.tolist()]
    forests = [_forest(one) for one in loose]
    weights = np.concatenate([forest.data for forest in forests])
    most = np.sort(weights)[len(weights) - (k - len(used)) - 1] if len(weights) >= k - len(used) else np.inf
    trees = []
    for y, one, forest in zip(used.tolist(), loose, forests, strict=True):
        forest.data[forest.data > most] = 0
        forest.eliminate_zeros()
        trees += _of_output(point, y, one, forest)
    return trees if len(trees) == k else None


def _loose(point: Point, y: int) -> Floats:
    """Return for each pair how loose its row of an output seems: what it leaves, by its multiplier, both as shares."""
    k = point.v.shape[1]
    own = slice(*np.searchsorted(point.rows.numbers, [y * k * k, (y + 1) * k * k]).tolist())
    rows = Rows(point.rows.factors, point.rows.numbers[own])
    ahead = point.v.ravel()[rows.after]
    loose = np.full(k * k, np.inf)
    loose[rows.numbers % (k * k)] = rows.inside(point.v) / (ahead**2 * point.z[own])
    return loose.reshape(k, k)


def _forest(loose: Floats) -> csr_matrix:
    """Return the spanning tree of the pairs that are least loose."""
    either = np.minimum(loose, loose.T)
    return minimum_spanning_tree(csr_matrix(np.where(np.isfinite(either), either, 0.0)))


def _of_output(point: Point, y: int, loose: Floats, forest: csr_matrix) -> list[_Tree]:
    count, label = connected_components(forest, directed=False)
    factors, trees = point.rows.factors, []
    for number in range(count):
        root = int(np.flatnonzero(label == number)[0])
        nodes, before = breadth_first_order(forest, root, directed=False)
        parents = before[nodes]
        parents[0] = root
        down = loose[parents, nodes] <= loose[nodes, parents]
        logs = np.zeros(len(label))
        for node, parent, is_down in zip(nodes[1:].tolist(), parents[1:].tolist(), down[1:].tolist(), strict=True):
            step = math.log(factors[parent, node]) if is_down else -math.log(factors[node, parent])
            logs[node] = logs[parent] + step
        ray = np.exp(logs[nodes] - logs[nodes].max())
        trees.append(_Tree(y, nodes, parents, down, ray))
    return trees


def _priced(factors: Floats, tree: _Tree, left: Floats) -> tuple[Integers, Floats]:
    """Return the rows of a tree, and their multipliers, so that they add up to what is left of the costs."""
    left, weights = left.copy(), []
    nodes, parents, down = tree.nodes[:0:-1], tree.parents[:0:-1], tree.down[:0:-1]
    for node, parent, is_down in zip(nodes.tolist(), parents.tolist(), down.tolist(), strict=True):
        weight = left[node] if is_down else -left[node] / factors[node, parent]
        left[parent] += factors[parent, node] * weight if is_down else -weight
        weights.append(float(weight))
    first, second = np.where(down, parents, nodes), np.where(down, nodes, parents)
    return (tree.output * len(left) + first) * len(left) + second, np.array(weights)
