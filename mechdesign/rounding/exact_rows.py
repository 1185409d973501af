"""The one way from a solver's doubles to exactly private rows: `exact_rows`.

A solver's answer violates its constraints in the last digits. It is rounded, and what it then exceeds is made up for by
the same room for all: see `room`. Where that costs more than is optimal, as where an epsilon or the optimum itself is
not large beside a solver's errors, the answer is first corrected with exact residuals: see `refinement`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import ACCEPTED, NEAR, Problem, near_optimal
from mechdesign.program.transport import Layout
from mechdesign.rounding.classes import needed_classes, releases_by_classes
from mechdesign.rounding.contraction import contracted
from mechdesign.rounding.matrix_rows import matrix_rows
from mechdesign.rounding.realise import NO_ROWS, NoisyRows, reached, realised
from mechdesign.rounding.refinement import BITS, refined
from mechdesign.rounding.releases import has_moved, needed_outputs, precisions, private_releases
from mechdesign.rounding.room import Flags
from mechdesign.solution import Solution
from mechdesign.solver.side_by_side import side_by_side
from mechdesign.stopwatch import announce

Found = Iterator[tuple[npt.NDArray[Any], Flags]]
"""Released distributions, and which profiles release something else than their target."""


def as_good(value: float, least: float) -> bool:
    """Return whether a value is as good as the least known, both over the problem's `loss_unit`."""
    return value <= near_optimal(least, ACCEPTED)


def exact_rows(problem: Problem, answer: Solution, goal: float) -> tuple[float, NoisyRows]:
    """Return exactly private rows near a solver's answer, as good as the goal or the best found, after their value.

    No rows, of infinite value, where no way leads to any.
    """
    best: tuple[float, NoisyRows] = (math.inf, NO_ROWS)
    for rows in _ways(problem, answer):
        if isinstance(rows, str):
            announce(f"repair: {rows}")
            continue
        best = min(best, (reached(problem.whole, rows), rows), key=itemgetter(0))
        if as_good(best[0], goal):
            break
    return best


def _ways(problem: Problem, answer: Solution) -> Iterator[NoisyRows | str]:
    """Yield rows, or why an attempt has none."""
    if problem.alike is not None:
        return _rows_by_classes(problem, answer)
    if problem.shared or problem.uncertain is not None:
        return _rows_of_matrices(problem, answer)
    return _rows_of_releases(problem, _found(problem, answer))


def _rows_by_classes(problem: Problem, answer: Solution) -> Iterator[NoisyRows | str]:
    """Yield rows that are alike over each class; of single profiles where an epsilon is too small to make room."""
    some = False
    for released, moved in _found(problem, answer):
        exact = releases_by_classes(problem, released, moved)
        some |= not isinstance(exact, str)
        yield from [exact] if isinstance(exact, str) else realised(problem.whole, exact)
    if not some and problem.alike is not None:
        _, first = np.unique(problem.variables, return_index=True)
        each = answer.released.ravel()[first][problem.alike.classes]
        yield from _rows_of_releases(problem.whole, iter([(each, has_moved(problem.whole, each))]))


def _rows_of_matrices(problem: Problem, answer: Solution) -> Iterator[NoisyRows | str]:
    """Yield the rows of the answer's matrices, then of corrected ones."""
    matrices = answer.matrices
    assert matrices is not None
    for asked in _stricter(problem):
        yield matrix_rows(asked, matrices)
    if answer.program is not None and answer.columns is not None:
        layout = Layout.of(problem)
        free = np.zeros(len(answer.columns), dtype=bool)
        corrected = refined(answer.program(), answer.columns, fixed=free, margin=_margin(problem))
        rows = corrected if isinstance(corrected, str) else layout.matrices(problem, _rationals(corrected))
        yield rows if isinstance(rows, str) else matrix_rows(problem, rows)


def _rows_of_releases(problem: Problem, found: Found) -> Iterator[NoisyRows | str]:
    """Yield rows by plans to what is found to be released, made private, also under stricter requirements.

    Last where profiles that nothing moves have to move, so that the others are private.
    """
    asked = [contracted(one) for one in _stricter(problem)]
    waiting: list[list[Released]] = []
    for released, moved in found:
        for one in asked:
            moving = np.array([moved[group].any() for group in one.groups], dtype=bool)
            mean = one.mean(released)
            moving |= has_moved(one.problem, mean)
            exact = private_releases(one.problem, mean, moving)
            if isinstance(exact, str):
                yield exact
            elif _stay(one.problem, exact)[~moving].all():
                yield from realised(problem, one.each(exact))
            else:
                waiting.append(one.each(exact))
    for each in waiting:
        yield from realised(problem, each)


def rows_of_parts(problems: Sequence[Problem], released: Sequence[Floats]) -> list[tuple[float, NoisyRows]] | str:
    """Return exactly private rows of many small problems near what they are to release, after their values.

    At the first attempt, for all at once; no rows, of infinite value, where a profile that nothing moves has to move.
    Or return why one of them cannot be made private so.
    """
    whole, each = side_by_side(problems), np.concatenate(released)
    moved = has_moved(whole, each)
    exact = private_releases(whole, each, moved)
    if isinstance(exact, str):
        return exact
    stays = np.ones(whole.parts, dtype=bool)
    stays[whole.part_of[~_stay(whole, exact) & ~moved]] = False
    made = zip(problems, realised(whole, exact), stays.tolist(), strict=True)
    return [(reached(problem, rows), rows) if good else (math.inf, NO_ROWS) for problem, rows, good in made]


def _stay(problem: Problem, exact: Sequence[Released]) -> Flags:
    """Return which profiles release just their targets."""
    weights, totals = (
        np.array(side, dtype=object) for side in zip(*((q.weights, q.total) for q in exact), strict=True)
    )
    counts, units = problem.target_counts, np.array(problem.counts[1], dtype=object)
    return np.array((weights * units[:, None] == counts * totals[:, None]).all(axis=1), dtype=bool)


def _found(problem: Problem, answer: Solution) -> Found:
    """Yield what the answer releases; then corrected, where profiles that nothing moves stay, or else move too."""
    moved, everyone = has_moved(problem, answer.released), np.ones(len(answer.released), dtype=bool)
    yield answer.released, moved
    if answer.program is None or answer.columns is None or answer.unfinished:
        return
    program, places = answer.program(), problem.variables
    alike, released = problem.alike is not None, answer.released
    needed = needed_classes(problem, released)[places] if alike else needed_outputs(problem, released)
    for some in (moved, everyone) if not moved.all() else (moved,):
        x, fixed = np.array(answer.columns), np.zeros(len(answer.columns), dtype=bool)
        fixed[places] = ~(some[:, None] & needed)
        x[places] = np.where(some[:, None], answer.released * needed, problem.target_in_doubles)
        corrected = refined(program, x, fixed=fixed, margin=0.0 if some.all() else _margin(problem))
        if not isinstance(corrected, str):
            yield _rationals(corrected[places]), some
            return
        announce(f"repair: {corrected}")


def _margin(problem: Problem) -> float:
    """Return by how much a limit has to be met so that rounding does not break it: each probability by a unit."""
    (bits,) = precisions(problem, [max(problem.counts[1])])
    return (problem.outputs + 2) * 2.0 ** (1 - bits)


def _rationals(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    flat = [Fraction(int(value), 2**BITS) for value in values.ravel()]
    return np.array(flat, dtype=object).reshape(values.shape)


def _stricter(problem: Problem) -> Iterator[Problem]:
    """Yield the problem, then that with stricter requirements."""
    yield problem
    for required in islice(stricter(problem.required), 1, None):
        yield replace(problem, required=required)


def stricter(required: Sequence[Requirement]) -> Iterator[tuple[Requirement, ...]]:
    """Yield the requirements, then stricter ones in which epsilons and deltas up to `NEAR` are zero.

    It repairs answers to problems with an epsilon or delta smaller than a solver's errors: there adding the same to all
    hardly makes any room. At zero, contraction needs none, and the optimum rises only by about the epsilon or delta
    that is given up.
    """
    yield tuple(required)
    values = {id(value): value for edge in required for value in (edge.epsilon, edge.delta)}.values()
    if any(0 < value <= NEAR for value in values):
        yield tuple(
            replace(edge, epsilon=edge.epsilon * (edge.epsilon > NEAR), delta=edge.delta * (edge.delta > NEAR))
            for edge in required
        )
