"""The epsilon, at a delta, of many releases together: exactly where their table is small, else between two bounds.

The bound from above is that of whichever neighbours have the largest. Neighbours are looked at on finer and finer
grids, always those whose bound is the largest so far; when these have been seen on the finest grid, it is done. Those
whose laws differ by rounding alone are bounded together.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechdesign.exact.bounds import float_below
from mechdesign.privacy.released import Released
from mechdesign.release.composed_neighbours import Bounds, Pair, epsilon_of, largest
from mechdesign.release.privacy_losses import Losses, at_least, losses_of

MOST_EXACT = 2_048
MOST_WORK = 50_000
"""Exact are tables of so many outputs, and so many over all pairs of neighbours: 0.1 s each, some seconds in all."""

CELLS = (512, 2_048, 8_192)
"""Of the grids: 5, 30 and 200 ms. Tuned on randomised response at delta 1e-6, 3 to 10,000 releases: on the last one the
bound is at most 2e-4 above the true epsilon, relatively; from 100 releases on 1e-8."""

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
        bounds of what basic composition says of each pair; no upper bound is above it.
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
    groups = _grouped(pairs, basic)
    queue = [(-group.scaled(group.basic), number, 0) for number, group in enumerate(groups)]
    heapq.heapify(queue)
    while True:
        upper, number, level = queue[0]
        group = groups[number]
        if level == len(CELLS) or upper == 0:
            break
        progress(sum(seen > 0 for _, _, seen in queue), len(groups))
        grid = _Grid(releases, delta, CELLS[level])
        finer = min(-upper, group.scaled(grid.epsilon(group.pairs, above=True)))
        heapq.heapreplace(queue, (-finer, number, level + 1))
    low = group.pairs[0].per_distance((grid.epsilon(group.pairs[:1], above=False), math.inf))[0] if level else 0.0
    alone = max(pair.per_distance(pair.alone(i, delta))[0] for pair in pairs for i in range(len(releases)))
    return (min(max(low, alone), -upper), -upper + 0.0), group.pairs[0], False


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


@dataclass(frozen=True, eq=False)
class _Group:
    """Pairs that are bounded together, at one distance, and the largest that basic composition says of them."""

    pairs: list[Pair]
    basic: float

    def scaled(self, epsilon: float) -> float:
        """Return an upper bound of epsilon per unit of distance."""
        return self.pairs[0].per_distance((0.0, epsilon))[1] if epsilon else 0.0


def _grouped(pairs: Sequence[Pair], basic: Sequence[Bounds]) -> list[_Group]:
    groups: dict[object, list[int]] = {}
    for number, pair in enumerate(pairs):
        key = [sorted(zip(_rounded(a), _rounded(b), strict=True)) for a, b in pair.laws]
        groups.setdefault((pair.distance, repr(key)), []).append(number)
    return [_Group([pairs[i] for i in group], max(basic[i][1] for i in group)) for group in groups.values()]


def _rounded(law: Released) -> list[float]:
    return [round(float(mass), ALIKE) for mass in law.fractions()]


@dataclass(frozen=True)
class _Grid:
    """How the losses of all releases are computed."""

    releases: Sequence[int]
    delta: Fraction
    cells: int

    def epsilon(self, pairs: Sequence[Pair], *, above: bool) -> float:
        """Return a bound of the largest epsilon of these pairs."""
        whole: Losses | None = None
        spare = float_below(self.delta * Fraction(SPARE)) / sum(self.releases)
        for mechanism, times in enumerate(self.releases):
            laws = [losses_of(*p.laws[mechanism], above=above, cells=self.cells, spare=spare) for p in pairs]
            part = (at_least(laws, cells=self.cells) if above else laws[0]).times(times, cells=self.cells, spare=spare)
            whole = part if whole is None else whole.together(part, cells=self.cells, spare=spare)
        assert whole is not None  # there is a mechanism
        return whole.epsilon(self.delta)
