"""Limits of what is released at a known level of the objective, each a row over the released distributions alone."""

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.reachability import violated_cuts
from mechdesign.privacy.requirement import Directed
from mechdesign.problem import Problem
from mechdesign.program.program import directed

Ints: TypeAlias = npt.NDArray[np.int64]

Key: TypeAlias = tuple[str, int, bytes]

Row: TypeAlias = tuple[Ints, Floats, float]
"""Columns i m + y, coefficients, and what they may add up to at most."""


class Limits:
    """All limits at a level, but for those wholly among `members`, whose program has them.

    Where delta > 0, sum_y max(0, q^a_y / E - q^b_y) <= delta / E says that the sum over S is, for every set S of
    outputs. Where each profile's loss is held to the level, every price of a unit of each output that never makes a
    loss too large says the same: see `ByLoss.costs_of`.
    """

    def __init__(self, problem: Problem, level: float, members: Collection[int] = ()) -> None:
        self.problem, self.level = problem, level
        self._outside = np.ones(len(problem.exact), dtype=bool)
        self._outside[list(members)] = False
        kinds = directed(problem.required)
        chosen = ([one for one in kind if self._outside[one[0]] or self._outside[one[1]]] for kind in kinds)
        self._strict, self._loose = map(_Pairs, chosen)

    def __bool__(self) -> bool:
        return bool(self._outside.any())

    def violated(self, released: Floats, tolerance: float) -> dict[Key, Row]:
        """Return the limits that these released distributions violate by more than the tolerance."""
        result: dict[Key, Row] = {}
        if not self:
            return result
        m = self.problem.outputs
        gaps = self._strict.gaps(released)
        for pair, y in np.argwhere(gaps > tolerance).tolist():
            a, b, factor, _ = self._strict.of(pair)
            result["strict", pair * m + y, b""] = np.array([a * m + y, b * m + y]), np.array([factor, -1.0]), 0.0
        gaps = self._loose.gaps(released)
        above = np.maximum(gaps, 0.0).sum(axis=1) - self._loose.allowed
        for pair in np.nonzero(above > tolerance)[0].tolist():
            a, b, factor, allowed = self._loose.of(pair)
            chosen = np.nonzero(gaps[pair] > 0)[0]
            columns, ones = np.concatenate([a * m + chosen, b * m + chosen]), np.ones(len(chosen))
            result["loose", pair, chosen.tobytes()] = columns, np.concatenate([factor * ones, -ones]), allowed
        return result | self._beyond_level(released, tolerance)

    def _beyond_level(self, released: Floats, tolerance: float) -> dict[Key, Row]:
        """Return rows of the objective: of sets that are out of reach at the level, or of losses above it."""
        problem, m = self.problem, self.problem.outputs
        if isinstance(problem.objective, ByLoss):
            costs, prices = problem.objective.costs_of(problem, released)
            above = np.nonzero(self._outside & (costs > self.level + tolerance))[0]
            bounds = self.level + (prices * problem.profiles).sum(axis=1)
            return {
                ("loss", i, prices[i].tobytes()): (i * m + np.arange(m), prices[i], bounds[i]) for i in above.tolist()
            }
        result: dict[Key, Row] = {}
        for i, chosen in violated_cuts(problem.profiles, released, self.level, tolerance):
            columns = i * m + np.array(chosen)
            inside = problem.profiles.ravel()[columns].sum()
            bound = inside + self.level * len(chosen) * (1 - inside)
            result["reach", i, columns.tobytes()] = columns, np.ones(len(chosen)), bound
        return result


class _Pairs:
    """Requirements in one direction each: q^a_y / E - q^b_y is at most 0, or delta / E in all."""

    def __init__(self, pairs: Sequence[Directed]) -> None:
        self.ends = np.array([(a, b) for a, b, _ in pairs], dtype=np.int64).reshape(-1, 2)
        self.factors = np.array([shrink(one.epsilon) for _, _, one in pairs])
        self.allowed = np.array([float(one.delta) for _, _, one in pairs]) * self.factors

    def gaps(self, released: Floats) -> Floats:
        """Return q^a / E - q^b for each pair."""
        return np.array(released[self.ends[:, 0]] * self.factors[:, None] - released[self.ends[:, 1]])

    def of(self, number: int) -> tuple[int, int, float, float]:
        """Return a, b, 1 / E and delta / E."""
        a, b = self.ends[number].tolist()
        return a, b, float(self.factors[number]), float(self.allowed[number])


def matrix_of(rows: Collection[Row], columns: int) -> tuple[sp.csr_matrix, Floats]:
    """Return rows as a matrix and their bounds."""
    if not rows:
        return sp.csr_matrix((0, columns)), np.zeros(0)
    places, values, bounds = zip(*rows, strict=True)
    starts = np.cumsum([0, *map(len, places)])
    matrix = sp.csr_matrix((np.concatenate(values), np.concatenate(places), starts), shape=(len(rows), columns))
    return matrix, np.array(bounds)
