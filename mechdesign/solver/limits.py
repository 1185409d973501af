"""Limits of what is released at a known level of the objective, each a row over the released distributions alone."""

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective.reachability import violated_cuts
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem

Ints: TypeAlias = npt.NDArray[np.int64]

Key: TypeAlias = tuple[str, bytes]
"""What kind of limit it is, and its columns: the same in every search."""

Row: TypeAlias = tuple[Ints, Floats, float]
"""Columns i m + y, or those of further values after these, coefficients, and what they may add up to at most."""


class Limits:
    """All limits at a level of what a program does not have: of a loss, whose program has `deltas`, those of privacy.

    Where delta > 0, sum_y max(0, q^a_y / E - q^b_y) <= delta / E says that the sum over S is, for every set S of
    outputs. Further values may have bounds of their own, `most`.
    """

    def __init__(
        self,
        problem: Problem,
        level: float,
        deltas: Sequence[Requirement] | None = None,
        most: Floats | Sequence[float] = (),
    ) -> None:
        self.problem, self.level, self._reach, self._most = problem, level, deltas is None, np.array(most)
        known = set(deltas or ())
        self._asked = Inequalities.of(
            [one for one in problem.required if not (one.delta and one in known)], problem.outputs
        )

    def __bool__(self) -> bool:
        return self._reach or bool(len(self._asked.above))

    def violated(self, values: Floats, tolerance: float) -> dict[Key, Row]:
        """Return the limits that released distributions, and values after them, violate by more than the tolerance."""
        result: dict[Key, Row] = {}
        size, m = self.problem.target_in_doubles.size, self.problem.outputs
        released, asked, gaps = values[:size].reshape(-1, m), self._asked, self._asked.gaps(values)
        for one in np.flatnonzero(values[size:] - self._most > tolerance).tolist():
            columns = np.array([size + one])
            result["objective", columns.tobytes()] = columns, np.ones(1), float(self._most[one])
        for one in np.flatnonzero((gaps > tolerance) & ~asked.loose).tolist():
            columns = np.array([asked.above[one], asked.below[one]])
            result["strict", columns.tobytes()] = columns, np.array([asked.factors[one], -1.0]), 0.0
        beyond = np.maximum(gaps, 0.0).reshape(-1, m).sum(axis=1) - asked.allowed
        for edge in np.flatnonzero((beyond > tolerance) & asked.loose_edges).tolist():
            chosen = edge * m + np.flatnonzero(gaps[edge * m : (edge + 1) * m] > 0)
            columns = np.concatenate([asked.above[chosen], asked.below[chosen]])
            values = np.concatenate([asked.factors[chosen], -np.ones(len(chosen))])
            result["loose", columns.tobytes()] = columns, values, asked.allowed[edge]
        return result | self._out_of_reach(released, tolerance)

    def _out_of_reach(self, released: Floats, tolerance: float) -> dict[Key, Row]:
        """Return rows of sets that are out of reach at the level."""
        problem, m = self.problem, self.problem.outputs
        result: dict[Key, Row] = {}
        if not self._reach:
            return result
        for i, chosen in violated_cuts(problem.profiles, released, self.level, tolerance):
            columns = i * m + np.array(chosen)
            inside = problem.profiles.ravel()[columns].sum()
            bound = inside + self.level * len(chosen) * (1 - inside)
            result["reach", columns.tobytes()] = columns, np.ones(len(chosen)), bound
        return result


def matrix_of(rows: Collection[Row], columns: int) -> tuple[sp.csr_matrix, Floats]:
    """Return rows as a matrix and their bounds."""
    if not rows:
        return sp.csr_matrix((0, columns)), np.zeros(0)
    places, values, bounds = zip(*rows, strict=True)
    starts = np.cumsum([0, *map(len, places)])
    matrix = sp.csr_matrix((np.concatenate(values), np.concatenate(places), starts), shape=(len(rows), columns))
    return matrix, np.array(bounds)
