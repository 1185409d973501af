"""The textbook program ([GC] (5)): every entry of every transition matrix is a variable.

Rows of categories that a profile never has are left out: they cost nothing and release nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem
from mechdesign.program.compiler import add_kept, compiled, privacy_gaps
from mechdesign.program.program import Program, RowBuilder


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the entries stand: `start[i, x]` is the column of A^i_x0, or -1 for a row that plays no part."""

    start: npt.NDArray[np.int64]
    entries: int

    @classmethod
    def of(cls, problem: Problem, groups: Sequence[int] | None = None) -> "Layout":
        """Number the rows that play a part, matrix by matrix; profiles of one group share one; default: all or none."""
        k, d = problem.profiles.shape
        if groups is None:
            groups = [0] * k if problem.shared else range(k)
        possible = np.zeros((max(groups) + 1, d), dtype=bool)
        np.logical_or.at(possible, list(groups), problem.possible)
        numbers = (np.cumsum(possible) - 1).reshape(possible.shape)
        start = np.where(possible, numbers * problem.outputs, -1)[list(groups)]
        return cls(start, int(possible.sum()) * problem.outputs)

    def released(self, problem: Problem) -> sp.csr_matrix:
        """Return the matrix that takes the entries to q: row i m + y is q^i_y = sum_x P_i(x) A^i_xy."""
        m = problem.outputs
        i, x = np.nonzero(problem.profiles)
        y = np.arange(m)
        row = (i[:, None] * m + y).ravel()
        column = (self.start[i, x][:, None] + y).ravel()
        mass = np.repeat(problem.profiles[i, x], m)
        return sp.csr_matrix((mass, (row, column)), shape=(len(problem.profiles) * m, self.entries))

    def category(self, m: int) -> npt.NDArray[np.int64]:
        """Return, for each matrix row that plays a part, its category."""
        used = self.start >= 0
        result = np.empty(self.entries // m, dtype=np.int64)
        result[self.start[used] // m] = np.nonzero(used)[1]
        return result

    def matrices(self, problem: Problem, x: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the transition matrices (k x d x m, or 1 x d x m); a row without part is its free output."""
        m, d = problem.outputs, problem.profiles.shape[1]
        count = 1 if problem.shared else len(problem.profiles)
        result = np.zeros((count, d, m), dtype=x.dtype)
        result[:, np.arange(d), problem.free] = 1
        for i in range(count):
            used = np.nonzero(self.start[i] >= 0)[0]
            result[i, used] = x[self.start[i, used][:, None] + np.arange(m)]
        return result


def transport_program(
    problem: Problem, *, level: float | None = None, groups: Sequence[int] | None = None
) -> tuple[Program, Layout]:
    """Return the program over all matrix entries.

    Without `level` it minimises the objective; with it the objective is held to at most `level`, and the sum of
    squares of the entries that distort (those off the free output) is minimised. `groups` as for `Layout.of`.
    """
    layout = Layout.of(problem, groups)
    m, n = problem.outputs, layout.entries
    asked = Inequalities.of(problem.required, m)
    rows = RowBuilder()
    rows.equal(sp.kron(sp.identity(n // m), np.ones((1, m))), 1.0)
    distorting = distorting_entries(problem, layout)
    problem.objective.add_entries(rows, problem, layout.start, distorting, level)
    nearest, released = None if level is None else (np.zeros(n), distorting), layout.released(problem)
    add_kept(rows, problem.kept, released)
    return compiled(rows, privacy_gaps(released, asked), asked, n + 1, n, nearest=nearest), layout


def distorting_entries(problem: Problem, layout: Layout) -> Floats:
    """Return 1 for each entry off its category's free output, 0 for the others."""
    m = problem.outputs
    result = np.ones(layout.entries)
    result[np.arange(layout.entries // m) * m + np.asarray(problem.free)[layout.category(m)]] = 0.0
    return result


def entry_weights(problem: Problem, layout: Layout, weights: Floats) -> Floats:
    """Return the weights of A^i_xy <= t, given one for each distorting entry, as tables like the matrices."""
    spread = np.zeros(layout.entries)
    spread[distorting_entries(problem, layout) > 0] = weights
    tables = layout.matrices(problem, spread)
    d = problem.profiles.shape[1]
    tables[:, np.arange(d), problem.free] = 0.0
    return tables
