"""The pairs that decide: the largest off-diagonal entry from the few profiles that ask for most.

What a part of the graph needs, the whole needs too: the optimum of the requirements among some of the profiles is a
bound, with multipliers that prove it for the whole. In large graphs a few neighbours that are far apart decide, and
`two_profiles` says in closed form which these are. The second stage then shows whether the others can do with what
these need. If they cannot, the projection of large problems names those that need more; otherwise the whole program has
to be solved.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.closed_form.best_pair import edge_levels
from mechdesign.objective.multipliers import Multipliers
from mechdesign.problem import Problem
from mechdesign.program.tolerances import VIOLATION
from mechdesign.solution import Solution
from mechdesign.solver.large_loss import among
from mechdesign.solver.projection import OTHERWISE, project, suits_projection
from mechdesign.solver.stopping import offer
from mechdesign.solver.structured import solve_structured

EDGES = 10
"""Edges whose ends decide, in large graphs: some more than the best, since that alone often is not enough. With 8 in
place of 10 "ring 100x20 max-off-diagonal none 0.5 0" takes 0.6 s of processor time, not 0.3 s. In smaller ones a
quarter of the profiles does."""


def solve_decisive(problem: Problem) -> Solution | None:
    """Return the optimum of the pairs that decide, see `solve_part`; None where there are no such pairs.

    There are none in small problems, nor with epsilons all so large that no edge is known to ask for anything.
    """
    count = min(EDGES, len(problem.exact) // 8)
    if not problem.objective.by_cuts or not problem.is_local or not count:
        return None
    pairs, levels = edge_levels(problem.profiles, problem.required)
    if not len(pairs):
        return None
    members = np.unique(pairs[np.argsort(-levels, kind="stable")[: 2 * count]]).tolist()
    optimum = solve_part(problem, members)
    offer(problem, lambda: optimum)
    return optimum


def solve_part(problem: Problem, members: Sequence[int]) -> Solution:
    """Return the optimum of the requirements among some of the profiles, with multipliers for all.

    What is released is not part of the answer: it is the targets.
    """
    found = solve_structured(among(problem, members))
    assert found.multipliers is not None
    assert found.multipliers.entries is not None
    entries = np.zeros((len(problem.exact), *found.multipliers.entries.shape[1:]))
    entries[members] = found.multipliers.entries
    privacy = {(members[a], members[b]): weights for (a, b), weights in found.multipliers.privacy.items()}
    multipliers = Multipliers(privacy, entries)
    return Solution(found.value, problem.target_in_doubles, multipliers=multipliers, way="pairs that decide")


def solve_and_project(problem: Problem) -> tuple[Solution, Solution | None] | None:
    """Return an optimum, with its multipliers, and the nearest design; None if these are not found.

    The optimum is that of the pairs that decide. Where the projection at its level names profiles that need more, it is
    that of these, until the projection ends, which shows that the others can do with it. A level a little above the
    optimum would take back multipliers that are too large only by as little in each step. Where it does not end and the
    problem is too large for any other way, there is no nearest design, and with the multipliers comes what it found.
    """
    optimum = solve_decisive(problem) if suits_projection(problem) else None
    if optimum is None:
        return None
    best, asked = optimum, set[tuple[int, ...]]()

    def ask(profiles: Sequence[int], released: Floats) -> float:
        nonlocal best
        if tuple(profiles) not in asked:
            asked.add(tuple(profiles))
            found = solve_part(problem, profiles)
            best = found if found.value > best.value + VIOLATION else best
        offer(problem, partial(replace, best, released=released))
        return best.value

    released, found = project(problem, optimum.value, ask)
    if found:
        return best, Solution(best.value, released, way="projection")
    return None if problem.profiles.size <= OTHERWISE else (replace(best, released=released, unfinished=True), None)
