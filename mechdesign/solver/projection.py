"""The canonical optimum of the largest off-diagonal entry without factorisation, for large graphs.

With the entry held to the optimum t the canonical optimum is a projection: of all released distributions that are
private and within reach at t, those closest to the targets. Given multipliers of the rows that may bind, every
profile's is the projection of one point onto the simplex. The best multipliers are found by an accelerated gradient
method, whose steps cost the same for each profile on any graph. Once they have settled, conjugate gradients find those
of the rows that have any, with the outputs that have any mass, to the last digits. Profiles in no row release their
targets: rows are added as they are violated, so that only what their neighbours release can bring them in.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.privacy.requirement import both_ways
from mechdesign.problem import Problem
from mechdesign.solver.conjugate import conjugate_step, inner
from mechdesign.solver.dualised import Dualised
from mechdesign.solver.simplex import onto_simplex
from mechdesign.solver.structured import CUT_FACTOR, ROW_VIOLATION
from mechdesign.stopwatch import announce
from mechdesign.symmetry.quotient import Quotient

LEAST_ENTRIES = 6_000
"""Released probabilities from which on it is asked. Of random graphs with four edges for each profile and 20 categories
it takes half as long again as Clarabel for 200 profiles, two thirds for 400, and a sixth for 1,000."""

MOST_EDGES = 10
"""And edges for each profile up to which it is. Where all of 100 profiles are neighbours it does not end."""

SETTLED, STEPS, MORE_STEPS = 6, 50, 30
"""Rounds of gradient steps alone, their steps, and those of each round that follows, which conjugate gradients end.
With 20 more steps or 20 less each designs of benchmarks/ablate.py take as long."""

SHORT, LONG, NEAR = 150, 500, 3e-5
"""Conjugate gradient steps of a round, and those once rows are violated by less than the third. With 150 throughout
"random-chords 4000x20" takes 16 rounds, not 12, and of 20,000 profiles far more than 30."""

MOST_ROUNDS = 60
"""Rounds before it is given up; 4,000 profiles of 20 categories need 12, 1,000 of 50 categories 17."""

SHORTER, SHORTER_STEPS = 4, 8
"""By what a step of conjugate gradients that does not improve the dual value is divided, and how often."""

ROUNDING = 1e-14
"""A dual value changes by this share of it because of rounding errors; it is then the violations that decide."""

ACCEPTED = 1e-11
"""Rows may be violated by so much where another round does not halve it: rounding errors then allow no less."""

ASKED, NAMED = (4, 6, 8, 12, 16, 24, 32, 48), 12
"""After these rounds, if it has not ended, the profiles that pull most are named, so many of them: see `project`."""

Ask = Callable[[Sequence[int]], float]
"""From profiles to the level that they need, or the one there is if that is more."""


def suits(problem: Problem) -> bool:
    """Return whether the canonical optimum of a problem is found here.

    It is if the problem is large and its graph sparse, delta is 0 throughout, and the largest off-diagonal entry of
    matrices that profiles do not share is minimised.
    """
    plain = problem.objective.by_cuts and not problem.shared and problem.uncertain is None
    large = not isinstance(problem, Quotient) and problem.profiles.size >= LEAST_ENTRIES
    large = large and len(problem.required) <= MOST_EDGES * len(problem.exact)
    return plain and large and not any(edge.delta for edge in problem.required)


def project(problem: Problem, level: float, ask: Ask | None = None) -> Floats | None:
    """Return the released distributions closest to the targets, where no entry off the diagonal exceeds `level`.

    None, if they are not found. If there are none, the multipliers grow without end, most of all those near the
    profiles that need more than the level: these are named to `ask`, and the level is raised to what it answers.
    """
    search, before = _Search(problem, level), math.inf
    for number in range(1, MOST_ROUNDS + 1):
        search.climb(STEPS if number <= SETTLED else MORE_STEPS)
        if number > SETTLED:
            search.polish(LONG if before < NEAR else SHORT)
        worst = search.unsettled
        announce(f"canonical, round {number}: {len(search.rows.multipliers)} rows, violated by {worst:.0e}")
        new = search.add_violated(worst)
        if not new and (worst <= ROW_VIOLATION or before / 2 < worst <= ACCEPTED):
            return search.answer
        before = worst
        if ask is not None and number in ASKED:
            raised = ask(search.named())
            if raised > search.rows.level:
                search.raise_level(raised)
    return None


class _Search:
    """The multipliers found so far, with the distributions that they release."""

    def __init__(self, problem: Problem, level: float) -> None:
        self.rows = Dualised(problem.target_in_doubles, list(both_ways(problem.required)), level)
        self.released = self.rows.targets
        self._shifts = np.zeros(self.released.shape[1])
        self.rows.add_violated(self.released, 0.0, math.inf)

    @property
    def unsettled(self) -> float:
        """The most by which a row is violated, or a row with a multiplier does not bind."""
        return float(self._rest.max(initial=0.0))

    @property
    def answer(self) -> Floats:
        """What is released, k x m."""
        return np.ascontiguousarray(self.released.T)

    def add_violated(self, worst: float) -> int:
        """Add rows that are violated by what is left of those there are, or more; return how many are new."""
        share = worst / CUT_FACTOR
        return self.rows.add_violated(self.released, max(ROW_VIOLATION, share), max(CUT_FACTOR * ROW_VIOLATION, share))

    def raise_level(self, level: float) -> None:
        """Go on at another level."""
        self.rows.raise_level(level)
        self._move(self.rows.multipliers)

    def named(self) -> list[int]:
        """Return the profiles in the rows that are violated most for the multipliers that they have."""
        pull = self.rows.multipliers * np.maximum(self.rows.excess(self.released), 0.0)
        return sorted(np.argsort(-self.rows.touched(pull), kind="stable")[:NAMED].tolist())

    def climb(self, steps: int) -> None:
        """Take gradient steps with Nesterov's momentum, which is lost where it leads the wrong way.

        References
        ----------
        Beck and Teboulle 2009, A fast iterative shrinkage-thresholding algorithm: the steps.
        O'Donoghue and Candes 2015, Adaptive restart for accelerated gradient schemes: (13), the gradient scheme.
        """
        rows, last = self.rows, self.rows.multipliers
        at, speed = last, 1.0
        for _ in range(steps):
            released = self._released_by(at)
            new = np.maximum(at + rows.step * rows.excess(released), 0.0)
            change, faster = new - last, (1 + math.sqrt(1 + 4 * speed * speed)) / 2
            momentum = (speed - 1) / faster
            if inner((at - new) / rows.step, change) > 0:
                momentum, faster = 0.0, 1.0
            at, last, speed = new + momentum * change, new, faster
        self._move(last)

    def polish(self, steps: int) -> None:
        """Take the step by conjugate gradients, or the part of it that improves the dual value."""
        now, value, least = self.rows.multipliers, self._value, self.unsettled
        step, noise = conjugate_step(self.rows, self.released, steps), ROUNDING * value
        for _ in range(SHORTER_STEPS):
            self._move(np.maximum(now + step, 0.0))
            gain = self._value - value
            if gain > noise or (gain > -noise and self.unsettled < least):
                return
            step = step / SHORTER
        self._move(now)

    @property
    def _rest(self) -> Floats:
        """How much each row is violated or, if it has a multiplier, does not bind."""
        rows = self.rows
        moved = np.maximum(rows.multipliers + rows.step * rows.excess(self.released), 0.0) - rows.multipliers
        return np.array(abs(moved) / rows.step)

    @property
    def _value(self) -> float:
        """The value of the dual problem."""
        moved = (self.released - self.rows.targets).ravel()
        return inner(moved, moved) / 2 + inner(self.rows.multipliers, self.rows.excess(self.released))

    def _move(self, multipliers: Floats) -> None:
        self.rows.multipliers, self.released = multipliers, self._released_by(multipliers)

    def _released_by(self, multipliers: Floats) -> Floats:
        released, self._shifts = onto_simplex(self.rows.pulled(multipliers), self._shifts)
        return released
