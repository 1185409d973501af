"""Equations of one or two columns taken out of a program: fewer columns say the same."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order, connected_components

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.program.program import Program


@dataclass(frozen=True, eq=False)
class Presolved:
    """Rows lower <= matrix z <= upper, and the columns x = expansion z + shift that they stand for.

    Each column of x follows one column of z at most, and the largest of those that follow it, in size, is it.
    """

    matrix: sp.csr_matrix
    lower: Floats
    upper: Floats
    expansion: sp.csr_matrix
    shift: Floats

    def known(self, x: Floats) -> Floats | None:
        """Return the columns z that stand for x, if they meet the rows."""
        number = self.expansion.tocoo()
        order, largest = np.argsort(abs(number.data), kind="stable"), np.zeros(number.shape[1], dtype=np.int64)
        largest[number.col[order]] = order
        z = (x - self.shift)[number.row[largest]] / number.data[largest]
        activity = self.matrix @ z
        return z if np.maximum(activity - self.upper, self.lower - activity).max(initial=0.0) < NEAR else None

    def closest(self, floor: Floats, target: Floats, weights: Floats, known: Floats | None) -> Program:
        """Return the program over z of half the squared distance of x from the target, each column by its weight.

        Bounds of columns take in the z that are `known` to meet all, where they are not near: where many factors
        e^-epsilon are between columns, what rounding leaves of a row of one column might leave nothing for it.
        """
        number, columns = self.expansion.tocoo(), self.expansion.shape[1]
        alone = self._entries == 1
        rows = self.matrix[alone]
        low, high = np.full(columns, -np.inf), np.full(columns, np.inf)
        bounds = (
            (number.col, number.data, (floor - self.shift)[number.row], np.inf),
            (rows.indices, rows.data, self.lower[alone], self.upper[alone]),
        )
        for column, value, least, most in bounds:
            ends = np.sort([least / value, most / value], axis=0)
            np.maximum.at(low, column, ends[0])
            np.minimum.at(high, column, ends[1])
        if known is not None:
            low, high = np.where(low > known + NEAR, known, low), np.where(high < known - NEAR, known, high)
        capped = np.isfinite(high)
        matrix = sp.vstack([self.matrix[~alone], sp.identity(columns, format="csr")[capped]], format="csr")
        lower = np.concatenate([self.lower[~alone], np.full(int(capped.sum()), -np.inf)])
        upper = np.concatenate([self.upper[~alone], high[capped]])
        across = self.expansion.T.tocsr()
        cost = across @ (weights * (self.shift - target))
        return Program(cost, matrix, lower, upper, low, across.multiply(across) @ weights, {})

    def further(self) -> "Presolved":
        """Return the same with the columns taken out that equations of one or two columns determine."""
        where, factor, constant = _followed(*self._short_equations(), self.matrix.shape[1])
        follows = factor != 0
        kept, place = np.unique(where[follows], return_inverse=True)
        size = np.zeros(len(kept))
        np.maximum.at(size, place, abs(factor[follows]))
        step = sp.csr_matrix(
            (factor[follows] / size[place], (np.nonzero(follows)[0], place)), shape=(len(factor), len(kept))
        )
        matrix = times(self.matrix, step)
        moved = self.matrix @ constant
        some = np.diff(matrix.indptr) > 0
        return Presolved(
            matrix[some],
            (self.lower - moved)[some],
            (self.upper - moved)[some],
            sp.csr_matrix(self.expansion @ step),
            self.shift + self.expansion @ constant,
        )

    def _short_equations(self) -> tuple[Integers, Floats, Floats]:
        """Return columns and coefficients of those of one or two columns, and their values.

        What one of a alone column lacks is column -1, with coefficient 0.
        """
        short = np.nonzero((self.lower == self.upper) & np.isin(self._entries, (1, 2)))[0]
        first, two = self.matrix.indptr[short], self._entries[short] == 2
        second = np.where(two, first + 1, first)
        indices = self.matrix.indices.astype(np.int64)
        columns = np.stack([indices[first], np.where(two, indices[second], -1)], axis=1)
        values = np.stack([self.matrix.data[first], np.where(two, self.matrix.data[second], 0.0)], axis=1)
        return columns, values, self.upper[short]

    @property
    def _entries(self) -> npt.NDArray[np.int32]:
        return np.array(np.diff(self.matrix.indptr))


def times(matrix: sp.csr_matrix, expansion: sp.csr_matrix) -> sp.csr_matrix:
    """Return a product without what rounding errors leave where terms cancel."""
    product = sp.csr_matrix(matrix @ expansion)
    product.data[abs(product.data) <= NOTHING] = 0.0
    product.eliminate_zeros()
    return product


def presolved(matrix: sp.csr_matrix, lower: Floats, upper: Floats) -> Presolved:
    """Return rows with the columns taken out that equations of one or two columns determine, one after the other.

    Examples
    --------
    >>> rows = sp.csr_matrix([[1.0, -2.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
    >>> found = presolved(rows, np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0, 1.0]))
    >>> found.expansion.shape, found.shift.tolist()
    ((3, 0), [0.0, 0.0, 1.0])
    """
    count = matrix.shape[1]
    found = Presolved(matrix, lower, upper, sp.identity(count, format="csr"), np.zeros(count))
    while True:
        before = found.matrix.shape[1]
        found = found.further()
        if found.matrix.shape[1] == before:
            return found


def _followed(columns: Integers, values: Floats, right: Floats, count: int) -> tuple[Integers, Floats, Floats]:
    """Return where, factor and constant with x_j = factor_j x_where(j) + constant_j, by equations of two columns each.

    Column -1 is known; what is joined to it is known too, and has factor 0.
    """
    (first, second), (of_first, of_second) = columns.T + 1, values.T  # the known one is 0
    two = second > 0
    source, end = np.append(second, first[two]), np.append(first, second[two])
    factors = np.append(-of_second / of_first, -of_first[two] / of_second[two])
    constants = np.append(right / of_first, right[two] / of_second[two])
    order, before = _trees(source, end, count + 1)
    keys = source * (count + 1) + end
    ranks = np.argsort(keys, kind="stable")
    links = ranks[np.searchsorted(keys, before[order] * (count + 1) + order, sorter=ranks)]
    where, factor, constant = list(range(count + 1)), [1.0] * (count + 1), [0.0] * (count + 1)
    steps = zip(*(one.tolist() for one in (order, before[order], factors[links], constants[links])), strict=True)
    for column, other, times, plus in steps:
        where[column] = where[other]
        factor[column] = times * factor[other]
        constant[column] = times * constant[other] + plus
    return np.array(where[1:]) - 1, np.array(factor[1:]), np.array(constant[1:])


def _trees(source: Integers, end: Integers, count: int) -> tuple[Integers, Integers]:
    """Return what links reach from the first of each part that they join, the nearest first, and from where each is."""
    links = sp.csr_matrix((np.ones(len(source)), (source, end)), shape=(count, count))
    _, part = connected_components(links, directed=False)
    _, roots = np.unique(part, return_index=True)
    source, end = np.append(source, np.full(len(roots), count)), np.append(end, roots)
    rooted = sp.csr_matrix((np.ones(len(source)), (source, end)), shape=(count + 1, count + 1))
    order, before = (one.astype(np.int64) for one in breadth_first_order(rooted, count))
    return order[(before[order] >= 0) & (before[order] < count)], before
