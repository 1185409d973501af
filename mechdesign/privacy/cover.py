"""Requirements as cliques and pairs, which are fewer than the edges and ask the same.

Lemma 1. Let any two of some profiles be neighbours with delta = 0 and the same epsilon. Then q^i_y <= e^epsilon q^j_y
for all of their pairs if and only if, for each output y, the largest q^i_y is at most e^epsilon times the least.

Lemma 2. With delta = 0, the requirements of (a, b) and (b, c) imply that of (a, c) if epsilon_ab + epsilon_bc <=
epsilon_ac. In metric privacy most pairs are implied by nearer ones; on a line, all but those of neighbours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import MAX_EPSILON, exp_below
from mechdesign.privacy.gaps import exceeded
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement

SMALLEST_CLIQUE = 4
"""A clique of n profiles has 2 n rows for an output in place of n (n - 1): below this size it saves nothing."""

MOST_PROFILES_SEARCHED = 500
"""With more profiles implied pairs are not looked for: the work grows with the cube of their number."""

MOST_PAIRS_PER_PROFILE = 4
"""Implied pairs are left out if the others are at most so many for each profile. Where more are left, implied pairs
stay in the program: solvers need fewer iterations with them."""


ROUNDED_UP = 1 + 1e-12
"""Sums of doubles are compared with this to spare; what passes is compared exactly."""


@dataclass(frozen=True)
class Clique:
    """Profiles of which any two are neighbours with this epsilon and delta = 0."""

    members: tuple[int, ...]
    epsilon: Fraction

    @property
    def ratio_below(self) -> Fraction:
        """A rational <= e^epsilon: what is private with it is private."""
        return exp_below(self.epsilon)


@dataclass(frozen=True)
class Cover:
    """Cliques and, for what they leave over, pairs."""

    cliques: list[Clique]
    pairs: list[Requirement]


def cover(required: Sequence[Requirement]) -> Cover:
    """Return requirements as cliques, found greedily, and the requirements left over.

    Examples
    --------
    >>> edges = [Requirement(i, j, Fraction(1), Fraction(0)) for i in range(5) for j in range(i)]
    >>> cover(edges)
    Cover(cliques=[Clique(members=(0, 1, 2, 3, 4), epsilon=Fraction(1, 1))], pairs=[])
    """
    cliques: list[Clique] = []
    pairs = [edge for edge in required if edge.delta]
    groups: dict[tuple[int, int], list[Requirement]] = {}  # Fractions are slow to hash
    for edge in required:
        if not edge.delta:
            groups.setdefault(edge.epsilon.as_integer_ratio(), []).append(edge)
    asked = [(Fraction(*ratio), group) for ratio, group in groups.items()]
    for epsilon, group in sorted(asked, key=lambda one: (float(min(one[0], MAX_EPSILON)), one[0])):
        own = {frozenset((edge.first, edge.second)): edge for edge in group}
        near: dict[int, set[int]] = {}
        for a, b in own:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
        left = {vertex: set(others) for vertex, others in near.items()}
        for seed in _by_edges_left(left):
            clique = _grown(seed, near, left)
            if len(clique) >= SMALLEST_CLIQUE:
                cliques.append(Clique(tuple(sorted(clique)), epsilon))
                for vertex in clique:
                    left[vertex] -= clique
        pairs += [edge for edge in own.values() if edge.second in left[edge.first]]
    return Cover(cliques, pairs)


def _by_edges_left(left: dict[int, set[int]]) -> Iterator[int]:
    """Yield the vertex with the most edges left, as long as there are enough for a clique.

    Edges may be taken away meanwhile. A vertex that has lost none is not tried again.
    """
    heap = [(-len(others), vertex) for vertex, others in left.items()]
    heapify(heap)
    while heap and -heap[0][0] >= SMALLEST_CLIQUE - 1:
        count, seed = heappop(heap)
        if len(left[seed]) == -count:
            yield seed
        if 0 < len(left[seed]) < -count:
            heappush(heap, (-len(left[seed]), seed))


def _grown(seed: int, near: dict[int, set[int]], left: dict[int, set[int]]) -> set[int]:
    """Return a clique around `seed`, at each step adding the vertex with the most edges that are still left."""
    clique = {seed}
    common = set(left[seed])
    while common:
        if all(len(near[vertex] & common) == len(common) - 1 for vertex in common):
            return clique | common
        best = max(common, key=lambda vertex: (len(left[vertex] & clique), len(near[vertex] & common), -vertex))
        clique.add(best)
        common &= near[best]
    return clique


def without_implied(required: Sequence[Requirement], profiles: int) -> list[Requirement]:
    """Return the requirements that no two others imply by lemma 2, decided exactly; all of them if that leaves many.

    Examples
    --------
    >>> line = [Requirement(i, j, Fraction(j - i), Fraction(0)) for i in range(4) for j in range(i + 1, 4)]
    >>> [(edge.first, edge.second) for edge in without_implied(line, 4)]
    [(0, 1), (1, 2), (2, 3)]
    """
    near = _lengths(required)
    if profiles > MOST_PROFILES_SEARCHED or len(near) < profiles:
        return list(required)
    length = _table(near, profiles)
    kept: list[Requirement] = []
    for edge in required:
        if len(kept) > MOST_PAIRS_PER_PROFILE * profiles:
            return list(required)
        a, c = edge.first, edge.second
        asked = float(min(edge.epsilon, MAX_EPSILON))
        through = np.nonzero(length[a] + length[c] <= asked * ROUNDED_UP)[0] if edge.delta == 0 else ()
        pairs = ((frozenset((a, int(b))), frozenset((int(b), c))) for b in through)
        if not any(near[first] + near[second] <= edge.epsilon for first, second in pairs):
            kept.append(edge)
    return kept if len(kept) <= MOST_PAIRS_PER_PROFILE * profiles else list(required)


def nearly_implied(required: Sequence[Requirement], profiles: int, detour: float) -> npt.NDArray[np.bool_]:
    """Return of each requirement whether two others would imply it by lemma 2 if it were so many times as large.

    Examples
    --------
    >>> near = [Requirement(0, 1, Fraction(1), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
    >>> nearly_implied([*near, Requirement(0, 2, Fraction(19, 10), Fraction(0))], 3, 1.1).tolist()
    [False, False, True]
    """
    near = _lengths(required)
    if profiles > MOST_PROFILES_SEARCHED or len(near) < profiles:
        return np.zeros(len(required), dtype=bool)
    length = _table(near, profiles)
    through = (length[edge.first] + length[edge.second] for edge in required)
    asked = (float(min(edge.epsilon, MAX_EPSILON)) for edge in required)
    pairs = zip(required, through, asked, strict=True)
    return np.array([not edge.delta and bool((via <= detour * own).any()) for edge, via, own in pairs])


def _lengths(required: Sequence[Requirement]) -> dict[frozenset[int], Fraction]:
    """Return the epsilons that can imply others, by their pairs."""
    return {frozenset((r.first, r.second)): r.epsilon for r in required if not r.delta and r.epsilon}


def _table(near: dict[frozenset[int], Fraction], profiles: int) -> Floats:
    """Return epsilons as a symmetric table, infinite where there is none."""
    length = np.full((profiles, profiles), np.inf)
    for (a, b), epsilon in ((sorted(pair), epsilon) for pair, epsilon in near.items()):
        length[a, b] = length[b, a] = float(min(epsilon, MAX_EPSILON))
    return length


def met(released: Sequence[Released], required: Cover) -> bool:
    """Return whether every requirement is met; True proves privacy, for e^epsilon is replaced by a rational below it.

    Examples
    --------
    >>> same = [Released(np.array([1, 2], dtype=object), 3)] * 5
    >>> met(same, cover([Requirement(i, j, Fraction(0), Fraction(0)) for i in range(5) for j in range(i)]))
    True
    """
    return next(violated(released, required), None) is None


def violated(released: Sequence[Released], required: Cover) -> Iterator[int]:
    """Yield a profile of each clique and pair whose requirement is not proved met."""
    yield from (clique.members[0] for clique in required.cliques if not _alike(released, clique))
    yield from (i for i, _, _ in exceeded(released, required.pairs))


def _alike(released: Sequence[Released], clique: Clique) -> bool:
    own = [released[i] for i in clique.members]
    if len({one.total for one in own}) == 1:
        table = np.array([one.weights for one in own], dtype=object)
        ratio = clique.ratio_below
        return bool((table.max(axis=0) * ratio.denominator <= table.min(axis=0) * ratio.numerator).all())
    columns = zip(*(one.fractions() for one in own), strict=True)
    return all(max(column) <= clique.ratio_below * min(column) for column in columns)
