"""Profiles that are known: each releases one distribution."""

from collections.abc import Sequence
from fractions import Fraction

from mechdesign.certifier.all_pairs import every
from mechdesign.certifier.applied import largest_delta
from mechdesign.certifier.least_ratio import WAYS, By
from mechdesign.certifier.place import Place
from mechdesign.certifier.shortlist import deciding
from mechdesign.privacy.gaps import Outputs, excess, worst_set
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Directed, Requirement


class Known:
    """What profiles release, each one distribution; `Within` answers the same questions of profiles within bounds."""

    every_set = True
    """Whether every set of outputs is looked at, so that what is said is exact."""

    def __init__(self, released: Sequence[Released], by: str) -> None:
        self.released, self._by = released, by

    def deciding(self, required: Sequence[Requirement]) -> list[Directed]:
        """Return directed edges among which are those that decide the verdict."""
        return deciding(self.released, required) if self._by == By.SETS else every(required)

    def place(self, requirement: Requirement, i: int, j: int, free: bool) -> Place:
        """Return a directed edge with what it needs."""
        needed = WAYS[self._by](self.released[i], self.released[j], requirement.delta)
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
