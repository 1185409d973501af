"""The nearest design of the largest off-diagonal entry without factorisation, for large graphs.

With the entry held to the optimum t it is a projection: of all released distributions that are
private and within reach at t, those closest to the targets. Given multipliers of the rows that may bind, every
profile's is the projection of one point onto the simplex. The best multipliers are found by an accelerated gradient
method, whose steps cost the same for each profile on any graph. Once they have settled, conjugate gradients find those
of the rows that have any, with the outputs that have any mass, to the last digits. In large graphs few neighbourhoods
take longer than all others, and are settled alone, with the others held. Profiles in no row release their targets: rows
are added as they are violated, so that only what their neighbours release can bring them in.
"""

import math
from collections.abc import Callable, Sequence
from copy import copy

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.privacy.requirement import both_ways
from mechdesign.problem import Problem
from mechdesign.program.tolerances import MOST_ROUNDS, VIOLATION
from mechdesign.solver.ascent import Ascent
from mechdesign.solver.dualised import Dualised
from mechdesign.solver.priced_rows import Flags
from mechdesign.stopwatch import announce

LEAST_ENTRIES = 8_000
"""Released probabilities from which on it is asked. Of random graphs with four edges for each profile and 20 categories
it takes twice as long as Clarabel for 300 profiles, half as long for 600, and a fifth for 1,000."""

LEAST_PROFILES = 4
"""And profiles for each output from which on it is. With fewer, more profiles than a few ask for the optimum together,
and finding these takes most of the time: a ring of 100 profiles with 100 outputs takes 25 s of processor time, and 6 s
by Clarabel; 300 with 100 over 30 s, and 12 s; 400 with 100 30 s, and 21 s; but 1,000 with 20 2.0 s, and 2.5 s."""

OTHERWISE = 100_000
"""Released probabilities up to which the interior-point method solves the whole program where this does not end, or
does not suit it. On graphs with random edges it takes minutes for as many, and several times longer for twice as many.
"""

MOST_EDGES = 10
"""And edges for each profile up to which it is. Where all of 100 profiles are neighbours it does not end."""

GRADIENT_ROUNDS, STEPS, CONJUGATE = 6, 50, 150
"""Rounds of gradient steps alone, the steps of each round, and the conjugate gradient steps that end those that follow.
With 20 more steps or 20 less, designs of benchmarks/ablate.py take as long; with a third of the conjugate ones
"random-chords 1000x20" takes 3.5 s of processor time, not 2.8 s."""

TRIES, AROUND, SHARE = 2, 2, 0.1
"""How often in such a round the profiles with most left to settle are settled alone, with those so many edges around:
those with more than the share of the most that is left, or so few of them that with those around they are no more than
that share of all. Without it "random-chords 4000x20" takes 1.3 times as long; once a round, 1000x20 with an epsilon of
0.1 takes 18 s of processor time, not 10 s."""

ASKED_EVERY, MOST_PULL, NAMED = 4, 12, 100
"""After so many rounds each, if it has not ended, the profiles that pull most are named, so many of them; and those
around the first one, around one more each time, if they are no more than so many: see `project`.
Without those around, of "random-chords 300x20" and others with an epsilon of 0.1 the optimum is not found: there
several edges together ask for more than any one."""

Ask = Callable[[Sequence[int], Floats], float]
"""From profiles, and what all release so far, to the level that these need, or the one there is if that is more."""


def suits_projection(problem: Problem) -> bool:
    """Return whether the nearest design is found here: of large problems with more profiles than outputs."""
    k, m = problem.profiles.shape
    tall = k >= LEAST_PROFILES * m or k * m > OTHERWISE
    return k * m >= LEAST_ENTRIES and tall and is_projection(problem)


def is_projection(problem: Problem) -> bool:
    """Return whether the rows are those of `Dualised`, and few.

    They are if the graph is sparse, delta is 0 throughout, and the largest off-diagonal entry of matrices that profiles
    do not share is minimised. Of values alone the other way has bounds in place of cuts: for a count of 100 it takes
    less than a second, and this more than a minute.
    """
    plain = problem.objective.by_cuts and problem.is_local
    sparse = len(problem.required) <= MOST_EDGES * len(problem.profiles)
    fits = plain and sparse and not any(edge.delta for edge in problem.required)
    return fits and not problem.has_single_values


def first_rounds(problem: Problem, level: float) -> Floats | None:
    """Return what is released after the first rounds of `project`, without an end; None if it does not suit.

    From a tenth of `LEAST_ENTRIES` on it tells the interior-point method which rows to begin with. For a ring of 200
    profiles with 200 outputs that method then takes 13 s of processor time, not 50 s; "scaled 60x20" takes 4 s, not
    11.5 s.
    """
    if problem.profiles.size < LEAST_ENTRIES / 10 or not is_projection(problem):
        return None
    search = Projection(_rows(problem, level))
    for number in range(1, GRADIENT_ROUNDS + 1):
        search.improve(number)
        search.add_violated(search.ascent.unsettled)
    return search.answer


def project(problem: Problem, level: float, ask: Ask | None = None) -> tuple[Floats, bool]:
    """Return the released distributions closest to the targets, where no entry off the diagonal exceeds `level`.

    And whether they are found; if not, it is what was released when the search was given up. If there are none, the
    multipliers grow without end, most of all those near the profiles that need more than the level: these are named to
    `ask`, and the level is raised to what it answers.
    """
    search = Projection(_rows(problem, level))
    for number in range(1, MOST_ROUNDS + 1):
        search.improve(number)
        worst = search.ascent.unsettled
        announce(f"canonical, round {number}: {len(search.rows.multipliers)} rows, violated by {worst:.0e}")
        new = search.add_violated(worst)
        if not new and worst <= VIOLATION:
            return search.answer, True
        if ask is not None and number % ASKED_EVERY == 0:
            raised = ask(search.named(number // ASKED_EVERY), search.answer)
            if raised > level:
                level = raised
                search.raise_level(level)
    return search.answer, False


def _rows(problem: Problem, level: float) -> Dualised:
    return Dualised(problem.target_in_doubles, list(both_ways(problem.required)), level)


class Projection:
    """The rows found so far, and the ascent of their multipliers."""

    def __init__(self, rows: Dualised) -> None:
        self.rows = rows
        self.ascent = Ascent(rows, np.zeros(rows.targets.shape[1]))
        rows.add_violated(self.ascent.released, 0.0, math.inf)

    @property
    def answer(self) -> Floats:
        """What is released, k x m."""
        return np.ascontiguousarray(self.ascent.released.T)

    def improve(self, number: int) -> None:
        """Improve the multipliers, in the round of this number."""
        self.ascent.climb(STEPS)
        if number > GRADIENT_ROUNDS:
            self.ascent.polish(CONJUGATE)
            for _ in range(TRIES if self.rows.parts == 1 else 0):
                if self.ascent.unsettled > VIOLATION:
                    self._settle(self.rows.touched(self.ascent.rest))

    def add_violated(self, worst: float) -> int:
        """Add rows that are violated by a tenth of what those there are still are, or more; return how many are new."""
        least = max(VIOLATION, worst / 10)
        return len(self.rows.add_violated(self.ascent.released, least, least))

    def raise_level(self, level: Floats | float) -> None:
        """Go on at another level."""
        self.rows.raise_level(level)
        self.ascent.move(self.rows.multipliers)

    @property
    def pull(self) -> Floats:
        """How much each profile is in rows that are violated, each by the multiplier that it has."""
        rows = self.rows
        return rows.touched(rows.multipliers * np.maximum(rows.excess(self.ascent.released), 0.0))

    def named(self, count: int) -> list[int]:
        """Return the profiles that pull most, and those around."""
        order = np.argsort(-self.pull, kind="stable")
        around = self._around(order[:count], NAMED)
        return sorted({*order[:MOST_PULL].tolist(), *(around.tolist() if len(around) <= NAMED else ())})

    def only(self, chosen: Flags) -> "Projection":
        """Return the search for these profiles alone, which no edge joins to others."""
        result = copy(self)
        result.rows = self.rows.only(chosen)
        result.ascent = Ascent(result.rows, self.ascent.shifts[chosen])
        return result

    def _settle(self, left: Floats) -> None:
        """Improve the multipliers around the profiles with most left to settle; all others stay as they are.

        In large graphs it is a few neighbourhoods that take long, and a step for these alone costs next to nothing.
        """
        order, count = np.argsort(-left, kind="stable"), int((left > SHARE * left.max()).sum())
        around = self._around(order[:count], SHARE * len(left))
        if len(around) > SHARE * len(left):
            return
        part, which = self.rows.among(around)
        ascent = Ascent(part, self.ascent.shifts[around])
        for _ in range(GRADIENT_ROUNDS):
            ascent.climb(STEPS)
            ascent.polish(CONJUGATE)
            if ascent.unsettled <= VIOLATION:
                break
        multipliers = self.rows.multipliers.copy()
        multipliers[which] = part.multipliers
        self.ascent.move(multipliers)

    def _around(self, centres: Integers, most: float) -> Integers:
        """Return these profiles, or the first of them, and those around: no more than `most` if any so few are."""
        around = self.rows.near(centres, AROUND)
        while len(around) > most and len(centres) > 1:
            centres = centres[: len(centres) // 2]
            around = self.rows.near(centres, AROUND)
        return around
