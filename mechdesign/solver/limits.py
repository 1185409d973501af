"""Limits at a known level of the objective, as rows over the released distributions alone, and which of them count."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective.base import Cut
from mechdesign.objective.reachability import add_reach, violated_cuts
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.program.program import RowBuilder
from mechdesign.program.released_program import Flags
from mechdesign.program.tolerances import NEARLY_BINDS, VIOLATION


class Limits:
    """What a program lacks at a level: of a loss, whose program has `deltas`, the rest of privacy; without deltas, all.

    It is asked of released distributions, and of further values after them, each of which may be at most `most`.
    An edge with a delta is one row, sum_y max(0, q^a_y / E - q^b_y) <= delta / E, in which few outputs y count: some
    are `sure` to be above 0, others are `open` and have a slack each. If an answer violates the sum, those that the row
    counts wrongly are open from then on, until they are clearly above or below 0. With a slack for every output "sharp
    200x20, worst absolute, epsilon 0.5, delta 0.05" of benchmarks/cliffs.py takes 28 s of processor time, not 18 s, and
    with a row for each set of outputs that was found to violate it 55 s.
    """

    def __init__(
        self,
        problem: Problem,
        level: float,
        deltas: Sequence[Requirement] | None = None,
        most: Floats | Sequence[float] = (),
    ) -> None:
        self.problem, self.level, self._most = problem, level, np.array(most)
        self._reach, known = deltas is None, set(deltas or ())
        self._asked = Inequalities.of(
            [one for one in problem.required if not (one.delta and one in known)], problem.outputs
        )
        self._strict, self._open = np.flatnonzero(~self._asked.loose), self._asked.loose
        self._sure = np.zeros(len(self._open), dtype=bool)
        self._cuts: list[Cut] = []
        self._limited = np.zeros(len(self._most), dtype=bool)

    def __bool__(self) -> bool:
        return self._reach or bool(len(self._asked.above) + len(self._most))

    def __len__(self) -> int:
        return len(self._strict) + int(self._loose_edges.sum() + self._limited.sum()) + len(self._cuts)

    def leave_out(self, values: Floats, share: float = NEARLY_BINDS, *, strict: bool = True) -> None:
        """Leave out what is not within this share of an output of binding at these values.

        Of edges with a delta those outputs alone stay open that are as near to 0. Without `strict`, those without stay.
        """
        asked, gaps = self._asked, self._asked.gaps(values)
        margin = share / self.problem.outputs
        near = (asked.beyond(gaps) > -margin)[asked.edge]
        if strict:
            self._strict = self._strict[gaps[self._strict] > -margin]
        self._sure = near & (self._sure | (self._open & (gaps > margin)))
        self._open = near & self._open & (abs(gaps) <= margin)
        self._limited &= values[self._size :] - self._most > -margin
        matrix, bounds = self._of_cuts()
        binding = matrix @ values[: self._size] - bounds > -margin
        self._cuts = [cut for cut, binds in zip(self._cuts, binding.tolist(), strict=True) if binds]

    def add_violated(self, values: Floats) -> int:
        """Let count what these values violate; return how many limits that changes."""
        asked, gaps = self._asked, self._asked.gaps(values)
        strict = np.setdiff1d(np.flatnonzero(~asked.loose & (gaps > VIOLATION)), self._strict)
        above = ((asked.beyond(gaps) > VIOLATION) & asked.loose_edges)[asked.edge]
        there, chosen = self._loose_edges[asked.edge], gaps > 0
        first = above & ~there & chosen
        turned = above & there & ~self._open & (chosen != self._sure)
        changed = len(np.unique(asked.edge[first | turned]))
        self._strict = np.concatenate([self._strict, strict])
        self._sure, self._open = (self._sure & ~turned) | first, self._open | turned
        limited = (values[self._size :] - self._most > VIOLATION) & ~self._limited
        self._limited |= limited
        cuts = self._violated_cuts(values) if self._reach else []
        self._cuts += cuts
        return len(strict) + changed + int(limited.sum()) + len(cuts)

    def rows(self) -> tuple[sp.csr_matrix, Floats]:
        """Return what counts as a matrix and its upper bounds; slacks of what is open are columns after the values."""
        asked, width = self._asked, self._size + len(self._most)
        opened, edges = np.flatnonzero(self._open), np.flatnonzero(self._loose_edges)
        alone, slacks = np.concatenate([self._strict, opened]), width + np.arange(len(opened))
        place = np.arange(len(alone))
        sums, sure = len(alone) + np.searchsorted(edges, asked.edge), np.flatnonzero(self._sure)
        entries = [
            (place, asked.above[alone], asked.factors[alone]),
            (place, asked.below[alone], -np.ones(len(alone))),
            (place[len(self._strict) :], slacks, -np.ones(len(opened))),
            (sums[sure], asked.above[sure], asked.factors[sure]),
            (sums[sure], asked.below[sure], -np.ones(len(sure))),
            (sums[opened], slacks, np.ones(len(opened))),
        ]
        row, column, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
        shape = len(alone) + len(edges), width + len(opened)
        privacy = sp.csr_matrix((value, (row, column)), shape=shape)
        cuts, reach = self._of_cuts()
        limited = np.flatnonzero(self._limited)
        costs = sp.identity(width, format="csr")[self._size + limited]
        for part in (cuts, costs):
            part.resize(part.shape[0], shape[1])
        bounds = [np.zeros(len(alone)), asked.allowed[edges], reach, self._most[limited]]
        return sp.vstack([privacy, cuts, costs], format="csr"), np.concatenate(bounds)

    @property
    def _size(self) -> int:
        return self.problem.target_in_doubles.size

    @property
    def _loose_edges(self) -> Flags:
        """Which edges with a delta have a row."""
        return np.bincount(self._asked.edge, self._sure | self._open, len(self._asked.edges)) > 0

    def _violated_cuts(self, values: Floats) -> list[Cut]:
        released, known = values[: self._size].reshape(-1, self.problem.outputs), set(self._cuts)
        found = violated_cuts(self.problem.profiles, released, self.level, VIOLATION)
        return [cut for cut in found if cut not in known]

    def _of_cuts(self) -> tuple[sp.csr_matrix, Floats]:
        if not self._cuts:
            return sp.csr_matrix((0, self._size)), np.zeros(0)
        rows = RowBuilder()
        add_reach(rows, self.problem.profiles, self._cuts, self.level)
        program = rows.program(np.zeros(self._size), np.zeros(self._size))
        return program.matrix, program.upper
