"""Which directed edges can decide a verdict, told apart in doubles with room for every error that doubles can make.

Released probabilities in nearest doubles err by at most 2^-53, relatively, and their ratios by less than 2^-51. So an
edge whose measure lies further below the largest than that does not decide anything and is left out; what is left is
looked at exactly. For all pairs under one requirement, column maxima and minima show which pairs attain the largest
ratio, without looking at each pair.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.privacy.released import ROOM, TINY, Released
from mechdesign.privacy.requirement import AllPairs, Directed, Requirement, allows_delta, both_ways, every
from mechdesign.privacy.stored_rows import Rows

FEW = 200
"""Up to this many requirements each is looked at exactly."""

SOON = 300_000
"""Up to this many entries are compared exactly for the largest divergence."""

CHUNK = 2_000_000
"""Entries compared at once."""

SORTED = 2_000_000
"""Entries of edges with nearly the largest divergence up to which those that are exactly alike are found: a second."""


def deciding(most: Rows, least: Rows, required: Sequence[Requirement]) -> list[Directed]:
    """Return directed edges among which are the largest ratio and the one furthest beyond its epsilon, for delta = 0.

    Of the edges with an epsilon of their own also the one furthest beyond it, and the one that needs the largest
    multiple of it. All of them where there are few, where some delta is positive, or where doubles cannot tell.
    """
    if len(required) <= FEW or allows_delta(required) or not (most.has_all_digits and least.has_all_digits):
        return every(required)
    if isinstance(required, AllPairs):
        if most is least:
            i, j = _extreme_pair(most)
            return [(i, j, required.pair(i, j))]
        required = list(required)
    numbers = {number for r in required for number in (r.epsilon, r.distance) if number}
    if numbers and (min(numbers) < TINY or max(numbers) > 1 / TINY):
        return every(required)
    places = every(required)
    logs = np.concatenate([one for _, _, one in _log_ratios(most.near, least.near, required)])
    epsilons = np.array([float(requirement.epsilon) for _, _, requirement in places])
    beyond = logs - epsilons
    # Where the epsilon asked for plays no part, an edge needs an infinite one if it is not met, and 0 if it is.
    fixed = np.array([not requirement.distance for _, _, requirement in places])
    doubtful = fixed & (abs(beyond) <= ROOM * (1 + epsilons))
    scaled = logs / np.array([float(r.distance) if r.distance else 1.0 for _, _, r in places])
    scaled[fixed] = np.where(beyond[fixed] > 0, np.inf, 0.0)
    chosen = doubtful | _near_largest(beyond) | _near_largest(np.where(doubtful, 0.0, scaled))
    own = np.array([requirement.distance is None for _, _, requirement in places])
    if own.any():
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(logs > 0, logs / epsilons, 0.0)  # an epsilon of 0 is doubtful, or missed for good
        chosen |= _near_largest(np.where(own, beyond, -np.inf)) | _near_largest(np.where(own, ratios, 0.0))
    kept = [place for place, take in zip(places, chosen, strict=True) if take]
    return _first_of_each(most, least, kept) if len(kept) > FEW else kept


def _first_of_each(most: Rows, least: Rows, places: Sequence[Directed]) -> list[Directed]:
    """Return the first of all that have the same, exactly, asked of them, and the same two probabilities that decide.

    A mechanism that treats all values alike has as many directed edges as pairs of values, and one ratio.
    """
    above, below = _numbered(most, least)
    first: dict[tuple[Fraction, Fraction | None, frozenset[tuple[int, int]]], Directed] = {}
    with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 never decides
        high, low = np.log(most.near), np.log(least.near)
        for i, j, one in places:
            gaps = high[i] - low[j]
            near = gaps >= np.fmax.reduce(gaps) * (1 - ROOM) - ROOM
            pairs = frozenset(zip(above[i, near].tolist(), below[j, near].tolist(), strict=True))
            first.setdefault((one.epsilon, one.distance, pairs), (i, j, one))
    return list(first.values())


def _numbered(most: Sequence[Released], least: Sequence[Released]) -> tuple[Integers, Integers]:
    """Return numbers for what is released, k x m each: the same only for what is the same exactly."""
    numbers: dict[tuple[int, int], int] = {}

    def of(released: Sequence[Released]) -> Integers:
        return np.array([[numbers.setdefault((w, one.total), len(numbers)) for w in one.weights] for one in released])

    above = of(most)
    return above, above if most is least else of(least)


def _near_largest(measure: Floats) -> npt.NDArray[np.bool_]:
    """Return where a measure may be the largest; only the first place where it is infinite: nothing exceeds that."""
    largest = measure.max()
    if largest == np.inf:
        return np.array(np.arange(len(measure)) == measure.argmax())
    return np.array(measure >= largest - ROOM * (1 + abs(largest)))


def largest_divergence(most: Rows, least: Rows, required: Sequence[Requirement]) -> tuple[list[Directed], float]:
    """Return directed edges among which the largest hockey-stick divergence is, and a number that it cannot exceed.

    The number is infinite if the edges returned are sure to have the largest.
    """
    if len(required) * len(most[0].weights) <= SOON:
        return every(required), np.inf
    above, below = most.near, least.near
    m, total = above.shape[1], 1.0 if most is least else float(above.sum(axis=1).max()) + 1.0
    room, largest, strictest = (ROOM + m * 2.0**-48) * total, -np.inf, 0.0
    found: list[tuple[Floats, Integers, Integers]] = []
    for i, j, epsilon in _chunks(required, m):
        gaps = np.maximum(0.0, above[i] - np.exp(epsilon)[:, None] * below[j]).sum(axis=1)
        largest, strictest = max(largest, float(gaps.max())), max(strictest, float(epsilon.max()))
        near = gaps >= largest - room
        found.append((gaps[near], i[near], j[near]))
    gaps, i, j = map(np.concatenate, zip(*found, strict=True))
    near = gaps >= largest - room
    i, j = i[near], j[near]
    lookup = {} if isinstance(required, AllPairs) else {(i, j): r for i, j, r in both_ways(required)}
    if FEW < len(i) <= SORTED // m:
        ends = zip(i.tolist(), j.tolist(), strict=True)
        epsilons = [lookup[one].epsilon if lookup else Fraction(0) for one in ends]
        first = _first_alike(most, least, i, j, epsilons)
        i, j = i[first], j[first]
    few = zip(i[:FEW].tolist(), j[:FEW].tolist(), strict=True)
    places = [(a, b, required.pair(a, b) if isinstance(required, AllPairs) else lookup[a, b]) for a, b in few]
    # What a term above 0 errs by: its probabilities 2^-53 each, e^epsilon 8 + epsilon times that; and sums of m terms.
    error = ((8 + strictest) * total + m * largest) * 2.0**-52
    return places, np.inf if len(i) <= FEW else largest + error


def _first_alike(
    most: Sequence[Released], least: Sequence[Released], i: Integers, j: Integers, epsilons: Sequence[Fraction]
) -> list[int]:
    """Return the first place of all with exactly the same pairs of probabilities and the same epsilon."""
    rows, ends = np.unique(np.concatenate([i, j]), return_inverse=True)
    used = [most[row] for row in rows.tolist()]
    above, below = _numbered(used, used if most is least else [least[row] for row in rows.tolist()])
    first, second = np.split(ends, 2)
    pairs = np.sort(above[first] * (int(below.max()) + 1) + below[second], axis=1)
    seen: dict[tuple[bytes, Fraction], int] = {}
    for place, (row, epsilon) in enumerate(zip(pairs, epsilons, strict=True)):
        seen.setdefault((row.tobytes(), epsilon), place)
    return list(seen.values())


Chunk: TypeAlias = tuple[Integers, Integers, Floats]


def _chunks(required: Sequence[Requirement], m: int) -> Iterator[Chunk]:
    """Yield the directed edges as arrays (i, j, epsilon capped at 700), in the order of `every` unless all pairs."""
    if isinstance(required, AllPairs):
        for i in range(required.profiles):
            others = np.delete(np.arange(required.profiles), i)
            yield np.full(len(others), i), others, np.full(len(others), float(min(required.epsilon, MAX_EPSILON)))
        return
    places = every(required)
    step = max(1, CHUNK // m)
    for start in range(0, len(places), step):
        part = places[start : start + step]
        yield (
            np.array([i for i, _, _ in part]),
            np.array([j for _, j, _ in part]),
            np.array([float(min(requirement.epsilon, MAX_EPSILON)) for _, _, requirement in part]),
        )


def log_ratios(most: Rows, least: Rows, required: Sequence[Requirement]) -> Iterator[Chunk]:
    """Yield directed edges (i, j) with ln max_y q^i_y / q^j_y as doubles that err by at most ROOM (1 + that).

    Infinite where x/0, and at least 0. Nothing at all if doubles cannot tell.
    """
    if most.has_all_digits and least.has_all_digits:
        yield from _log_ratios(most.near, least.near, required)


def _log_ratios(above: Floats, below: Floats, required: Sequence[Requirement]) -> Iterator[Chunk]:
    """Yield (i, j, logarithms) for the directed edges, in the order of `_chunks`."""
    with np.errstate(divide="ignore"):
        high = np.log(above)
        low = high if above is below else np.log(below)
    for i, j, _ in _chunks(required, above.shape[1]):
        with np.errstate(invalid="ignore"):
            gaps = high[i] - low[j]
        gaps[above[i] == 0] = 0.0
        yield i, j, gaps.max(axis=1, initial=0.0)


def _extreme_pair(released: Rows) -> tuple[int, int]:
    """Return a pair (i, j) with the largest q^i_y / q^j_y over all pairs and outputs, exactly."""
    near = released.near
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(near.max(axis=0) > 0, near.max(axis=0) / near.min(axis=0), 1.0)
    best, pair = Fraction(0), (0, 1)
    for y in np.nonzero(spread >= spread.max() * (1 - ROOM))[0]:
        column = near[:, y]
        high = released.distinct(int(y), np.nonzero(column >= column.max() * (1 - ROOM))[0].tolist())
        low = released.distinct(int(y), np.nonzero(column <= column.min() * (1 + ROOM))[0].tolist())
        i, j = max(high, key=high.__getitem__), min(low, key=low.__getitem__)
        if low[j] == 0 and high[i] > 0:
            return i, j
        if i != j and high[i] > best * low[j]:
            best, pair = high[i] / low[j], (i, j)
    return pair
