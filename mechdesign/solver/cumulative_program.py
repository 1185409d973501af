"""The whole program of a loss in cumulative coordinates: without equations, and joined by the edges of the graph alone.

C^i_y is what profile i releases with the outputs up to y, q^i_y = C^i_y - C^i_(y-1), and in all it is 1. Where a loss
is known as what crosses borders, l_i = sum_t (above_t + below_t) max(0, g_t) - below_t g_t, see `Crossings`, it is a
sum of positive parts, and so is what an edge needs of its delta. With columns u_t, each in the rows of one term and of
one sum, the program is

    least sum_i w_i l_i, or T >= l_i for each i,   with   g_t <= u_t,   0 <= u_t,   0 <= q,   and what privacy asks.

A row has columns of one profile, or of two that an edge joins.
"""

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.loss import Crossings
from mechdesign.problem import NOTHING, Problem
from mechdesign.program.compiler import privacy_gaps
from mechdesign.solver.block_cholesky import adding


def crossings_of(problem: Problem) -> Crossings | None:
    """Return the borders by which a problem's loss is known; None if its program is not one of this kind.

    Classes and cliques have columns of their own. Of single values losses are linear in what is released: by borders
    "values on a grid 50x50, worst squares, epsilon 2, delta 0" of benchmarks/cliffs.py would take 6.9 s of processor
    time, not 0.8 s.
    """
    objective = problem.objective
    if not isinstance(objective, ByLoss) or not problem.is_local or problem.cover.cliques or problem.has_single_values:
        return None
    found = objective.crossings(problem)
    return None if found is None or found.around else found


class CumulativeProgram:
    """The program of k profiles, of whose outputs all but the last, n, have columns.

    Attributes
    ----------
    worst
        whether the largest loss counts; otherwise it is their sum.
    expansion, constant
        with which q = expansion C + constant, the probabilities profile by profile.
    edges
        the pairs of profiles that rows join.
    single, terms, sums
        its rows over C: those without a u; those of terms, of losses and then of edges with a delta; those of sums, of
        losses if the largest counts, and then of such edges.
    losses
        how many terms are of losses.
    paid, limits, of_largest
        what the sums have of each u, what they are at most, and whether T comes to that.
    matrix, bounds, cost
        all of it: rows that are single, of terms, the floors of u, sums; columns C, u, and T if there is one.
    unit
        what the cost is in units of.
    """

    def __init__(self, problem: Problem, crossings: Crossings) -> None:
        assert isinstance(problem.objective, ByLoss)
        (self.k, m), self.worst = problem.profiles.shape, not problem.objective.additive
        self.n, self.crossings, asked = m - 1, crossings, problem.inequalities
        self.edges = np.unique(np.stack([asked.above // m, asked.below // m], 1), axis=0).tolist()
        differences = sp.diags_array([1.0, -1.0], offsets=[0, -1], shape=(m, self.n))
        self.expansion = sp.kron(sp.eye(self.k), differences, "csr")
        self.constant = np.tile(np.eye(m)[-1], self.k)  # in all it is 1
        units, loose = sp.eye(len(self.constant), format="csr"), asked.loose
        gaps = privacy_gaps(units, asked)
        borders = sp.kron(sp.eye(self.k), sp.csr_matrix(crossings.borders[crossings.of]), "csr")
        self.single, bounds = self._over_cumulative(sp.vstack([gaps[~loose], -units], "csr"))
        self.terms, of_terms = self._over_cumulative(sp.vstack([borders, gaps[loose]], "csr"))
        self.losses = borders.shape[0]
        of_terms[: self.losses] += crossings.beside(problem.profiles)
        edges, edge = np.unique(asked.edge[loose], return_inverse=True)
        self._add_sums(problem.weights, of_terms[: self.losses], edge, asked.allowed[edges])
        self._pose(np.append(bounds, of_terms))

    def _over_cumulative(self, rows: sp.csr_matrix) -> tuple[sp.csr_matrix, Floats]:
        """Return rows over q as rows over C, and the bounds that they get by that."""
        found = sp.csr_matrix(rows @ self.expansion)
        found.data[abs(found.data) < NOTHING] = 0.0
        found.eliminate_zeros()
        return found, np.asarray(rows @ -self.constant)

    def _add_sums(self, weights: Floats, bounds: Floats, edge: Integers, allowed: Floats) -> None:
        """Add the sums of positive parts, of losses and of edges with a delta, to the rows or to what it costs."""
        each, crossings = sp.eye(self.k), self.crossings
        above, below = (sp.kron(each, one[None], "csr") for one in (crossings.above, crossings.below))
        direct, paid, limits = below @ -self.terms[: self.losses], above + below, below @ -bounds
        of_deltas, none = adding(edge, len(allowed)), sp.csr_matrix((len(allowed), direct.shape[1]))
        if self.worst:
            cost = np.append(np.zeros(direct.shape[1] + self.terms.shape[0]), 1.0)
        else:
            cost = np.concatenate([direct.T @ weights, paid.T @ weights, np.zeros(len(edge))])
            direct, paid, limits = direct[:0], paid[:0], limits[:0]
        self.sums, self.paid = sp.vstack([direct, none], "csr"), sp.block_diag([paid, of_deltas], "csr")
        self.limits = np.append(limits, allowed)
        self.of_largest = np.repeat([1.0, 0.0], [len(limits), len(allowed)])
        self.unit = float(abs(cost).max())
        self.cost = cost / self.unit

    def _pose(self, bounds: Floats) -> None:
        """Put the rows together."""
        own = -sp.eye(self.terms.shape[0], format="csr")
        largest = sp.csr_matrix(-self.of_largest[:, None])[:, : int(self.worst)]
        parts = [[self.single, None, None], [self.terms, own, None], [None, own, None], [self.sums, self.paid, largest]]
        self.matrix = sp.csr_matrix(sp.block_array(parts))
        self.bounds = np.concatenate([bounds, np.zeros(own.shape[0]), self.limits])
