"""Stage 1 of large problems with a loss, and of classes: an optimal vertex of the whole program, by a crossover.

An expected loss is one program with every row. What the worst profile loses is decided by some profiles: those that are
far apart are solved first, and if the others can do with what these need, the answer of stage 2 is there at once. If
they cannot, what proves it names those that need more.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.objective.by_loss import ByLoss
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.program.released_program import parts_of, released_program
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.closest import Beyond, closest
from mechdesign.solver.cumulative_answer import by_blocks
from mechdesign.solver.cutting_planes import solution_of, solve_by_cuts
from mechdesign.solver.minimise import MANY_ROWS, Wanted, minimum_of, vertex_from
from mechdesign.solver.optimal_face import to_limits
from mechdesign.solver.optimality import good_error
from mechdesign.solver.stopping import is_over, offer
from mechdesign.stopwatch import announce

BY_FEW = "profiles that decide"


def suits(problem: Problem) -> bool:
    """Return whether a problem is solved here: large or of classes, with a loss, of known profiles, no matrix shared.

    By an inner point of Clarabel's, and the face that it shows, "values on a band 50x50, worst hamming, epsilon 2,
    delta 0.01" of benchmarks/cliffs.py, whose classes are of two, takes 8.9 s of processor time, not 0.7 s. Large is
    here what has a third of the rows that are many elsewhere: "half zeros 20x16, worst squares, epsilon 0.5, delta
    1e-9" takes 0.5 s, and the other way 9.2 s. With fewer rows there is hardly a difference.
    """
    if not isinstance(problem.objective, ByLoss) or problem.uncertain is not None or problem.shared:
        return False
    large = 3 * problem.privacy_rows > MANY_ROWS
    return problem.alike is not None or (large and not _in_cliques(problem))


def _known_apart(problem: Problem) -> bool:
    """Return whether a formula says of whom most is asked: those whose worst loss is left to limits are then solved."""
    objective = problem.objective
    assert isinstance(objective, ByLoss)
    return problem.is_local and to_limits(problem) and objective.crossings(problem) is not None


def _in_cliques(problem: Problem) -> bool:
    """Return whether cliques spare most rows: their limits join many columns.

    Of 256 values, each to be hidden among all, Clarabel takes 3.5 s of processor time, and this takes 80 s. Small ones
    are not in the way: of "values on a band 50x50, expected hamming, epsilon 2, delta 0" of benchmarks/cliffs.py, whose
    cliques have four members, this takes 1.6 s, and the other way 5 s.
    """
    in_cliques = sum(len(clique.members) for clique in problem.cover.cliques)
    return 2 * (in_cliques + len(problem.cover.pairs)) < len(problem.required)


def solve_large_loss(problem: Problem) -> Solution | None:
    """Return an optimal vertex with its multipliers; None for a problem that it does not suit, or a small one.

    Raises
    ------
    SolverError
        if the solver stops without an optimum.
    """
    if not suits(problem):
        return None
    if _known_apart(problem):
        decided = _solve_decisive(problem, _far_apart(problem))
        if isinstance(decided, Solution):
            return decided
        announce(f"solve, all profiles: {decided}")
    found, vertex = _solve_by_blocks(problem) or solve_by_cuts(problem, Wanted.VERTEX)
    return replace(found, program=None, columns=None, way="whole program", vertex=vertex)


def _solve_by_blocks(problem: Problem) -> tuple[Solution, Minimum] | None:
    """Return an optimal vertex from within the optimal face, by dense blocks; None if that finds none."""
    program = released_program(problem, ())
    try:
        inner = by_blocks(problem, program)
    except SolverError as error:
        announce(f"solve: {error}")
        return None
    vertex = None if inner is None else vertex_from(program, inner)
    if not isinstance(vertex, Minimum) or (vertex.error > good_error(program, vertex.columns) and not is_over()):
        return None
    return solution_of(problem, program, vertex), vertex


def _solve_decisive(problem: Problem, members: list[int]) -> Solution | str:
    """Return the nearest design by the profiles that decide; why that does not lead to it.

    What they need is a bound for all, with its multipliers. If a sum of limits proves that nothing which has in common
    what all their optima have meets all of these, then they need more together with the profiles in these limits.
    """
    program, near = released_program(problem, ()), None
    while len(members) < len(problem.exact):
        vertex = _optimum_of(problem, program, members)
        if isinstance(vertex, str):
            return vertex
        found = solution_of(problem, program, vertex)
        optimum = replace(found, released=problem.target_in_doubles, program=None, columns=None, way=BY_FEW)
        offer(problem, partial(replace, optimum))
        chosen = closest(problem, found.value, vertex, near)
        if isinstance(chosen, Solution):
            return replace(chosen, multipliers=found.multipliers, canonical=True, way=f"{BY_FEW}; {chosen.way}")
        if not isinstance(chosen, Beyond):
            return chosen
        before, members, near = members, _with_others(members, chosen.parts), chosen.near
        if members == before:
            return chosen
    return "all profiles decide"


def _optimum_of(problem: Problem, program: Program, members: Sequence[int]) -> Minimum | str:
    """Return an optimal vertex of the rows and columns of some profiles alone, nothing in the others."""
    outside = ~np.isin(np.arange(len(problem.exact)), members)
    asked, there = problem.inequalities, np.repeat(outside, problem.outputs)
    across = there[asked.above] | there[asked.below]
    rows, columns = parts_of(len(there), program, outside, across[asked.loose])
    columns[: len(there)] = there
    rows |= np.asarray(abs(program.matrix) @ columns > 0)
    found = minimum_of(program.only(~rows, ~columns), Wanted.VERTEX)
    return found if isinstance(found, str) else found.among(~rows, ~columns)


def _with_others(members: Sequence[int], parts: Floats) -> list[int]:
    """Return members with the others that have most to do with what proves that these need more, at most as many."""
    order = np.argsort(-parts, kind="stable")
    others = order[~np.isin(order, members) & (parts[order] > 0)]
    return sorted([*members, *others[: len(members)].tolist()])


def among(problem: Problem, members: Sequence[int]) -> Problem:
    """Return the problem of some profiles alone."""
    place = {i: position for position, i in enumerate(members)}
    required = tuple(
        replace(one, first=place[one.first], second=place[one.second])
        for one in problem.required
        if one.first in place and one.second in place
    )
    exact, weights = [problem.exact[i] for i in members], problem.weights[list(members)]
    return replace(problem, exact=exact, required=required, weights=weights)


def _far_apart(problem: Problem) -> list[int]:
    """Return the ends of the edge that seems to ask for the largest loss, with their neighbours and the next.

    For neighbours a, b and any set S of outputs q^a(S) <= E q^b(S) + delta: by as much as P^a(S) exceeds E P^b(S),
    mass has to cross its border, 1 for the one and E for the other.
    """
    assert isinstance(problem.objective, ByLoss)
    pairs = [(a, b, one) for one in problem.required for a, b in one.directions()]
    ends = np.array([(a, b) for a, b, _ in pairs])
    ratios = np.exp(np.minimum(50.0, [float(one.epsilon) for _, _, one in pairs]))[:, None]
    first, second = problem.profiles[ends[:, 0]], problem.profiles[ends[:, 1]]
    asked = problem.objective.kind.apart(first, second, ratios) / (1 + ratios[:, 0])
    chosen = set(ends[asked.argmax()].tolist())
    for _ in range(2):
        chosen = chosen.union(*({a, b} for a, b, _ in pairs if chosen & {a, b}))
    return sorted(chosen)
