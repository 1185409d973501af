"""The bound of a problem by its classes: what holds for a profile and its multipliers holds for all of its class.

The multipliers of all (a, b, y) of a class are the same, and classes are exactly equitable; so the profiles of a class
add the same to the bound, term by term, and it is computed for one of them.
"""

import math
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import attrgetter

import numpy as np

from mechdesign.arrays import Exact, Integers
from mechdesign.certificate.bound import BOUND_UNIT, FINENESS, Bound, Weights
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.graph.distribution import support
from mechdesign.objective.multipliers import Multipliers, integers
from mechdesign.privacy.alike import Alike
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem


@dataclass(frozen=True, eq=False)
class SpreadMultipliers(Mapping[tuple[int, int, int], int]):
    """(a, b, y) -> integer over FINENESS, where not 0, from those of classes; a table of all is made when one is read.

    Attributes
    ----------
    alike
        the classes.
    weights
        the number of an inequality -> integer over FINENESS.
    """

    alike: Alike
    weights: dict[int, int]

    @cached_property
    def _table(self) -> dict[tuple[int, int, int], int]:
        found = {}
        values = np.array([*self.weights.values(), 0], dtype=object)
        place = np.full(len(self.alike.inequalities.above), len(self.weights))
        place[list(self.weights)] = np.arange(len(self.weights))
        for edge, (a, b) in enumerate(zip(self.alike.edges.first, self.alike.edges.second, strict=True)):
            own = values[place[self.alike.inequalities_of(edge)]]
            found.update({(int(a), int(b), y): int(own[y]) for y in np.flatnonzero(own).tolist()})
        return found

    def __getitem__(self, key: tuple[int, int, int]) -> int:
        return self._table[key]

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return iter(self._table)

    def __len__(self) -> int:
        """Return how many there are, without a table of them."""
        return int(self.alike.inequalities.times[list(self.weights)].sum())

    def items(self) -> ItemsView[tuple[int, int, int], int]:
        """Return all."""
        return self._table.items()


def proved_by_classes(problem: Problem, multipliers: Multipliers | None, prior: Sequence[Fraction]) -> Bound:
    """Return what a solver's multipliers of classes prove of the whole problem; see `bound.proved`."""
    alike, asked = problem.alike, problem.inequalities
    assert alike is not None
    entries, profiles, unit = problem.objective.exact_multipliers(problem, multipliers, _summed(alike, prior))
    given = {} if multipliers is None else multipliers.privacy
    weights: dict[int, int] = {}
    if given:
        finite = np.array([epsilon <= MAX_EPSILON for epsilon, _ in asked.asked])[asked.asked_by]
        weights = {one: weight for (one,), weight in integers(given[0, 0] * finite, unit) if weight}
    copies = alike.copies.tolist()
    shares = None if profiles is None else [share / count for share, count in zip(profiles, copies, strict=True)]
    tables = None if entries is None else [table // count for table, count in zip(entries, copies, strict=True)]
    ways = [weights] if not weights else [weights, {}]
    return max((_bound(problem, way, tables, shares) for way in ways), key=attrgetter("least"))


def _summed(alike: Alike, prior: Sequence[Fraction]) -> list[Fraction]:
    """Return the exact weights of all profiles of each class together."""
    shares = [Fraction(0)] * len(alike.copies)
    for number, share in zip(alike.group.tolist(), prior, strict=True):
        shares[number] += share
    return shares


def _bound(
    problem: Problem, privacy: dict[int, int], entries: list[Exact] | None, profiles: list[Fraction] | None
) -> Bound:
    alike = problem.alike
    assert alike is not None
    gains = _gains(problem, privacy)
    proved = -_allowed(problem.inequalities, privacy)
    for number, (row, masses) in enumerate(zip(problem.variables, problem.exact, strict=True)):
        table = None if entries is None else entries[number]
        share = None if profiles is None else profiles[number]
        proved += int(alike.copies[number]) * _of_profile(problem, masses, gains[row], share, table)
    bound, least = Fraction(proved, BOUND_UNIT), problem.objective.least
    weights = SpreadWeights(
        SpreadMultipliers(alike, privacy),
        None if entries is None else SpreadTables(alike, entries),
        None if profiles is None else [profiles[group] for group in alike.group.tolist()],
    )
    return Bound(bound if least is None else max(least, bound), weights)


def _gains(problem: Problem, weights: dict[int, int]) -> Exact:
    """Return g_i(y) for each class: the sum over its pairs, which is a multiple of their number."""
    sums, asked = [0] * len(problem.sizes), problem.inequalities
    labels = {int(asked.asked_by[one]) for one in weights}
    factors = {label: int(exp_above(asked.asked[label][0]) * FINENESS) for label in labels}
    for one, weight in weights.items():
        all_of_them = weight * int(asked.times[one])
        sums[asked.above[one]] += all_of_them * FINENESS
        sums[asked.below[one]] -= all_of_them * factors[int(asked.asked_by[one])]
    gains = [divmod(total, int(size)) for total, size in zip(sums, problem.sizes, strict=True)]
    assert not any(rest for _, rest in gains), "classes are equitable"
    return np.array([gain for gain, _ in gains], dtype=object)


def _allowed(asked: Inequalities, weights: dict[int, int]) -> int:
    """Return sum_(a,b) delta max_y lam(a,b,y), each term rounded up."""
    largest: dict[int, int] = {}
    for one, weight in weights.items():
        edge = int(asked.edge[one])
        largest[edge] = max(weight, largest.get(edge, 0))
    deltas = [asked.asked[label][1] for label in asked.label.tolist()]
    return sum(math.ceil(deltas[edge] * weight * FINENESS) * int(asked.edges[edge]) for edge, weight in largest.items())


def _of_profile(
    problem: Problem, masses: Sequence[Fraction], gains: Exact, share: Fraction | None, entries: Exact | None
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

    alike: Alike
    tables: list[Exact]

    def __len__(self) -> int:
        return len(self.alike.group)

    def __getitem__(self, i: int) -> Exact:  # type: ignore[override]
        """Return the d x m table of profile i."""
        m = self.alike.classes.shape[1]
        table = np.zeros((m, m), dtype=object)
        for x, y, price in self.prices(i):
            table[x, y] = price
        return table

    def prices(self, i: int) -> Iterator[tuple[int, int, int]]:
        """Yield (x, y, price) of profile i, where it is not 0."""
        group = int(self.alike.group[i])
        own, other = self.alike.classes[i], self.alike.variables[group]
        place = np.empty(len(own), dtype=np.int64)
        place[np.argsort(other, kind="stable")] = np.argsort(own, kind="stable")
        xs, ys, prices = self._nonzero[group]
        yield from zip(place[xs].tolist(), place[ys].tolist(), map(int, prices), strict=True)

    @cached_property
    def _nonzero(self) -> list[tuple[Integers, Integers, Exact]]:
        """The rows, columns and values of the entries of each class that are not 0."""
        places = map(np.nonzero, self.tables)
        return [(xs, ys, table[xs, ys]) for (xs, ys), table in zip(places, self.tables, strict=True)]
