"""The bound of a problem by its classes: what holds for a profile and its multipliers holds for all of its class.

The multipliers of all (a, b, y) of a class are the same, and classes are exactly equitable; so the profiles of a class
add the same to the bound, term by term, and it is computed for one of them.
"""

import math
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from mechdesign.arrays import Exact, Integers
from mechdesign.certificate.bound import BOUND_UNIT, FINENESS, Bound, Weights
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.graph.distribution import support
from mechdesign.objective.multipliers import Multipliers, integers
from mechdesign.symmetry.quotient import Quotient


@dataclass(frozen=True, eq=False)
class SpreadMultipliers(Mapping[tuple[int, int, int], int]):
    """(a, b, y) -> integer over FINENESS, where not 0, from those of classes; a table of all is made when one is read.

    Attributes
    ----------
    problem
        the problem of the classes.
    limits
        the number of a limit -> integer over FINENESS.
    """

    problem: Quotient
    limits: dict[int, int]

    @cached_property
    def _table(self) -> dict[tuple[int, int, int], int]:
        found = {}
        values = np.array([*self.limits.values(), 0], dtype=object)
        place = np.full(len(self.problem.limits.above), len(self.limits))
        place[list(self.limits)] = np.arange(len(self.limits))
        for edge, (a, b) in enumerate(zip(self.problem.edges.first, self.problem.edges.second, strict=True)):
            own = values[place[self.problem.limits_of(edge)]]
            found.update({(int(a), int(b), y): int(own[y]) for y in np.flatnonzero(own).tolist()})
        return found

    def __getitem__(self, key: tuple[int, int, int]) -> int:
        return self._table[key]

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return iter(self._table)

    def __len__(self) -> int:
        """Return how many there are, without a table of them."""
        return sum(int(self.problem.limits.times[limit]) for limit in self.limits)

    def items(self) -> ItemsView[tuple[int, int, int], int]:
        """Return all."""
        return self._table.items()


def proved_by_classes(problem: Quotient, multipliers: Multipliers | None) -> Bound:
    """Return what a solver's multipliers of classes prove of the whole problem; see `bound.proved`."""
    entries, profiles, unit = problem.objective.exact_multipliers(problem, multipliers, problem.prior)
    given = {} if multipliers is None else multipliers.privacy
    limits: dict[int, int] = {}
    if given:
        epsilons = [epsilon for epsilon, _ in problem.edges.asked]
        finite = np.array([epsilon <= MAX_EPSILON for epsilon in epsilons])[problem.asked_by]
        limits = {limit: weight for (limit,), weight in integers(given[0, 0] * finite, unit) if weight}
    copies = [int(count) for count in problem.copies]
    shares = None if profiles is None else [share / count for share, count in zip(profiles, copies, strict=True)]
    tables = None if entries is None else [table // count for table, count in zip(entries, copies, strict=True)]
    ways = [limits] if not limits else [limits, {}]
    return max((_bound(problem, way, tables, shares) for way in ways), key=lambda bound: bound.least)


def _bound(
    problem: Quotient, limits: dict[int, int], entries: list[Exact] | None, profiles: list[Fraction] | None
) -> Bound:
    gains = _gains(problem, limits)
    proved = -_allowed(problem, limits)
    for number, (row, masses) in enumerate(zip(problem.columns, problem.exact, strict=True)):
        table = None if entries is None else entries[number]
        share = None if profiles is None else profiles[number]
        proved += int(problem.copies[number]) * _of_profile(problem, masses, gains[row], share, table)
    bound, least = Fraction(proved, BOUND_UNIT), problem.objective.least
    weights = SpreadWeights(
        SpreadMultipliers(problem, limits),
        None if entries is None else SpreadTables(problem, entries),
        None if profiles is None else [profiles[group] for group in problem.group.tolist()],
    )
    return Bound(bound if least is None else max(least, bound), weights)


def _gains(problem: Quotient, limits: dict[int, int]) -> Exact:
    """Return g_i(y) for each class: the sum over its pairs, which is a multiple of their number."""
    sums = [0] * len(problem.sizes)
    factors = {label: int(exp_above(problem.edges.asked[label][0]) * FINENESS) for label in _labels(problem, limits)}
    parts = problem.limits
    for limit, weight in limits.items():
        all_of_them = weight * int(parts.times[limit])
        sums[parts.above[limit]] += all_of_them * FINENESS
        sums[parts.below[limit]] -= all_of_them * factors[int(problem.asked_by[limit])]
    gains = [divmod(total, int(size)) for total, size in zip(sums, problem.sizes, strict=True)]
    assert not any(rest for _, rest in gains), "classes are equitable"
    return np.array([gain for gain, _ in gains], dtype=object)


def _labels(problem: Quotient, limits: dict[int, int]) -> set[int]:
    return {int(problem.asked_by[limit]) for limit in limits}


def _allowed(problem: Quotient, limits: dict[int, int]) -> int:
    """Return sum_(a,b) delta max_y lam(a,b,y), each term rounded up."""
    largest: dict[int, int] = {}
    for limit, weight in limits.items():
        edge = int(problem.limits.edge[limit])
        largest[edge] = max(weight, largest.get(edge, 0))
    deltas = [problem.edges.asked[label][1] for label in problem.edges.label[problem.first_edges].tolist()]
    return sum(
        math.ceil(deltas[edge] * weight * FINENESS) * int(problem.times_of_edges[edge])
        for edge, weight in largest.items()
    )


def _of_profile(
    problem: Quotient, masses: Sequence[Fraction], gains: Exact, share: Fraction | None, entries: Exact | None
) -> int:
    """Return sum_x min_y [ c(x,y) + P(x) g(y) ], rounded down just as `bound_below` does."""
    unit = math.lcm(*(mass.denominator for _, mass in support(masses)))
    proved = 0
    for x, mass in support(masses):
        row = gains
        if share is not None:
            finest, losses = problem.whole_losses
            row = losses[x] * (share.numerator * BOUND_UNIT) // (share.denominator * finest) + row
        row = int(mass * unit) * row // unit
        if entries is not None:
            row = row + entries[x] * FINENESS
        proved += int(row.min())
    return proved


@dataclass(frozen=True, eq=False)
class SpreadWeights(Weights):
    """Multipliers of a problem by its classes."""

    def prices(self, group: int) -> Iterable[tuple[int, int, int]]:
        """Return (x, y, z) of a profile's entries, where z is not 0, without a table of all."""
        assert isinstance(self.entries, SpreadTables)
        return self.entries.prices(group)


@dataclass(frozen=True, eq=False)
class SpreadTables(Sequence[Exact]):
    """The prices of entries of each profile, d x d, from those of the profile that stands for it."""

    problem: Quotient
    tables: list[Exact]

    def __len__(self) -> int:
        return len(self.problem.group)

    def __getitem__(self, i: int) -> Exact:  # type: ignore[override]
        """Return the d x m table of profile i."""
        table = np.zeros((self.problem.outputs, self.problem.outputs), dtype=object)
        for x, y, price in self.prices(i):
            table[x, y] = price
        return table

    def prices(self, i: int) -> Iterator[tuple[int, int, int]]:
        """Yield (x, y, price) of profile i, where it is not 0."""
        group = int(self.problem.group[i])
        place = np.empty(self.problem.outputs, dtype=np.int64)
        own, other = self.problem.classes[i], self.problem.columns[group]
        place[np.argsort(other, kind="stable")] = np.argsort(own, kind="stable")
        xs, ys, prices = self._nonzero[group]
        yield from zip(place[xs].tolist(), place[ys].tolist(), map(int, prices), strict=True)

    @cached_property
    def _nonzero(self) -> list[tuple[Integers, Integers, Exact]]:
        """The rows, columns and values of the entries of each class that are not 0."""
        places = map(np.nonzero, self.tables)
        return [(xs, ys, table[xs, ys]) for (xs, ys), table in zip(places, self.tables, strict=True)]
