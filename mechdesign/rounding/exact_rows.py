"""The one way from a solver's doubles to exactly private rows: `exact_rows`.

A solver's answer violates its constraints in the last digits. The ways below end in rows that are private in exact
arithmetic; they differ in how far these rows are from the answer, and so in what they cost. They are tried in turn,
until one is as good as the goal.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter

import numpy as np

from mechdesign.errors import SolverError
from mechdesign.problem import Problem, Solution, near_optimal
from mechdesign.rounding.classes import repaired_by_classes
from mechdesign.rounding.contraction import Contracted, contracted
from mechdesign.rounding.mixing import UNMOVED, precision, repaired
from mechdesign.rounding.realise import NoisyRows, reached, realised, realised_shared
from mechdesign.rounding.refinement import BITS, refined
from mechdesign.rounding.robust import robust_rows
from mechdesign.symmetry.quotient import Quotient

UNSEEN = Fraction(1, 10**9), Fraction(1, 10**7)
"""Epsilons and deltas up to this may be lost in a solver's errors, which are up to 1e-8: see `_stricter`. Designs
extreme 175 and 1326 need it."""

FEW_PAIRS = 5_000
"""Released probabilities up to which classes are given up where their rows are not good: refinement of more takes a
second and more."""


def as_good(value: float, least: float) -> bool:
    """Return whether a value is as good as the least known, both over the problem's `loss_unit`."""
    return value <= near_optimal(least)


def exact_rows(problem: Problem, answer: Solution, goal: float) -> tuple[float, NoisyRows]:
    """Return exactly private rows near a solver's answer, as good as the goal or the best found, after their value.

    No rows, of infinite value, where no way leads to any.
    """
    best: tuple[float, NoisyRows] = (math.inf, [])
    whole = problem.whole if isinstance(problem, Quotient) else problem
    try:
        for rows in _ways(problem, answer):
            best = min(best, (reached(whole, rows), rows), key=itemgetter(0))
            if as_good(best[0], goal):
                break
    except SolverError:
        pass  # what was found before is as private
    return best


def _ways(problem: Problem, answer: Solution) -> Iterator[NoisyRows]:
    if isinstance(problem, Quotient):
        return _rows_by_classes(problem, answer)
    if problem.uncertain is not None:
        return _robust_rows(problem, answer)
    return _shared_rows(problem, answer) if problem.shared else _own_rows(problem, answer)


def _rows_by_classes(problem: Quotient, answer: Solution) -> Iterator[NoisyRows]:
    """Yield rows that are alike over each class; then, where there are not too many pairs, those of single profiles."""
    with suppress(SolverError):
        yield realised(problem.whole, repaired_by_classes(problem, answer.released))
    if problem.classes.size <= FEW_PAIRS:
        _, first = np.unique(problem.columns, return_index=True)
        each = answer.released.ravel()[first][problem.classes]
        yield from _own_rows(problem.whole, replace(answer, released=each, program=None))


def _robust_rows(problem: Problem, answer: Solution) -> Iterator[NoisyRows]:
    """Yield the rows of the answer's matrices with room made by adding the same to all."""
    assert answer.matrices is not None
    for asked in _stricter(problem):
        with suppress(SolverError):
            yield robust_rows(asked, answer.matrices)


def _own_rows(problem: Problem, answer: Solution) -> Iterator[NoisyRows]:
    asked = [contracted(stricter) for stricter in _stricter(problem)]
    yield from _by_mixing(problem, asked, answer)
    if not answer.rough:
        yield from _by_refinement(problem, asked, answer)
    yield from _from_targets(problem, asked)


def _shared_rows(problem: Problem, answer: Solution) -> Iterator[NoisyRows]:
    """Yield the rows of one matrix for all profiles: the answer's refined, then mixed with the uniform matrix."""
    for asked in _stricter(problem):
        matrix = answer.matrices[0]
        yield realised_shared(asked, matrix)


def _stricter(problem: Problem) -> Iterator[Problem]:
    """Yield the problem, then stricter ones in which the smallest epsilons and deltas are zero.

    It repairs answers to problems with an epsilon or delta smaller than a solver's errors. Mixing would have to go far
    to make room for so little; at zero, contraction and mixing need no such room, and the optimum rises only by about
    the epsilon or delta given up.
    """
    known = [problem.required]
    yield problem
    for least in UNSEEN:
        if not any(0 < one <= least for edge in problem.required for one in (edge.epsilon, edge.delta)):
            continue
        required = tuple(
            replace(edge, epsilon=edge.epsilon * (edge.epsilon > least), delta=edge.delta * (edge.delta > least))
            for edge in problem.required
        )
        if required not in known:
            known.append(required)
            yield replace(problem, required=required)


def _by_mixing(problem: Problem, asked: Sequence[Contracted], answer: Solution) -> Iterator[NoisyRows]:
    """Yield rows found by mixing the answer's distributions with one.

    It repairs violations in the last digits, and what rounding adds to them, as nearly every answer has them.
    """
    for one in asked:
        yield realised(problem, one.each(repaired(one.problem, one.mean(answer.released))))


def _by_refinement(problem: Problem, asked: Sequence[Contracted], answer: Solution) -> Iterator[NoisyRows]:
    """Yield rows found by refining the answer, then mixing.

    It repairs violations that are large beside epsilon, delta or the optimum, for which mixing alone costs too much.
    """
    if answer.program is None:
        return
    k, m = problem.target_in_doubles.shape
    x, held = np.array(answer.columns), np.zeros(len(answer.columns), dtype=bool)
    margin = (m + 2) * 2.0 ** (1 - precision(problem, max(problem.counts[1])))
    program = answer.program()
    needed = (problem.target_in_doubles > 0).any(axis=0) | (answer.released > UNMOVED).any(axis=0)
    moved = abs(answer.released - problem.target_in_doubles).max(axis=1) > UNMOVED
    for some in (moved, np.ones_like(moved)) if not moved.all() else (moved,):
        held[: k * m] = (~some[:, None] | ~needed).ravel()
        x[: k * m] = np.where(some[:, None], answer.released * needed, problem.target_in_doubles).ravel()
        corrected = refined(program, x, held=held, margin=margin)
        if corrected is None:
            continue
        corrected = released_columns(problem, corrected)
        for one in asked:
            yield realised(problem, one.each(repaired(one.problem, one.mean(corrected), some)))


def released_columns(problem, x):
    k, m = problem.target_in_doubles.shape
    return np.array([Fraction(int(v), 2**BITS) for v in x[: k * m]], dtype=object).reshape(k, m)


def _from_targets(problem: Problem, asked: Sequence[Contracted]) -> Iterator[NoisyRows]:
    """Yield rows found from what the profiles release without noise, in place of the solver's answer.

    It repairs the largest off-diagonal entry where the optimum is smaller than the solver's errors: in a profile that
    nearly always has the same category, an error of 1e-10 in what is released asks for much noise in the others.
    """
    for one in asked if problem.objective.by_cuts else ():
        yield realised(problem, one.each(repaired(one.problem, one.problem.target_in_doubles)))
