"""A vertex of the program by outputs, exact but for rounding, from the rows that bind near it.

Rows that bind, v_j = e^-epsilon v_i, are edges of a forest for each output: within a tree all v_i follow from one, so
that what is released with the output is a sum of rays, one for each tree. At a vertex there are k trees in all, and

    sum_r t_r ray_r = 1     and     lam · ray_r = c_y · ray_r     for each ray r, of output y,

give their sizes t and lam; multipliers of the edges follow from the leaves to the roots. Where all of them are positive
and outputs that are never released cost something, the vertex is the only optimum.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components, minimum_spanning_tree

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.program.program import Program
from mechdesign.program.tolerances import VIOLATION
from mechdesign.solver.highs import by_simplex
from mechdesign.solver.output_blocks import Cone, Point, gap_of


@dataclass(frozen=True, eq=False)
class _Tree:
    """A tree of rows of an output: its nodes from the root on, the parent of each, and which way the rows go."""

    output: int
    nodes: Integers
    parents: Integers
    down: Integers
    ray: Floats


def vertex_near(costs: Floats, cone: Cone, point: Point) -> tuple[Point, bool] | None:
    """Return an optimal vertex near a point, and whether it is the only optimum; None if none is recognised."""
    trees = _trees(cone, point)
    if trees is None:
        return None
    m, k = costs.shape
    rays = np.zeros((k, k))
    for ray, tree in zip(rays, trees, strict=True):
        ray[tree.nodes] = tree.ray
    outputs = np.array([tree.output for tree in trees])
    try:
        sizes = np.linalg.solve(rays.T, np.ones(k))
        lam = np.linalg.solve(rays, (rays * costs[outputs]).sum(axis=1))
    except np.linalg.LinAlgError:
        return None
    v, z = np.zeros((m, k)), point.z.copy()
    np.add.at(v, outputs, sizes[:, None] * rays)
    if min(v.min(), *(cone.slacks(v[part]).min() for part in cone.parts)) < -VIOLATION:
        return None
    z[outputs] = 0.0
    least = min(_price(z, cone.factors, tree, costs[tree.output] - lam) for tree in trees)
    found = Point(np.maximum(v, 0.0), np.maximum(z, 0.0), lam)
    found = Point(found.v, found.z, lam, gap_of(costs, cone, found.v, found.z))
    if not found.gap < max(VIOLATION, point.gap * NEAR):
        return None
    never = np.setdiff1d(np.arange(m), outputs)
    spare = (cone.prices(costs, found.z)[never] - lam).min(axis=1)
    for y in never[spare > 0].tolist():
        found.z[y] = _few(cone.factors, costs[y] - lam - min(spare.min(), NEAR) / 2, found.z[y])
    return found, bool(min(least, sizes.min(), spare.min(initial=np.inf)) > NOTHING)


def _few(factors: Floats, left: Floats, otherwise: Floats) -> Floats:
    """Return few multipliers that ask for no more than is left of an output's costs, others if none are found.

    A pair is needed only from where nothing is left to where something is: by lemma 2 of `mechdesign.privacy.cover` for
    distances, and else it may not be enough.
    """
    i, j = np.nonzero((factors > 0) & (left < 0)[:, None] & (left > 0))
    column = np.arange(len(i))
    entries = np.concatenate([-factors[i, j], np.ones(len(i))])
    places = np.concatenate([i, j]), np.concatenate([column, column])
    matrix = csr_matrix((entries, places), shape=(len(left), len(i)))
    program = Program(np.ones(len(i)), matrix, np.full(len(left), -np.inf), left, np.zeros(len(i)), None, {})
    answer = by_simplex(program, 0.0)
    if isinstance(answer, str):
        return otherwise
    result = np.zeros_like(otherwise)
    result[i, j] = np.maximum(answer.columns, 0.0)
    return result


def _trees(cone: Cone, point: Point) -> list[_Tree] | None:
    """Return k trees of the rows that seem to bind most; None if there are more outputs than that."""
    k = len(cone.factors)
    used = np.flatnonzero(point.v.max(axis=1) > point.v.max() * point.gap**0.5)
    if len(used) > k:
        return None
    forests = [_forest(cone, point, y) for y in used.tolist()]
    weights = np.concatenate([forest.data for forest in forests])
    most = np.sort(weights)[len(weights) - (k - len(used)) - 1] if len(weights) >= k - len(used) else np.inf
    trees = []
    for y, forest in zip(used.tolist(), forests, strict=True):
        forest.data[forest.data > most] = 0
        forest.eliminate_zeros()
        trees += _of_output(cone, point, y, forest)
    return trees if len(trees) == k else None


def _loose(cone: Cone, point: Point, y: int) -> Floats:
    """Return for each row of an output how loose it seems: what it leaves, by its multiplier, both as shares."""
    v, z = point.v[y], point.z[y]
    with np.errstate(divide="ignore"):
        return np.where(cone.required, cone.inside(v[None])[0] / (v**2 * z), np.inf)


def _forest(cone: Cone, point: Point, y: int) -> csr_matrix:
    """Return the spanning tree of an output of the pairs that are least loose, by the order of that."""
    loose = _loose(cone, point, y)
    loose = np.log(np.minimum(loose, loose.T))
    finite = np.isfinite(loose)
    return minimum_spanning_tree(csr_matrix(np.where(finite, loose - loose[finite].min() + 1, 0.0)))


def _of_output(cone: Cone, point: Point, y: int, forest: csr_matrix) -> list[_Tree]:
    loose = _loose(cone, point, y)
    count, label = connected_components(forest, directed=False)
    trees = []
    for number in range(count):
        root = int(np.flatnonzero(label == number)[0])
        nodes, before = breadth_first_order(forest, root, directed=False)
        parents = before[nodes]
        parents[0] = root
        down = loose[parents, nodes] <= loose[nodes, parents]
        logs = np.zeros(len(label))
        for node, parent, is_down in zip(nodes[1:].tolist(), parents[1:].tolist(), down[1:].tolist(), strict=True):
            step = cone.logs[parent, node] if is_down else -cone.logs[node, parent]
            logs[node] = logs[parent] + step
        ray = np.exp(logs[nodes] - logs[nodes].max())
        trees.append(_Tree(y, nodes, parents, down, ray))
    return trees


def _price(z: Floats, factors: Floats, tree: _Tree, left: Floats) -> float:
    """Put down the multipliers of a tree, so that they add up to what is left of the costs; return the least."""
    left, least = left.copy(), np.inf
    steps = zip(tree.nodes[:0:-1].tolist(), tree.parents[:0:-1].tolist(), tree.down[:0:-1].tolist(), strict=True)
    for node, parent, is_down in steps:
        if is_down:
            weight = z[tree.output, parent, node] = left[node]
            left[parent] += factors[parent, node] * weight
        else:
            weight = z[tree.output, node, parent] = -left[node] / factors[node, parent]
            left[parent] -= weight
        least = min(least, weight)
    return float(least)
