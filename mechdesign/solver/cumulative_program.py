"""The whole program of a loss in cumulative coordinates: the outputs are a chain, and there are no equations.

C^i_y is what profile i releases with the outputs up to y, q^i_y = C^i_y - C^i_(y-1), and in all it is 1. Where a loss
is known as what crosses borders, l_i = sum_t (above_t + below_t) max(0, g_t) - below_t g_t, see `Crossings`, it is,
with columns u_t that are in no other rows,

    least sum_i w_i l_i, or T >= l_i for each i,   with   g_t <= u_t,   0 <= u_t,   0 <= q,   and what privacy asks.

All rows but those of T join outputs that follow each other.
"""

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.loss import Crossings
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import NOTHING, Problem
from mechdesign.program.compiler import privacy_gaps


def crossings_of(problem: Problem) -> Crossings | None:
    """Return the borders by which a problem's loss is known; None if its program is not one of this kind.

    Deltas have slacks for each output of an edge, whose sums join all outputs; classes and cliques have columns of
    their own. Of single values losses are linear in what is released: by borders "values on a grid 50x50, worst
    squares, epsilon 2, delta 0" of benchmarks/cliffs.py would take 6.9 s of processor time, not 0.8 s.
    """
    objective = problem.objective
    if not isinstance(objective, ByLoss) or not problem.is_local or problem.cover.cliques or problem.has_single_values:
        return None
    found = None if problem.inequalities.loose.any() else objective.crossings(problem)
    return None if found is None or found.around else found


class CumulativeProgram:
    """The program of k profiles, of whose outputs all but the last, n, have columns.

    Attributes
    ----------
    worst
        whether the largest loss counts; otherwise it is their sum.
    expansion, constant
        with which q = expansion C + constant, the probabilities profile by profile, C output by output.
    rows, first
        those over C alone, without the u of the terms of losses, which are the last, from `first` on.
    who, costs
        whose term each is, and what a unit of it costs.
    direct
        what a unit of each C costs besides, n x k.
    """

    def __init__(self, problem: Problem, crossings: Crossings) -> None:
        assert isinstance(problem.objective, ByLoss)
        (self.k, m), self.crossings, self.worst = problem.profiles.shape, crossings, not problem.objective.additive
        self.n, self._weights = m - 1, problem.weights
        self.expansion, self.constant = _differences(self.k, self.n)
        self.who = np.repeat(np.arange(self.k), len(crossings.of))
        self.costs = np.tile(crossings.above + crossings.below, self.k)
        self._add_rows(problem.profiles, problem.inequalities)

    def _add_rows(self, profiles: Floats, asked: Inequalities) -> None:
        crossings, count = self.crossings, len(self.costs)
        gaps = privacy_gaps(sp.eye(len(self.constant), format="csr"), asked)
        borders = sp.kron(sp.eye(self.k), sp.csr_matrix(crossings.borders[crossings.of]), "csr")
        above = sp.csr_matrix(sp.vstack([gaps, -sp.eye(len(self.constant)), borders]))
        self.rows, self.first = sp.csr_matrix(above @ self.expansion), above.shape[0] - count
        self.rows.data[abs(self.rows.data) < NOTHING] = 0.0
        self.rows.eliminate_zeros()
        self.terms = self.rows[self.first :]
        bounds = -(above @ self.constant)
        bounds[self.first :] += (profiles @ crossings.borders.T)[:, crossings.at].ravel()
        by_term = sp.csr_matrix((np.tile(crossings.below, self.k), (self.who, np.arange(count))), shape=(self.k, count))
        direct = -sp.csr_matrix(by_term @ self.terms)
        self.direct = np.asarray(direct.sum(axis=0)).reshape(self.n, self.k)
        self._pose(bounds, direct, -(by_term @ bounds[self.first :]))

    def _pose(self, bounds: Floats, direct: sp.csr_matrix, saved: Floats) -> None:
        """Set the whole matrix, bounds and cost, the columns C, u and T, by what each loss is, less what it is at 0."""
        count, idle = len(self.costs), self.first
        own = sp.eye(count, format="csr")
        paid = sp.csr_matrix((self.costs, (self.who, np.arange(count))), shape=(self.k, count))
        none = sp.csr_matrix((idle, count))
        parts = [[self.rows, sp.vstack([none, -own])], [None, -own]]
        if self.worst:
            parts = [[*part, None] for part in parts] + [[direct, paid, -np.ones((self.k, 1))]]
            cost = np.append(np.zeros(direct.shape[1] + count), 1.0)
        else:
            cost = np.concatenate([direct.T @ self._weights, paid.T @ self._weights])
        self.unit = float(abs(cost).max())
        self.matrix, self.cost = sp.csr_matrix(sp.block_array(parts)), cost / self.unit
        losses = saved if self.worst else np.zeros(0)
        self.bounds = np.concatenate([bounds, np.zeros(count), losses])

    @cached_property
    def _pairs(self) -> tuple[Integers, Floats, Integers, Integers]:
        """For each two entries of a row: the row, their product, where in the blocks it goes; and all these places."""
        starts, counts = self.rows.indptr, np.diff(self.rows.indptr)
        found: list[tuple[Integers, Integers, Integers]] = []
        for a in range(counts.max()):
            for b in range(counts.max()):
                row = np.flatnonzero(counts > max(a, b))
                found.append((row, starts[row] + a, starts[row] + b))
        row, one, other = (np.concatenate(parts) for parts in zip(*found, strict=True))
        (y, i), (next_, j) = (np.divmod(self.rows.indices[entry], self.k) for entry in (one, other))
        kept = (next_ == y) | (next_ == y + 1)
        place = ((y + (next_ > y) * self.n) * self.k + i) * self.k + j
        places, target = np.unique(place[kept], return_inverse=True)
        return row[kept], (self.rows.data[one] * self.rows.data[other])[kept], target, places

    def blocks(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return rows^T W rows: its blocks on the diagonal, n x k x k, and those beside them, n - 1 of them."""
        row, products, target, places = self._pairs
        found = np.zeros((2 * self.n, self.k, self.k))
        found.reshape(-1)[places] = np.bincount(target, products * weights[row], len(places))
        return found[: self.n], found[self.n : -1]


def _differences(k: int, n: int) -> tuple[sp.csr_matrix, Floats]:
    """Return q as differences of C, output by output, and the constant part: 1, for the last output of each."""
    i, y = np.divmod(np.arange(k * (n + 1)), n + 1)
    up, down = np.flatnonzero(y < n), np.flatnonzero(y > 0)
    columns = np.concatenate([y[up] * k + i[up], (y[down] - 1) * k + i[down]])
    values = np.concatenate([np.ones(len(up)), -np.ones(len(down))])
    matrix = sp.csr_matrix((values, (np.concatenate([up, down]), columns)), shape=(k * (n + 1), k * n))
    return matrix, (y == n).astype(np.float64)
