"""Fewer requirements from which all follow along paths: a spanner, whose edges ask for more than they did.

With delta = 0 epsilons add up along a path (`mechdesign.privacy.paths`). A pair is left out where a path of kept ones
adds up to no more than so many times its own epsilon. If that is more than its own, the path is divided until it is
not: what keeps the divided edges is private on every pair, and what is asked of all pairs is asked of the kept ones.

References
----------
Bordenabe, Chatzikokolakis and Palamidessi, Optimal geo-indistinguishable mechanisms for location privacy, CCS 2014,
divide every edge of a greedy spanner by the same factor.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from mechdesign.arrays import Floats, Integers
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.privacy.requirement import Requirement
from mechdesign.size import check_size

MOST_PROFILES = 2_000
"""The lengths of all their paths take 32 MB."""


@dataclass(frozen=True, eq=False)
class Spanner:
    """Some requirements of delta 0, from which all others follow along paths if they are divided.

    Attributes
    ----------
    kept
        as they are: all that is private on every pair meets them.
    divided
        the same, asking for as much more as others need: whatever meets them is private on every pair. That is so in
        doubles; what counts is checked exactly.
    longest
        how many times its own epsilon the shortest path of kept pairs adds up to, at most.
    """

    kept: list[Requirement]
    divided: list[Requirement]
    longest: float


def spanner(required: Sequence[Requirement], profiles: int, most: float) -> Spanner:
    """Return the greedy spanner with detours of `most` times a pair's own epsilon, each edge divided as others need.

    Raises
    ------
    InputError
        if there are too many profiles.

    Examples
    --------
    >>> far = {(0, 1): 1, (1, 2): 1, (0, 2): Fraction(19, 10)}
    >>> found = spanner([Requirement(*ends, Fraction(own), Fraction(0)) for ends, own in far.items()], 3, 1.1)
    >>> [f"{edge.first}-{edge.second}: {float(edge.epsilon):.3f}" for edge in found.divided], f"{found.longest:.3f}"
    (['0-1: 0.950', '1-2: 0.950'], '1.053')
    """
    check_size(profiles, MOST_PROFILES, "paths are looked for among {} profiles that edges join", "leave out detours")
    asked = np.array([float(min(edge.epsilon, MAX_EPSILON)) for edge in required])
    kept = _greedy(required, asked, profiles, most)
    paths = _Paths(_ends(required, kept), asked[kept], profiles)
    left_out = np.setdiff1d(np.arange(len(required)), kept)
    pairs = _ends(required, left_out)
    own = asked[left_out]
    times = np.divide(paths.lengths[pairs[:, 0], pairs[:, 1]], own, out=np.ones(len(own)), where=own > 0)
    for place in np.argsort(-times, kind="stable"):
        if times[place] > 1:
            paths.divide(int(pairs[place, 0]), int(pairs[place, 1]), own[place])
    divided = [
        required[number] if own == asked[number] else replace(required[number], epsilon=Fraction(own))
        for number, own in zip(kept, paths.divided.tolist(), strict=True)
    ]
    return Spanner([required[number] for number in kept], divided, float(times.max(initial=1.0)))


def _ends(required: Sequence[Requirement], numbers: Iterable[int]) -> Integers:
    """Return the two profiles of each requirement that is numbered."""
    found = [(required[number].first, required[number].second) for number in numbers]
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _greedy(required: Sequence[Requirement], asked: Floats, profiles: int, most: float) -> list[int]:
    """Return the numbers of the requirements that are kept: in ascending order, those that no path makes up for."""
    length = np.where(np.eye(profiles, dtype=bool), 0.0, np.inf)
    kept = []
    for number in np.argsort(asked, kind="stable").tolist():
        a, b, own = required[number].first, required[number].second, asked[number]
        if length[a, b] <= most * own:
            continue
        kept.append(number)
        for i, j in ((a, b), (b, a)):
            nearer = np.flatnonzero(length[i] + own < length[j])
            length[:, nearer] = np.minimum(length[:, nearer], length[:, [j]] + own + length[i, nearer])
    return sorted(kept)


class _Paths:
    """The shortest paths of kept requirements, whose edges are divided.

    Attributes
    ----------
    lengths
        of the shortest paths, undivided, n x n.
    divided
        what each kept requirement asks.
    """

    def __init__(self, ends: Integers, asked: Floats, profiles: int) -> None:
        self._asked, self.divided = asked, asked.copy()
        self._number = {(a, b): number for number, (i, j) in enumerate(ends.tolist()) for a, b in ((i, j), (j, i))}
        graph = csr_array((asked, (ends[:, 0], ends[:, 1])), shape=(profiles, profiles))
        self.lengths, self._before = dijkstra(graph, directed=False, return_predecessors=True)

    def divide(self, start: int, end: int, most: float) -> None:
        """Divide the edges of the shortest path so that they add up to `most` at most: first those least divided."""
        path = self._path(start, end)
        asked, own = self._asked[path], self.divided[path]
        times = np.divide(asked, own, out=np.ones(len(path)), where=own > 0)
        order = np.argsort(times)
        room = most - (own.sum() - np.cumsum(own[order]))  # for the least divided, if all others stay as they are
        level = np.divide(np.cumsum(asked[order]), room, out=np.full(len(path), np.inf), where=room > 0)
        enough = level <= np.append(times[order][1:], np.inf)
        self.divided[path] = np.minimum(own, asked / max(1.0, level[enough][0]))

    def _path(self, start: int, end: int) -> list[int]:
        found = []
        while end != start:
            before = int(self._before[start, end])
            found.append(self._number[before, end])
            end = before
        return found
