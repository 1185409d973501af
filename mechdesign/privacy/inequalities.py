"""What privacy asks of numbered probabilities: x_above <= e^epsilon x_below, plus a slack where delta > 0."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.exact.exponentials import shrink
from mechdesign.privacy.requirement import Requirement

Asked = list[tuple[Fraction, Fraction]]
"""Epsilons with their deltas, each pair once."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Directed requirements, sorted by `first`.

    Attributes
    ----------
    first, second
        profiles by position.
    label
        the number of what is asked, a position in `asked`.
    start
        those of profile i are numbers start[i] to start[i + 1].
    """

    first: Integers
    second: Integers
    label: Integers
    asked: Asked
    start: Integers

    @property
    def loose(self) -> npt.NDArray[np.bool_]:
        """Which of them have a positive delta."""
        return np.array([delta > 0 for _, delta in self.asked], dtype=bool)[self.label]

    def of(self, profiles: Integers) -> Integers:
        """Return the numbers of the edges that start in one of these profiles, one profile after the other."""
        return np.concatenate([np.arange(self.start[i], self.start[i + 1]) for i in profiles.tolist()])


def directed_edges(required: Sequence[Requirement], profiles: int) -> Edges:
    """Return the requirements in both directions.

    Examples
    --------
    >>> edges = directed_edges([Requirement(0, 1, Fraction(1), Fraction(0))], 2)
    >>> edges.first.tolist(), edges.second.tolist(), edges.asked
    ([0, 1], [1, 0], [(Fraction(1, 1), Fraction(0, 1))])
    """
    first, second, label, asked = _both_ways(required)
    order = np.lexsort((second, first))
    start = np.searchsorted(first[order], np.arange(profiles + 1))
    return Edges(first[order], second[order], label[order], asked, start)


def _both_ways(required: Sequence[Requirement]) -> tuple[Integers, Integers, Integers, Asked]:
    """Return the ends of each requirement in its two directions, and the number of what it asks."""
    numbers: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}  # Fractions are slow to hash
    asked: Asked = []
    label = np.empty(len(required), dtype=np.int64)
    for place, edge in enumerate(required):
        key = edge.epsilon.as_integer_ratio(), edge.delta.as_integer_ratio()
        if key not in numbers:
            numbers[key] = len(numbers)
            asked.append((edge.epsilon, edge.delta))
        label[place] = numbers[key]
    ends = np.array([(edge.first, edge.second) for edge in required], dtype=np.int64).reshape(-1, 2)
    return ends.ravel(), ends[:, ::-1].ravel(), np.repeat(label, 2), asked


@dataclass(frozen=True, eq=False)
class Inequalities:
    """Inequalities between numbered probabilities, each said once of all that are alike.

    Attributes
    ----------
    above, below
        numbers of probabilities.
    edge
        the number of the directed edge, or of the class of such edges, that it belongs to.
    times
        how many inequalities it stands for in all.
    edges
        how many edges each class has.
    label
        for each class of edges the number of what it asks, a position in `asked`.
    """

    above: Integers
    below: Integers
    edge: Integers
    times: Integers
    edges: Integers
    label: Integers
    asked: Asked

    @classmethod
    def of(cls, required: Sequence[Requirement], m: int, least: int = 0) -> "Inequalities":
        """Return those of requirements on q^i_y, number i m + y, one direction after the other.

        With `least`, number `least` + i m + y stands in the place of the smaller side: of sets, the least there is.

        Examples
        --------
        >>> found = Inequalities.of([Requirement(0, 1, Fraction(1), Fraction(0))], 2)
        >>> found.above.tolist(), found.below.tolist()
        ([0, 1, 2, 3], [2, 3, 0, 1])
        """
        edge, y = np.repeat(np.arange(2 * len(required)), m), np.tile(np.arange(m), 2 * len(required))
        return cls.on(required, m, edge, y, least)

    @classmethod
    def on(cls, required: Sequence[Requirement], m: int, edge: Integers, y: Integers, least: int = 0) -> "Inequalities":
        """Return some of those: of which edges, numbered one direction after the other, on which outputs."""
        first, second, label, asked = _both_ways(required)
        times, edges = np.ones(len(edge), dtype=np.int64), np.ones(len(first), dtype=np.int64)
        return cls(first[edge] * m + y, second[edge] * m + y + least, edge, times, edges, label, asked)

    def of_edges(self, kept: npt.NDArray[np.bool_]) -> "Inequalities":
        """Return those of some of the edges, or classes of such."""
        chosen, place = kept[self.edge], np.cumsum(kept) - 1
        above, below, edge, times = (one[chosen] for one in (self.above, self.below, place[self.edge], self.times))
        return Inequalities(above, below, edge, times, self.edges[kept], self.label[kept], self.asked)

    @property
    def often(self) -> Integers:
        """How many inequalities of one edge each stands for; with a delta all edges of a class have equally many."""
        return self.times // self.edges[self.edge]

    @cached_property
    def asked_by(self) -> Integers:
        """For each, the number of what it asks."""
        return self.label[self.edge]

    @cached_property
    def factors(self) -> Floats:
        """For each, e^-epsilon."""
        return np.array([shrink(epsilon) for epsilon, _ in self.asked])[self.asked_by]

    @cached_property
    def loose_edges(self) -> npt.NDArray[np.bool_]:
        """Which classes of edges have a positive delta."""
        return np.array([delta > 0 for _, delta in self.asked], dtype=bool)[self.label]

    @cached_property
    def loose(self) -> npt.NDArray[np.bool_]:
        """Which have a positive delta."""
        return self.loose_edges[self.edge]

    @cached_property
    def allowed(self) -> Floats:
        """For each class of edges, e^-epsilon delta."""
        return np.array([float(delta) * shrink(epsilon) for epsilon, delta in self.asked])[self.label]

    def gaps(self, x: Floats) -> Floats:
        """Return e^-epsilon x_above - x_below."""
        return np.array(self.factors * x[self.above] - x[self.below])

    def excess(self, x: Floats) -> float:
        """Return by how much what is exceeded most is, over e^epsilon: of edges with a delta what is so in all."""
        gaps = self.gaps(x)
        sums = np.bincount(self.edge, np.maximum(0.0, gaps) * self.often, len(self.edges)) - self.allowed
        return float(np.where(self.loose, sums[self.edge], gaps).max(initial=-np.inf))
