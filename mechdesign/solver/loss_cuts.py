"""Limits on the losses of profiles, of any table, by cuts: what prices say of all that a profile releases.

Whatever a profile P releases, q costs it at least sum_x f_x P(x) + sum_y g_y q_y for prices f_x + g_y <= loss(x, y);
those of the cheapest plan say just what q costs. So a cut is one row without columns of its own, where a plan has one
for each category and output: with plans "chords 50x24, worst table, epsilon 0.1, delta 1e-6", seed 417 of
benchmarks/held_out.py, takes 9.2 s of processor time, not 3.3 s.
"""

import highspy
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.program.released_program import Flags
from mechdesign.solver.highs import careful_highs, run_highs


class LossCuts:
    """Limits on the losses of some profiles at a level, in units of the largest entry of the table."""

    def __init__(self, problem: Problem, level: float, who: Integers, width: int) -> None:
        assert problem.loss is not None
        unit = abs(problem.loss).max() or 1.0
        self._profiles, self._level = problem.profiles[who], level / unit
        self._range = float(np.ptp(problem.loss)) / unit
        self._transport, self._width = _Transport(problem.loss / unit), width
        self._places = who[:, None] * problem.outputs + np.arange(problem.outputs)
        self._of, self._prices, self._most = np.zeros(0, dtype=np.int64), np.zeros((0, problem.outputs)), np.zeros(0)
        self._priced_at, self._costs = np.zeros((len(who), problem.outputs)), np.full(len(who), np.inf)

    def __len__(self) -> int:
        return len(self._of)

    def leave_out(self, x: Floats, margin: float) -> None:
        """Leave out the cuts that are not nearly reached."""
        self._keep(self._above(x) > -margin)

    def add_violated(self, x: Floats, allowed: float) -> int:
        """Add a cut for each profile that loses more than is allowed above what its cuts say; return how many.

        Since a profile was priced, what it releases costs more by at most what has moved: most are not priced again.
        """
        known, before, released = np.zeros(len(self._profiles)), len(self), x[self._places]
        np.maximum.at(known, self._of, self._above(x))
        moved = abs(released - self._priced_at).sum(axis=1) / 2
        which = np.flatnonzero(self._costs + self._range * moved - self._level > known + allowed)
        if not len(which):
            return 0
        asked = zip(which.tolist(), self._profiles[which], released[which], strict=True)
        paid, prices = (np.array(side) for side in zip(*(self._transport.prices(*one) for one in asked), strict=True))
        self._costs[which] = paid + (prices * released[which]).sum(axis=1)
        self._priced_at[which] = released[which]
        self._of, self._prices = np.append(self._of, which), np.vstack([self._prices, prices])
        self._most = np.append(self._most, self._level - paid)
        new = self._above(x)[before:] > known[which] + allowed
        self._keep(np.append(np.ones(before, dtype=bool), new))
        return len(self) - before

    def rows(self) -> tuple[sp.csr_matrix, sp.csr_matrix, Floats]:
        """Return the rows in x, no columns of their own, and their upper bounds."""
        row, y = np.nonzero(self._prices)
        entries = self._prices[row, y], (row, self._places[self._of[row], y])
        matrix = sp.csr_matrix(entries, shape=(len(self), self._width))
        return matrix, sp.csr_matrix((len(self), 0)), self._most

    def _above(self, x: Floats) -> Floats:
        return np.asarray((self._prices * x[self._places[self._of]]).sum(axis=1) - self._most)

    def _keep(self, which: Flags) -> None:
        self._of, self._prices, self._most = self._of[which], self._prices[which], self._most[which]


class _Transport:
    """Cheapest plans from profiles to what they release: from a profile's last basis the simplex method goes on."""

    def __init__(self, loss: Floats) -> None:
        (d, m), self._loss = loss.shape, loss
        leaving, arriving = sp.kron(sp.identity(d), np.ones(m)), sp.kron(np.ones(d), sp.identity(m), "csr")
        matrix = sp.vstack([leaving, arriving[:-1]], format="csr")  # the last output's row follows from the others
        rows, columns = np.zeros(d + m - 1), np.zeros(d * m)
        program = Program(loss.ravel(), matrix, rows, rows, columns, None, {})
        self._highs = careful_highs(program, 0.0, {"solver": "simplex", "presolve": "off"})
        self._bases: dict[int, highspy.HighsBasis] = {}

    def prices(self, number: int, profile: Floats, released: Floats) -> tuple[float, Floats]:
        """Return what the prices of a numbered profile's cheapest plan ask of it in all, and of each output.

        Each is the highest that those of the other side allow, so that none is too high, however accurate HiGHS is.
        """
        q = np.maximum(released, 0.0)
        sums = np.append(profile, q[:-1] * profile.sum() / q.sum())
        self._highs.changeRowsBounds(len(sums), np.arange(len(sums), dtype=np.int32), sums, sums)
        if number in self._bases:
            self._highs.setBasis(self._bases[number])
        found = run_highs(self._highs)
        self._bases[number] = self._highs.getBasis()
        outputs = np.zeros(len(q)) if isinstance(found, str) else np.append(found[1][len(profile) :], 0.0)
        categories = (self._loss - outputs).min(axis=1)
        outputs = (self._loss - categories[:, None]).min(axis=0)
        return float(profile @ categories), outputs
