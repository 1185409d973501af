"""The one way from a solver's doubles to exactly private rows: `exact_rows`."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter

from mechdesign.errors import SolverError
from mechdesign.problem import Problem, Solution
from mechdesign.rounding.contraction import merged
from mechdesign.rounding.mixing import nearest, repaired
from mechdesign.rounding.realise import NoisyRows, reached, realised, realised_shared
from mechdesign.rounding.refinement import refined

NEAR = 1e-9
"""How far a released probability may move to become exactly private, in units of the objective's value."""

UNSEEN = Fraction(1, 10**9), Fraction(1, 10**7)
"""An epsilon or delta up to this may be less than solvers' errors: doing without it costs about as much."""

CLOSE, NOISE = 2e-9, 1e-14
"""How far the value may exceed the solver's before another way to private distributions is tried, the bound before
another solver is: such a share of it, or so much of the largest loss. Doubles hardly tell less apart; tuned on
benchmarks/gaps.py."""


def as_good(value: float, least: float) -> bool:
    """Return whether a value is as good as the least known, both over the problem's `loss_unit`."""
    return value <= least + max(CLOSE * abs(least), NOISE)


def exact_rows(problem: Problem, answer: Solution, goal: float) -> tuple[float, NoisyRows]:
    """Return exactly private rows near a solver's answer, as good as the goal or the best found, after their value.

    No rows, of infinite value, where no way leads to any.
    """
    best: tuple[float, NoisyRows] = (math.inf, [])
    try:
        for rows in _shared_rows(problem, answer) if problem.shared else _own_rows(problem, answer):
            best = min(best, (reached(problem, rows), rows), key=itemgetter(0))
            if as_good(best[0], goal):
                break
    except SolverError:
        pass  # what was found before is as private
    return best


def _shared_rows(problem: Problem, answer: Solution) -> Iterator[NoisyRows]:
    for asked in _stricter(problem):
        matrix = refined(asked, answer).matrix
        assert matrix is not None
        yield realised_shared(asked, matrix)


def _own_rows(problem: Problem, answer: Solution) -> Iterator[NoisyRows]:
    """Yield rows that release what is private near a solver's answer, then near it refined, then near the targets."""
    asked = []
    tolerance = NEAR * abs(answer.value)
    for stricter in _stricter(problem):
        one = merged(stricter)
        joint = replace(answer, released=one.mean(answer.released))
        asked.append((one, joint))
        if near := nearest(one.problem, joint.released, tolerance):
            yield realised(problem, one.each(near))
        tolerance = math.inf  # only their value counts from now on
    for one, joint in asked:
        corrected = refined(one.problem, joint).released
        yield realised(problem, one.each(repaired(one.problem, corrected)))
    for one, _ in asked if problem.objective.by_cuts else ():
        # To a solver 1e-10 is nothing; to a profile that nearly always has one of few categories it is much.
        yield realised(problem, one.each(repaired(one.problem, one.problem.target_in_doubles)))


def _stricter(problem: Problem) -> Iterator[Problem]:
    """Yield the problem, then it without those epsilons and deltas that may be too small for solvers."""
    known = [problem.required]
    yield problem
    for least in UNSEEN:
        required = tuple(
            replace(edge, epsilon=edge.epsilon * (edge.epsilon > least), delta=edge.delta * (edge.delta > least))
            for edge in problem.required
        )
        if required not in known:
            known.append(required)
            yield replace(problem, required=required)
