"""The program in the released distributions, with cuts: method "structured"."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mechdesign.errors import SolverError
from mechdesign.problem import Floats, Multipliers, Problem, Solution
from mechdesign.program.program import Program
from mechdesign.program.released import Cut, released_multipliers, released_program, singleton_cuts, violated_cuts
from mechdesign.solver.linear import minimise_inside
from mechdesign.solver.quadratic import minimise_quadratic

TOLERANCE = 1e-12
"""Constraints left out and violated by less than this are left to the repair."""

BINDING = 1e-12
"""How far below its bound a row may be to be taken to bind."""

SETTLED = 1e-11
"""A value that changes by less from one round to the next, relatively, has settled."""

ROUNDS, COARSE_ROUNDS = 500, 10

SMALL = 5_000
"""A program with so many rows is large; in smaller ones a round with all rows beats many quick ones."""

MARGIN, FEW = 0.02, 0.02
"""What is within this share of an output's mean probability of binding may soon; what share of the rows is few."""

Minimise = Callable[[Program], tuple[Floats, Floats]]


def solve_structured(
    problem: Problem, minimise: Minimise | None = None, *, roughly: bool = False, tolerance: float = TOLERANCE
) -> Solution:
    """Return an optimum over the released distributions, with its multipliers.

    Without `minimise` it takes the interior point that is the quicker: reachability cuts are wide, losses are sparse.
    `roughly` ends when the value has settled: value and multipliers will do, but some constraints are violated yet.

    Raises
    ------
    SolverError
        if the solver stops without an optimum, or cuts keep coming.
    """
    usual = minimise_inside if problem.loss is None else minimise_quadratic
    program, x, duals, cuts = solve_with_cuts(problem, None, minimise or usual, roughly=roughly, tolerance=tolerance)
    privacy = released_multipliers(problem, program, duals)
    weights = duals[program.blocks["objective"]]
    if problem.loss is None:
        multipliers = Multipliers(privacy, entries=_entry_weights(problem, cuts, weights))
    else:
        multipliers = Multipliers(privacy, profiles=weights if problem.worst else None)
    return Solution(float(program.cost @ x), released_part(problem, x), multipliers=multipliers)


def released_part(problem: Problem, x: Floats) -> Floats:
    """Return the released distributions within a solution x of the released program."""
    k, m = len(problem.profiles), problem.outputs
    return x[: k * m].reshape(k, m)


def solve_with_cuts(
    problem: Problem,
    level: float | None,
    minimise: Minimise = minimise_inside,
    *,
    coarsely: Minimise | None = None,
    near: Floats | None = None,
    roughly: bool = False,
    tolerance: float = TOLERANCE,
) -> tuple[Program, Floats, Floats, list[Cut]]:
    """Solve the released program with few of its rows, add those that the answer violates, and repeat.

    Without `level` it minimises the objective; with it, the distance from the targets. Rows that come when needed are
    the reachability cuts and the privacy of single pairs; it starts with those that the targets violate and those that
    bind at the released distributions `near` the answer, if any are known. A large program it minimises `coarsely`, if
    it can, as long as many rows come, and then keeps only those that nearly bind: they tie little together, and what
    falls apart is factorised fast. `roughly` ends when the value has settled. Returns the last program, its solution
    and multipliers, and the cuts in it.
    """
    cuts = dict.fromkeys(singleton_cuts(problem) if level is None else [])
    program = released_program(problem, cuts, level=level)
    large = len(program.upper) > SMALL
    # Without curvature wide cuts tie everything together anyway, and leaving rows out costs more rounds than it saves.
    lazy = large and (problem.loss is not None or level is not None)
    coarsely = coarsely if large else None
    optional = _optional(program, lazy)
    x = _extended(program, problem.target_in_doubles)
    wanted = program.excess(x)[optional] > 0
    if near is not None:
        wanted |= program.excess(_extended(program, near))[optional] > -BINDING
    floored = (x <= 0) | (level is None)
    before = np.inf
    for number in range(ROUNDS):
        kept = np.ones(len(program.upper), dtype=bool)
        kept[optional] = wanted
        x, duals = (coarsely or minimise)(program.restricted(kept, floored))
        reached = float(program.cost @ x) if level is None else level
        allowed = -MARGIN / problem.outputs if coarsely else tolerance
        violated = violated_cuts(problem, released_part(problem, x), reached, max(allowed, 10 * allowed))
        fresh = [cut for cut in violated if cut not in cuts]
        binding = program.excess(x)[optional] > allowed
        missed = binding & ~wanted
        below = (x < program.floor - tolerance) & ~floored
        found = len(fresh) + missed.sum() + below.sum()
        settled = roughly and abs(reached - before) <= SETTLED * abs(reached)
        if coarsely is None and (found == 0 or settled):
            multipliers = np.zeros(len(kept))
            multipliers[kept] = duals
            return program, x, multipliers, list(cuts)
        cuts.update(dict.fromkeys(fresh))
        wanted = binding if coarsely else wanted | missed
        floored |= below
        before = reached
        coarsely = coarsely if found > FEW * len(duals) and number < COARSE_ROUNDS else None
        if fresh:
            program = released_program(problem, cuts, level=level)
            optional = _optional(program, lazy)
    raise SolverError(f"the reachability cuts did not end within {ROUNDS} rounds")


def _extended(program: Program, released: Floats) -> Floats:
    """Return a point of the program with these released distributions, and nothing else in it."""
    x = np.zeros(len(program.cost))
    x[: released.size] = released.ravel()
    return x


def _optional(program: Program, lazy: bool) -> npt.NDArray[np.int64]:
    """Return the rows that may be left out until they are violated, the privacy of single pairs; if not lazy, none."""
    parts = [program.blocks[name] for name in ("strict", "loose") if lazy and name in program.blocks]
    return np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(part.start, part.stop) for part in parts)])


def _entry_weights(problem: Problem, cuts: list[Cut], weights: Floats) -> Floats:
    """Return the weights of A^i_xy <= t that add up to the cuts: P_i(x) times those of the sets with y but not x."""
    profile, inside = np.array([i for i, _ in cuts]), np.zeros((len(cuts), problem.outputs))
    for row, (_, chosen) in zip(inside, cuts, strict=True):
        row[list(chosen)] = 1.0
    weighted = weights[:, None] * inside
    own = (profile == i for i in range(len(problem.profiles)))
    return np.array(
        [P[:, None] * ((1.0 - inside[o]).T @ weighted[o]) for P, o in zip(problem.profiles, own, strict=True)]
    )
