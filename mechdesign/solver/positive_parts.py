"""Limits on sums of positive parts, a row for each, and which of their terms have slacks: deltas of edges, and losses.

With columns of its own for the transport of each loss that is above the level, "half zeros 200x20, worst absolute,
epsilon 0.1, delta 0" of benchmarks/cliffs.py takes 16 s of processor time, not 9 s.
"""

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.objective.base import scale_at
from mechdesign.objective.loss import Crossings, from_middle
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.program.released_program import Flags


class PositiveParts:
    """Limits sum_t weight_t (max(0, g_t) - share_t g_t) <= most over some terms g_t = (matrix x)_(of_t) - least_t.

    With a share of 1/2 it is half of their sizes. Where limits are `shifted`, each may first take one number, the best
    for it, from all of its terms, of which all have equally many. The sums are multiplied by a `scale`.

    In the row of a limit some terms are `sure` to be above 0, others are `open` and have a slack each. If an answer is
    above the limit, the terms that the row counts wrongly are open from then on, until they are clearly above or below
    0. With a slack for every term "sharp 200x20, worst absolute, epsilon 0.5, delta 0.05" of benchmarks/cliffs.py takes
    66 s of processor time, not 14 s.
    """

    def __init__(
        self,
        matrix: sp.csr_matrix,
        least: Floats,
        limit: Integers,
        most: Floats,
        *,
        of: Integers,
        weights: Floats | float = 1.0,
        share: Floats | float = 0.0,
        scale: float = 1.0,
        shifted: bool = False,
    ) -> None:
        self._matrix, self._least, self._limit, self._most = matrix, least, limit, most
        self._each = sp.csr_matrix((np.ones(len(of)), (np.arange(len(of)), of)), shape=(len(of), matrix.shape[0]))
        self._weights, self._share = np.broadcast_to(weights, len(least)), np.broadcast_to(share, len(least))
        self._shifted, self._scale = shifted, scale
        self._there = np.ones(len(most), dtype=bool)
        self._sure, self._open = np.zeros(len(least), dtype=bool), np.ones(len(least), dtype=bool)

    def __len__(self) -> int:
        return int(self._there.sum())

    def leave_out(self, x: Floats, margin: float) -> None:
        """Leave out the limits that are not nearly reached; of the others those terms stay open that are near 0."""
        terms = self._terms(x)
        self._there &= self._above(terms) > -margin
        there, sure = self._there[self._limit], self._sure | (self._open & (terms > margin))
        self._open = there & ((self._open & (abs(terms) <= margin)) | self._middle(terms))
        self._sure = there & sure & ~self._open

    def add_violated(self, x: Floats, allowed: float) -> int:
        """Let limits count that are exceeded by more than is allowed; return for how many that changes the row."""
        terms = self._terms(x)
        above, middle = self._above(terms) > allowed, self._middle(terms)
        new, known = above & ~self._there, (above & self._there)[self._limit]
        first, turned = new[self._limit], known & ~self._open & (((terms > 0) != self._sure) | middle)
        self._open |= turned | (first & middle)
        self._sure = (self._sure | (first & (terms > 0))) & ~self._open
        self._there |= new
        return int(new.sum()) + len(np.unique(self._limit[turned]))

    def rows(self) -> tuple[sp.csr_matrix, sp.csr_matrix, Floats]:
        """Return the rows in x, in columns of their own, which are at least 0, and their upper bounds."""
        place, opened = np.cumsum(self._there) - 1, np.flatnonzero(self._open)
        weights, where = self._weights * (self._sure - self._share) * self._scale, place[self._limit]
        counted = np.flatnonzero(self._there[self._limit] & (weights != 0))
        sums = self._by_limit(where[counted], counted, weights[counted], len(self._least))
        added = self._by_limit(where[opened], np.arange(len(opened)), self._scale * self._weights[opened], len(opened))
        among = sp.vstack([self._each[opened], sums @ self._each]) @ self._matrix
        own = sp.vstack([-sp.identity(len(opened)), added], format="csr")
        bounds = np.concatenate([self._least[opened], self._scale * self._most[self._there] + sums @ self._least])
        if not self._shifted:
            return among, own, bounds
        shift = -sp.vstack([added.T != 0, sp.diags_array(sums @ np.ones(len(self._least)))], format="csr")
        # A column is at least 0; it is the number that is taken from all terms and 1, which is the most that crosses.
        return among, sp.hstack([own, shift], format="csr"), bounds + shift @ np.ones(len(self))

    def _by_limit(self, where: Integers, columns: Integers, entries: Floats, width: int) -> sp.csr_matrix:
        return sp.csr_matrix((entries, (where, columns)), shape=(len(self), width))

    def _terms(self, x: Floats) -> Floats:
        terms = np.array(self._each @ (self._matrix @ x) - self._least)
        return from_middle(terms.reshape(len(self._most), -1)).ravel() if self._shifted else terms

    def _middle(self, terms: Floats) -> Flags:
        """Return which terms are always open: the two in the middle of a limit that is shifted, which determine how."""
        middle = np.zeros(len(terms), dtype=bool)
        if self._shifted:
            order = np.argsort(terms.reshape(len(self._most), -1), axis=1)
            half, first = order.shape[1] // 2, np.arange(0, len(terms), order.shape[1])
            middle[first[:, None] + order[:, max(0, half - 1) : half + 1]] = True
        return middle

    def _above(self, terms: Floats) -> Floats:
        parts = self._weights * (np.maximum(0.0, terms) - self._share * terms)
        return np.array(np.bincount(self._limit, parts, len(self._most)) - self._most)


def limits_of_deltas(asked: Inequalities, gaps: sp.csr_matrix) -> PositiveParts:
    """Return the limits of edges with a delta: sum_y max(0, q^a_y / E - q^b_y) <= delta / E."""
    loose, edges = np.flatnonzero(asked.loose), np.flatnonzero(asked.loose_edges)
    limit = np.searchsorted(edges, asked.edge[loose])
    return PositiveParts(gaps[loose], np.zeros(len(loose)), limit, asked.allowed[edges], of=np.arange(len(loose)))


def limits_of_crossings(
    crossings: Crossings, profiles: Floats, level: float, who: Integers, width: int
) -> PositiveParts:
    """Return the limits of some profiles' losses at a level, by what crosses borders."""
    n, terms = len(who), len(crossings.of)
    chosen = sp.csr_matrix((np.ones(n), (np.arange(n), who)), shape=(n, len(profiles)))
    matrix = sp.csr_matrix(sp.kron(chosen, crossings.borders))
    matrix.resize(matrix.shape[0], width)
    weights = crossings.above + crossings.below
    unit = weights.max(initial=0.0) or 1.0
    of = np.arange(n)[:, None] * len(crossings.borders) + crossings.of
    return PositiveParts(
        matrix,
        crossings.beside(profiles[who]),
        np.repeat(np.arange(n), terms),
        np.full(n, level / unit),
        of=of.ravel(),
        weights=np.tile(weights / unit, n),
        share=np.tile(crossings.below / weights, n),
        scale=scale_at(level / unit),
        shifted=crossings.around,
    )
