"""Families of profile graphs at fixed seeds, by size: what benchmarks and the public instances are made of.

A size is (profiles, categories). The families of single values have as many categories as profiles: counting and local
take the number of profiles asked for, grid the largest square not above it.
"""

import math
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.arrays import Integers
from mechdesign.errors import InputError
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.graph.values import counting_graph, value_graph
from mechdesign.objective import NAMED_LOSSES, ExpectedLoss, MaxOffDiagonal, Objective, WorstLoss
from mechdesign.words import expected_one_of

Edges = Iterable[tuple[Hashable, Hashable]]


@dataclass(frozen=True)
class Family:
    """Graphs of one kind.

    Attributes
    ----------
    words
        what they are.
    make
        (profiles, categories, seed) -> graph.
    objective
        the one that suits them, by the number of categories.
    size
        (profiles, categories) asked for -> those that `make` gives.
    """

    words: str
    make: Callable[[int, int, int], nx.Graph]
    objective: Callable[[int], Objective] = lambda d: MaxOffDiagonal()
    size: Callable[[int, int], tuple[int, int]] = lambda k, d: (k, d)

    @property
    def values(self) -> bool:
        """Whether profiles are single values: there are as many categories, whatever is asked for."""
        return self.size(4, 1) == (4, 4)


def family(name: str) -> Family:
    """Return the family of that name.

    Raises
    ------
    InputError
        naming those that there are.
    """
    if name not in FAMILIES:
        raise InputError(f"families: {expected_one_of(FAMILIES, name, one='some')}")
    return FAMILIES[name]


def objective_of(name: str, categories: int, other: str = "") -> Objective:
    """Return the objective that suits a family, or the other one of `OBJECTIVES`.

    Examples
    --------
    >>> objective_of("ring", 3), objective_of("ring", 3, "worst-absolute")
    (MaxOffDiagonal(), WorstLoss(loss='absolute'))
    """
    return OBJECTIVES[other] if other else family(name).objective(categories)


def graph_of_family(name: str, profiles: int, categories: int, seed: int) -> nx.Graph:
    """Return a family's graph at a size, under a name that says which it is.

    Examples
    --------
    >>> graph_of_family("ring", 6, 3, seed=1)
    <networkx.classes.graph.Graph object at 0x...>
    """
    graph = family(name).make(profiles, categories, seed)
    k, d = len(graph), len(graph.graph["categories"])
    graph.graph.update(name=f"{name}-{k}x{d}", source=f"{FAMILIES[name].words}; seed {seed}")
    return graph


def _evenly(k: int, d: int, seed: int) -> Integers:
    """Masses alike in size."""
    return np.random.default_rng(seed).integers(1, 100, (k, d))


def _sparsely(k: int, d: int, seed: int) -> Integers:
    """Each profile has about a third of the categories, two at least."""
    random = np.random.default_rng(seed)
    counts = random.integers(1, 100, (k, d))
    order = np.argsort(random.integers(0, 2**40, (k, d)), axis=1, kind="stable")
    return np.where(order < max(2, d // 3), counts, 0)


def _badly(k: int, d: int, seed: int) -> Integers:
    """Masses of every size from 1 down to 10^-9: a digit times a power of ten."""
    random = np.random.default_rng(seed)
    return random.integers(1, 10, (k, d)) * 10 ** random.integers(0, 10, (k, d))


def _component_edges(k: int, seed: int) -> Edges:
    """Return rings with chords of 5 to 50 profiles each; the last one may have up to 4 more."""
    ends, place = np.random.default_rng([seed, k, 2]).integers(5, 51, k).cumsum().tolist(), 0
    edges: list[tuple[int, int]] = []
    for end in ends:
        end = end if end + 5 <= k else k
        edges += [(place + a, place + b) for a, b in _ring_edges(end - place, seed + place)]
        if end == k:
            return edges
        place = end
    return edges


def _by_role(k: int, d: int, seed: int) -> Integers:
    """Five profiles to a role, whose counts they follow with small changes."""
    random = np.random.default_rng(seed)
    roles = random.integers(1, 100, (-(-k // ROLE), d))
    return 10 * np.repeat(roles, ROLE, axis=0)[:k] + random.integers(0, 200, (k, d))


ROLE = 5


def _role_edges(k: int, seed: int) -> Edges:
    """All pairs of a role; every second role is joined to the next by one edge."""
    del seed
    edges = [(a, b) for a in range(k) for b in range(a + 1, k) if a // ROLE == b // ROLE]
    return edges + [(a, a + ROLE) for a in range(0, k - ROLE, 2 * ROLE)]


def _ring_edges(k: int, seed: int) -> Iterable[tuple[int, int]]:
    """Return a ring with chords: Watts-Strogatz, four neighbours."""
    edges: Iterable[tuple[int, int]] = nx.watts_strogatz_graph(k, min(4, k - 1), 0.1, seed=seed).edges
    return edges


def _anew(k: int, d: int, seed: int) -> Integers:
    """As `_evenly`, but other profiles for each k: in a graph of twice the size not the first half is the same."""
    return np.random.default_rng([seed, k]).integers(1, 100, (k, d))


def _random_chords(k: int, seed: int) -> Edges:
    """Return a ring where those up to two steps apart are neighbours, and a random matching: an expander."""
    ring = [(i, (i + step) % k) for i in range(k) for step in (1, 2) if (i + step) % k != i]
    order = np.random.default_rng([seed, k, 1]).permutation(k).tolist()
    return ring + list(zip(order[: k // 2], order[k // 2 :], strict=False))


def _random(
    counts: Callable[[int, int, int], Integers], edges: Callable[[int, int], Edges]
) -> Callable[[int, int, int], nx.Graph]:
    """Return the maker of graphs with these random counts, normalised, and these edges."""

    def make(k: int, d: int, seed: int) -> nx.Graph:
        profiles = {
            i: [Fraction(int(count), int(row.sum())) for count in row] for i, row in enumerate(counts(k, d, seed))
        }
        return profile_graph(profiles, edges=edges(k, seed), categories=list(range(d)))

    return make


def _points(count: int) -> list[tuple[int, int]]:
    side = math.isqrt(count)
    return [(x, y) for x in range(side) for y in range(side)]


def _euclidean(d: int) -> Objective:
    points = _points(d)
    return ExpectedLoss([[math.dist(a, b) for b in points] for a in points])


FAMILIES: dict[str, Family] = {
    "chain": Family("a path of random profiles", _random(_evenly, lambda k, seed: nx.path_graph(k).edges)),
    "ring": Family(
        "a ring with chords (Watts-Strogatz, four neighbours) of random profiles", _random(_evenly, _ring_edges)
    ),
    "random-chords": Family(
        "a ring with four neighbours and a random chord at each of random profiles, other ones for each size",
        _random(_anew, _random_chords),
    ),
    "components": Family(
        "many components: rings with chords of 5 to 50 random profiles each", _random(_anew, _component_edges)
    ),
    "complete": Family("all pairs of random profiles", _random(_evenly, lambda k, seed: nx.complete_graph(k).edges)),
    "tree": Family(
        "a random tree of random profiles",
        _random(_evenly, lambda k, seed: nx.random_labeled_tree(k, seed=seed).edges),
        lambda d: ExpectedLoss("hamming"),
    ),
    "clusters": Family(
        "clusters by role: all pairs of five similar profiles; every second cluster joined to the next by one edge",
        _random(_by_role, _role_edges),
        lambda d: WorstLoss("hamming"),
    ),
    "counting": Family(
        "a count: values 0..k-1, neighbours differ by one",
        lambda k, d, seed: counting_graph(k - 1),
        lambda d: ExpectedLoss("absolute"),
        lambda k, d: (k, k),
    ),
    "grid": Family(
        "points of a square grid with Euclidean distances, epsilon per unit",
        lambda k, d, seed: value_graph(_points(k), metric=math.dist),
        _euclidean,
        lambda k, d: (math.isqrt(k) ** 2, math.isqrt(k) ** 2),
    ),
    "local": Family(
        "local privacy: all pairs of k values, value x with weight x + 1",
        lambda k, d, seed: value_graph(range(k), weights=range(1, k + 1)),
        lambda d: ExpectedLoss("hamming"),
        lambda k, d: (k, k),
    ),
    "values": Family(
        "local privacy: all pairs of k values, all as likely, which are all alike",
        lambda k, d, seed: value_graph(range(k)),
        lambda d: ExpectedLoss("hamming"),
        lambda k, d: (k, k),
    ),
    "sparse": Family(
        "a ring with chords of profiles that each have a third of the categories", _random(_sparsely, _ring_edges)
    ),
    "scaled": Family(
        "a ring with chords of badly scaled profiles, with masses from 10^-9 to 1", _random(_badly, _ring_edges)
    ),
}

OBJECTIVES: dict[str, Objective] = {
    f"{which}-{loss}": kind(loss)
    for which, kind in (("expected", ExpectedLoss), ("worst", WorstLoss))
    for loss in NAMED_LOSSES
}
"""Others than the families' own, which targets ask for."""
