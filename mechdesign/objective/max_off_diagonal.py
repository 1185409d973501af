"""The largest off-diagonal entry of any profile's matrix: the objective of [GC] (5)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import Block, Cut, Key, Objective, Plans, Posed, Rows, User
from mechdesign.objective.multipliers import FINENESS, Multipliers, PrivacyMultipliers, integers
from mechdesign.objective.reachability import add_reach, least_level, violated_cuts


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
    plan: ClassVar[Plans] = "capped"

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's largest off-diagonal entry, exactly."""
        largest = [_LargestExcept(row, total) for row, total in zip(mechanism.weights, mechanism.totals, strict=True)]
        return [max(largest[row][x] for x, row in enumerate(rows)) for rows in mechanism.index]

    def entry_rows(self, problem: Posed, start: npt.NDArray[np.int64], distorting: Floats) -> Block:
        """Return each entry that distorts: t is at least this."""
        import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

        del problem, start
        off = np.nonzero(distorting)[0]
        return sp.csr_matrix((np.ones(len(off)), (np.arange(len(off)), off)), shape=(len(off), len(distorting)))

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
        tables = [_off_diagonal(table) for table in found.entries]
        unit = Fraction(FINENESS, sum(int(table.sum()) for table in tables) or FINENESS)
        return [table * unit.numerator // unit.denominator for table in tables], None, unit

    def reached(self, problem: Posed, users: Sequence[User], shares: Floats) -> float:
        """Return the largest entry off the diagonal."""
        del problem
        off = shares.copy()
        off[range(len(users)), [x for _, x in users]] = 0.0
        return float(off.max())

    def level(self, profiles: Floats, released: Floats) -> float:
        """Return the least t that reaches what is released."""
        return least_level(profiles, released)


class _LargestExcept:
    """The largest entry of a row other than that of column x, for any x, found once."""

    def __init__(self, weights: npt.NDArray[np.object_], total: int) -> None:
        order = np.argsort(weights, kind="stable")[::-1][:2]
        self.first, self.values = int(order[0]), [Fraction(int(weights[y]), int(total)) for y in order]

    def __getitem__(self, x: int) -> Fraction:
        if x != self.first:
            return self.values[0]
        return self.values[1] if len(self.values) > 1 else Fraction(0)


def _off_diagonal(table: Floats) -> Exact:
    """Return prices of the entries; those of the diagonal are 0."""
    prices = np.zeros(table.shape, dtype=object)
    for place, weight in integers(table, Fraction(1)):
        prices[place] = weight
    np.fill_diagonal(prices, 0)
    return prices
