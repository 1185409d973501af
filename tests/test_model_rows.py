"""From a model's matrices in doubles to exactly private rows."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

from mechdesign import Convex, SolverError, profile_graph
from mechdesign.arrays import Floats
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.privacy.cover import cover, met
from mechdesign.privacy.released import released_by
from mechdesign.privacy.requirement import requirements
from mechdesign.rounding.model_rows import private_rows

GRAPH = profile_graph(
    {"a": ["1/3", "1/3", "1/3"], "b": ["0.6", "0.4", 0], "c": [0, "1e-9", "0.999999999"]},
    edges="all",
    categories=["x", "y", "z"],
)
EVERYTHING = np.ones((3, 3, 3), dtype=bool)
SAME = np.broadcast_to([0.5, 0.25, 0.25], (3, 3, 3))


def posed(graph: nx.Graph, epsilon: Any) -> ModelProblem:
    required = requirements(graph, Fraction(epsilon), Fraction(0))
    return ModelProblem.of(Convex(lambda matrices, graph: 0), graph, range(len(graph)), required)


def is_private(problem: ModelProblem, rows: Any) -> bool:
    released = [released_by(P, own) for P, own in zip(problem.exact, rows, strict=True)]
    return met(released, cover(tuple(problem.required)))


def made_private(matrices: Floats, epsilon: Any, allowed: Any = EVERYTHING, centre: Floats = SAME) -> Any:
    """Return the rows, as doubles, after their privacy is checked from single rows."""
    problem = replace(posed(GRAPH, epsilon), allowed=allowed)
    rows = private_rows(problem, matrices, lambda asked: centre)
    assert is_private(problem, rows)
    return np.array(rows / rows.sum(axis=2, keepdims=True), dtype=float)


@pytest.mark.parametrize("epsilon", ["1", "1e-3", "1e-10", "0"])
def test_errors_of_a_solver_are_mended(epsilon: str) -> None:
    """All profiles nearly release the same: what is private is near by, at any epsilon."""
    noise = np.random.default_rng(1).uniform(-1e-10, 1e-10, (3, 3, 3))
    found = made_private(SAME + noise, epsilon)
    assert found == pytest.approx(SAME, abs=1e-6)


def test_zeros_stay() -> None:
    allowed = EVERYTHING.copy()
    allowed[:, :, 2] = False
    two = np.broadcast_to([0.75, 0.25, 0.0], (3, 3, 3))
    found = made_private(two + 1e-10 * np.eye(3) * allowed, "0", allowed, two)
    assert (found[:, :, 2] == 0).all()


def test_mass_moves_by_way_of_another_row() -> None:
    """To report more as z and less as x, y, which may not be z, is reported as y in place of x, and z as z for y."""
    graph = profile_graph({"a": ["1/2", "1/2", 0], "b": [0, "2/7", "5/7"]}, edges="all", categories=["x", "y", "z"])
    allowed = np.ones((2, 3, 3), dtype=bool)
    allowed[1, 1, 2] = False
    second = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5]])
    released = np.array([0, 2, 5]) / 7 @ second
    matrices = np.array([np.broadcast_to(released + np.array([-1e-10, 0, 1e-10]), (3, 3)), second])
    problem = replace(posed(graph, 0), allowed=allowed)
    rows = private_rows(problem, matrices, lambda asked: matrices)
    assert is_private(problem, rows)
    assert np.array(rows / rows.sum(axis=2, keepdims=True), dtype=float) == pytest.approx(matrices, abs=1e-9)
    assert rows[1, 1, 2] == 0


def test_no_way() -> None:
    """The only centre is no more private than the matrices are."""
    kept = np.broadcast_to(np.eye(3), (3, 3, 3))
    with pytest.raises(SolverError, match="leave no room beside privacy"):
        made_private(kept, "1/10", centre=kept)
