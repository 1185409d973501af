"""The private distributions nearest to given ones that are not, with a bound: a design for each component.

Where less than 1e-13 of the largest loss is enough, by which a design may be off, the same is added to all rows, by the
lemma of `rounding.room`: that costs 1 to 27 times the least, as measured, and needs no solver.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact
from mechdesign.certificate.bound import Bound, proved
from mechdesign.certificate.certificate import Proof, whole_proof
from mechdesign.designer.component import Component, components, solve_component
from mechdesign.designer.method import Method
from mechdesign.designer.solving import Progress, solved
from mechdesign.errors import SolverError
from mechdesign.mender.moved import distance, released_of
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.released import Released, released_by
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import NOTHING, Problem
from mechdesign.rounding.releases import private_releases
from mechdesign.solver.stopping import Until

FINE = 256
"""Bits to which room is made where little is missing: more than doubles, or what is written by hand, are off by."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """What was found for a component: what each profile releases, exactly private together, and a bound."""

    released: list[Released]
    proof: Bound


def nearest(
    rows: nx.Graph,
    required: Sequence[Requirement],
    goal: ByLoss,
    *,
    method: Method,
    any_optimum: bool,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[list[Released], Proof]:
    """Return what each profile of a graph is to release so that all are private, and the proof that none is nearer.

    Raises
    ------
    SolverError
        if no solver gives an answer that can be made private.
    """
    parts = components(rows, required, goal, shared=False)
    way = partial(_of_component, method=method, any_optimum=any_optimum)
    answers = solved(parts, way, executor, progress)
    found = {
        i: one
        for part, answer in zip(parts, answers, strict=True)
        for i, one in zip(part.members, answer.released, strict=True)
    }
    proof = whole_proof(goal, [(part.members, part.problem) for part in parts], [one.proof for one in answers])
    return [found[i] for i in range(len(found))], proof


def _of_component(component: Component, until: Until, *, method: Method, any_optimum: bool) -> Nearest:
    problem = component.problem
    if problem.needs_no_noise:
        return Nearest(list(map(released_of, problem.exact)), proved(problem, None, component.prior))
    if method == Method.AUTO and (little := _by_room(problem)) is not None:
        return Nearest(little, proved(problem, None, component.prior))
    answer = solve_component(component, until, method, any_optimum=any_optimum)
    masses: list[list[Fraction]] = [[] for _ in problem.exact]
    rows: list[list[Exact]] = [[] for _ in problem.exact]
    for (i,), x, row in answer.rows:
        masses[i].append(problem.exact[i][x])
        rows[i].append(row.astype(object))
    return Nearest(list(map(released_by, masses, rows)), answer.proof)


def _by_room(problem: Problem) -> list[Released] | None:
    """Return what is given, with as much room added to all as makes them private; None where that is not `NOTHING`."""
    nobody = np.zeros(len(problem.exact), dtype=bool)
    try:
        found = private_releases(problem, problem.target_in_doubles, nobody, FINE)
    except SolverError:
        return None
    goal, most = problem.objective, Fraction(NOTHING) * problem.loss_unit
    assert isinstance(goal, ByLoss)
    pairs = zip(map(released_of, problem.exact), found, strict=True)
    return found if all(distance(goal, problem.losses, *pair) <= most for pair in pairs) else None
