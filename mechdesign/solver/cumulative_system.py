"""The linear systems of a program in cumulative coordinates: a chain of dense blocks, one for each output.

With C_y in the order of the outputs, M^T W M is block tridiagonal, once each u is eliminated, which is in one row with
them: its row and its floor, of weights w and f, have together the weight w f / (w + f). Rows of losses and what is to
be at least each of them, T, come last. Cholesky factors of the blocks take m k^3 operations, however many edges there
are, and are accurate also where weights are far apart; inverses would not be.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import blas, lapack

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.solver.cumulative_program import CumulativeProgram


class CumulativeSystem:
    """A program's system for some weights of its rows."""

    def __init__(self, program: CumulativeProgram, weights: Floats) -> None:
        self._program = program
        count = program.rows.shape[0]
        rows, floors, losses = np.split(weights, [count, count + len(program.costs)])
        self._own = rows[program.first :]
        self._both = self._own + floors
        eliminated = np.concatenate([rows[: program.first], self._own * floors / self._both])
        self._factors, self._beside, self._losses = list[Floats](), list[Floats](), list[Floats]()
        among = None
        if program.worst:
            coupling = program.terms.T @ (self._own * program.costs / self._both)
            among = program.direct + coupling.reshape(program.n, program.k)
        self._eliminate(*program.blocks(eliminated), among)
        if program.worst:
            own = 1 / losses + np.bincount(program.who, program.costs**2 / self._both, program.k)
            joint = np.diag(own) + sum(one.T @ one for one in self._losses)
            self._joint = _cholesky(joint, joint.diagonal())
            self._common = self._by_joint(np.ones(program.k))

    def _eliminate(self, diagonal: Floats, beside: Floats, among: Floats | None) -> None:
        """Factor the chain, one output after the other; `among` has the coefficients of its columns in the losses."""
        for y, block in enumerate(diagonal):
            before = block.diagonal().copy()
            left = block - self._beside[-1].T @ self._beside[-1] if y else block
            factor = _cholesky(left, before)
            if among is not None:
                right = np.asfortranarray(np.diag(among[y]))
                if y:
                    right -= self._beside[-1].T @ self._losses[-1]
                self._losses.append(blas.dtrsm(1.0, factor, right, lower=1, overwrite_b=1))
            self._factors.append(factor)
            if y < len(beside):
                self._beside.append(blas.dtrsm(1.0, factor, np.asfortranarray(beside[y]), lower=1))

    def solve(self, right: Floats) -> Floats:
        """Return the columns, cumulative probabilities, each u, and T if there is one, and what rows of losses have."""
        program, size = self._program, self._program.n * self._program.k
        of_u, rest = np.split(right[size:], [len(program.costs)])
        first = right[:size] + program.terms.T @ (self._own * of_u / self._both)
        found, losses, paid = self._forward(first.reshape(program.n, program.k)), np.zeros(0), np.zeros(len(of_u))
        if program.worst:
            known = np.bincount(program.who, program.costs * of_u / self._both, program.k) - rest[1:]
            known += sum(one.T @ each for one, each in zip(self._losses, found, strict=True))
            losses = self._by_joint(known)
            rest = np.array([(losses.sum() + rest[0]) / self._common.sum()])
            losses = losses - rest * self._common
            paid = program.costs * losses[program.who]
        columns = self._backward(found, losses)
        u = (of_u + self._own * (program.terms @ columns) - paid) / self._both
        return np.concatenate([columns, u, rest, losses])

    def _forward(self, right: Floats) -> list[Floats]:
        found = list[Floats]()
        for y, factor in enumerate(self._factors):
            left = right[y] - self._beside[y - 1].T @ found[-1] if y else right[y]
            found.append(blas.dtrsv(factor, left, lower=1))
        return found

    def _backward(self, found: Sequence[Floats], losses: Floats) -> Floats:
        columns = np.empty((len(found), self._program.k))
        for y in reversed(range(len(found))):
            left = found[y] - self._losses[y] @ losses if self._losses else found[y]
            if y < len(found) - 1:
                left = left - self._beside[y] @ columns[y + 1]
            columns[y] = blas.dtrsv(self._factors[y], left, lower=1, trans=1)
        return columns.ravel()

    def _by_joint(self, right: Floats) -> Floats:
        return np.asarray(blas.dtrsv(self._joint, blas.dtrsv(self._joint, right, lower=1), lower=1, trans=1))


def _cholesky(block: Floats, before: Floats) -> Floats:
    """Return the lower factor of a block, in Fortran's order.

    To the diagonal comes 1e-12, and the least share of what stood there `before` that makes the block definite: as much
    may rounding errors have left where others were eliminated.

    Raises
    ------
    SolverError
        if it is far from definite.
    """
    diagonal = block.diagonal().copy()
    for share in 10.0 ** np.arange(-15, -6):
        block.ravel()[:: len(block) + 1] = diagonal + 1e-12 + share * before
        factor, failed = lapack.dpotrf(block.T, lower=1, clean=1)
        if not failed:
            return np.asarray(factor)
    raise SolverError("the interior point's linear system is singular")
