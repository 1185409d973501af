"""The exact rows of one component: repair what is released, then move each profile's mass there by integer plans."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from mechdesign.arrays import Exact, Integers
from mechdesign.exact.integers import shortened, shortest
from mechdesign.graph.distribution import support
from mechdesign.privacy.cover import met
from mechdesign.privacy.released import Released, released_by
from mechdesign.problem import Problem

ENTRIES = 2**17
"""So many entries of plans are looked at together: their tables stay in a processor's cache."""

NoisyRows: TypeAlias = list[tuple[Sequence[int], int, Exact | Integers]]
"""(profiles, category, integer weights): the row that these profiles use at this category. In 64 bits where that holds
its total, which is 2^62 at most."""


def realised(problem: Problem, released: Sequence[Released]) -> NoisyRows:
    """Return rows through which the profiles release just this, or so nearly that it is still private.

    By the transport plans that are cheapest for the objective. Rows of totals above 2^62 are rounded to that total, and
    all kept in 64 bits, if what is released then is still private; else they are as long as it takes.
    """
    level = 0.0
    if any(len(support(masses)) > 1 for masses in problem.exact):  # others have one plan, at any level
        shares = np.array([one.doubles for one in released])
        level = problem.objective.level(problem.profiles, shares)
    rows: NoisyRows = []
    found = list(released)
    changed = False
    planned = partial(_planned, problem, released, level)
    kept = list(planned()) if problem.profiles.size * problem.outputs <= ENTRIES else None
    for users, weights in kept or planned():
        table, rounded = shortened(weights)
        rows += [((i,), x, row) for (i, x), row in zip(users, table, strict=True)]
        if rounded:
            changed = True
            _release(problem, users, table, found)
    if not changed or (problem.kept is None and met(found, problem.cover)):
        return rows
    return [
        ((i,), x, row)
        for users, weights in kept or planned()
        for (i, x), row in zip(users, shortest(weights), strict=True)
    ]


def _planned(
    problem: Problem, released: Sequence[Released], level: float
) -> Iterator[tuple[list[tuple[int, int]], Exact]]:
    """Yield (profile, category) and rows of weights, of whole profiles and of some thousands of entries at a time."""
    counts, units = problem.counts
    possible = [support(masses) for masses in problem.exact]
    alone = [i for i, used in enumerate(possible) if len(used) == 1]
    others = [i for i, used in enumerate(possible) if len(used) > 1]
    for some in _blocks(alone, problem.outputs):
        yield [(i, possible[i][0][0]) for i in some], np.array([released[i].weights for i in some], dtype=object)
    for some in _blocks(others, problem.outputs * counts.shape[1]):
        supplies = np.array([counts[i] * (released[i].total // units[i]) for i in some], dtype=object)
        demands = np.array([released[i].weights for i in some], dtype=object)
        plans = problem.objective.plans(problem, supplies, demands, level)
        users = [(i, x) for i in some for x, _ in possible[i]]
        yield users, plans[supplies > 0]


def _blocks(profiles: Sequence[int], entries: int) -> Iterator[Sequence[int]]:
    size = max(1, ENTRIES // entries)
    return (profiles[start : start + size] for start in range(0, len(profiles), size))


def _release(problem: Problem, users: Sequence[tuple[int, int]], table: Integers, found: list[Released]) -> None:
    """Put down what the profiles of these rows release through them, exactly."""
    start = 0
    for i, group in groupby(users, key=itemgetter(0)):
        masses = [problem.exact[i][x] for _, x in group]
        found[i] = released_by(masses, table[start : start + len(masses)].astype(object))
        start += len(masses)


def reached(problem: Problem, rows: NoisyRows) -> float:
    """Return the component's objective with these rows, in doubles, over the problem's `loss_unit`."""
    table = np.array([row for _, _, row in rows])
    shares = (table / table.sum(axis=1, keepdims=True)).astype(np.float64)
    return problem.objective.reached(problem, [(who, x) for who, x, _ in rows], shares)
