"""The linear systems of a program in cumulative coordinates: a dense block for each profile, and for each edge.

Each u is eliminated first, which is in one row with C, and in at most one sum: its row and its floor, of weights w and
f, have together the weight w f / (w + f), and the sum has the share w / (w + f) of that row. What a sum has by itself
is eliminated next, which gives its row over C a weight. T comes last.

Without sums, only outputs that follow each other are joined, whatever the edges are: where that is less work, blocks
are those of outputs.
"""

import math
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.errors import SolverError
from mechdesign.solver.block_cholesky import BlockCholesky, Elimination
from mechdesign.solver.cumulative_program import CumulativeProgram


class Structure:
    """Where the entries of a program's linear systems go, whatever the weights of its rows are.

    Attributes
    ----------
    columns
        the columns C of each node, one that is eliminated after the other.
    """

    def __init__(self, program: CumulativeProgram) -> None:
        self.program, columns = program, np.arange(program.k * program.n).reshape(program.k, program.n)
        ways = [(columns, program.edges)]
        if not program.sums.shape[0]:
            ways.append((columns.T, [(y, y + 1) for y in range(program.n - 1)]))
        self.columns, self.elimination = _least_work(ways)
        self._find_joint()
        self._find_pairs(sp.vstack([program.single, program.terms, self.joint(np.ones(program.terms.shape[0]))], "csr"))

    def _find_joint(self) -> None:
        """Find where the entries of sums over C come from: from rows of terms, and from sums themselves."""
        terms, sums, paid = self.program.terms.tocoo(), self.program.sums.tocoo(), self.program.paid.tocsc()
        there = np.flatnonzero(np.diff(paid.indptr)[terms.row])
        only = paid.indptr[terms.row[there]]
        self._term, self._of_terms, self._of_sums = terms.row[there], terms.data[there] * paid.data[only], sums.data
        row, column = np.append(paid.indices[only], sums.row), np.append(terms.col[there], sums.col)
        places, self._place = np.unique(row * terms.shape[1] + column, return_inverse=True)
        row, self._column = np.divmod(places, terms.shape[1])
        self._starts = np.searchsorted(row, np.arange(sums.shape[0] + 1))

    def joint(self, shares: Floats) -> sp.csr_matrix:
        """Return the rows of sums over C, which have these shares of the rows of their terms."""
        values = np.append(self._of_terms * shares[self._term], self._of_sums)
        entries = np.bincount(self._place, values, len(self._column))
        return sp.csr_matrix((entries, self._column, self._starts), shape=self.program.sums.shape)

    def _find_pairs(self, rows: sp.csr_matrix) -> None:
        """Find each two entries of a row, and where in the blocks their product counts."""
        counts, (nodes, size) = np.diff(rows.indptr), self.columns.shape
        self._row = np.repeat(np.arange(len(counts)), counts)
        node, inside = np.empty((2, nodes * size), dtype=np.int64)
        node[self.columns], inside[self.columns] = np.arange(nodes)[:, None], np.arange(size)
        i, y, place = node[rows.indices], inside[rows.indices], self.elimination.place
        one, other = _pairs(rows.indptr)
        kept = (place[i[one]] > place[i[other]]) | ((i[one] == i[other]) & (y[one] >= y[other]))
        self._one, self._other = one[kept], other[kept]
        both, pair = np.unique(i[self._one] * nodes + i[self._other], return_inverse=True)
        blocks = self.elimination.numbers(*np.divmod(both, nodes))
        self._target = (blocks[pair] * size + y[self._one]) * size + y[self._other]

    def factor(self, joint: sp.csr_matrix, weights: Floats) -> BlockCholesky:
        """Return the factor of rows^T W rows: of the single rows, those of terms and those of sums over C."""
        entries = np.concatenate([self.program.single.data, self.program.terms.data, joint.data])
        shape = self.elimination.blocks, self.elimination.size, self.elimination.size
        products: Floats = (entries * weights[self._row])[self._one] * entries[self._other]
        blocks = np.bincount(self._target, products, math.prod(shape)).astype(np.float64, copy=False)
        return BlockCholesky(self.elimination, blocks.reshape(shape))


class CumulativeSystem:
    """A program's system for some weights of its rows."""

    def __init__(self, structure: Structure, weights: Floats) -> None:
        program = self._program = structure.program
        self._columns = structure.columns
        singles, terms, largest = program.single.shape[0], program.terms.shape[0], program.of_largest
        single, own, floors, sums = np.split(weights, np.cumsum([singles, terms, terms]))
        self._both = own + floors
        self._share = own / self._both
        self._joint = structure.joint(self._share)
        self._weights = 1 / (1 / sums + program.paid.power(2) @ (1 / self._both))
        self._factor = structure.factor(self._joint, np.concatenate([single, self._share * floors, self._weights]))
        self._raised = self._by_factor(self._joint.T @ (self._weights * largest))
        self._rest = (self._weights * largest) @ (largest - self._joint @ self._raised)

    def solve(self, right: Floats) -> Floats:
        """Return the columns C, each u, and T if there is one, and what sums have."""
        program, sizes = self._program, [self._columns.size, len(self._both), int(self._program.worst)]
        of_c, of_u, largest, sums = np.split(right, np.cumsum(sizes))
        sums = sums - program.paid @ (of_u / self._both)
        first = of_c + program.terms.T @ (self._share * of_u) + self._joint.T @ (self._weights * sums)
        c = self._by_factor(first)
        if program.worst:
            lacking = (self._weights * program.of_largest) @ (self._joint @ c - sums)
            largest = (largest + lacking) / self._rest
            c, sums = c + largest * self._raised, sums + largest * program.of_largest
        found = self._weights * (self._joint @ c - sums)
        u = (of_u - program.paid.T @ found) / self._both + self._share * (program.terms @ c)
        return np.concatenate([c, u, largest, found])

    def _by_factor(self, right: Floats) -> Floats:
        found = np.empty(len(right))
        found[self._columns] = self._factor.solve(right[self._columns])
        return found


def _least_work(ways: Sequence[tuple[Integers, Sequence[tuple[int, int]]]]) -> tuple[Integers, Elimination]:
    """Return the columns of nodes and their elimination, of those that edges join in several ways."""
    found, why = list[tuple[Integers, Elimination]](), list[SolverError]()
    for columns, edges in ways:
        try:
            found.append((columns, Elimination(len(columns), edges, columns.shape[1])))
        except SolverError as error:
            why.append(error)
    if not found:
        raise why[0]
    return min(found, key=lambda one: one[1].operations)


def _pairs(starts: Integers) -> tuple[Integers, Integers]:
    """Return each two entries of a row, by their numbers."""
    counts = np.diff(starts)
    each = np.repeat(counts, counts)
    first = np.repeat(starts[:-1], counts) - (np.cumsum(each) - each)
    return np.repeat(np.arange(len(each)), each), np.arange(each.sum()) + np.repeat(first, each)
