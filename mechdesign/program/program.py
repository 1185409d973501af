"""A linear or convex quadratic program, and how its rows are collected."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.privacy.requirement import Directed, Requirement, both_ways


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise cost·x + sum_j curvature_j x_j² / 2 subject to lower <= matrix x <= upper and x >= floor.

    `blocks` says which rows are which, for whoever reads their multipliers.
    """

    cost: Floats
    matrix: sp.csr_matrix
    lower: Floats
    upper: Floats
    floor: Floats
    curvature: Floats | None
    blocks: dict[str, slice]

    def excess(self, x: Floats) -> Floats:
        """Return how far each row is above its upper bound at x."""
        return np.array(self.matrix @ x - self.upper, dtype=np.float64)

    def restricted(self, kept: npt.NDArray[np.bool_], floored: npt.NDArray[np.bool_]) -> "Program":
        """Return the program of the rows kept, with a floor under some columns only; it has no blocks."""
        floor = np.where(floored, self.floor, -np.inf)
        matrix = self.matrix if kept.all() else self.matrix[kept]
        return Program(self.cost, matrix, self.lower[kept], self.upper[kept], floor, self.curvature, blocks={})

    def extended(self, place: int, rows: "Program") -> "Program":
        """Return the program with another's rows put in at a place; a block that ends there grows by them."""
        here, there = self.matrix, rows.matrix
        cut = here.indptr[place]
        values, columns = (
            np.concatenate([one[:cut], other, one[cut:]])
            for one, other in ((here.data, there.data), (here.indices, there.indices))
        )
        starts = [here.indptr[: place + 1], cut + there.indptr[1:], here.indptr[place + 1 :] + there.nnz]
        shape = here.shape[0] + there.shape[0], here.shape[1]
        matrix = sp.csr_matrix((values, columns, np.concatenate(starts)), shape=shape)
        lower, upper = (
            np.concatenate([one[:place], other, one[place:]])
            for one, other in ((self.lower, rows.lower), (self.upper, rows.upper))
        )
        more = len(rows.upper)
        blocks = {
            name: slice(part.start + more * (part.start >= place), part.stop + more * (part.stop >= place))
            for name, part in self.blocks.items()
        }
        return Program(self.cost, matrix, lower, upper, self.floor, self.curvature, blocks)


class RowBuilder:
    """Collects rows of a program as their entries; each block says how many columns it touches."""

    def __init__(self) -> None:
        self._entries: list[tuple[Integers, Integers, Floats]] = []  # rows, columns and values
        self._lower: list[Floats] = []
        self._upper: list[Floats] = []
        self._count = 0
        self._named: dict[str, slice] = {}

    def at_most(self, block: sp.spmatrix, bound: Floats | float, *, name: str = "") -> None:
        """Add block · x <= bound, under a name if its multipliers are wanted."""
        self._add(block, -np.inf, bound, name)

    def equal(self, block: sp.spmatrix, value: Floats | float, *, name: str = "") -> None:
        """Add block · x = value, under a name if its multipliers are wanted."""
        self._add(block, value, value, name)

    def _add(self, block: sp.spmatrix, lower: Floats | float, upper: Floats | float, name: str) -> None:
        rows = block.shape[0]
        if name:
            self._named[name] = slice(self._count, self._count + rows)
        place, columns, values = entries(block)
        self._entries.append((self._count + place, columns, values))
        self._count += rows
        self._lower.append(np.broadcast_to(np.asarray(lower, dtype=np.float64), rows))
        self._upper.append(np.broadcast_to(np.asarray(upper, dtype=np.float64), rows))

    def merged(self, columns: npt.NDArray[np.int64]) -> "RowBuilder":
        """Return the same rows with column i added to column `columns[i]`."""
        result = RowBuilder()
        result._lower, result._upper = list(self._lower), list(self._upper)
        result._count, result._named = self._count, dict(self._named)
        result._entries = [(rows, columns[where], values) for rows, where, values in self._entries]
        return result

    def program(self, cost: Floats, floor: Floats, curvature: Floats | None = None) -> Program:
        """Return the program of all rows; `cost` has one entry per column."""
        rows, columns, values = map(np.concatenate, zip(*self._entries, strict=True))
        matrix = sp.csr_matrix((values, (rows, columns)), shape=(self._count, len(cost)))
        bounds = np.concatenate(self._lower), np.concatenate(self._upper)
        return Program(cost, matrix, *bounds, floor, curvature, self._named)


def entries(matrix: sp.spmatrix) -> tuple[Integers, Integers, Floats]:
    """Return the rows, columns and values of a matrix's entries.

    Examples
    --------
    >>> [part.tolist() for part in entries(sp.csr_matrix([[0.0, 2.0], [3.0, 0.0]]))]
    [[0, 1], [1, 0], [2.0, 3.0]]
    """
    if isinstance(matrix, sp.csr_matrix):
        return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)), matrix.indices, matrix.data
    triplets = sp.coo_matrix(matrix)
    return triplets.row, triplets.col, triplets.data


def directed(required: Sequence[Requirement]) -> tuple[list[Directed], list[Directed]]:
    """Return the requirements direction by direction, those with delta = 0 and those with delta > 0."""
    both = list(both_ways(required))
    return [one for one in both if one[2].delta == 0], [one for one in both if one[2].delta > 0]
