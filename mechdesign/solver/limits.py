"""Limits at a known level of the objective, as rows over the released distributions alone, and which of them count."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.objective.base import Cut
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.reachability import add_reach, violated_cuts
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem
from mechdesign.program.compiler import privacy_gaps
from mechdesign.program.program import RowBuilder
from mechdesign.program.tolerances import NEARLY_BINDS, VIOLATION
from mechdesign.solver.loss_cuts import LossCuts
from mechdesign.solver.positive_parts import PositiveParts, limits_of_crossings, limits_of_deltas


class Limits:
    """What a program lacks at a level: of privacy these inequalities; without any, all, and how far masses may reach.

    And the losses of the profiles `who`. It is asked of released distributions, and of further values after them, each
    of which may be at most `most`.
    """

    def __init__(
        self,
        problem: Problem,
        level: float,
        lacking: Inequalities | None = None,
        who: Integers | Sequence[int] = (),
        most: Floats | Sequence[float] = (),
    ) -> None:
        self.problem, self.level = problem, level
        self._reach = lacking is None
        asked = Inequalities.of(problem.required, problem.outputs) if lacking is None else lacking
        size = len(problem.sizes)
        everything = sp.identity(size + len(most), format="csr")
        gaps = privacy_gaps(everything, asked)
        self._matrix = sp.vstack([gaps[~asked.loose], everything[size:]], format="csr")
        self._most = np.concatenate([np.zeros(int((~asked.loose).sum())), most])
        self._there = np.arange(len(self._most))
        self._sums: list[PositiveParts | LossCuts] = [limits_of_deltas(asked, gaps)]
        if len(who):
            self._sums.append(_limits_of_losses(problem, level, np.asarray(who), size + len(most)))
        self._cuts: list[Cut] = []
        self._any = self._reach or len(self) + len(who) > 0

    def __bool__(self) -> bool:
        return self._any

    def __len__(self) -> int:
        return len(self._there) + sum(map(len, self._sums)) + len(self._cuts)

    def leave_out(self, values: Floats, share: float = NEARLY_BINDS, *, single: bool = True) -> None:
        """Leave out what is not within this share of an output of binding at these values.

        Without `single`, those limits stay that are no sums.
        """
        margin = share / self.problem.outputs
        if single:
            self._there = self._there[self._excess(values)[self._there] > -margin]
        for sums in self._sums:
            sums.leave_out(values, margin)
        matrix, bounds = self._of_cuts()
        binding = matrix @ values - bounds > -margin
        self._cuts = [cut for cut, binds in zip(self._cuts, binding.tolist(), strict=True) if binds]

    def add_violated(self, values: Floats) -> int:
        """Let count what these values violate; return how many limits that changes."""
        new = np.setdiff1d(np.flatnonzero(self._excess(values) > VIOLATION), self._there)
        self._there = np.concatenate([self._there, new])
        changed = sum(sums.add_violated(values, VIOLATION) for sums in self._sums)
        cuts = self._violated_cuts(values) if self._reach else []
        self._cuts += cuts
        return len(new) + changed + len(cuts)

    def rows(self) -> tuple[sp.csr_matrix, Floats]:
        """Return what counts as a matrix and its upper bounds; columns after the values are at least 0."""
        single = [(self._matrix[self._there], self._most[self._there]), self._of_cuts()]
        sums = [one.rows() for one in self._sums]
        among = sp.vstack([*(matrix for matrix, _ in single), *(matrix for matrix, _, _ in sums)])
        bounds = [*(bound for _, bound in single), *(bound for _, _, bound in sums)]
        without = sp.csr_matrix((sum(len(bound) for _, bound in single), 0))
        own = sp.block_diag([without, *(matrix for _, matrix, _ in sums)])
        return sp.hstack([among, own], format="csr"), np.concatenate(bounds)

    def _excess(self, values: Floats) -> Floats:
        return np.array(self._matrix @ values - self._most)

    def _violated_cuts(self, values: Floats) -> list[Cut]:
        released, known = values.reshape(-1, self.problem.outputs), set(self._cuts)
        found = violated_cuts(self.problem.profiles, released, self.level, VIOLATION)
        return [cut for cut in found if cut not in known]

    def _of_cuts(self) -> tuple[sp.csr_matrix, Floats]:
        width = self._matrix.shape[1]
        if not self._cuts:
            return sp.csr_matrix((0, width)), np.zeros(0)
        rows, nothing = RowBuilder(), np.zeros(width)
        add_reach(rows, self.problem.profiles, self._cuts, self.level)
        program = rows.program(nothing, nothing)
        return program.matrix, program.upper


def _limits_of_losses(problem: Problem, level: float, who: Integers, width: int) -> PositiveParts | LossCuts:
    """Return the limits of some profiles' losses at a level: by the formula of their least cost, or by any table."""
    assert isinstance(problem.objective, ByLoss)
    crossings = problem.objective.crossings(problem)
    if crossings is None:
        return LossCuts(problem, level, who, width)
    return limits_of_crossings(crossings, problem.profiles, level, who, width)
