"""The epsilon, at a delta, of many releases together: exactly where their table is small, else between two bounds.

The bound from above is that of whichever neighbours have the largest. They are looked at in the order of what basic
composition says of them: when that is no more than the largest bound so far, it is done. Those whose laws differ by
rounding alone are bounded together.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np

from mechdesign.certifier.ranges import Bounds, largest
from mechdesign.exact.bounds import float_below
from mechdesign.privacy.released import Released
from mechdesign.release.composed_neighbours import Pair, epsilon_of
from mechdesign.release.privacy_losses import Losses, at_least, losses_of

MOST_EXACT = 2_048
MOST_WORK = 50_000
"""Exact are tables of so many outputs, and so many over all pairs of neighbours: 0.1 s each, some seconds in all."""

CELLS = 1_536
"""Of the grid: 5 ms for a pair. On 8,192 it takes 100 ms, and the bound is less by at most 6e-4, relatively: measured
on 300 random pairs, 4 to 300 releases at deltas from 1e-2 to 1e-10."""

FINER = 5
"""Times as many cells has the bound from below, of one pair: it is off by a step, that from above by its square."""

SPARE = 2.0**-30
"""Share of delta that is given away where tails are cut."""

ALIKE = 9
"""Decimals in which the laws of neighbours agree that are bounded together."""


def joint_epsilon(
    pairs: Sequence[Pair],
    basic: Sequence[Bounds],
    releases: Sequence[int],
    delta: Fraction,
    progress: Callable[[int, int], object] = lambda done, everything: None,
) -> tuple[Bounds, Pair, bool]:
    """Return bounds of the largest epsilon, per unit of distance; the pair that has it; and whether it is exact.

    Parameters
    ----------
    basic
        bounds of what basic composition says of each pair, per unit of distance; no upper bound is above it.
    releases
        how often each mechanism is used.
    delta
        positive.
    """
    size = _table_size(pairs[0], releases)
    if size <= MOST_EXACT and size * len(pairs) <= MOST_WORK:
        found = [pair.per_distance(_exactly(pair, releases, delta)) for pair in pairs]
        worst = max(range(len(pairs)), key=lambda place: found[place][1])
        return largest(found), pairs[worst], True
    groups = sorted(_grouped(pairs, basic), key=lambda group: group[1], reverse=True)
    largest_of, upper = groups[0][0], 0.0
    for number, (alike, most) in enumerate(groups):
        if most <= upper:
            break
        progress(number, len(groups))
        on_grid = alike[0].per_distance((0.0, _on_grid(alike, releases, delta, above=True)))
        if min(most, on_grid[1]) > upper:
            largest_of, upper = alike, min(most, on_grid[1])
    low = _on_grid(largest_of[:1], releases, delta, above=False)
    together = largest_of[0].per_distance((low, math.inf))[0] if low else 0.0
    alone = max(pair.per_distance(pair.alone(i, delta))[0] for pair in pairs for i in range(len(releases)))
    return (min(max(together, alone), upper), upper), largest_of[0], False


def _table_size(pair: Pair, releases: Sequence[int]) -> float:
    """Return how many outputs all releases have together, or infinity."""
    logarithm = sum(times * math.log(len(first.weights)) for (first, _), times in zip(pair.laws, releases, strict=True))
    return math.exp(logarithm) if logarithm < 50 else math.inf


def _exactly(pair: Pair, releases: Sequence[int], delta: Fraction) -> Bounds:
    """Return bounds of the epsilon of the table of all releases together, equal but for rounding."""
    sides = []
    for side in (0, 1):
        weights, total = np.array([1], dtype=object), 1
        for law, times in zip(pair.laws, releases, strict=True):
            for _ in range(times):
                weights, total = np.outer(weights, law[side].weights).ravel(), total * law[side].total
        sides.append(Released(weights, total))
    return epsilon_of(sides[0], sides[1], delta)


def _grouped(pairs: Sequence[Pair], basic: Sequence[Bounds]) -> Iterable[tuple[list[Pair], float]]:
    """Return pairs that are bounded together, at one distance, and the largest that basic composition says of them."""
    groups: dict[object, list[int]] = {}
    for number, pair in enumerate(pairs):
        key = [sorted(zip(_rounded(a), _rounded(b), strict=True)) for a, b in pair.laws]
        groups.setdefault((pair.distance, repr(key)), []).append(number)
    return (([pairs[i] for i in group], max(basic[i][1] for i in group)) for group in groups.values())


def _rounded(law: Released) -> list[float]:
    return [round(float(mass), ALIKE) for mass in law.fractions()]


def _on_grid(pairs: Sequence[Pair], releases: Sequence[int], delta: Fraction, *, above: bool) -> float:
    """Return a bound of the largest epsilon of all releases together, of these pairs."""
    whole: Losses | None = None
    cells = CELLS if above else FINER * CELLS
    spare = float_below(delta * Fraction(SPARE)) / sum(releases)
    for mechanism, times in enumerate(releases):
        laws = [losses_of(*pair.laws[mechanism], above=above, cells=cells, spare=spare) for pair in pairs]
        part = (at_least(laws, cells=cells) if above else laws[0]).times(times, cells=cells, spare=spare)
        whole = part if whole is None else whole.together(part, cells=cells, spare=spare)
    assert whole is not None  # there is a mechanism
    return whole.epsilon(delta)
