"""The program in the released distributions, solved by cutting planes.

Most of its constraints do not bind at the optimum. It starts with a relaxation that has few of them, adds those that
the relaxation's optimum violates, and repeats until none is violated.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.objective.base import Cut
from mechdesign.objective.reachability import alike_prices, entry_prices
from mechdesign.privacy.cover import nearly_implied
from mechdesign.problem import NEAR, Problem
from mechdesign.program.compiler import kept_multipliers
from mechdesign.program.program import Program
from mechdesign.program.released_program import (
    released_multipliers,
    released_part,
    released_point,
    released_program,
    with_cuts,
)
from mechdesign.program.tolerances import DETOUR, FEW_NEW, MOST_ROUNDS, NEARLY_BINDS, VIOLATION
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.closest import Rounds
from mechdesign.solver.minimise import MANY_ROWS, Wanted, minimise
from mechdesign.solver.stopping import accuracy_for, offer
from mechdesign.solver.vertices import Basis
from mechdesign.stopwatch import announce


def solve_by_cuts(problem: Problem, wanted: Wanted = Wanted.ANY, *, at_once: bool = False) -> tuple[Solution, Minimum]:
    """Return an optimum over the released distributions with its multipliers, and both as those of the whole program.

    All rows of pairs may come `at_once`.

    Raises
    ------
    SolverError
        if the solver stops without an optimum, or cuts keep coming.
    """
    program, found, cuts = solve_with_cuts(problem, None, wanted, at_once=at_once)
    return solution_of(problem, program, found, cuts), found


def solution_of(problem: Problem, program: Program, found: Minimum, cuts: Sequence[Cut] = ()) -> Solution:
    """Return an answer to the released program as a solution, with its multipliers."""
    x, duals = found.columns, found.multipliers
    privacy = released_multipliers(problem, program, duals)
    weights = duals[program.blocks["objective"]]
    multipliers = problem.objective.multipliers(privacy, weights, partial(_entry_prices, problem, cuts))
    multipliers = replace(multipliers, kept=kept_multipliers(program, duals))
    return Solution(
        float(program.cost @ x),
        released_part(problem, x),
        multipliers=multipliers,
        way="cutting planes",
        program=lambda: program,
        columns=x,
    )


def _entry_prices(problem: Problem, cuts: Sequence[Cut], weights: Floats) -> Floats:
    prices = entry_prices(problem.profiles, cuts, weights)
    return alike_prices(prices, problem.variables)


def solve_with_cuts(
    problem: Problem,
    level: float | None,
    wanted: Wanted = Wanted.ANY,
    *,
    near: Floats | None = None,
    guess: Floats | None = None,
    at_once: bool = False,
) -> tuple[Program, Minimum, list[Cut]]:
    """Solve the released program by cutting planes; return the last relaxation, its minimiser and cuts.

    Without `level` it minimises the objective; with one, the distance from the targets. It starts with the rows that
    the targets violate and, as a warm start, those that bind at released distributions `near` the answer; or, in place
    of both, with the rows and cuts that nearly bind at a `guess` answer, and its first rounds are coarse. Where most
    rows bind they may come `at_once`.

    Of classes of which some rows are left out, the solution is an inner point where a vertex is wanted, and only the
    multipliers are those of a vertex: of this relaxation, so that they are the whole program's, as its optimum is.

    The fewer rows join the columns of different profiles and outputs, the sparser is the factor of the linear systems
    that the solver has to solve, and the faster it is.
    """
    relaxation = _Relaxation(problem, level, near, at_once)
    if wanted is Wanted.ANY and level is None and relaxation.gets_cuts:
        wanted = Wanted.INNER  # each cut touches many columns, which makes Clarabel's factors dense
    if guess is not None:
        relaxation.keep_binding(relaxation.extended(guess))
    start: Basis | None = None
    rounds = Rounds(coarse=guess is not None)
    for number in range(MOST_ROUNDS):
        program, cuts, kept = relaxation.program, list(relaxation.cuts), relaxation.kept
        announce(f"{'solve' if level is None else 'canonical'}, round {number + 1}: {kept.sum()} rows")
        part = program.restricted(kept, relaxation.floored)
        # Cuts go deepest from inner points, which need be good to the root of this alone. Solved again where they are
        # off by 5e-11, to a vertex, the rounds of a ring of 200 profiles and 200 categories take over 100 s, not 8 s.
        accuracy = NEAR**2 if wanted is Wanted.INNER else 0.0
        accuracy = rounds.accuracy if level is not None else max(accuracy, accuracy_for(problem))
        # Few rows of classes bind where most pairs are required, and inner points violate more of them at once than
        # vertices do, with which grid-15x15 of benchmarks/targets.py takes 19 s, not 10 s.
        inner = wanted is Wanted.VERTEX and problem.alike is not None and not kept.all()
        answer = minimise(part, Wanted.ANY if inner else wanted, accuracy=accuracy, start=start)
        x = answer.columns
        if rounds.leave_out:
            relaxation.leave_out(x)
        new = relaxation.add_violated(x)
        if rounds.are_over(new, kept.sum()):
            priced = minimise(part, wanted) if inner and not accuracy else answer
            found = Minimum(x, priced.multipliers, max(answer.error, priced.error))
            return program, found.among(kept), cuts
        if level is None:
            offer(problem, partial(solution_of, problem, program, answer.among(kept), cuts))
        else:
            offer(problem, partial(Solution, level, released_part(problem, x), way="cutting planes"))
        few = new <= FEW_NEW * kept.sum()
        start = answer.basis.of(kept, relaxation.kept) if wanted is Wanted.VERTEX and few and answer.basis else None
    raise SolverError(f"the reachability cuts did not end within {MOST_ROUNDS} rounds")


def values_on_tree(problem: Problem) -> bool:
    """Return whether each profile is a single value, and the edges a tree: long chains of e^-epsilon.

    They are for no solver, and where rows are added as they are violated, each round takes one step along a chain.
    """
    return problem.has_single_values and len(problem.whole.required) < len(problem.whole.exact)


class _Relaxation:
    """The released program without the reachability cuts, rows of pairs and floors that no answer has violated yet."""

    def __init__(
        self,
        problem: Problem,
        level: float | None,
        near: Floats | None,
        at_once: bool = False,
    ) -> None:
        self.problem, self.level, self._margin = problem, level, NEARLY_BINDS / problem.outputs
        # With the objective held to a level, few cuts bind as a rule, so that it starts without any. But of a point
        # mass those of single outputs imply all others, and all of them may bind.
        self.cuts = dict.fromkeys(
            cut for cut in problem.objective.first_cuts(problem) if level is None or problem.single[cut[0]]
        )
        self._released_program = partial(released_program, problem, level=level)
        self.program = self._released_program(self.cuts)
        # One round with all rows takes less than several, if they are few; along chains one round finds one more value.
        large = len(self.program.upper) > MANY_ROWS and not at_once and not values_on_tree(problem)
        # While the largest off-diagonal entry is minimised, its column is in every cut, and the factor is dense with
        # few rows of privacy too: leaving them out would only cost rounds.
        names = ("strict", "loose") if large and (level is not None or not problem.objective.by_cuts) else ()
        self._names = [name for name in names if name in self.program.blocks]
        target = self.extended(problem.target_in_doubles)
        self.wanted = (self._excess(target) > 0) | self._direct
        if near is not None:
            self.wanted |= self._excess(self.extended(near)) > -VIOLATION
        self.floored = (target <= 0) | (self.program.curvature is None)

    @property
    def gets_cuts(self) -> bool:
        """Whether cuts are added as they are violated; of single values all that count are there.

        With an inner point of these too "count 100x100, largest entry, epsilon 0.1, delta 1e-9" of benchmarks/cliffs.py
        takes 2.2 s of processor time, not 0.9 s.
        """
        return self.problem.objective.by_cuts and not self.problem.has_single_values

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Which rows of the program are in this part of it."""
        kept = np.ones(len(self.program.upper), dtype=bool)
        kept[self._optional] = self.wanted
        return kept

    def add_violated(self, x: Floats) -> int:
        """Add the rows, cuts and floors that x violates; return how many they are."""
        excess = self._excess(x)
        missed = (excess > VIOLATION) & ~self.wanted
        self.wanted |= missed
        return int(missed.sum()) + self._add_cuts(x, VIOLATION) + self._add_floors(x)

    def leave_out(self, x: Floats) -> None:
        """Leave out the optional rows that do not nearly bind."""
        self.wanted &= self._excess(x) > -self._margin

    def keep_binding(self, x: Floats) -> None:
        """Keep only the optional rows that x violates or nearly violates, with such cuts."""
        self.wanted = self._excess(x) > -self._margin
        self._add_cuts(x, -self._margin)
        self._add_floors(x)

    def _add_cuts(self, x: Floats, allowed: float) -> int:
        if not self.gets_cuts:
            return 0
        level = float(self.program.cost @ x) if self.level is None else self.level
        released = released_part(self.problem, x)
        violated = self.problem.objective.violated_cuts(self.problem, released, level, allowed)
        fresh = [cut for cut in violated if cut not in self.cuts and not self.problem.single[cut[0]]]
        if fresh:
            earlier = len(self.cuts)
            self.cuts.update(dict.fromkeys(fresh))
            self.program = with_cuts(self.problem, self.program, earlier, fresh, self.level)
        return len(fresh)

    def _add_floors(self, x: Floats) -> int:
        below = (x < self.program.floor - VIOLATION) & ~self.floored
        self.floored |= below
        return int(below.sum())

    def extended(self, released: Floats) -> Floats:
        """Return a point of the program with these released distributions."""
        return released_point(self.problem, self.program, released)

    @property
    def _optional(self) -> npt.NDArray[np.int64]:
        """The numbers of the rows that may be left out: those of pairs, in a large program."""
        parts = [self.program.blocks[name] for name in self._names]
        return np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(part.start, part.stop) for part in parts)])

    @property
    def _direct(self) -> npt.NDArray[np.bool_]:
        """Which optional rows no detour nearly implies, while a loss is minimised: most of these bind somewhere.

        Of classes all are taken for such; where most pairs are required only those with a delta, without which "values
        in all pairs 30x30, worst absolute, epsilon 0.5, delta 1e-6" of benchmarks/cliffs.py takes 20 s of processor
        time, not 2.3 s.
        """
        if self.level is not None or not self._names:
            return np.zeros(len(self._optional), dtype=bool)
        asked = self.problem.inequalities
        if self.problem.alike is not None:
            return np.sort(asked.loose) | (not self.problem.whole.requires_most_pairs)
        pairs = self.problem.independent_pairs
        direct = ~nearly_implied(pairs, len(self.problem.exact), DETOUR)[asked.edge // 2]
        return np.concatenate([direct[~asked.loose], direct[asked.loose]])

    def _excess(self, x: Floats) -> Floats:
        """Return how far the optional rows are above their bounds at x."""
        return self.program.excess(x)[self._optional]
