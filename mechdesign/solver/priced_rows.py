"""Rows that released distributions have to meet, with multipliers: what these pull, and the rows among some profiles.

Tables of released distributions are m x k here, so that sums over the outputs of a profile run over long rows.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers

Flags = npt.NDArray[np.bool_]


class PricedRows:
    """Rows `matrix` · q <= `bound`, over q in the order of an m x k table.

    Attributes
    ----------
    targets
        m x k: the points from which the distance counts.
    transposed
        the matrix the other way round.
    multipliers
        of the rows, >= 0.
    step
        for each row how far a multiplier moves for what its row is violated by. These steps are safe: the matrix of the
        dual problem is no larger than the diagonal matrix of the sums of its absolute entries, row by row.
    parts, of
        how many parts there are, which no row joins, and for each profile which its part is.
    """

    def __init__(
        self, targets: Floats, matrix: sp.csr_matrix, bound: Floats, multipliers: Floats, of: Integers | None = None
    ) -> None:
        self.targets = targets
        self.of = np.zeros(targets.shape[1], dtype=np.int64) if of is None else of
        self.parts = int(self.of.max(initial=0)) + 1
        self.hold(matrix, bound, multipliers)

    def hold(self, matrix: sp.csr_matrix, bound: Floats, multipliers: Floats) -> None:
        """Take other rows in the place of those there are."""
        self.matrix, self.bound, self.multipliers = matrix, bound, multipliers
        self.part = self.of[matrix.indices[matrix.indptr[:-1]] % max(1, self.targets.shape[1])]
        self.transposed = matrix.T.tocsr()
        sums = abs(self.transposed) @ np.ones(len(bound))
        self.step = 1 / (abs(matrix) @ sums)

    def excess(self, released: Floats) -> Floats:
        """Return how far each row is above its bound."""
        return np.array(self.matrix @ released.ravel() - self.bound)

    def pulled(self, multipliers: Floats) -> Floats:
        """Return the targets less what the multipliers of the rows pull them by."""
        return np.array(self.targets - (self.transposed @ multipliers).reshape(self.targets.shape))

    def among(self, profiles: Integers) -> tuple["PricedRows", Integers]:
        """Return the rows that touch these profiles alone, and which they are.

        The other rows stay as they are: what their multipliers pull is taken from the targets.
        """
        m, k = self.targets.shape
        outside = np.ones(k)
        outside[profiles] = 0.0
        inside = abs(self.matrix) @ np.tile(outside, m) == 0
        others = self.pulled(np.where(inside, 0.0, self.multipliers))
        columns, which = (np.arange(m)[:, None] * k + profiles).ravel(), np.flatnonzero(inside)
        matrix = self.matrix[which][:, columns]
        return PricedRows(others[:, profiles], matrix, self.bound[which], self.multipliers[which]), which


class Parts:
    """Sums over parts, which no row joins, of what there is of each row; of one part in the least time."""

    def __init__(self, part: Integers, count: int) -> None:
        self.part, self.count = part, count

    def inner(self, first: Floats, second: Floats) -> Floats:
        """Return the inner product over each part, by one thread: several wait for each other longer than they sum."""
        if self.count == 1:
            return np.array([np.einsum("r,r", first, second)])
        return np.bincount(self.part, first * second, self.count).astype(np.float64)

    def largest(self, values: Floats) -> Floats:
        """Return the largest over each part of values none of which is below 0."""
        if self.count == 1:
            return np.array([values.max(initial=0.0)])
        result = np.zeros(self.count)
        np.maximum.at(result, self.part, values)
        return result

    def each(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return for each row the value of its part."""
        return values if self.count == 1 else values[self.part]
