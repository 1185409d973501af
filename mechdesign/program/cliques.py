"""Clique covers: on a clique of profiles that must all be alike, one new variable for each output replaces the pairs.

With delta = 0 and one epsilon, q^i_y <= e^epsilon q^j_y for all i, j of a clique says that for some l_y

    l_y <= q^i_y   and   e^-epsilon q^i_y <= l_y     for each i,

which is 2 n rows for an output in place of n (n - 1).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import scipy.sparse as sp

from mechdesign.privacy import Requirement
from mechdesign.problem import Floats, PrivacyMultipliers
from mechdesign.program.program import Program, Rows

SMALLEST = 4
"""Cliques below this size save no rows."""

Clique = tuple[tuple[int, ...], Fraction]
"""The profiles and their common epsilon."""


def clique_cover(required: Sequence[Requirement]) -> tuple[list[Clique], list[Requirement]]:
    """Return cliques that cover edges of one epsilon with delta = 0, found greedily, and the requirements left over.

    Examples
    --------
    >>> edges = [Requirement(i, j, Fraction(1), Fraction(0)) for i in range(5) for j in range(i)]
    >>> clique_cover(edges)
    ([((0, 1, 2, 3, 4), Fraction(1, 1))], [])
    """
    cliques: list[Clique] = []
    left = [edge for edge in required if edge.delta > 0]
    for epsilon in sorted({edge.epsilon for edge in required if edge.delta == 0}):
        own = {
            frozenset((edge.first, edge.second)): edge
            for edge in required
            if edge.delta == 0 and edge.epsilon == epsilon
        }
        near: dict[int, set[int]] = {}
        for a, b in own:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
        open_edges = {vertex: set(others) for vertex, others in near.items()}
        tried: set[int] = set()
        while candidates := [
            vertex for vertex in open_edges if len(open_edges[vertex]) >= SMALLEST - 1 and vertex not in tried
        ]:
            seed = max(candidates, key=lambda vertex: (len(open_edges[vertex]), -vertex))
            clique = _grown(seed, near, open_edges)
            if len(clique) < SMALLEST:
                tried.add(seed)
                continue
            cliques.append((tuple(sorted(clique)), epsilon))
            for vertex in clique:
                open_edges[vertex] -= clique
        left += [edge for pair, edge in own.items() if edge.second in open_edges[edge.first]]
    return cliques, left


def _grown(seed: int, near: dict[int, set[int]], open_edges: dict[int, set[int]]) -> set[int]:
    """Return a clique around `seed`, at each step adding the vertex with the most edges that are still open."""
    clique = {seed}
    common = set(open_edges[seed])
    while common:
        best = max(common, key=lambda vertex: (len(open_edges[vertex] & clique), len(near[vertex] & common), -vertex))
        clique.add(best)
        common &= near[best]
    return clique


def add_cliques(rows: Rows, cliques: Sequence[Clique], k: int, m: int, first: int) -> int:
    """Add the rows of the cliques on q^i_y, column i m + y; return how many columns l_y they use, from `first` on."""
    if not cliques:
        return 0
    members = np.array([i for clique, _ in cliques for i in clique])
    number = np.repeat(np.arange(len(cliques)), [len(clique) for clique, _ in cliques])
    shrink = np.exp([-float(epsilon) for _, epsilon in cliques])[number]
    row, shape = np.arange(len(members)), (len(members), len(cliques))
    chosen = sp.csr_matrix((np.ones(len(members)), (row, members)), shape=(len(members), k))
    level = sp.kron(sp.csr_matrix((np.ones(len(members)), (row, number)), shape=shape), sp.identity(m))
    between = sp.csr_matrix((len(members) * m, first - k * m))
    low = sp.hstack([-sp.kron(chosen, sp.identity(m)), between, level])
    high = sp.hstack([sp.kron(sp.diags(shrink) @ chosen, sp.identity(m)), between, -level])
    rows.at_most(low, 0.0, name="clique below")
    rows.at_most(high, 0.0, name="clique above")
    return len(cliques) * m


def clique_multipliers(program: Program, duals: Floats, cliques: Sequence[Clique], m: int) -> PrivacyMultipliers:
    """Return multipliers of the pairs that add up to those of the cliques' rows.

    For each l_y the weights of the rows above it have the same total as those of the rows below it, and are matched
    with them; what a profile would be matched with itself says nothing and is dropped.
    """
    result: PrivacyMultipliers = {}
    start = 0
    for clique, epsilon in cliques:
        rows = slice(start * m, (start + len(clique)) * m)
        above, below = (duals[program.blocks[name]][rows].reshape(-1, m) for name in ("clique above", "clique below"))
        itself = np.minimum(above, below)
        shrink = np.exp(-float(epsilon))
        for y in range(m):
            for a, b, weight in _matched(above[:, y] - itself[:, y], below[:, y] - itself[:, y]):
                pair = result.setdefault((clique[a], clique[b]), np.zeros(m))
                pair[y] += weight * shrink
        start += len(clique)
    return result


def _matched(supply: Floats, demand: Floats) -> list[tuple[int, int, float]]:
    """Match two lists of weights of nearly the same total, greedily, in order."""
    left, wanted = supply.tolist(), demand.tolist()
    sources, sinks = ([i for i, weight in enumerate(weights) if weight > 0] for weights in (left, wanted))
    matches = []
    while sources and sinks:
        a, b = sources[0], sinks[0]
        weight = min(left[a], wanted[b])
        matches.append((a, b, weight))
        left[a] -= weight
        wanted[b] -= weight
        if left[a] <= wanted[b]:
            sources.pop(0)
        else:
            sinks.pop(0)
    return matches
