"""The private distributions nearest to given ones that are not: of one component, with a bound.

Where little is missing, a program of the change alone finds them to as many digits as where much is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.certificate.bound import Bound, proved
from mechdesign.designer.component import Component, solve_component
from mechdesign.designer.mended import released_of
from mechdesign.designer.method import Method
from mechdesign.errors import SolverError
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers
from mechdesign.privacy.cover import met
from mechdesign.privacy.released import Released, released_through
from mechdesign.problem import Problem
from mechdesign.program.changes import Base, Changes, base_of
from mechdesign.solver.minimise import minimise

SMALL = Fraction(1, 2**20)
"""Misses below this are mended by a program of the change alone: the errors of a solver of the whole, some 1e-14 of all
mass, are then no longer negligible beside them."""

MARGINS = (2.0**-30, 2.0**-24, 2.0**-16)
"""By how much of the largest miss its limits are tightened, tried in turn, so that the solver's errors, up to 1e-11
as a rule, break none. The value grows by about the same share."""

SPARE = 1e-12
"""By which share multipliers are made smaller than they could be in exact arithmetic: more than doubles are off."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """What was found for a component.

    Attributes
    ----------
    released
        for each profile, exactly private together.
    proof
        a bound with its exact multipliers.
    seconds
        how long each phase took.
    """

    released: list[Released]
    proof: Bound
    seconds: dict[str, float]


def nearest(component: Component, *, method: Method, any_optimum: bool) -> Nearest:
    """Return the private distributions nearest to a component's own.

    Raises
    ------
    SolverError
        if no solver gives an answer that can be made private.
    """
    problem = component.problem
    given = [released_of(masses) for masses in problem.exact]
    if problem.needs_no_noise:
        return Nearest(given, proved(problem, None, component.prior), {})
    if method == Method.AUTO:
        try:
            return _by_small_change(component, given)
        except SolverError:
            pass  # what follows needs no smallness
    answer = solve_component(component, method, any_optimum=any_optimum)
    rows: list[list[tuple[Fraction, Exact]]] = [[] for _ in given]
    for (i,), x, row in answer.rows:
        rows[i].append((problem.exact[i][x], row.astype(object)))
    return Nearest([released_through(own) for own in rows], answer.proof, answer.seconds)


def _by_small_change(component: Component, given: Sequence[Released]) -> Nearest:
    """Return what a program of the change finds.

    Raises
    ------
    SolverError
        if the miss is not small, or the solver finds nothing that is exactly private.
    """
    problem = component.problem
    base = base_of(problem)
    if not 0 < base.miss < SMALL * 2**base.bits:
        raise SolverError("not a small miss")
    for margin in MARGINS:
        changes = Changes(problem, base, margin)
        best = minimise(changes.program)
        x, duals = best.columns, best.multipliers
        found = [
            one if row is None else Released(row, 2**base.bits)
            for row, one in zip(changes.changed(x), given, strict=True)
        ]
        if met(found, problem.cover):
            weights = duals[changes.program.blocks["objective"]]
            multipliers = feasible(problem, base, changes.multipliers(duals), weights)
            return Nearest(found, proved(problem, multipliers, component.prior), {})
    raise SolverError("no change within the margins is exactly private")


def feasible(problem: Problem, base: Base, privacy: PrivacyMultipliers, weights: Floats) -> Multipliers:
    """Return multipliers scaled so that no move of mass saves more than it costs, whatever the solver's errors.

    In the bound, sum_x P_i(x) min_y [w_i l(x,y) + g_i(y)], the least is then at y = x, and what is left is the
    multipliers times the misses: an error is a share of these, not of all mass. For a worst loss the weights w_i grow
    instead, and all are divided by their new total. Where there is little mass there is little to lose, and a move may
    save more than it costs: the program has a multiplier for what is there.
    """
    ratios = {pair: one.ratio_below for one in problem.required for pair in one.directions()}
    gains = np.zeros((len(problem.exact), problem.outputs))
    for (a, b), lam in privacy.items():
        gains[a] += lam
        gains[b] -= lam * float(ratios[a, b])
    saved = np.array([_saved(problem, base, i, own) for i, own in enumerate(gains)])
    if problem.objective.additive:
        shares = np.divide(problem.weights, saved, out=np.ones(len(saved)), where=saved > 0)
        return Multipliers(_times(privacy, min(1.0, shares.min()) * (1 - SPARE)))
    enough = np.maximum(weights, saved)
    total = enough.sum()
    if not 0 < total < np.inf:  # what would be saved costs nothing: no multiplier may have weight
        return Multipliers({}, profiles=np.full(len(enough), 1 / len(enough)))
    return Multipliers(_times(privacy, (1 - SPARE) / total), profiles=enough / total)


def _saved(problem: Problem, base: Base, i: int, gains: Floats) -> float:
    """Return the largest share of the loss of a move that the multipliers save by it, where there is much to move."""
    assert problem.loss is not None
    used = [x for x, weight in enumerate(base.weights[i]) if not base.near(weight)]
    saved, loss = gains[used, None] - gains, problem.loss[used]
    return float(np.divide(saved, loss, out=np.where(saved > 0, np.inf, 0.0), where=loss > 0).max(initial=0.0))


def _times(privacy: PrivacyMultipliers, factor: float) -> PrivacyMultipliers:
    return {pair: weights * factor for pair, weights in privacy.items()}
