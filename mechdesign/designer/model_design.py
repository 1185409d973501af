"""Designs for objectives that are written down in cvxpy: a graph is one problem, as they may join any profiles."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats
from mechdesign.certificate.certificate import Proof
from mechdesign.certificate.model_bound import model_bound
from mechdesign.designer.component import components
from mechdesign.designer.found import Found
from mechdesign.errors import SolverError
from mechdesign.exact.integers import shortest
from mechdesign.graph.distribution import support
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import WorstLoss
from mechdesign.objective.by_model import ByModel
from mechdesign.objective.forced import allowed_entries
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
    graph: nx.Graph, required: Sequence[Requirement], objective: ByModel, *, shared: bool, any_optimum: bool
) -> Found:
    """Return an optimum, exactly private, with the proved bound, or the solver's word where nothing is proved.

    Raises
    ------
    InputError
        if the objective cannot be used, or the graph is too large.
    SolverError
        if no mechanism meets the constraints, or the solver finds none.
    """
    timed, d = Stopwatch(), len(graph.graph["categories"])
    nothing = WorstLoss([[0] * d] * d)  # the components are only those of privacy
    parts = components(graph, required, nothing, shared=shared)
    groups = _groups([part.members for part in parts], len(graph), shared)
    sizes = f"{len(set(groups)):,} matrices of {d:,} categories make {{}} entries"
    check_size(len(set(groups)) * d * d, MOST_ENTRIES, sizes, "merge categories, or design parts of the graph")
    with timed("build"):
        model = objective.model(graph, groups)
        allowed = allowed_entries(model, graph, groups, required)
    with timed("solve"):
        posing = LinearPosing if model.is_linear else Posing
        found = posing(model, graph, groups, required, allowed).optimum(any_optimum=any_optimum)
    with timed("repair"):
        tidy = partial(_tidied, _unused(graph, groups)) if not objective.reads_unused else np.array
        posing = Posing if model.others else LinearPosing
        rows = private_rows(
            tidy(found.matrices),
            lambda asked: tidy(posing(model, graph, groups, asked, allowed).centre()),
            graph,
            groups,
            required,
            allowed,
        )
        missed = model.violation(_doubles(rows))
        if missed > NEAR:
            raise SolverError(f"the constraints could be met only up to {missed:.1g}, not {NEAR:.0g}")
    with timed("bound"):
        bound, privacy = Fraction(found.bound), {}
        if found.multipliers is not None:
            privacy = found.multipliers.exact_privacy()
            bound = model_bound(model, graph, groups, required, allowed, found.multipliers)
    index = np.array(groups)[:, None] * d + np.arange(d)
    mechanism = Mechanism(graph, tuple(graph.graph["categories"]), shortest(rows.reshape(-1, d)), index)
    return Found(
        mechanism=mechanism,
        proof=Proof(bound, privacy, {}, None, groups),
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


def _unused(graph: nx.Graph, groups: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Return, for each matrix and category, whether none of its profiles ever has that category."""
    unused = np.ones((max(groups) + 1, len(graph.graph["categories"])), dtype=bool)
    for group, attributes in zip(groups, graph.nodes.values(), strict=True):
        unused[group, [x for x, _ in support(attributes["distribution"])]] = False
    return unused


def _tidied(unused: npt.NDArray[np.bool_], matrices: Floats) -> Floats:
    """Return matrices in which unused rows keep the category."""
    tidy = np.array(matrices)
    tidy[unused] = np.eye(matrices.shape[-1])[np.nonzero(unused)[1]]
    return tidy


def _doubles(rows: Exact) -> Floats:
    return np.array(rows / rows.sum(axis=2, keepdims=True), dtype=np.float64)
