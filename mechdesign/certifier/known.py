"""Profiles that are known: each releases one distribution."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from mechdesign.certifier.applied import largest_delta
from mechdesign.certifier.least_ratio import WAYS, By, Needed
from mechdesign.certifier.place import Place
from mechdesign.certifier.shortlist import deciding
from mechdesign.privacy.all_pairs import every
from mechdesign.privacy.gaps import Outputs, excess, hockey_stick, worst_set
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Directed, Requirement


class Known:
    """What profiles release, each one distribution; `Within` answers the same questions of profiles within bounds."""

    every_set = True
    """Whether every set of outputs is looked at, so that what is said is exact."""

    def __init__(self, released: Sequence[Released], by: str) -> None:
        self.released, self._by = released, by
        self._needed = lru_cache(maxsize=None)(self._needs)

    def deciding(self, required: Sequence[Requirement]) -> list[Directed]:
        """Return directed edges among which are those that decide the verdict."""
        if self._by == By.SETS:
            return deciding(self.released, required)
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
            if asked in largest and (ratio is None or self._within(i, j, ratio, one.delta)):
                continue
            largest[asked] = self._needed(i, j, one.delta).ratio
            yield i, j, one

    def _within(self, i: int, j: int, ratio: Fraction, delta: Fraction) -> bool:
        return hockey_stick(self.released[i], self.released[j], ratio) <= delta

    def _needs(self, i: int, j: int, delta: Fraction) -> Needed:
        return WAYS[self._by](self.released[i], self.released[j], delta)

    def place(self, requirement: Requirement, i: int, j: int, free: bool) -> Place:
        """Return a directed edge with what it needs."""
        needed = self._needed(i, j, requirement.delta)
        return Place(requirement, i, j, needed, needed.ratio, free)

    def largest_delta(self, required: Sequence[Requirement]) -> tuple[float, float]:
        """Return (lower, upper) around the largest hockey-stick divergence."""
        return largest_delta(self.released, required)

    def worst_set(self, i: int, j: int, ratio: Fraction) -> Outputs:
        """Return the set of outputs on which q^i exceeds ratio q^j most."""
        return worst_set(self.released[i], self.released[j], ratio)

    def excess(self, i: int, j: int, ratio: Fraction, outputs: Outputs) -> Fraction:
        """Return by how much q^i exceeds ratio q^j on a set."""
        return excess(self.released[i], self.released[j], ratio, outputs)

    def profiles(self, i: int, j: int, outputs: Outputs) -> None:
        """Return no distributions: they are those of the graph."""
