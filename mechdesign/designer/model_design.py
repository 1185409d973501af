"""Designs for objectives that are written down in cvxpy: a graph is one problem, as they may join any profiles."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.certificate.certificate import Proof
from mechdesign.certificate.model_bound import model_bound
from mechdesign.designer.component import Component
from mechdesign.designer.found import Found
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.integers import shortest
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.by_model import ByModel
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import NEAR
from mechdesign.rounding.model_rows import private_rows
from mechdesign.size import check_size
from mechdesign.solver.linear_model import LinearPosing
from mechdesign.solver.modelled import Posing
from mechdesign.stopwatch import Stopwatch

MOST_ENTRIES = 200_000
"""Entries of all matrices together; cvxpy takes minutes and gigabytes for more."""


def solve_model(
    graph: nx.Graph,
    parts: Sequence[Component],
    required: Sequence[Requirement],
    objective: ByModel,
    *,
    shared: bool,
    any_optimum: bool,
) -> Found:
    """Return an optimum, exactly private, with the proved bound, or the solver's word where nothing is proved.

    `parts` are the components, of which the objective may join any.

    Raises
    ------
    InputError
        if the objective cannot be used, the graph is too large, or profiles are known only within bounds.
    SolverError
        if no mechanism meets the constraints, or the solver finds none.
    """
    timed, d = Stopwatch(), len(graph.graph["categories"])
    if any(part.problem.uncertain is not None for part in parts):
        raise InputError(
            f"objective {objective.name}: it has no form for profiles known only within bounds; take their "
            "distributions alone (nominal=True)"
        )
    groups = _groups([part.members for part in parts], len(graph), shared)
    sizes = f"{len(set(groups)):,} matrices of {d:,} categories make {{}} entries"
    check_size(len(set(groups)) * d * d, MOST_ENTRIES, sizes, "merge categories, or design parts of the graph")
    with timed("build"):
        problem = ModelProblem.of(objective, graph, groups, required)
    with timed("solve"):
        posing = LinearPosing if problem.model.is_linear else Posing
        found = posing(problem).optimum(any_optimum=any_optimum)
    with timed("repair"):
        tidy = partial(_tidied, problem) if not objective.reads_unused else np.array
        posing = Posing if problem.model.others else LinearPosing
        rows = private_rows(problem, tidy(found.matrices), lambda asked: tidy(posing(asked).centre()))
        missed = problem.model.violation(_doubles(rows))
        if missed > NEAR:
            raise SolverError(f"the constraints could be met only up to {missed:.1g}, not {NEAR:.0g}")
    with timed("bound"):
        proof = Proof(Fraction(found.bound), {}, {}, None, groups)
        if found.multipliers is not None:
            bound = model_bound(problem, found.multipliers)
            proof = Proof(bound.least, bound.weights.by_edge(d), {}, None, groups)
    index = np.array(groups)[:, None] * d + np.arange(d)
    mechanism = Mechanism(graph, tuple(graph.graph["categories"]), shortest(rows.reshape(-1, d)), index)
    return Found(
        mechanism=mechanism,
        proof=proof,
        bound_by="solver" if found.multipliers is None else "duality",
        problems=[(part.members, part.problem) for part in parts],
        counts={
            "components": 1,
            "without_noise": 0,
            "any_optimum": int(not found.canonical),
            "way": {"model in cvxpy": 1},
        },
        seconds=timed.seconds,
    )


def _groups(parts: Sequence[Sequence[int]], profiles: int, shared: bool) -> list[int]:
    """Return the number of the matrix that each profile uses."""
    if not shared:
        return list(range(profiles))
    numbers = {i: number for number, members in enumerate(parts) for i in members}
    return [numbers[i] for i in range(profiles)]


def _tidied(problem: ModelProblem, matrices: Floats) -> Floats:
    """Return matrices in which unused rows keep the category."""
    tidy = np.array(matrices)
    tidy[problem.unused] = np.eye(problem.d)[np.nonzero(problem.unused)[1]]
    return tidy


def _doubles(rows: Exact) -> Floats:
    return np.array(rows / rows.sum(axis=2, keepdims=True), dtype=np.float64)
