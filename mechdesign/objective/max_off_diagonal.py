"""The largest off-diagonal entry of any profile's matrix: the objective of [GC] (5)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import Cut, Key, Objective, Posed, Rows, bound_at_most
from mechdesign.objective.capped_plans import capped_plans
from mechdesign.objective.multipliers import FINENESS, Multipliers, PrivacyMultipliers, over_fineness
from mechdesign.objective.reachability import add_reach, least_levels, violated_cuts
from mechdesign.privacy.gaps import surely_at_most


@dataclass(frozen=True)
class MaxOffDiagonal(Objective):
    """The largest probability with which any profile reports a category as another one.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (5).

    Examples
    --------
    >>> MaxOffDiagonal().name
    'max-off-diagonal'
    """

    name: ClassVar[str] = "max-off-diagonal"
    words: ClassVar[str] = "largest off-diagonal entry"
    least: ClassVar[Fraction] = Fraction(0)
    by_cuts: ClassVar[bool] = True

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's largest off-diagonal entry, exactly."""
        costs = [Fraction(0)] * len(mechanism.index)
        for i, cost in _largest(mechanism, lambda shares: shares.max(axis=1, keepdims=True)):
            costs[i] = max(costs[i], cost) if costs[i] else cost
        return costs

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the largest off-diagonal entry of all, exactly."""
        return max((cost for _, cost in _largest(mechanism, np.max)), default=Fraction(0))

    def add_entries(
        self, rows: Rows, problem: Posed, start: npt.NDArray[np.int64], distorting: Floats, level: float | None
    ) -> None:
        """Bound each entry that distorts."""
        import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

        del problem, start
        off = np.nonzero(distorting)[0]
        shape = (len(off), len(distorting))
        bound_at_most(rows, sp.csr_matrix((np.ones(len(off)), (np.arange(len(off)), off)), shape=shape), level)

    def row_keys(self, problem: Posed, pairs: Iterable[tuple[int, int]]) -> Iterator[Key]:
        """Yield profile, category and output of each entry that distorts."""
        for i, x in pairs:
            yield from (("objective", (i, x, y)) for y in range(problem.outputs) if y != problem.free[x])

    def add_released(self, rows: Rows, problem: Posed, cuts: Sequence[Cut], level: float | None) -> int:
        """Add the cuts: which released distributions are within reach at t."""
        return add_reach(rows, problem.profiles, cuts, level)

    def first_cuts(self, problem: Posed) -> list[Cut]:
        """Return the cuts of all single outputs."""
        return [(i, (y,)) for i in range(len(problem.profiles)) for y in range(problem.outputs)]

    def violated_cuts(self, problem: Posed, released: Floats, level: float, tolerance: float) -> list[Cut]:
        """Return each profile's most violated cut of each size of S at t = `level`."""
        return violated_cuts(problem.profiles, released, level, tolerance)

    def modelled(self, problem: Posed, matrices: Sequence[Any], value: Any) -> list[Any]:
        """Return that every entry off the diagonal is at most t."""
        others = ~np.eye(problem.outputs, dtype=bool)
        own = {id(matrix): matrix for matrix in matrices}.values()  # one, if it is shared
        return [value >= 0, *(matrix[others] <= value for matrix in own if others.any())]

    def multipliers(
        self, privacy: PrivacyMultipliers, weights: Floats, entries: Callable[[Floats], Floats]
    ) -> Multipliers:
        """Return the weights as those of A^i_xy <= t."""
        return Multipliers(privacy, entries=entries(weights))

    def exact_multipliers(
        self, problem: Posed, found: Multipliers | None, prior: Sequence[Fraction]
    ) -> tuple[list[Exact] | None, Sequence[Fraction] | None, Fraction]:
        """Return prices of the entries, of total 1 at most: the rows A^i_xy <= t then add up to no more than t."""
        del prior
        if found is None or found.entries is None:
            return None, None, problem.loss_unit
        prices = [_off_diagonal(table) for table in found.entries]
        unit = Fraction(FINENESS, int(sum(weights.sum() for _, weights in prices)) or FINENESS)
        none = np.zeros(found.entries.shape[1:], dtype=object)  # one for all profiles without prices
        tables = [none.copy() if len(places) else none for places, _ in prices]
        for table, (places, weights) in zip(tables, prices, strict=True):
            table[tuple(places.T)] = weights * unit.numerator // unit.denominator
        return tables, None, unit

    def reached(self, problem: Posed, profiles: Integers, categories: Integers, shares: Floats) -> float:
        """Return the largest entry off the diagonal."""
        del problem, profiles
        off = shares.copy()
        off[np.arange(len(categories)), categories] = 0.0
        return float(off.max())

    def plans(self, problem: Posed, supplies: Exact, demands: Exact, levels: Floats) -> Exact:
        """Return plans that move the level at most, the least t of all of a part, from each category to each other."""
        del problem
        return capped_plans(supplies, demands, levels)

    def levels(self, profiles: Floats, released: Floats, of: Integers) -> Floats:
        """Return the least t at which all of a part reach what they release."""
        return least_levels(profiles, released, of)


def _largest(mechanism: Mechanism, most: Callable[[Floats], Floats]) -> Iterator[tuple[int, Fraction]]:
    """Yield profiles and off-diagonal entries, those that are not surely below the most of the shares in doubles."""
    largest, others, first, totals = mechanism.largest
    index = mechanism.index
    off = first[index] != np.arange(index.shape[1])
    weights = np.where(off, largest[index], others[index])
    shares = np.array(weights / totals[index], dtype=np.float64)
    near = ~surely_at_most(shares, most(shares), 1.0)
    profiles, sums = np.nonzero(near)[0].tolist(), totals[index][near].tolist()
    for i, weight, total in dict.fromkeys(zip(profiles, weights[near].tolist(), sums, strict=True)):
        yield i, Fraction(weight, total)


def _off_diagonal(table: Floats) -> tuple[Integers, Exact]:
    """Return the places of the entries that have a price, and these prices; those of the diagonal have none."""
    places, weights = over_fineness(table)
    off = places[:, 0] != places[:, 1]
    return places[off], weights[off]
