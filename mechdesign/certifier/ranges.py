"""What profiles release through a mechanism, the most and the least of each output, and what their edges need.

Where a profile is known the two are one, and each edge needs what its two distributions need. Of profiles known only
within bounds an edge (i, j) is met if sum_y max(0, h^i_y - e^epsilon g^j_y) <= delta, where h is the most and g the
least: all distributions within then meet it, and that is what a certificate proves. It fails where a set S of outputs
is found with most_i(S) > e^epsilon least_j(S) + delta, the largest and the least probability of S within the bounds:
that is what a refutation proves. With delta = 0 one of the two holds, as single outputs decide. With delta > 0 the
worst cases of the outputs may be at different distributions, and between the two nothing is said.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import TypeAlias

from mechdesign.certifier.other_ways import WAYS, By
from mechdesign.certifier.reachable import Reachable
from mechdesign.certifier.shortlist import deciding, largest_divergence
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above, is_at_most_exp, log_bounds
from mechdesign.privacy.gaps import Outputs, excess, hockey_stick, worst_set
from mechdesign.privacy.needed import Needed
from mechdesign.privacy.requirement import Directed, Requirement, every
from mechdesign.privacy.stored_rows import Rows

Profiles: TypeAlias = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""The distributions of two profiles."""

Bounds: TypeAlias = tuple[float, float]
"""(lower, upper) around a number."""


@dataclass(frozen=True)
class Place:
    """A directed edge with a ratio that it needs, and one that is enough.

    The two may differ only of profiles within bounds, see `mechdesign.certifier.ranges`; None is infinite. `free` edges
    are those of which nothing is asked: no epsilon, or an infinite one; they have none of their own, and no distance 0,
    which joins what is the same whatever is asked.
    """

    requirement: Requirement
    i: int
    j: int
    needed: Needed
    enough: Fraction | None
    free: bool

    @cached_property
    def refuted(self) -> bool:
        """Whether the edge is proved not to meet what is required of it, exactly."""
        return not self.free and not self._allows(self.needed.ratio)

    @cached_property
    def met(self) -> bool:
        """Whether it is proved to meet that."""
        if self.free or self.is_exact:
            return not self.refuted
        return self._allows(self.enough)

    @property
    def is_exact(self) -> bool:
        """Whether the ratio needed is enough."""
        return self.needed.ratio == self.enough

    @property
    def verdict(self) -> bool | None:
        """Whether it is met; None if neither is proved."""
        return False if self.refuted else True if self.met else None

    def _allows(self, ratio: Fraction | None) -> bool:
        """Return whether a ratio is at most e^epsilon, exactly."""
        if ratio is None:
            return False
        low, high = log_bounds(ratio)
        if high <= self.requirement.epsilon:
            return True
        return low <= self.requirement.epsilon and is_at_most_exp(ratio, self.requirement.epsilon)

    @property
    def excess(self) -> float:
        """How far ln E lies above the edge's epsilon, nearly; only to say which place is the worst."""
        return (
            math.inf
            if self.needed.ratio is None
            else log_bounds(self.needed.ratio)[1] - float(min(self.requirement.epsilon, LARGEST_ABOVE))
        )

    def epsilon(self) -> tuple[float, float]:
        """Return (lower, upper) around the least epsilon to ask for so that this is met."""
        distance = self.requirement.distance
        if distance is None:
            return 0.0 if not self.refuted else math.inf, 0.0 if self.met else math.inf
        return self.over(distance)

    def scale(self) -> tuple[float, float]:
        """Return (lower, upper) around the least multiple of the edge's own epsilon that is met; 0 if it has none."""
        return self.over(self.requirement.epsilon) if self.requirement.distance is None else (0.0, 0.0)

    def over(self, divisor: Fraction) -> Bounds:
        """Return (lower, upper) around the logarithm of the least ratio over a divisor."""
        return epsilon_bounds(self.needed.ratio, divisor)[0], epsilon_bounds(self.enough, divisor)[1]


def epsilon_bounds(ratio: Fraction | None, divisor: Fraction = Fraction(1)) -> Bounds:
    """Return (lower, upper) around the logarithm of a ratio, None if that is infinite, over a divisor."""
    if ratio == 1:
        return 0.0, 0.0
    return (math.inf, math.inf) if ratio is None or not divisor else log_bounds(ratio, divisor)


def largest(bounds: Iterable[Bounds]) -> Bounds:
    """Return (lower, upper) around the largest of numbers >= 0 within such bounds."""
    listed = list(bounds)
    return max((low for low, _ in listed), default=0.0), max((high for _, high in listed), default=0.0)


class Ranges:
    """What profiles release, each one distribution, and what their edges need; `Within` is for any of many.

    Parameters
    ----------
    most, least
        of each profile; the same where the distributions are known.
    by
        how to find the least ratio of a pair.
    """

    def __init__(self, most: Rows, least: Rows, by: str = By.SETS) -> None:
        self.most, self.least, self._by = most, least, by
        self._needed = lru_cache(maxsize=None)(self._ratio)

    def deciding(self, required: Sequence[Requirement]) -> list[Directed]:
        """Return directed edges among which are those that decide the verdict."""
        if self._by == By.SETS:
            return deciding(self.most, self.least, required)
        return list(self._beyond_others(required)) if self._by == By.LP else every(required)

    def _beyond_others(self, required: Sequence[Requirement]) -> Iterator[Directed]:
        """Yield the directed edges that need more than every one before them of which the same is asked.

        So the first of those that need most is among them. Of the others the linear program is not solved: the dual's
        optimum at the ratio that another needs, sum_y max(0, q^i_y - ratio q^j_y), is at most delta.
        """
        largest: dict[tuple[Fraction, Fraction, Fraction | None], Fraction | None] = {}
        for i, j, one in every(required):
            asked = one.epsilon, one.delta, one.distance
            ratio = largest.get(asked, Fraction(1))
            if asked in largest and (ratio is None or hockey_stick(self.most[i], self.least[j], ratio) <= one.delta):
                continue
            largest[asked] = self._needed(i, j, one.delta).ratio
            yield i, j, one

    def _ratio(self, i: int, j: int, delta: Fraction) -> Needed:
        return WAYS[self._by](self.most[i], self.least[j], delta)

    def place(self, requirement: Requirement, i: int, j: int, free: bool) -> Place:
        """Return a directed edge with what it needs."""
        needed = self._needed(i, j, requirement.delta)
        return Place(requirement, i, j, needed, needed.ratio, free)

    def largest_delta(self, required: Sequence[Requirement]) -> tuple[float, float, bool]:
        """Return (lower, upper) around the largest delta that an edge needs, and whether these are tight."""
        if not required:
            return 0.0, 0.0, True
        places, at_most = largest_divergence(self.most, self.least, required)
        totals = [hockey_stick(self.most[i], self.least[j], one.ratio_below) for i, j, one in places]
        low, high = Fraction(0), min(max(totals, default=Fraction(0)), Fraction(1))
        falling = sorted(zip(totals, places, strict=True), key=itemgetter(0), reverse=True)
        for total, (i, j, one) in falling:
            if total <= low:
                break
            if one.epsilon <= LARGEST_ABOVE:
                low = max(low, self._found(i, j, exp_above(one.epsilon)))
        is_tight = all(self._found(i, j, one.ratio_below) == high for _, (i, j, one) in falling[:1])
        return float_below(low), float_above(high) if at_most == math.inf else min(at_most, 1.0), is_tight

    def _found(self, i: int, j: int, ratio: Fraction) -> Fraction:
        """Return by how much i is found to exceed ratio times what j has on a set: the most, where both are known."""
        return hockey_stick(self.most[i], self.least[j], ratio)

    def worst_set(self, i: int, j: int, ratio: Fraction) -> Outputs:
        """Return the set of outputs on which i exceeds ratio times what j has most."""
        return worst_set(self.most[i], self.least[j], ratio)

    def excess(self, i: int, j: int, ratio: Fraction, outputs: Outputs) -> Fraction:
        """Return by how much i exceeds ratio times what j has on a set."""
        return excess(self.most[i], self.least[j], ratio, outputs)

    def profiles(self, i: int, j: int, outputs: Outputs) -> Profiles | None:
        """Return no distributions: they are those of the graph."""

    def at_each_distribution(self) -> "Ranges":
        """Return what edges need at the least, whatever the distributions: of known ones just this.

        Of those within bounds q^i_y is at least g^i_y and q^j_y at most h^j_y, so that any of them exceeds the ratio E
        by sum_y max(0, g^i_y - E h^j_y) at least.
        """
        return Ranges(self.least, self.most)


class Within(Ranges):
    """The same of profiles that are known only within bounds."""

    def __init__(self, reachable: Sequence[Reachable]) -> None:
        most, least = ([getattr(one, side) for one in reachable] for side in ("most", "least"))
        super().__init__(Rows.of(most), Rows.of(least))
        self._reachable = reachable

    def place(self, requirement: Requirement, i: int, j: int, free: bool) -> Place:
        """Return a directed edge with a ratio that it needs, proved by a set, and one that is proved to be enough."""
        enough = self._needed(i, j, requirement.delta)
        return Place(requirement, i, j, self._shown(i, j, requirement.delta, enough), enough.ratio, free)

    def _shown(self, i: int, j: int, delta: Fraction, enough: Needed) -> Needed:
        """Return the largest ratio that a set is found to need.

        By Dinkelbach's method, from the set of outputs whose worst cases add up to most.
        """
        if self._reachable[i].is_known and self._reachable[j].is_known:
            return enough
        if not enough.outputs or not delta:  # one output decides then, and its worst case is at one distribution
            return Needed(enough.ratio, enough.outputs[:1])
        best = self._better(i, j, delta, enough.outputs, Needed(Fraction(1), ()))
        while best.ratio is not None and best.ratio != enough.ratio:
            further = self._better(i, j, delta, self.worst_set(i, j, best.ratio), best)
            if further == best:
                break
            best = further
        return best

    def _better(self, i: int, j: int, delta: Fraction, outputs: Outputs, best: Needed) -> Needed:
        """Return what a set of outputs needs, if that is more."""
        most, least = self._reachable[i].at_most(outputs)[0], self._reachable[j].at_least(outputs)[0]
        if best.ratio is None or most - best.ratio * least <= delta:
            return best
        return Needed((most - delta) / least if least else None, outputs)

    def _found(self, i: int, j: int, ratio: Fraction) -> Fraction:
        return self.excess(i, j, ratio, self.worst_set(i, j, ratio))

    def worst_set(self, i: int, j: int, ratio: Fraction) -> Outputs:
        """Return the worst set found, which is not sure to be the worst of all."""
        return max(self._improved(i, j, ratio, start) for start in self._starts(i, j, ratio))[1]

    def _starts(self, i: int, j: int, ratio: Fraction) -> Iterator[Outputs]:
        """Yield the outputs whose worst cases exceed it, the worst of them, and the set at nominal distributions."""
        most, least = self.most[i], self.least[j]
        yield (outputs := worst_set(most, least, ratio))
        if outputs:
            yield (max(outputs, key=lambda y: excess(most, least, ratio, (y,))),)
        yield worst_set(self._reachable[i].nominal, self._reachable[j].nominal, ratio)

    def _improved(self, i: int, j: int, ratio: Fraction, outputs: Outputs) -> tuple[Fraction, Outputs]:
        """Return a set that is the worst at the distributions that are the worst for it, by turns; with its excess."""
        first, second = self._reachable[i], self._reachable[j]
        found = self.excess(i, j, ratio, outputs), outputs
        while True:
            ends = first.released(first.at_most(found[1])[1]), second.released(second.at_least(found[1])[1])
            outputs = worst_set(*ends, ratio)
            further = self.excess(i, j, ratio, outputs), outputs
            if further[0] <= found[0]:
                return found
            found = further

    def excess(self, i: int, j: int, ratio: Fraction, outputs: Outputs) -> Fraction:
        """Return by how much i may exceed ratio times what j has on a set."""
        return self._reachable[i].at_most(outputs)[0] - ratio * self._reachable[j].at_least(outputs)[0]

    def profiles(self, i: int, j: int, outputs: Outputs) -> Profiles:
        """Return the distributions of i and j that are the worst for a set."""
        return tuple(self._reachable[i].at_most(outputs)[1]), tuple(self._reachable[j].at_least(outputs)[1])
