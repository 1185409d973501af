"""The program in the released distributions, with cuts: method "structured"."""

from functools import partial

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.objective.base import Cut
from mechdesign.objective.reachability import entry_prices
from mechdesign.problem import Problem, Solution
from mechdesign.program.program import Minimise, Program
from mechdesign.program.released import released_multipliers, released_program
from mechdesign.solver.clarabel import minimise_quadratic
from mechdesign.solver.highs import minimise_inside
from mechdesign.stopwatch import announce

TOLERANCE = 1e-12
"""Constraints left out and violated by less than this are left to the repair."""

BINDING = 1e-12
"""How far below its bound a row may be to be taken to bind."""

SETTLED = 1e-11
"""A value that changes by less from one round to the next, relatively, has settled."""

ROUNDS, COARSE_ROUNDS = 500, 10

SMALL = 5_000
"""Up to so many rows, one round with all of them beats many quick ones."""

NEARLY = 0.1
"""What is within this share of an output's mean probability of binding comes with the rows that are violated, ..."""

FEW_NEAR = 0.25
"""... if these are so few beside the rows there are: they cost less than another round."""

MARGIN, FEW = 0.02, 0.02
"""What is within this share of an output's mean probability of binding may soon; what share of the rows is few."""


def solve_structured(
    problem: Problem, minimise: Minimise | None = None, *, roughly: bool = False, tolerance: float = TOLERANCE
) -> Solution:
    """Return an optimum over the released distributions, with its multipliers.

    Without `minimise` it takes Clarabel, the more accurate; only where the largest off-diagonal entry counts, so that
    there are reachability cuts, which are wide, HiGHS for programs of more than `highs.MANY_ROWS` rows.
    `roughly` ends when the value has settled: value and multipliers will do, but some constraints are violated yet.

    Raises
    ------
    SolverError
        if the solver stops without an optimum, or cuts keep coming.
    """
    usual = minimise_inside if problem.objective.by_cuts else minimise_quadratic
    program, x, duals, cuts = solve_with_cuts(problem, None, minimise or usual, roughly=roughly, tolerance=tolerance)
    privacy = released_multipliers(problem, program, duals)
    weights = duals[program.blocks["objective"]]
    multipliers = problem.objective.multipliers(privacy, weights, partial(entry_prices, problem.profiles, cuts))
    return Solution(float(program.cost @ x), released_part(problem, x), multipliers=multipliers)


def released_part(problem: Problem, x: Floats) -> Floats:
    """Return the released distributions within a solution x of the released program."""
    k, m = len(problem.profiles), problem.outputs
    return x[: k * m].reshape(k, m)


def solve_with_cuts(
    problem: Problem,
    level: float | None,
    minimise: Minimise = minimise_inside,
    *,
    weight: float | None = None,
    coarsely: Minimise | None = None,
    near: Floats | None = None,
    roughly: bool = False,
    tolerance: float = TOLERANCE,
) -> tuple[Program, Floats, Floats, list[Cut]]:
    """Solve the released program with few of its rows, add those that the answer violates, and repeat.

    Without `level` or `weight` it minimises the objective; with one, the distance from the targets. It starts with the
    rows that the targets violate and those that bind at the released distributions `near` the answer, if any are known.
    Where rows may be left out it minimises `coarsely`, if it can, as long as many come, and then keeps only those that
    nearly bind: they tie little together, and what falls apart is factorised fast. `roughly` ends when the value has
    settled. Returns the last program, its solution and multipliers, and the cuts in it.
    """
    part = _Part(problem, level, weight, near)
    coarsely = coarsely if part.wanted.size else None
    before = np.inf
    for number in range(ROUNDS):
        program, cuts, kept = part.program, list(part.cuts), part.kept
        announce(f"{'solve' if level is weight is None else 'canonical'}, round {number + 1}: {kept.sum()} rows")
        x, duals = (coarsely or minimise)(program.restricted(kept, part.floored))
        value = float(program.cost @ x)
        found = part.forget(x) if coarsely else part.add(x, tolerance)
        settled = roughly and abs(value - before) <= SETTLED * abs(value)
        if coarsely is None and (found == 0 or settled):
            multipliers = np.zeros(len(kept))
            multipliers[kept] = duals
            return program, x, multipliers, cuts
        before = value
        coarsely = coarsely if found > FEW * len(duals) and number < COARSE_ROUNDS else None
    raise SolverError(f"the reachability cuts did not end within {ROUNDS} rounds")


class _Part:
    """Part of the released program: without most reachability cuts, privacy of pairs and floors, until violated."""

    def __init__(self, problem: Problem, level: float | None, weight: float | None, near: Floats | None) -> None:
        self.problem, self.level = problem, level
        # Held to a level few sets bind as a rule; but a point mass has no others than its single outputs.
        points = np.count_nonzero(problem.profiles, axis=1) == 1
        self.cuts = dict.fromkeys(
            cut for cut in problem.objective.first_cuts(problem) if level is None or points[cut[0]]
        )
        self._released_program = partial(released_program, problem, level=level, weight=weight)
        self.program = self._released_program(self.cuts)
        large = len(self.program.upper) > SMALL
        # Without curvature wide cuts tie everything together anyway: leaving rows out costs more rounds than it saves.
        names = ("strict", "loose") if large and (level is not None or not problem.objective.by_cuts) else ()
        self._names = [name for name in names if name in self.program.blocks]
        target = self._extended(problem.target_in_doubles)
        self.wanted = self._excess(target) > 0
        if near is not None:
            self.wanted |= self._excess(self._extended(near)) > -BINDING
        self.floored = (target <= 0) | (self.program.curvature is None)

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Which rows of the program are in this part of it."""
        kept = np.ones(len(self.program.upper), dtype=bool)
        kept[self._optional] = self.wanted
        return kept

    def add(self, x: Floats, tolerance: float) -> int:
        """Add what x violates; return how many rows and floors these are."""
        excess = self._excess(x)
        missed = (excess > tolerance) & ~self.wanted
        near = (excess > -NEARLY / self.problem.outputs) & ~self.wanted
        few = near.sum() <= FEW_NEAR * self.kept.sum()
        self.wanted |= near if few and missed.any() else missed
        return int(missed.sum()) + self._add_cuts(x, 10 * tolerance) + self._add_floors(x, tolerance)

    def forget(self, x: Floats) -> int:
        """Add what x nearly violates, and leave out all optional rows that it does not; return how many are new."""
        margin = MARGIN / self.problem.outputs
        binding = self._excess(x) > -margin
        missed = binding & ~self.wanted
        self.wanted = binding
        return int(missed.sum()) + self._add_cuts(x, -margin) + self._add_floors(x, TOLERANCE)

    def _add_cuts(self, x: Floats, allowed: float) -> int:
        level = float(self.program.cost @ x) if self.level is None else self.level
        released = released_part(self.problem, x)
        violated = self.problem.objective.violated_cuts(self.problem, released, level, allowed)
        fresh = [cut for cut in violated if cut not in self.cuts]
        if fresh:
            self.cuts.update(dict.fromkeys(fresh))
            self.program = self._released_program(self.cuts)
        return len(fresh)

    def _add_floors(self, x: Floats, tolerance: float) -> int:
        below = (x < self.program.floor - tolerance) & ~self.floored
        self.floored |= below
        return int(below.sum())

    def _extended(self, released: Floats) -> Floats:
        """Return a point of the program with these released distributions, and nothing else in it."""
        x = np.zeros(len(self.program.cost))
        x[: released.size] = released.ravel()
        return x

    @property
    def _optional(self) -> npt.NDArray[np.int64]:
        """The rows that may be left out: the privacy of single pairs, in a large program."""
        parts = [self.program.blocks[name] for name in self._names]
        return np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(part.start, part.stop) for part in parts)])

    def _excess(self, x: Floats) -> Floats:
        """Return how far the optional rows are above their bounds at x."""
        return self.program.excess(x)[self._optional]
