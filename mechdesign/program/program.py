"""A linear or convex quadratic program, and how its rows are collected."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Entries, Floats, Integers
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

    def only(self, rows: npt.NDArray[np.bool_], columns: npt.NDArray[np.bool_]) -> "Program":
        """Return the program of some rows and columns; it has no blocks."""
        curvature = None if self.curvature is None else self.curvature[columns]
        matrix, floor = self.matrix[rows][:, columns], self.floor[columns]
        return Program(self.cost[columns], matrix, self.lower[rows], self.upper[rows], floor, curvature, blocks={})

    def within(self, matrix: sp.csr_matrix, upper: Floats) -> "Program":
        """Return the program with more rows, matrix x <= upper; further columns in them are at least 0, at no cost."""
        rows, more = self.matrix.copy(), np.zeros(matrix.shape[1] - len(self.cost))
        rows.resize(rows.shape[0], matrix.shape[1])
        lower = np.append(self.lower, np.full(len(upper), -np.inf))
        curvature = None if self.curvature is None else np.append(self.curvature, more)
        cost, floor, upper = np.append(self.cost, more), np.append(self.floor, more), np.append(self.upper, upper)
        return Program(cost, sp.vstack([rows, matrix], format="csr"), lower, upper, floor, curvature, blocks={})

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
    """Collects rows of a program, of any width: a sparse matrix is made once, of all entries."""

    def __init__(self) -> None:
        self._entries: list[tuple[Integers, Integers, Floats]] = []
        self._lower: list[Floats] = []
        self._upper: list[Floats] = []
        self._count = 0
        self._named: dict[str, slice] = {}

    def at_most(self, block: sp.spmatrix | Entries, bound: Floats | float, *, name: str = "") -> None:
        """Add block · x <= bound, under a name if its multipliers are wanted."""
        self._add(block, -np.inf, bound, name)

    def equal(self, block: sp.spmatrix | Entries, value: Floats | float, *, name: str = "") -> None:
        """Add block · x = value, under a name if its multipliers are wanted."""
        self._add(block, value, value, name)

    def _add(self, block: sp.spmatrix | Entries, lower: Floats | float, upper: Floats | float, name: str) -> None:
        block = entries_of(block)
        if name:
            self._named[name] = slice(self._count, self._count + block.height)
        self._entries.append((self._count + block.rows, block.columns, block.values))
        self._count += block.height
        self._lower.append(np.broadcast_to(np.asarray(lower, dtype=np.float64), block.height))
        self._upper.append(np.broadcast_to(np.asarray(upper, dtype=np.float64), block.height))

    def merged(self, columns: Integers) -> "RowBuilder":
        """Return the same rows with column i added to column `columns[i]`."""
        result = RowBuilder()
        result._lower, result._upper = list(self._lower), list(self._upper)
        result._count, result._named = self._count, dict(self._named)
        result._entries = [(row, columns[column], value) for row, column, value in self._entries]
        return result

    def program(self, cost: Floats, floor: Floats, curvature: Floats | None = None) -> Program:
        """Return the program of all rows; `cost` has one entry per column.

        No entry is zero, as factors would be filled more: with those of losses that are 0 "values on a grid 50x50,
        worst absolute, epsilon 0.5, delta 1e-6" of benchmarks/cliffs.py takes 3.4 s of processor time, not 2.4 s.
        """
        row, column, value = (np.concatenate(parts) for parts in zip(*self._entries, strict=True))
        matrix = sp.csr_matrix((value, (row, column)), shape=(self._count, len(cost)))
        matrix.eliminate_zeros()
        bounds = np.concatenate(self._lower), np.concatenate(self._upper)
        return Program(cost, matrix, *bounds, floor, curvature, self._named)


def entries_of(block: sp.spmatrix | Entries) -> Entries:
    """Return the entries of a block of rows."""
    if isinstance(block, Entries):
        return block
    if isinstance(block, sp.csr_matrix):
        rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        return Entries(block.shape[0], rows, block.indices, block.data)
    found = sp.coo_matrix(block)
    return Entries(found.shape[0], found.row, found.col, found.data)


def directed(required: Sequence[Requirement]) -> tuple[list[Directed], list[Directed]]:
    """Return the requirements direction by direction, those with delta = 0 and those with delta > 0."""
    both = list(both_ways(required))
    return [one for one in both if one[2].delta == 0], [one for one in both if one[2].delta > 0]
