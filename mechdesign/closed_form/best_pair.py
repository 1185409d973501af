"""What the best pair of profiles asks for: a bound of the largest off-diagonal entry on any graph.

Along a path q^i(S) <= e^D q^j(S) + Delta for every set S of outputs: D is the total of its epsilons, and Delta that of
its deltas, each times e^epsilon of the edges before it. So what two profiles ask for (`two_profiles`) with these in
place of epsilon and delta is a bound for the whole graph; shorter paths give better ones. In most small graphs the best
pair's is the optimum.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.closed_form.two_profiles import asked_by
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.privacy.requirement import Requirement

CHUNK = 256
"""Profiles from which paths are looked for at once: their distances to 20,000 others take 40 MB."""

PAIRS = 20_000
"""Pairs for which the sets of all sizes are tried at once: with 50 outputs 8 MB a table."""

MOST_STEPS = 30
"""Dinkelbach's method takes a handful of steps; more would be for rounding errors that go on for ever."""


SPARE = 1e-9
"""By what share a pair may seem to ask for less than the best and is tried all the same: sums of doubles may be off."""

LEAST_LENGTH = 1e-12
"""Length of an edge of epsilon 0 where paths are looked for; what they prove is computed with its epsilon."""

Ints: TypeAlias = npt.NDArray[np.int64]

Edges: TypeAlias = Mapping[tuple[int, int], Requirement]
"""The requirement of each edge, under both of its orders."""


@dataclass(frozen=True)
class Pair:
    """What the best pair asks for.

    Attributes
    ----------
    level
        no private mechanism has a smaller largest off-diagonal entry.
    path
        the profiles on the way from the one that has much of the outputs to the one that has little, by position.
    outputs
        the set of outputs by which they ask for it.
    """

    level: Fraction
    path: tuple[int, ...]
    outputs: tuple[int, ...]


def best_pair(exact: Sequence[Sequence[Fraction]], required: Sequence[Requirement]) -> Pair:
    """Return the pair of profiles that asks for most; the level is 0, on no path, where none asks for anything.

    Doubles choose the pair. What is returned is exact for it: a rational above e^D only lowers the level.

    Parameters
    ----------
    exact
        k distributions over the same m categories.
    required
        the requirements, by positions among them.

    References
    ----------
    A theorem of this project, proved above and in `mechdesign.closed_form.two_profiles`.

    Examples
    --------
    >>> masses = [[Fraction(x, 10) for x in row] for row in ([2, 3, 4, 1], [3, 3, 3, 1], [4, 4, 1, 1])]
    >>> chain = [Requirement(i, i + 1, Fraction(1, 2), Fraction(0)) for i in range(2)]
    >>> pair = best_pair(masses, chain)
    >>> pair.path, pair.outputs, f"{float(pair.level):.9f}"
    ((1, 2), (2,), '0.056684742')
    """
    edges = limited(required)
    profiles = np.array([list(map(float, masses)) for masses in exact])
    path = _best_path(profiles, edges)
    if not path:
        return Pair(Fraction(0), (), ())
    asked = asked_by(exact[path[0]], exact[path[-1]], *along(path, edges))
    return Pair(asked.level, path, asked.outputs)


def limited(required: Sequence[Requirement]) -> Edges:
    """Return the requirements of edges whose e^epsilon can be computed with, under both orders of each edge."""
    return {pair: one for one in required if one.epsilon <= MAX_EPSILON for pair in one.directions()}


def along(path: Sequence[int], edges: Edges) -> tuple[Fraction, Fraction]:
    """Return a rational above e^D, and Delta, of what the edges of a path prove of its ends, as said above.

    Examples
    --------
    >>> edge = Requirement(0, 1, Fraction(0), Fraction(1, 8))
    >>> along([1, 0, 1], {(0, 1): edge, (1, 0): edge})
    (Fraction(1, 1), Fraction(1, 4))
    """
    length, lost = Fraction(0), Fraction(0)
    for step in pairwise(path):
        lost += edges[step].delta * exp_above(length)
        length += edges[step].epsilon
    return exp_above(length), lost


def _best_path(profiles: Floats, edges: Edges) -> tuple[int, ...]:
    """Return the path whose ends ask for most, as far as doubles can tell; none if no edge asks for anything."""
    from scipy.sparse import csr_matrix  # here, because they load slowly and few need them
    from scipy.sparse.csgraph import dijkstra

    best, number = _largest(profiles, *_ends(edges), 0.0)
    if number is None:
        return ()
    path = tuple(list(edges)[number])
    lengths = [max(float(one.epsilon), LEAST_LENGTH) for one in edges.values()]
    graph = csr_matrix((lengths, tuple(zip(*edges, strict=True))), shape=(len(profiles),) * 2)
    for start in range(0, len(profiles), CHUNK):
        sources = np.arange(start, min(start + CHUNK, len(profiles)))
        # Beyond this length no pair asks for more than the best.
        lengths, before = dijkstra(graph, indices=sources, limit=math.log1p(1 / best), return_predecessors=True)
        lost = _lost(lengths, before, edges)
        found = [_promising(profiles, source, lengths[row], best) for row, source in enumerate(sources.tolist())]
        rows, targets = np.repeat(np.arange(len(found)), list(map(len, found))), np.concatenate(found)
        pairs, ratios = np.stack([sources[rows], targets], axis=1), np.exp(lengths[rows, targets])
        best, number = _largest(profiles, pairs, ratios, lost[rows, targets], best)
        if number is not None:
            path = _path(before[rows[number]], *pairs[number].tolist())
    return path


def edge_levels(profiles: Floats, required: Sequence[Requirement]) -> tuple[Ints, Floats]:
    """Return the edges in both orders, as pairs (i, j), and what each asks for, in doubles; none beyond `MAX_EPSILON`.

    Examples
    --------
    >>> edges, levels = edge_levels(np.identity(2), [Requirement(0, 1, Fraction(0), Fraction(0))])
    >>> edges.tolist(), levels.tolist()
    ([[0, 1], [1, 0]], [0.5, 0.5])
    """
    edges = limited(required)
    ends, ratios, deltas = _ends(edges)
    parts = [slice(start, start + PAIRS) for start in range(0, len(ends), PAIRS)]
    levels = [_levels(profiles, ends[part], ratios[part], deltas[part], 0.0) for part in parts]
    return ends, np.concatenate([np.zeros(0), *levels])


def _ends(edges: Edges) -> tuple[Ints, Floats, Floats]:
    """Return the ends of each edge, e^epsilon and delta."""
    asked = edges.values()
    ratios, deltas = np.exp([float(one.epsilon) for one in asked]), np.array([float(one.delta) for one in asked])
    return np.array(list(edges), dtype=np.int64).reshape(-1, 2), ratios, deltas


def _promising(profiles: Floats, source: int, lengths: Floats, best: float) -> Ints:
    """Return the profiles that might ask for more than `best` together with one.

    With N = sum_y max(0, P(y) - E R(y)), the largest numerator, and E R(S) <= P(S), no denominator of the theorem is
    below (m - 2 s) P(S) + s E with N <= P(S) <= 1, which is least for s = 1 and P(S) = N or for s = m - 1 and P(S) = 1.
    """
    m = profiles.shape[1]
    near = np.nonzero(np.isfinite(lengths))[0]
    near = near[near != source]
    ratios = np.exp(lengths[near])
    above = np.maximum(0.0, profiles[source] - ratios[:, None] * profiles[near]).sum(axis=1)
    least = np.minimum((m - 2) * above + ratios, 1 + (m - 1) * (ratios - 1))
    kept: Ints = near[above > best * least * (1 - SPARE)]
    return kept


def _largest(profiles: Floats, pairs: Ints, ratios: Floats, deltas: Floats, best: float) -> tuple[float, int | None]:
    """Return the most that a pair asks for and its number; `best` and None if none asks for more than that."""
    number = None
    for start in range(0, len(pairs), PAIRS):
        part = slice(start, start + PAIRS)
        levels = _levels(profiles, pairs[part], ratios[part], deltas[part], best)
        if levels.max() > best:
            best, number = float(levels.max()), start + int(levels.argmax())
    return best, number


def _levels(profiles: Floats, pairs: Ints, ratios: Floats, deltas: Floats, best: float) -> Floats:
    """Return what each pair (i, j) asks for, as `asked_by` does, in doubles; `best` if it is no more than that."""
    m, levels = profiles.shape[1], np.full(len(pairs), best)
    rising = np.arange(len(pairs))
    for _ in range(MOST_STEPS):
        first, second = profiles[pairs[rising, 0]], profiles[pairs[rising, 1]]
        E, delta, found = ratios[rising], deltas[rising], levels[rising]
        for size in range(1, m):
            spare = np.maximum(0.0, _worth(first, second, E, found, size)).sum(axis=1) - found * E * size - delta
            more = np.flatnonzero(spare > 0)  # no set of this size adds more, and others ask for no more than is found
            asked, _ = _asked_of_size(first[more], second[more], E[more], delta[more], found[more], size)
            found[more] = np.maximum(found[more], asked)
        grown = found > levels[rising]
        levels[rising], rising = found, rising[grown]
        if not len(rising):
            break
    return levels


def _worth(first: Floats, second: Floats, E: Floats, last: Floats, size: int) -> Floats:
    """Return how much each output adds, in a set of this size, to what pairs ask for beyond the levels `last`."""
    m = first.shape[1]
    worth: Floats = first * (1 - last * (m - size))[:, None] - second * (E * (1 - last * size))[:, None]
    return worth


def _asked_of_size(
    first: Floats, second: Floats, E: Floats, delta: Floats, last: Floats, size: int
) -> tuple[Floats, Ints]:
    """Return what pairs ask for by the sets of a size that are best at the levels `last`, and these sets."""
    m = first.shape[1]
    outputs = np.argpartition(-_worth(first, second, E, last, size), size - 1, axis=1)[:, :size]
    mass, other = (np.take_along_axis(table, outputs, axis=1).sum(axis=1) for table in (first, second))
    denominator = (m - size) * mass + E * size * np.maximum(0.0, 1 - other)
    above = mass - E * other - delta
    return np.divide(above, denominator, out=np.zeros_like(above), where=above > 0), outputs


def levels_of(profiles: Floats, pairs: Ints, ratios: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return what each pair (i, j) asks for where delta is 0, in doubles, and by which outputs, one set in a row.

    Examples
    --------
    >>> levels, sets = levels_of(np.identity(2), np.array([[0, 1]]), np.ones(1))
    >>> levels.tolist(), sets.tolist()
    ([0.5], [[True, False]])
    """
    none, m = np.zeros(len(pairs)), profiles.shape[1]
    levels = _levels(profiles, pairs, ratios, none, 0.0)
    best, sets = none, np.zeros((len(pairs), m), dtype=bool)
    first, second = profiles[pairs[:, 0]], profiles[pairs[:, 1]]
    for size in range(1, m):
        asked, outputs = _asked_of_size(first, second, ratios, none, levels, size)
        better = np.flatnonzero(asked > best)
        sets[better] = False
        sets[better[:, None], outputs[better]] = True
        best = np.maximum(best, asked)
    return levels, sets


def _lost(lengths: Floats, before: npt.NDArray[np.int32], edges: Edges) -> Floats:
    """Return the deltas of the paths, each times e^epsilon of the edges before it."""
    lost = np.zeros_like(lengths)
    if any(one.delta for one in edges.values()):
        for row, last in enumerate(before):
            for j in np.argsort(lengths[row], kind="stable"):
                if (i := int(last[j])) >= 0:
                    lost[row, j] = lost[row, i] + float(edges[i, int(j)].delta) * math.exp(lengths[row, i])
    return lost


def _path(before: npt.NDArray[np.int32], source: int, target: int) -> tuple[int, ...]:
    path = [target]
    while path[-1] != source:
        path.append(int(before[path[-1]]))
    return tuple(reversed(path))
