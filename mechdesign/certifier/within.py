"""Profiles known only within bounds: what holds for every distribution that they may have.

An edge then requires, for every set S of outputs, most_i(S) <= E least_j(S) + delta: the largest probability of S over
the distributions of i, at most E times the least over those of j, plus delta. With delta = 0 single outputs are
enough, since most_i is at most, and least_j at least, the sum over the outputs of S. With delta > 0 every set counts.
Up to `MOST_OUTPUTS` outputs all of them are looked at: in doubles, with room for their errors, and exactly where these
cannot tell. Beyond, the worst set is searched for, and what blocks of outputs have at worst is added up; the truth is
between.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.certifier.extremes import subset
from mechdesign.certifier.least_ratio import Needed, by_sets
from mechdesign.certifier.place import Place
from mechdesign.certifier.reachable import Reachable
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above
from mechdesign.privacy.all_pairs import every
from mechdesign.privacy.gaps import Outputs, worst_set
from mechdesign.privacy.requirement import Directed, Requirement

MOST_OUTPUTS = 16
"""Up to so many outputs every set is looked at: 0.2 s for each profile of 20 categories."""

BLOCK = 12
"""Of more outputs, so many are taken together: their sets take a hundredth of a second for each profile."""

STEPS = 50
"""The search for the worst set improves each set that it begins with at most so many times; a few are usual."""


def blocks_of(outputs: Outputs) -> list[Outputs]:
    """Return the outputs in blocks whose every subset is looked at: one if they are few.

    Examples
    --------
    >>> [len(block) for block in blocks_of(tuple(range(16)))], [len(block) for block in blocks_of(tuple(range(30)))]
    ([16], [10, 10, 10])
    """
    if len(outputs) <= MOST_OUTPUTS:
        return [outputs]
    return [tuple(map(int, block)) for block in np.array_split(outputs, -(-len(outputs) // BLOCK))]


class Within:
    """What profiles may release, each any of many distributions; `Known` answers the same of profiles that are known.

    Parameters
    ----------
    reachable
        of each profile; all with the same blocks of outputs.
    """

    def __init__(self, reachable: Sequence[Reachable]) -> None:
        self._reachable = reachable

    @property
    def every_set(self) -> bool:
        """Whether every set of outputs is looked at, so that what is said is exact."""
        return len(self._reachable[0].blocks) == 1

    def deciding(self, required: Sequence[Requirement]) -> list[Directed]:
        """Return all directed edges."""
        return every(required)

    def place(self, requirement: Requirement, i: int, j: int, free: bool) -> Place:
        """Return a directed edge with a ratio that it needs, proved by a set, and one proved to be enough."""
        first, second, delta = self._reachable[i], self._reachable[j], requirement.delta
        if first.is_known and second.is_known:
            needed = by_sets(first.released, second.released, delta)
        elif delta == 0:
            needed = _by_outputs(first, second)
        elif len(first.blocks) == 1:
            needed = _enough(first, second, delta, Fraction(1))
        else:
            needed = _found(first, second, delta)
            enough = needed if needed.ratio is None else _enough(first, second, delta, needed.ratio)
            return Place(requirement, i, j, needed, enough.ratio, free)
        return Place(requirement, i, j, needed, needed.ratio, free)

    def largest_delta(self, required: Sequence[Requirement]) -> tuple[float, float]:
        """Return (lower, upper) around the largest most_i(S) - e^epsilon least_j(S) over edges and sets."""
        low = high = Fraction(0)
        quick = [
            (self._quickly(i, j, requirement.ratio_below), i, j, requirement) for i, j, requirement in every(required)
        ]
        for bound, i, j, requirement in sorted(quick, key=lambda one: -one[0]):
            if Fraction(bound) <= high:
                break
            first, second, ratio = self._reachable[i], self._reachable[j], requirement.ratio_below
            high = max(high, sum((value for value, _ in _worst_parts(first, second, ratio)), Fraction(0)))
            if requirement.epsilon <= LARGEST_ABOVE:
                ratio = exp_above(requirement.epsilon)
                low = max(low, self.excess(i, j, ratio, self.worst_set(i, j, ratio)))
        return float_below(low), float_above(min(high, Fraction(1)))

    def worst_set(self, i: int, j: int, ratio: Fraction) -> Outputs:
        """Return the set of outputs on which i may exceed ratio times what j has most; the worst found, of many."""
        first, second = self._reachable[i], self._reachable[j]
        if len(first.blocks) > 1:
            return _searched(first, second, ratio)
        return _worst_parts(first, second, ratio)[0][1]

    def excess(self, i: int, j: int, ratio: Fraction, outputs: Outputs) -> Fraction:
        """Return by how much i may exceed ratio times what j has on a set."""
        return self._reachable[i].most(outputs) - ratio * self._reachable[j].least(outputs)

    def profiles(self, i: int, j: int, outputs: Outputs) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return the distributions of i and j that are the worst for a set."""
        return self._reachable[i].at_most(outputs), self._reachable[j].at_least(outputs)

    def _quickly(self, i: int, j: int, ratio: Fraction) -> float:
        """Return what the excess on any set is at most, in doubles."""
        first, second = self._reachable[i], self._reachable[j]
        return sum(float(_bounds(first, second, ratio, block).max()) for block in range(len(first.blocks)))


def _by_outputs(first: Reachable, second: Reachable) -> Needed:
    """Return the least ratio for delta = 0, and an output that needs it."""
    best = Needed(Fraction(1), ())
    for y in (y for block in first.blocks for y in block):
        most, least = first.most((y,)), second.least((y,))
        if most and not least:
            return Needed(None, (y,))
        if best.ratio is not None and most > best.ratio * least:
            best = Needed(most / least, (y,))
    return best


def _enough(first: Reachable, second: Reachable, delta: Fraction, ratio: Fraction) -> Needed:
    """Return the least ratio, from a smaller one up, at which the excesses of the blocks add up to delta at most.

    Newton's method: the sum is a convex function of the ratio with finitely many pieces, so that it ends there. With
    one block this is the least ratio, with a set that needs it.
    """
    chosen: Outputs = ()
    while True:
        parts = _worst_parts(first, second, ratio)
        beyond = sum((value for value, _ in parts), -delta)
        if beyond <= 0:
            return Needed(ratio, chosen)
        chosen = tuple(y for _, outputs in parts for y in outputs)
        fall = sum((second.least(outputs) for _, outputs in parts), Fraction(0))
        if not fall:
            return Needed(None, chosen)
        ratio += beyond / fall


def _found(first: Reachable, second: Reachable, delta: Fraction) -> Needed:
    """Return the largest ratio that a set is found to need, by Dinkelbach's method."""
    ratio = Fraction(1)
    chosen: Outputs = ()
    while True:
        outputs = _searched(first, second, ratio)
        most, least = first.most(outputs), second.least(outputs)
        if most - ratio * least <= delta:
            return Needed(ratio, chosen)
        if not least:
            return Needed(None, outputs)
        ratio, chosen = (most - delta) / least, outputs


def _worst_parts(first: Reachable, second: Reachable, ratio: Fraction) -> list[tuple[Fraction, Outputs]]:
    """Return for each block its largest excess and the subset that has it, exactly."""
    return [_worst_part(first, second, ratio, block) for block in range(len(first.blocks))]


def _worst_part(first: Reachable, second: Reachable, ratio: Fraction, block: int) -> tuple[Fraction, Outputs]:
    """Return the largest excess of a block's subsets, and a subset that has it; the empty one has 0."""
    bounds = _bounds(first, second, ratio, block)
    likely = np.array([0, bounds.argmax()])
    most, _ = _excesses(first, second, ratio, block, likely)
    excess, number = _excesses(first, second, ratio, block, np.nonzero(bounds > float_below(most))[0])
    return excess, subset(first.blocks[block], number)


def _excesses(
    first: Reachable, second: Reachable, ratio: Fraction, block: int, numbers: Integers
) -> tuple[Fraction, int]:
    """Return the largest excess of some of a block's subsets, exactly, and the number of one that has it."""
    p, q = first.extremes[block], second.extremes[block]
    gaps = p.exactly(numbers, largest=True) * (q.unit * ratio.denominator)
    gaps = gaps - q.exactly(numbers, largest=False) * (p.unit * ratio.numerator)
    best = int(gaps.argmax())
    return Fraction(int(gaps[best]), p.unit * q.unit * ratio.denominator), int(numbers[best])


def _bounds(first: Reachable, second: Reachable, ratio: Fraction, block: int) -> Floats:
    """Return numbers that the excesses of a block's subsets cannot exceed, if they are not negative."""
    p, q = first.extremes[block], second.extremes[block]
    room = max(p.room, q.room)
    with np.errstate(over="ignore"):
        return np.array(p.most + 2 * room - float_below(ratio) * np.maximum(q.least - room, 0.0))


def _searched(first: Reachable, second: Reachable, ratio: Fraction) -> Outputs:
    """Return the worst set found: from several sets, by turns the worst distributions for a set, and its reverse.

    In doubles, since whatever is found is looked at exactly.
    """
    times = float_below(ratio)
    with np.errstate(over="ignore"):
        sets = _beginnings(first, second, ratio)
        for _ in range(STEPS):
            here, there = (
                one.masses.largest_at(sign * (sets @ one.matrix.T)) @ one.matrix
                for one, sign in ((first, 1.0), (second, -1.0))
            )
            gaps = here - times * there
            before, sets = sets, np.array(gaps > 0, dtype=np.float64)
            if (sets == before).all():
                break
        best = int(np.maximum(gaps, 0.0).sum(axis=1).argmax())
    return tuple(map(int, np.nonzero(sets[best])[0]))


def _beginnings(first: Reachable, second: Reachable, ratio: Fraction) -> Floats:
    """Return sets, a row each: worst at the nominal distributions, worst of each block, and of the largest ratios."""
    m = first.matrix.shape[1]
    chosen = [worst_set(first.released, second.released, ratio)]
    worst = [int(_bounds(first, second, ratio, block).argmax()) for block in range(len(first.blocks))]
    chosen.append(tuple(y for block, number in zip(first.blocks, worst, strict=True) for y in subset(block, number)))
    p, q = (np.array(one.released.weights / one.released.total, dtype=np.float64) for one in (first, second))
    falling = np.argsort(q / np.where(p > 0, p, 1.0), kind="stable").tolist()
    chosen += [tuple(falling[:count]) for count in range(1, m + 1)]
    sets = np.zeros((len(chosen), m))
    for row, outputs in zip(sets, chosen, strict=True):
        row[list(outputs)] = 1.0
    return sets
