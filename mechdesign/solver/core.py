"""The pairs that decide: the largest off-diagonal entry from the few profiles that ask for most.

What a part of the graph needs, the whole needs too: the optimum of the requirements among some of the profiles is a
bound, with multipliers that prove it for the whole. In large graphs a few neighbours that are far apart decide, and
`two_profiles` says in closed form which these are. The second stage then shows whether the others can do with what
these need. If they cannot, the projection of large problems names those that need more; otherwise the whole program has
to be solved.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from mechdesign.closed_form.best_pair import edge_levels
from mechdesign.objective.multipliers import Multipliers
from mechdesign.problem import Problem
from mechdesign.solution import Solution
from mechdesign.solver.pair import solve_pair
from mechdesign.solver.projection import ACCEPTED, OTHERWISE, project, suits_projection
from mechdesign.solver.structured import solve_structured
from mechdesign.solver.whole import among

EDGES = 12
"""Edges whose ends are the core: few beside 100 profiles, and some more than the best, since that alone often is not
enough. Without the core, and so without the projection, design "ring 1000x20 max-off-diagonal none 0.5 0" takes 15 s of
processor time, not 6 s."""

FEW_EDGES, FEWEST_PROFILES, LARGE = 3, 12, 100
"""Below the third number of profiles the core would be a large part of the whole with all of these edges. It then has
few, from the second number on. Without them design "ring 50x20 max-off-diagonal none 0.5 0" takes 0.52 s of processor
time, not 0.35 s."""

LEAST_EPSILON = Fraction(4, 10)
"""In small graphs with a smaller epsilon the core is not enough too often, and the second stage in vain: of rings of 15
to 50 profiles none at 0.4 or more, one of three at 0.3, all at 0.1 and 0.2."""


def solve_core(problem: Problem) -> Solution | None:
    """Return the optimum of the core, see `solve_part`; None for a small problem, or one that it does not suit.

    Two profiles have a closed form. It does not suit epsilons all so large that no edge is known to ask for anything.
    """
    if not problem.objective.by_cuts or not problem.is_plain:
        return None
    if len(problem.exact) == 2:
        return solve_pair(problem)
    count = _edges(problem)
    if not count:
        return None
    pairs, levels = edge_levels(problem.profiles, problem.required)
    if not len(pairs):
        return None
    core = np.unique(pairs[np.argsort(-levels, kind="stable")[: 2 * count]]).tolist()
    return solve_part(problem, core)


def _edges(problem: Problem) -> int:
    """Return how many edges the core has, 0 where it is not worth while."""
    if len(problem.exact) >= LARGE:
        return EDGES
    least = min((edge.epsilon for edge in problem.required if edge.epsilon), default=LEAST_EPSILON)
    return FEW_EDGES if len(problem.exact) >= FEWEST_PROFILES and least >= LEAST_EPSILON else 0


def solve_part(problem: Problem, core: Sequence[int]) -> Solution:
    """Return the optimum of the requirements among some of the profiles, with multipliers for all.

    What is released is not part of the answer: it is the targets.
    """
    found = solve_structured(among(problem, core))
    assert found.multipliers is not None
    assert found.multipliers.entries is not None
    entries = np.zeros((len(problem.exact), *found.multipliers.entries.shape[1:]))
    entries[core] = found.multipliers.entries
    privacy = {(core[a], core[b]): weights for (a, b), weights in found.multipliers.privacy.items()}
    multipliers = Multipliers(privacy, entries)
    return Solution(found.value, problem.target_in_doubles, multipliers=multipliers, way="pairs that decide")


def solve_and_project(problem: Problem) -> tuple[Solution, Solution | None] | None:
    """Return an optimum, with its multipliers, and the nearest design; None if these are not found.

    The optimum is that of the core. Where the projection at its level names profiles that need more, it is that of
    these, until the projection ends, which shows that the others can do with it. A level a little above the optimum
    would take back multipliers that are too large only by as little in each step. Where it does not end and the problem
    is too large for any other way, there is no nearest design, and with the multipliers comes what it had found.
    """
    optimum = solve_core(problem) if suits_projection(problem) else None
    if optimum is None:
        return None
    best, asked = optimum, set[tuple[int, ...]]()

    def ask(profiles: Sequence[int]) -> float:
        nonlocal best
        if tuple(profiles) not in asked:
            asked.add(tuple(profiles))
            found = solve_part(problem, profiles)
            best = found if found.value > best.value + ACCEPTED else best
        return best.value

    released, found = project(problem, optimum.value, ask)
    if found:
        return best, Solution(best.value, released, way="projection")
    return None if problem.profiles.size <= OTHERWISE else (replace(best, released=released, rough=True), None)
